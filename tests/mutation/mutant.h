/* mutant.h -- which change of the source is in force, in a build that has all of them
 * (tests/mutate).
 *
 * HEDDLE_MUTANT=NUMBER in the environment asks for one; 0 or nothing for none.
 * HEDDLE_MUTANTS_SEEN=FILE names a file of HD_MUTANTS bytes: those of changes that are reached
 * become 1. Included before everything else in every file of that build, and in no other. */
#ifndef HD_TESTS_MUTANT_H
#define HD_TESTS_MUTANT_H

enum { HD_MUTANTS = 65536 };

extern unsigned hd_mutant;
extern unsigned char *hd_mutants_seen;

/* Is it this one? */
#define HD_MUTANT(number) (hd_mutants_seen[number] = 1, hd_mutant == (number))
#endif

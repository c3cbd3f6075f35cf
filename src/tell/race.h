/* race.h -- data races as findings: both accesses, both stacks, the locks, and the harm.
 *
 * The explorer says which two events of an execution race; a rerun that stops to look at both
 * gives the rest.  Two races at the same two places are the same finding.
 *
 * A race is harmful when the order of the two accesses decides whether something breaks: an
 * execution that fails is run again with just these two accesses in the other order, and the
 * race led to the failure if that goes well. */
#ifndef HD_TELL_RACE_H
#define HD_TELL_RACE_H
#include "tell/rerun.h"

#include "explore/explore.h"
#include "program/symbolize.h"

/* A number for the two places of a race, whichever order they came in. */
uint64_t hd_race_signature(const hd_image *image, const hd_race *race);
/* Run the execution again and describe its race: the finding (placed at the second access), both
 * stacks as text, the story up to there. */
void hd_race_look(hd_rerun *r, const hd_race *race, const hd_image *image,
                  hd_symbolizer *symbolizer, hd_finding *finding, hd_text *stacks, hd_text *story);

/* ---- harm.c ---- */
typedef struct hd_harm hd_harm;
hd_harm *hd_harm_new(hd_machine *machine, const hd_image *image);
void hd_harm_free(hd_harm *h);
/* Remember a race, or an execution that failed (the last run of `r`), and try what is new about
 * it.  These run executions. */
void hd_harm_add_race(hd_harm *h, uint64_t signature, const hd_race *race);
void hd_harm_add_failure(hd_harm *h, uint64_t signature, const hd_rerun *r);
/* The next race that was found to be harmful since the last call; false if there is none. */
bool hd_harm_next(hd_harm *h, uint64_t *race, uint64_t *failure);
#endif

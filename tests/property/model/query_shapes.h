/* query_shapes.h -- worlds of one seed each whose formulas have a shape that some layer of the
 * solver is made for, compared with trying all values or with Z3. */
#ifndef HD_TESTS_QUERY_SHAPES_H
#define HD_TESTS_QUERY_SHAPES_H
#include <stdint.h>

/* The same terms, compared with one constant after the other. */
void query_test_bounds(uint64_t seed);
/* Remainders, equations, signs and hashes of few bits, asked of the parts of `cases` one by one. */
void query_test_equations(uint64_t seed);
/* Numbers that are taken to pieces and put together again, asked whether they differ. */
void query_test_sums(uint64_t seed);
/* One number of thousands of values, along a path and back. */
void query_test_line(uint64_t seed);
/* Wide numbers of few values, multiplied and divided. */
void query_test_bounded(uint64_t seed);
/* Hashes of small inputs that must be one number. */
void query_test_hash(uint64_t seed);
/* Remainders and equalities of wide inputs. */
void query_test_atoms(uint64_t seed);
/* Inputs that are only moved and compared. */
void query_test_moved(uint64_t seed);
/* Pointers, and what is written and read through them, compared with trying all objects. */
void query_test_pointers(uint64_t seed);
#endif

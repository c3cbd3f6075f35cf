/* mapping_example.h -- a small coverage mapping, for the test of its reader and so that fuzzing
 * gets deep at once.
 *
 * Two bytes of length and the section of files, the same of functions, and the list of counters. */
#ifndef HD_TESTS_MAPPING_EXAMPLE_H
#define HD_TESTS_MAPPING_EXAMPLE_H
#include <stdint.h>

/* Two files; a function with two counters, an expression of them, a region, a branch, a decision
 * and a condition. */
static const uint8_t mapping_example[] = {
    24,  0,   0,    0,    0,    0,    8,    0,    0,    0,    0,  0,  0, 0, 6, 0, 0, 0,
    2,   5,   0,    2,    '/',  'd',  1,    'a', /* files */
    63,  0,   0x0c, 0xc1, 0x75, 0xb9, 0xc0, 0xf1, 0xb6, 0xa8, 35, 0,  0, 0, 7, 0, 0, 0,
    0,   0,   0,    0,    0,    0,    0,    0,    0,    0,    0,  0, /* "a" */
    1,   1,   1,    1,    5,    4,    1,    1,    1,    3,    9,  32, 2, 5, 0, 2, 0, 4,
    40,  2,   1,    1,    1,    0,    3,    48,   5,    2,    1,  0,  0, 0, 1, 0, 4, /* its record
                                                                                      */
    '2', ' ', '3',  ' ',  '7',  ' ',  'a',  '\n'};

#define MAPPING_FILES       2 /* where the sections and their parts begin */
#define MAPPING_N_FILES     24
#define MAPPING_FUNCTIONS   28
#define MAPPING_N_FUNCTIONS 63
#define MAPPING_RECORD      (MAPPING_FUNCTIONS + 28)
#define MAPPING_COUNTED     (MAPPING_FUNCTIONS + MAPPING_N_FUNCTIONS)
#endif

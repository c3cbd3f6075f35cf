/* What the cases of cases.c are made of. */
#ifndef HD_TESTS_LANGUAGE_ODD_H
#define HD_TESTS_LANGUAGE_ODD_H
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef unsigned u32;
#endif

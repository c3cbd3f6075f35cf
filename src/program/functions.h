/* functions.h -- the table of library functions, as the machine sees it (functions.def).
 *
 * T1. Every function that a program calls and does not define has one row, or is refused where it
 *     is reached.
 * Promise (tests/property/property_functions.c): what a function reads and writes of the program's
 *     memory is what its row says; gateway.c looks at it for functions of the C library.
 * Not here: what the functions do. */
#ifndef HD_PROGRAM_FUNCTIONS_H
#define HD_PROGRAM_FUNCTIONS_H
#include <stdbool.h>
#include <stdint.h>

typedef enum hd_function_kind {
    HD_FUNCTION_ABI,    /* called by instrumentation, not by the program */
    HD_FUNCTION_HEDDLE, /* heddle.h */
    HD_FUNCTION_OWN,    /* of the machine: takes the shadows of its arguments itself */
    HD_FUNCTION_MODEL,  /* defined by the program's image; as a real one if that has none */
    HD_FUNCTION_REAL,   /* of the C library, through the gateway */
    HD_FUNCTION_PLAIN,  /* of the C library, called as it is */
    HD_FUNCTION_REFUSED,
    HD_FUNCTION_UNKNOWN /* no row */
} hd_function_kind;

#define HD_FUNCTION_BLOCKS  1u
#define HD_FUNCTION_ENDS    2u
#define HD_FUNCTION_STATE   4u
#define HD_FUNCTION_OUTSIDE 8u
#define HD_FUNCTION_PRINTS  16u
#define HD_FUNCTION_IGNORES 32u /* its arguments mean nothing to the machine */

typedef struct hd_function {
    const char *name;
    void *function; /* of the machine; NULL: the C library's */
    hd_function_kind kind;
    uint32_t flags;
    const char *result, *arguments; /* as in functions.def; why, if it is refused */
} hd_function;

/* The row of `name`, or NULL. */
const hd_function *hd_function_find(const char *name);
/* Does the function of that row enter the kernel in every call (system_calls.def)? */
bool hd_function_is_system_call(const hd_function *row);
/* Row i; NULL behind the last. */
const hd_function *hd_function_row(uint32_t i);

/* One argument of a row. */
typedef struct hd_role {
    char letter;     /* 0: no more arguments */
    bool may_be_null;
    bool is_general; /* it travels in a general register */
    uint8_t n_factors;
    struct {
        char kind;      /* '0' a number, '#' the value of an argument, '@' what it points to */
        uint32_t value; /* the number, or which argument */
    } factors[3];
} hd_role;
/* The argument that the text stands at, which goes on behind it. */
hd_role hd_role_next(const char **text);
#endif

/* checks.h -- the words of --checks: one row for each, from which the compiler, its messages and
 * the help are made; tests/docs.sh compares the manual with it.
 *
 * X(word, sanitizers of clang, what it checks) */
#ifndef HD_COMPILE_CHECKS_H
#define HD_COMPILE_CHECKS_H

#define HD_CHECKS(X)                                                                               \
    X("overflow", "signed-integer-overflow", "signed arithmetic whose result does not fit")        \
    X("shift", "shift", "shifts by too much, or of a value that does not fit")                     \
    X("divide", "integer-divide-by-zero", "division by zero")                                      \
    X("bounds", "array-bounds,vla-bound", "indices of arrays, sizes of variable-length ones")      \
    X("alignment", "alignment", "accesses at addresses that their type does not allow")            \
    X("pointer", "pointer-overflow,null",                                                          \
      "arithmetic on null pointers or around all addresses; members of null")                      \
    X("float", "float-cast-overflow", "floating-point values that do not fit an integer type")     \
    X("bool", "bool", "values of _Bool other than 0 and 1")                                        \
    X("nonnull", "nonnull-attribute,returns-nonnull-attribute", "null where it is forbidden")      \
    X("function", "function", "calls through pointers to functions of another type")               \
    X(HD_CHECK_UNINITIALISED, "", "decisions on memory that was never written")

#define HD_CHECK_UNINITIALISED "uninitialised" /* Heddle's own: clang has none that it could use   \
                                                */

/* "overflow, shift, ..., uninitialised, all or none" */
#define HD_CHECK_WORD(word, sanitizers, text) word ", "
#define HD_CHECK_WORDS                        HD_CHECKS(HD_CHECK_WORD) "all or none"
#endif

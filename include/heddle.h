/* heddle.h -- what a program under test may say to Heddle.
 *
 *     #include <heddle.h>
 *     int main(void) {
 *         int x;
 *         heddle_input(x);              // any value of int
 *         heddle_assume(x != 0);        // but only these
 *         heddle_assert(100 / x < 100); // must hold for all of them
 *     }
 *
 * Compiles as C11 or later and as GNU C; `heddle run` explores every path. */
#ifndef HEDDLE_H
#define HEDDLE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Make the variable x an input.  Scalars, arrays and structs take every value; a pointer is
 * NULL, points to a fresh object of its type (whose contents are inputs too), or to an
 * object that another input pointer of the same type points to. */
#define heddle_input(x)                                                                            \
    do {                                                                                           \
        static __typeof__(x) *heddle_type_marker;                                                  \
        __heddle_input((void *)&(x), sizeof(x), #x, &heddle_type_marker);                          \
    } while (0)

/* Make the n elements at p inputs, each of type *p. */
#define heddle_input_array(p, n)                                                                   \
    do {                                                                                           \
        static __typeof__(*(p)) *heddle_type_marker;                                               \
        __heddle_input_array((void *)(p), sizeof *(p), (n), #p, &heddle_type_marker);              \
    } while (0)

/* Make n raw bytes at `buffer` inputs. */
void heddle_bytes(void *buffer, size_t n, const char *name);

/* Any value from lo to hi, both included. */
long heddle_choose(long lo, long hi);

/* Go on only if the condition holds; executions where it does not are not counted as paths
 * and are no findings. */
#define heddle_assume(condition) __heddle_assume((condition) ? 1 : 0)

/* A finding if the condition can be false. */
#define heddle_assert(condition)                                                                   \
    ((condition) ? (void)0 : __heddle_assert_failed(#condition, __FILE__, __LINE__, __func__))

/* Note that this place was reached; `heddle run` lists the labels and how often. */
void heddle_reach(const char *label);

void __heddle_input(void *address, size_t size, const char *name, const void *type);
void __heddle_input_array(void *address, size_t size, size_t n, const char *name, const void *type);
void __heddle_assume(int condition);
_Noreturn void __heddle_assert_failed(const char *text, const char *file, int line,
                                      const char *function);

#ifdef __cplusplus
}
#endif
#endif

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

/* Note that the condition held here: an obligation of the tests, which `heddle obligations` lists, also if
 * nothing meets it. */
#define heddle_cover(id, condition) ((condition) ? heddle_reach(id) : (void)0)

/* ---- actors: processes that exchange messages ---------------------------------------------
 *
 * An actor has its own copy of all globals, made when it is spawned; what actors know of each
 * other they send as bytes.  Heddle explores every order in which messages can arrive. */

typedef int heddle_actor; /* main is 0, the others follow in the order in which they are spawned */

/* A new actor runs body(copy of the `size` bytes at `argument`).  It runs to its first receive at
 * once, and ends when body returns. */
heddle_actor heddle_spawn(void (*body)(void *argument), const void *argument, size_t size);
heddle_actor heddle_self(void);

/* Send `size` bytes; never waits.  Channels are numbered from 0 to 63, heddle_send uses 0. */
void heddle_send(heddle_actor to, const void *message, size_t size);
void heddle_send_on(int channel, heddle_actor to, const void *message, size_t size);
/* From now on messages on this channel keep their order between two actors; -1: on all channels. */
void heddle_fifo(int channel);

/* Wait for a message, on any channel or on this one; the size of the message, which must fit. */
size_t heddle_receive(void *message, size_t size);
size_t heddle_receive_on(int channel, void *message, size_t size);
/* Of the message that was received last. */
heddle_actor heddle_sender(void);
int heddle_channel(void);

/* The calling actor ends. */
_Noreturn void heddle_halt(void);
/* A finding. */
_Noreturn void heddle_error(const char *what);
/* The calling process may wait for messages for ever: that is no deadlock. */
void heddle_may_idle(void);

/* Make an object of the calling process known to assertions about all processes. */
void heddle_export(const char *name, const void *address, size_t size);
/* Copy the nth object of that name, in the order of processes; 0 if there is none. */
int heddle_exported(const char *name, int nth, void *value, size_t size);
/* Called when nobody can go on any more; a finding if it answers 0. */
void heddle_global_assert(int (*holds)(void));
/* The same at every moment, at one of them, or at one of the first so many seconds of virtual time.
 * A moment is when a process that has changed what it exported comes to something that others
 * notice; `holds` is called then, in that process, and looks at nothing but exported objects. */
#define heddle_global_always(holds)          __heddle_global_rule((holds), #holds, 0)
#define heddle_global_eventually(holds)      __heddle_global_rule((holds), #holds, ~0ull - 1)
#define heddle_global_within(seconds, holds) \
    __heddle_global_rule((holds), #holds, (unsigned long long)((seconds) * 1e9))

void __heddle_input(void *address, size_t size, const char *name, const void *type);
void __heddle_input_array(void *address, size_t size, size_t n, const char *name, const void *type);
void __heddle_bytes_of(void *address, size_t n, const char *name, const void *type);
void __heddle_bound(const char *sentence); /* said beside the verdict */
void __heddle_readable(const void *p, size_t n); /* for models: may all of it be read? */
void __heddle_global_rule(int (*holds)(void), const char *text, unsigned long long nanoseconds);
void __heddle_assume(int condition);
_Noreturn void __heddle_assert_failed(const char *text, const char *file, int line,
                                      const char *function);

#ifdef __cplusplus
}
#endif
#endif

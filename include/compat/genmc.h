/* genmc.h -- what harnesses of the model checker GenMC include.
 *
 * Marks that only help it to reduce its search (helping and confirming exchanges, speculative
 * reads, local and final writes, symmetric threads) are the marked code and nothing else: Heddle
 * finds out by itself what orders matter.  The end of a marked iteration of a waiting loop is an
 * assumption. Hazard pointers protect from nothing, and what is retired is never freed
 * (--no-leaks).  Storage that survives a crash is not supported. */
#ifndef HEDDLE_COMPAT_GENMC_H
#define HEDDLE_COMPAT_GENMC_H
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <verifier.h>

/* ---- threads ---- */

typedef pthread_t __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*start)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, start, argument) != 0)
        abort();
    return thread;
}

static inline __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*start)(void *), void *argument,
                                                             __VERIFIER_thread_t sibling) {
    (void)sibling;
    return __VERIFIER_spawn(start, argument);
}

static inline void *__VERIFIER_join(__VERIFIER_thread_t thread) {
    void *result = NULL;
    pthread_join(thread, &result);
    return result;
}

static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) {
    pthread_join(thread, NULL);
}

/* ---- waiting loops ---- */

#define __VERIFIER_loop_begin()    ((void)0)
#define __VERIFIER_spin_start()    ((void)0)
#define __VERIFIER_spin_end(leads) __VERIFIER_assume(leads)
#define __VERIFIER_unroll(n)       ((void)0)

/* ---- marks ---- */

#define __VERIFIER_MARKED(code)                                                                    \
    do {                                                                                           \
        code;                                                                                      \
    } while (0)
#define __VERIFIER_local_write(code)      __VERIFIER_MARKED(code)
#define __VERIFIER_final_write(code)      __VERIFIER_MARKED(code)
#define __VERIFIER_helped_CAS(code)       __VERIFIER_MARKED(code)
#define __VERIFIER_helping_CAS(code)      __VERIFIER_MARKED(code)
#define __VERIFIER_speculative_read(code) ({ code; })
#define __VERIFIER_confirming_read(code)  ({ code; })
#define __VERIFIER_confirming_CAS(code)   ({ code; })
#define __VERIFIER_final_CAS(code)        ({ code; })
/* Code that matters to no result. */
#define __VERIFIER_optional(code)                                                                  \
    do {                                                                                           \
        if (0) {                                                                                   \
            code;                                                                                  \
        }                                                                                          \
    } while (0)

/* ---- hazard pointers ---- */

typedef struct __VERIFIER_hp_t {
    char nothing;
} __VERIFIER_hp_t;

static inline __VERIFIER_hp_t *__VERIFIER_hp_alloc(void) {
    static __VERIFIER_hp_t only;
    return &only;
}

#define __VERIFIER_hp_protect(pointer, place)                                                      \
    ({                                                                                             \
        (void)(pointer);                                                                           \
        __atomic_load_n((void **)(place), __ATOMIC_ACQUIRE);                                       \
    })
#define __VERIFIER_hp_clear(pointer)  ((void)(pointer))
#define __VERIFIER_hp_free(pointer)   ((void)(pointer))
#define __VERIFIER_hp_retire(pointer) ((void)(pointer))
#endif

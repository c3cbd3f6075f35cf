/* panic.h -- our own bugs, and conditions nobody can go on from.
 *
 * HD_ASSERT stays on in release builds: a wrong verdict costs more than the test.
 * HD_CHECK is for costly re-validation, and for what is asked in the innermost loops: it exists in
 * debug builds and in hostile ones (hostile.h) only.
 * HD_INVARIANT and HD_CHECK_INVARIANT say which invariant of a header it is.
 * Not here: errors of the user or of the machine (err.h). */
#ifndef HD_BASE_PANIC_H
#define HD_BASE_PANIC_H

/* Say that Heddle itself is wrong, where, and abort. */
_Noreturn void hd_panic(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Memory is gone: one sentence, exit status 2. */
_Noreturn void hd_out_of_memory(void);

#define HD_BUG(...) hd_panic(__FILE__, __LINE__, __VA_ARGS__)
#define HD_ASSERT(condition)                                                                       \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            hd_panic(__FILE__, __LINE__, "assertion failed: %s", #condition);                      \
    } while (0)
/* An assertion of an invariant that a header has given a name: HD_INVARIANT(T1, n->n_live > 0). */
#define HD_INVARIANT(name, condition)                                                              \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            hd_panic(__FILE__, __LINE__, "invariant " #name " is broken: %s", #condition);         \
    } while (0)
#if defined HD_DEBUG || defined HD_HOSTILE_BUILD
#define HD_CHECK(condition)                 HD_ASSERT(condition)
#define HD_CHECK_INVARIANT(name, condition) HD_INVARIANT(name, condition)
#else
#define HD_CHECK(condition)                 ((void)sizeof(condition))
#define HD_CHECK_INVARIANT(name, condition) ((void)sizeof(condition))
#endif
#endif

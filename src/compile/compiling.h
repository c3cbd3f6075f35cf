/* compiling.h -- the compiler while it runs: until it ends, its time is over, or somebody asks for
 * the end (private to compile/).
 *
 * heddle-compile starts clang, ld and copies of itself: all of them are a group of processes of
 * their own, and end together. A terminal's ^C reaches this process only, which passes it on; a
 * compiler of a process that was killed ends by itself (compiler/main.c).
 *
 * Not here: what becomes of what it has written (compile.c). */
#ifndef HD_COMPILE_RUNNING_H
#define HD_COMPILE_RUNNING_H

typedef enum hd_compiling_end {
    HD_COMPILING_EXITED,      /* code: its status */
    HD_COMPILING_KILLED,      /* code: the signal */
    HD_COMPILING_TOO_LONG,    /* it was ended at its deadline */
    HD_COMPILING_INTERRUPTED, /* it was ended; code: the signal that asked for it (base/interrupt.h)
                               */
    HD_COMPILING_NOT_STARTED, /* code: errno */
    HD_COMPILING_LOST         /* code: errno */
} hd_compiling_end;

typedef struct hd_compiling {
    hd_compiling_end end;
    int code;
} hd_compiling;

/* argv[0] is a path; `deadline` is a moment of hd_clock_now(), 0: none. */
hd_compiling hd_compiling_wait(char *const *argv, double deadline);
#endif

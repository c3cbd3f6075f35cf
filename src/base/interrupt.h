/* interrupt.h -- somebody asks this process to end soon.
 *
 * A user (SIGINT), whoever started it (SIGTERM), a terminal that goes away (SIGHUP), the limit of
 * processor time (SIGXCPU) and that of file sizes (SIGXFSZ) ask for the same: the last commit, the
 * summary, an exit status.  Handlers only count; loops look.
 *
 * R1. Between begin and end none of these ends the process, a hangup that was ignored before stays
 *     ignored (nohup), and afterwards everything is as it was.
 * Not here: what a loop does when it is asked (fleet/supervisor.c, fleet/cluster/coordinate.c). */
#ifndef HD_BASE_INTERRUPT_H
#define HD_BASE_INTERRUPT_H
#include <signal.h>

#define HD_N_INTERRUPTS 5

typedef struct hd_interrupts {
    struct sigaction before[HD_N_INTERRUPTS];
} hd_interrupts;

/* Begins to count, from 0. */
void hd_interrupts_begin(hd_interrupts *i);
void hd_interrupts_end(const hd_interrupts *i);
/* How often it was asked since the last begin: twice is someone who does not want to wait. */
const volatile sig_atomic_t *hd_interrupts_count(void);
/* The signal that asked first; 0 if none did. */
int hd_interrupts_first(void);
/* What asked first, for people; NULL if nothing did. */
const char *hd_interrupts_why(void);
/* For a child that another process ends: nothing of a terminal or a user reaches it. */
void hd_interrupts_ignore(void);
/* The limit of processor time comes as a signal first: where the kernel would end the process at
 * once, it gets a second to end by itself. */
void hd_interrupts_soften_limit(void);
#endif

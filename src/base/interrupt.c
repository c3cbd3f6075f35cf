/* Signals that ask for the end (interrupt.h). */
#include "base/interrupt.h"

#include "base/panic.h"

#include <sys/resource.h>

static const struct {
    int signal;
    const char *why;
} asking[HD_N_INTERRUPTS] = {
    {SIGINT, "interrupted"},
    {SIGTERM, "interrupted"},
    {SIGHUP, "the terminal was closed"},
    {SIGXCPU, "limit of processor time (ulimit -t)"},
    {SIGXFSZ, "limit of file sizes (ulimit -f)"},
};

static volatile sig_atomic_t n_asked, first;

static void note(int signal) {
    if (!n_asked)
        first = signal;
    n_asked++;
}

void hd_interrupts_begin(hd_interrupts *all) {
    struct sigaction action = {.sa_handler = note};
    n_asked = first = 0;
    for (unsigned i = 0; i < HD_N_INTERRUPTS; i++) {
        int failed = sigaction(asking[i].signal, &action, &all->before[i]);
        HD_INVARIANT(R1, !failed);
        if (asking[i].signal == SIGHUP && all->before[i].sa_handler == SIG_IGN)
            sigaction(SIGHUP, &all->before[i], NULL);
    }
}

void hd_interrupts_end(const hd_interrupts *all) {
    for (unsigned i = 0; i < HD_N_INTERRUPTS; i++)
        sigaction(asking[i].signal, &all->before[i], NULL);
}

const volatile sig_atomic_t *hd_interrupts_count(void) {
    return &n_asked;
}

int hd_interrupts_first(void) {
    return n_asked ? first : 0;
}

const char *hd_interrupts_why(void) {
    for (unsigned i = 0; n_asked && i < HD_N_INTERRUPTS; i++)
        if (asking[i].signal == first)
            return asking[i].why;
    return NULL;
}

void hd_interrupts_ignore(void) {
    for (unsigned i = 0; i < HD_N_INTERRUPTS; i++)
        signal(asking[i].signal, SIG_IGN);
}

void hd_interrupts_soften_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY ||
        limit.rlim_cur < limit.rlim_max || limit.rlim_max < 2)
        return;
    limit.rlim_cur = limit.rlim_max - 1;
    setrlimit(RLIMIT_CPU, &limit);
}

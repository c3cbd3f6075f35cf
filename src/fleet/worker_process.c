/* A process becomes a worker: what it keeps of its supervisor, and when it ends. */
#include "base/interrupt.h"
#include "base/panic.h"
#include "fleet/worker.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Only the standard streams and the socket stay open, and the socket far from the numbers that
 * the program will get from open(). */
static int keep_only(int socket) {
    int high = fcntl(socket, F_DUPFD_CLOEXEC, HD_FIRST_OF_OURS);
    if (high < 0)
        high = socket;
    HD_ASSERT(high >= 0);
    if (high > 3)
        close_range(3, (unsigned)high - 1, 0);
    close_range((unsigned)high + 1, UINT_MAX, 0);
    return high;
}

static int worker_socket;
static pid_t worker_pid;

/* In a child that the machine forks: it must not outlive the worker, nor keep the socket open,
 * whose end tells the supervisor that the worker is gone. */
static void leave_with_worker(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != worker_pid)
        _exit(1);
    close(worker_socket);
}

static hd_channel *worker_channel;

/* The supervisor ends the run: another worker would only use up as much again. */
static void note_limit(int signal) {
    (void)signal;
    atomic_store(&worker_channel->is_out_of_time, true);
}

/* Signals of users and terminals are the supervisor's (F3); processor time is limited for each
 * process by itself. */
static void leave_signals(hd_channel *channel) {
    hd_interrupts_ignore();
    hd_interrupts_soften_limit();
    worker_channel = channel;
    signal(SIGXCPU, note_limit);
}

/* When memory runs out the kernel takes a worker, whose loss costs little, and not the supervisor.
 */
static void offer_itself(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t n = write(file, "500", 3);
    (void)n; /* if it cannot, nothing is worse than before */
    close(file);
}

int hd_worker_become(const hd_orders *o) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != o->supervisor)
        _exit(1);
    worker_pid = getpid();
    HD_INVARIANT(F1, worker_pid != o->supervisor);
    worker_socket = keep_only(o->socket);
    offer_itself();
    pthread_atfork(NULL, NULL, leave_with_worker);
    leave_signals(o->channel);
    return worker_socket;
}

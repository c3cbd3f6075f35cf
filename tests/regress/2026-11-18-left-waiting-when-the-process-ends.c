/* A thread waits in a system call for ever, main ends the process, and the program calls kill() somewhere: the
 * end of the process was taken for a kill that the thread could have gone on before, and executions
 * left their path.
 *
 * run: -DREADS
 * verdict: complete
 * paths: 3
 *
 * run: -DREADS --por none
 * verdict: complete
 * paths: 3
 *
 * run: -DPAUSES
 * verdict: complete
 * paths: 3
 *
 * run: -DTAKES
 * verdict: complete
 * paths: 10 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static sigset_t set;

static void handle(int number) {
    (void)number;
}

static void *waits(void *unused) {
    kill(getpid(), SIGUSR1);
#ifdef READS
    char c;
    read(ends[0], &c, 1);
#elif defined PAUSES
    pause();
#else
    int number;
    sigwait(&set, &number);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, waits, NULL);
    _exit(0);
}

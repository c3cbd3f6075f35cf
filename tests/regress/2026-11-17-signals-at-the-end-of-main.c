/* The main thread ends before others, and the process has handlers.  It did not look for signals at
 * its end (no execution ran the handler), and did if it happened to be the last thread (classes of
 * none that optimal had not).  Who else takes the signal did not, and that a thread waited
 * for what a handler would have done was called a deadlock.
 *
 * run: --no-samples
 * verdict: complete
 * paths: 2
 *
 * run: --no-samples --por none
 * verdict: complete
 * paths: 2
 *
 * run: -DSENT
 * verdict: complete
 * paths: 1034
 * label: handled
 * label: released
 *
 * run: -DLOCKED
 * verdict: complete
 * paths: 2
 * label: handled
 *
 * run: -DLOCKED --por none
 * verdict: complete
 * paths: 2
 *
 * run: -DCREATES --no-samples
 * verdict: complete
 * paths: 5
 *
 * run: -DCREATES --por none --no-samples
 * verdict: complete
 * paths: 5 */
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t done;

static void handle(int number) {
    (void)number;
    heddle_reach("handled");
    sem_post(&done);
}

static void sends(pid_t parent) {
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
}

#ifdef SENT
static void *waits(void *unused) {
    sem_wait(&done);
    heddle_reach("released");
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    signal(SIGUSR1, handle);
    sends(getpid());
    pthread_create(&thread, NULL, waits, NULL);
    pthread_exit(NULL);
}
#elif defined LOCKED
/* Linux lets it in, and the wait fails or has what it waits for. */
int main(void) {
    sem_init(&done, 0, 0);
    signal(SIGUSR1, handle);
    sends(getpid());
    sem_wait(&done);
    wait(NULL);
}
#elif defined CREATES
/* A signal comes before a thread is created, while that happens, or after it. */
static atomic_int n;

static void count(int number) {
    (void)number;
    atomic_fetch_add(&n, 1);
}

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, count);
    sends(getpid());
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_exit(NULL);
}
#else
static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    if (fork() == 0)
        _exit(1);
    signal(SIGUSR1, handle);
    pthread_t first, second;
    pthread_create(&first, NULL, nothing, NULL);
    pthread_create(&second, NULL, nothing, NULL);
    pthread_join(second, NULL);
    pthread_exit(NULL);
}
#endif

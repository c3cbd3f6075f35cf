/* Two threads of one process make the same shared memory, or set the handler of the same signal: who
 * is first was no choice.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: -DHANDLERS
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: -DAT_EXIT
 * verdict: complete
 * paths: 2
 * finding: assertion 1 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

static int order;

static void ignore(int signal) {
    (void)signal;
}

static void one(void) {
    assert(order == 0); // BUG assertion
    order = 1;
}

static void two(void) {
    order = 2;
}

static void *work(void *is_main) {
#if defined HANDLERS
    void (*old)(int) = signal(SIGUSR1, ignore);
    assert(!is_main || old == SIG_DFL); // BUG assertion
#elif defined AT_EXIT
    atexit(is_main ? one : two);
#else
    int d = shm_open("/name", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(!is_main || d >= 0); // BUG assertion
#endif
    (void)ignore, (void)one, (void)two;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(&thread);
    pthread_join(thread, NULL);
    return 0;
}

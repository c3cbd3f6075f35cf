/* A signal comes into a join, whose thread ends while the handler runs.  That it had ended was seen
 * without an event, so that `none` had a class more than there are: the join is asked again, always.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: seen 3
 *
 * run: --por dpor
 * verdict: complete
 * paths: 3
 *
 * run: --por none
 * verdict: complete
 * paths: 3 */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int n;
static int data;

static void count(int number) {
    (void)number;
    n++;
}

static void *run(void *unused) {
    (void)unused;
    kill(getpid(), SIGUSR1);
    data = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    signal(SIGUSR1, count);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    heddle_reach(data + n == 2 ? "seen" : "missed");
    return 0;
}

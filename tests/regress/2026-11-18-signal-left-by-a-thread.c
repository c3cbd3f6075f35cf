/* A thread that ends leaves what waits for it to the next one that lets it in: its end is ordered with the looks of others.
 * (As a mere read of the process's signals it was not: 102 classes of 104.)
 *
 * run:
 * verdict: complete
 * paths: 339
 * label: first
 * label: second
 * label: nobody
 *
 * run: --por none
 * verdict: complete
 * paths: 339
 * label: first
 * label: second
 * label: nobody */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static _Thread_local int number;
static volatile int taker;

static void handle(int signal) {
    (void)signal;
    taker = number;
}

static void let_in(int how) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(how, &set, NULL);
}

static void *listen(void *unused) {
    number = 1;
    let_in(SIG_UNBLOCK);
    return unused;
}

static void *send(void *unused) {
    number = 2;
    kill(getpid(), SIGUSR1);
    let_in(SIG_UNBLOCK);
    return unused;
}

int main(void) {
    pthread_t first, second;
    signal(SIGUSR1, handle);
    let_in(SIG_BLOCK);
    pthread_create(&first, NULL, listen, NULL);
    pthread_create(&second, NULL, send, NULL);
    pthread_join(second, NULL);
    pthread_join(first, NULL);
    heddle_reach(taker == 1 ? "first" : taker == 2 ? "second" : "nobody");
    return 0;
}

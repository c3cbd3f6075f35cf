/* The child of fork begins with the thread-local objects of the thread that called it.  It had those
 * of a thread that never ran.
 *
 * run:
 * verdict: incomplete
 * reason: fork while other threads run
 * label: same
 *
 * run: -DTHREADS=70
 * verdict: incomplete
 * reason: fork while other threads run
 * label: same */
#include <heddle.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 2
#endif

static _Thread_local int local = 1, other = 2;

__attribute__((noinline)) static int sum(void) {
    return local + other;
}

static void *forks(void *unused) {
    int status = 0;
    local = 5;
    int child = fork();
    if (child == 0) {
        other += 8;
        _exit(sum());
    }
    other += 1;
    waitpid(child, &status, 0);
    heddle_assert(WEXITSTATUS(status) == 15 && sum() == 8);
    return unused;
}

static void *passes(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&t, NULL, i + 1 < THREADS ? passes : forks, NULL);
        pthread_join(t, NULL);
    }
    heddle_assert(sum() == 3);
    forks(NULL);
    heddle_reach("same");
    return 0;
}

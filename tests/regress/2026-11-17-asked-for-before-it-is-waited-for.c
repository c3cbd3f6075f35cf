/* One thread asks whether a child is there, another waits for it and takes it.  That who waits could be
 * first was left out: who asks was taken for what had made it possible to go on.
 *
 * run:
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: --por dpor
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: --por flip
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: --por none
 * verdict: complete
 * label: there
 * label: gone */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static int child, asked;

static void *ask(void *unused) {
    asked = kill(child, 0);
    return unused;
}

static void *take(void *unused) {
    heddle_assert(waitpid(child, NULL, 0) == child);
    return unused;
}

int main(void) {
    pthread_t a, b;
    child = fork();
    if (child == 0)
        _exit(7);
    pthread_create(&a, NULL, ask, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    heddle_reach(asked ? "gone" : "there");
    return 0;
}

/* The end of the program waits for threads that were created when main had asked to end already.
 * It was ordered with those only that were there before: `optimal` wanted it to come first, and
 * left the path that it had foretold.
 *
 * run:
 * verdict: complete
 * paths: 2
 * executions: 2
 * run: --por dpor
 * verdict: complete
 * paths: 2
 * run: --por none
 * verdict: complete
 * paths: 2
 * run: -DIN_PROCESS
 * verdict: complete
 * paths: 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int state;

static void *nothing(void *unused) {
    return unused;
}

static void *writer(void *unused) {
    pthread_t child;
    state = 0;
    pthread_create(&child, NULL, nothing, NULL);
    return unused;
}

static void *creator(void *unused) {
    pthread_t children[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&children[i], NULL, writer, NULL);
    return unused;
}

int main(void) {
    pthread_t child;
#ifdef IN_PROCESS
    if (fork() != 0)
        return 0;
#endif
    pthread_create(&child, NULL, creator, NULL);
    return 0;
}

/* Of two threads that fail in one execution only the first was reported.  One of these always
 * fails, the other in one of two classes: a search with one execution per class never showed it.
 * The same with processes, and with threads of one process, which were stopped with the first.
 *
 * run: --por none
 * verdict: complete
 * finding: assertion 2
 * run: --por flip
 * verdict: complete
 * finding: assertion 2
 * run: --por dpor
 * verdict: complete
 * finding: assertion 2
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion 2
 * run: --isolation fork
 * verdict: complete
 * paths: 2
 * finding: assertion 2
 * run: -DIN_CHILD
 * verdict: complete
 * paths: 2
 * finding: assertion 2
 * run: -DIN_CHILDREN
 * verdict: complete
 * paths: 1
 * finding: assertion 2 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int ours, theirs;

static void *always(void *unused) {
    ours = 1;
    assert(ours == 2); // BUG assertion
    return unused;
}

static void *sometimes(void *unused) {
    int seen = theirs;
    assert(seen != 2); // BUG assertion
    return unused;
}

static void *writer(void *unused) {
    theirs = 2;
    return unused;
}

static void run_threads(void) {
    void *(*const begin[])(void *) = {always, sometimes, writer};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, begin[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

int main(void) {
#ifdef IN_CHILDREN
    if (fork() == 0)
        always(NULL);
    theirs = 2;
    if (fork() == 0)
        sometimes(NULL);
#elif defined IN_CHILD
    if (fork() == 0)
        run_threads();
    wait(NULL);
#else
    run_threads();
#endif
    return 0;
}

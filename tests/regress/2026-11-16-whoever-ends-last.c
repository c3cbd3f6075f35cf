/* If main leaves with pthread_exit, the thread that ends last ends the program.  Who that was made
 * classes of their own, which `none` counted and no reduction explored.
 *
 * run:
 * verdict: complete
 * paths: 2
 * run: --por none
 * verdict: complete
 * paths: 2
 * run: -DEXITS
 * verdict: complete
 * paths: 2
 * run: -DEXITS --por none
 * verdict: complete
 * paths: 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;

static void *reader(void *unused) {
#ifdef EXITS /* here it does: the status is another */
    exit(0);
#else
    int seen = value;
    (void)seen;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
#ifdef EXITS
    exit(1);
#endif
    value = 1;
    pthread_exit(NULL);
}

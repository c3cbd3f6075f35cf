/* A lock that main takes while another thread runs, and gives back after it has joined it, or takes
 * before there are others: what a thread does alone is no event.  The lock counted as held for
 * good, so that the writer never came first (given back alone); or as free, so that an execution
 * left the path predicted for it (taken alone).
 *
 * run: --por flip
 * verdict: complete
 * paths: 2
 * finding: assertion
 * exit: 1
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2
 * finding: assertion
 * exit: 1
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion
 * exit: 1
 *
 * run: -DTAKEN --por none
 * verdict: complete
 * paths: 3
 * exit: 0
 *
 * run: -DTAKEN --por dpor
 * verdict: complete
 * paths: 3
 * exit: 0
 *
 * run: -DTAKEN
 * verdict: complete
 * paths: 3
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int written;
static atomic_int between;

static void *write_it(void *unused) {
    pthread_rwlock_wrlock(&lock);
    written = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

#ifdef TAKEN

static void *read_it(void *unused) {
    pthread_rwlock_rdlock(&lock);
    atomic_store(&between, 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t reader, writer;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_create(&writer, NULL, write_it, NULL);
    (void)atomic_load(&between);
    pthread_rwlock_unlock(&lock);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    return 0;
}

#else

static void *do_nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, do_nothing, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&lock);
    pthread_create(&thread, NULL, write_it, NULL);
    pthread_rwlock_rdlock(&lock);
    int seen = written;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    assert(seen == 0); // BUG assertion
    return 0;
}

#endif

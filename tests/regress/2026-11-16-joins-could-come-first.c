/* A join that came after another thread had cancelled its caller, detached its target or read what it
 * writes could have come before that: no reduction tried it.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: after
 * label: joined
 *
 * run: -DDETACHED
 * verdict: complete
 * paths: 3
 * finding: bad-thread 2
 *
 * run: -DREAD --no-races
 * verdict: complete
 * paths: 2
 * label: one
 * label: zero */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t first, second;
static atomic_int done;
static void *result;

static void *end(void *unused) {
    done = 1;
    return (void *)1;
}

static void *join(void *unused) {
    pthread_join(first, &result); // BUG bad-thread
    heddle_reach("joined");
    pthread_testcancel();
    heddle_reach("after");
    return unused;
}

int main(void) {
    pthread_create(&first, NULL, end, NULL);
    while (!done) {
    }
    pthread_create(&second, NULL, join, NULL);
#if defined DETACHED
    pthread_detach(first); // BUG bad-thread
#elif defined READ
    heddle_reach(result ? "one" : "zero");
#else
    pthread_cancel(second);
#endif
    pthread_join(second, NULL);
    return 0;
}

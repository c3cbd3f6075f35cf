/* What a function without a model does to memory of other threads is not seen: that is said, unless
 * nobody else can see it.
 *
 * run:
 * verdict: incomplete
 * reason: what 'strtod' does to memory of other threads is not seen
 * reason-at: LOSS
 * exit: 3
 *
 * run: -DPRIVATE
 * verdict: complete
 *
 * run: -DJOINED
 * verdict: complete */
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static char shared[8] = "1.5";

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef PRIVATE
    char own[8] = "2.5", *end;
    return strtod(own, &end) + fabs(sin(1)) + abs(-1) < 0;
#endif
#ifdef JOINED
    pthread_join(thread, NULL);
#endif
    return strtod(shared, NULL) < 0; // LOSS
}

/* What functions of the C library read of memory of other threads are events.  What one without a row
 * does there is not seen: that is said.
 *
 * run: -DUNKNOWN --external strfry
 * verdict: incomplete
 * reason: what 'strfry' does to memory of other threads is not seen
 * reason-at: LOSS
 * exit: 3
 *
 * run: --no-races
 * verdict: complete
 * label: old 1
 * label: new 1
 *
 * run: -DPRIVATE
 * verdict: complete
 *
 * run: -DJOINED
 * verdict: complete
 * no-label: old
 * label: new 1 */
#define _GNU_SOURCE
#include <heddle.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static char shared[8] = "1.5";

static void *work(void *unused) {
    shared[0] = '2';
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
#ifdef UNKNOWN
    strfry(shared); // LOSS
#else
    heddle_reach(strtod(shared, NULL) < 2 ? "old" : "new");
#endif
    return 0;
}

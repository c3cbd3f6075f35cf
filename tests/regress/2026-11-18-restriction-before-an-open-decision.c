/* A part of a search that begins with a condition on its inputs looked for the first state to go on from with numbers of
 * decisions from before that condition stood in front of them: where the state had nothing to run after all, the next
 * decision was left out, and the worker ended with "invariant V2 is broken".
 *
 * run:
 * verdict: complete
 * paths: 7
 * fleet: 57
 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int looked_at, decided;

static void *look(void *unused) {
    return looked_at ? unused : 0;
}

static void *decide(void *unused) {
    if (decided != 2)
        looked_at = 0;
    return decided ? unused : 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, look, 0);
    pthread_create(&t[1], 0, decide, 0);
    decided = heddle_choose(0, 3);
    heddle_assume(decided != 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

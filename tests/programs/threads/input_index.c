/* An input is an index into shared memory: the accesses conflict only where the indices are equal,
 * and then both orders are run.
 *
 * run:
 * verdict: complete
 * label: same-first
 * label: same-second
 * label: different
 *
 * run: --por dpor
 * verdict: complete
 * label: same-first
 * label: same-second
 * label: different */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

enum { CELLS = 4 };
static atomic_int cells[CELLS];
static unsigned char i, j;

static void *work(void *unused) {
    atomic_store(&cells[i], 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    heddle_input(i);
    heddle_input(j);
    heddle_assume(i < CELLS && j < CELLS);
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&cells[j], 2);
    pthread_join(thread, NULL);
    if (i != j)
        heddle_reach("different");
    else
        heddle_reach(cells[i] == 2 ? "same-first" : "same-second");
    return 0;
}

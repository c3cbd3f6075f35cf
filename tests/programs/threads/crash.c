/* A null pointer in one order only: the check and the use are two steps.
 *
 * run:
 * verdict: complete
 * finding: null-pointer 1
 * label: skipped */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static int value = 1;
static _Atomic(int *) pointer = &value;

static void *work(void *unused) {
    if (atomic_load(&pointer))
        (void)*(volatile int *)atomic_load(&pointer); // BUG null-pointer
    else
        heddle_reach("skipped");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&pointer, NULL);
    pthread_join(thread, NULL);
    return 0;
}

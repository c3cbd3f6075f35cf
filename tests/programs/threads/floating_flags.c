/* Flags of floating point are each thread's own, whoever runs in between: one that divides has seen
 * that the result is not exact, one that does not has not, and main has not either when it goes on
 * behind the end of the other.
 *
 * run:
 * verdict: complete
 * paths: 2 */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static volatile double three = 3, third;

static void *divide(void *unused) {
    third = 1 / three;
    atomic_fetch_add(&x, 1);
    assert(fetestexcept(FE_INEXACT));
    return unused;
}

int main(void) {
    pthread_t thread;
    feclearexcept(FE_ALL_EXCEPT);
    pthread_create(&thread, NULL, divide, NULL);
    atomic_store(&x, 2);
    assert(!fetestexcept(FE_INEXACT));
    pthread_join(thread, NULL);
    assert(!fetestexcept(FE_INEXACT));
    return 0;
}

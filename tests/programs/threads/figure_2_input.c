/* Paper 002, Fig. 2: the error needs the write of the first thread between the write and the read
 * of the second, and z = 1.
 *
 * Three orders, and in the one of them where 2z + 1 = x has a solution, two values of z.
 *
 * run: --por none
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: --por flip
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: --por dpor
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: --por optimal
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *second(void *unused) {
    int z;
    heddle_input(z);
    atomic_store(&x, 2);
    heddle_assert(2 * (long)z + 1 != atomic_load(&x)); // BUG assertion
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    atomic_store(&x, 3);
    return 0;
}

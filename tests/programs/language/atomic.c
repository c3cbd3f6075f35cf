/* Atomic operations of C11 on symbolic values, in a program of one thread.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: exchanged 1
 * label: sum 1 */
#include <heddle.h>
#include <stdatomic.h>

static atomic_uint counter;
static _Thread_local unsigned own;

int main(void) {
    unsigned x, expected = 7;
    heddle_input(x);
    atomic_store(&counter, x);
    if (atomic_compare_exchange_strong(&counter, &expected, 8)) {
        heddle_assert(x == 7 && atomic_load(&counter) == 8);
        heddle_reach("exchanged");
        return 0;
    }
    heddle_assert(expected == x);
    own = atomic_fetch_add(&counter, 5);
    if (atomic_load(&counter) == 1005) {
        heddle_reach("sum");
        heddle_assert(own == 1000);
    }
    return 0;
}

/* Atomic builtins of clang and gcc, and atomic objects that need functions of the library.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: arrived 1 */
#include <heddle.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pair {
    long a, b;
};
struct odd {
    int a, b, c;
};
static _Atomic struct pair pair;
static _Atomic struct odd odd;
static int word;
static long lock;

static void old_builtins(void) {
    word = 5;
    heddle_assert(__sync_fetch_and_add(&word, 3) == 5);
    heddle_assert(__sync_sub_and_fetch(&word, 2) == 6);
    heddle_assert(__sync_bool_compare_and_swap(&word, 6, 9));
    heddle_assert(__sync_val_compare_and_swap(&word, 6, 1) == 9);
    heddle_assert(__sync_lock_test_and_set(&lock, 1) == 0 && lock == 1);
    __sync_lock_release(&lock);
    __sync_synchronize();
    heddle_assert(lock == 0 && word == 9);
}

static void generic_builtins(int x) {
    int expected = 4, desired = x, old;
    __atomic_store_n(&word, 4, __ATOMIC_RELEASE);
    heddle_assert(__atomic_compare_exchange(&word, &expected, &desired, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE));
    __atomic_load(&word, &old, __ATOMIC_ACQUIRE);
    heddle_assert(old == x);
    heddle_assert(__atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST) == x);
    heddle_assert(__atomic_or_fetch(&word, 6, __ATOMIC_RELAXED) == 7);
}

static void library_functions(int x) {
    struct pair p = {1, 2}, wrong = {0, 1};
    struct odd o = {1, x, 3};
    pair = p;
    heddle_assert(!atomic_compare_exchange_strong(&pair, &wrong, p));
    heddle_assert(wrong.a == 1 && wrong.b == 2);
    p.b = 7;
    heddle_assert(atomic_compare_exchange_strong(&pair, &wrong, p));
    struct pair now = pair;
    heddle_assert(now.a == 1 && now.b == 7);
    odd = o;
}

int main(void) {
    int x;
    heddle_input(x);
    old_builtins();
    generic_builtins(x);
    library_functions(x);
    struct odd now = odd;
    heddle_assert(now.a == 1 && now.c == 3);
    if (now.b == 4711)
        heddle_reach("arrived");
    return 0;
}

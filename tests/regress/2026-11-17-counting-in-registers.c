/* A loop that counts in registers was endless, "the same state again": registers that a caller
 * keeps were no part of a state.
 *
 * run: --max-steps 20 --no-races
 * verdict: incomplete
 * reason: more than 20 loop iterations
 * exit: 3 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint result;
static unsigned limit;

static void *count(void *unused) {
    unsigned sum = 0;
    for (unsigned i = 0; i < limit; i++)
        sum += i;
    result = sum;
    return unused;
}

int main(int argc, char **argv) {
    pthread_t t;
    (void)argv;
    limit = 5000u * (unsigned)argc;
    pthread_create(&t, NULL, count, NULL);
    pthread_join(t, NULL);
    return result == 5;
}

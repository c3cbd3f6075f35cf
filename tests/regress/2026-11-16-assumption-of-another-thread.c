/* A rejected assumption ended what other threads did as well: a thread that failed last, after
 * another one's assumption was rejected, was not told; and inputs that an assumption rejects were
 * never tried, although another thread fails for them before the assumption is made.
 *
 * run:
 * verdict: complete
 * finding: assertion
 * run: --por none
 * verdict: complete
 * finding: assertion
 * run: -DMAIN
 * verdict: complete
 * finding: assertion
 * run: -DMAIN --por flip
 * verdict: complete
 * finding: assertion
 * run: -DINPUT
 * verdict: complete
 * paths: 3
 * finding: assertion
 * run: -DINPUT --por none
 * verdict: complete
 * paths: 3
 * finding: assertion
 * run: -DINPUT --por dpor
 * verdict: complete
 * paths: 3
 * finding: assertion
 * run: -DINPUT --por flip
 * verdict: complete
 * paths: 3
 * finding: assertion */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

#ifdef MAIN /* main assumes, the thread fails */
static void *work(void *unused) {
    heddle_assert(value == 0); // BUG assertion
    return unused;
}

int main(void) {
    pthread_t thread;
    int input;
    pthread_create(&thread, NULL, work, NULL);
    value = 1;
    heddle_input(input);
    heddle_assume(input == 7 && value == 2);
    return 0;
}
#else
static void *work(void *unused) {
#ifdef INPUT
    int input;
    heddle_input(input);
    value = input;
    heddle_assume(input == 7);
#else
    value = 5;
    heddle_assume(value == 7);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    heddle_assert(value != 5); // BUG assertion
    return 0;
}
#endif

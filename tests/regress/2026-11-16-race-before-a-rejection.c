/* The first execution in which the two writes meet is rejected afterwards.  The race counts all the
 * same; it was noted as known and told by nobody.
 *
 * run:
 * verdict: complete
 * finding: data-race */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static int plain;
static atomic_int is_done;

static void *work(void *unused) {
    plain = 1; // BUG data-race
    is_done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    plain = 2; // BUG data-race
    heddle_assume(is_done);
    pthread_join(thread, NULL);
    return 0;
}

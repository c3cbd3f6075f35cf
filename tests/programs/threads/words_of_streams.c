/* Who waits for a standard stream that another thread keeps, in words.
 *
 * run: -DSTREAM=stdout
 * verdict: complete
 * finding: deadlock 1
 * says: stdout
 *
 * run: -DSTREAM=stdin
 * verdict: complete
 * finding: deadlock 1
 * says: stdin
 *
 * run: -DSTREAM=stderr
 * verdict: complete
 * finding: deadlock 1
 * says: stderr */
#include <pthread.h>
#include <stdio.h>

static void *wait_for_it(void *unused) {
    flockfile(STREAM); // BUG deadlock
    return unused;
}

int main(void) {
    pthread_t thread;
    flockfile(STREAM);
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_join(thread, NULL); // BUG deadlock
    return 0;
}

/* Reading and writing through descriptors touches memory too: a buffer that another thread fills, and
 * one that is received into.  Only as many bytes as came are written.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: data-race
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 * finding: data-race
 *
 * run: -DRECEIVE
 * verdict: complete
 * finding: data-race
 *
 * run: -DRECEIVE --por dpor
 * verdict: complete
 * finding: data-race
 *
 * run: -DBEHIND
 * verdict: complete
 *
 * run: -DBEHIND --por none
 * verdict: complete */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static char buffer[8];

static void *work(void *unused) {
#ifdef BEHIND
    buffer[4] = 'x';
#else
    buffer[1] = 'x'; // BUG data-race
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "abcd", 4) != 4)
        return 2;
    pthread_create(&thread, NULL, work, NULL);
#if defined RECEIVE || defined BEHIND
    ssize_t n = read(ends[0], buffer, sizeof buffer); // BUG data-race
#else
    ssize_t n = write(1, buffer, 4); // BUG data-race
#endif
    pthread_join(thread, NULL);
    return n != 4;
}

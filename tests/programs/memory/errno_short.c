/* errno is as large as an int, for one thread and for several; what lies in front of it and behind it
 * is not the program's.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: out-of-bounds 3
 * label: mine 1
 *
 * run: --strategy dfs -DTHREADS
 * verdict: complete
 * finding: out-of-bounds 1
 * label: mine 1 */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static volatile char c;

static void *other(void *unused) {
    errno = 5;
    return unused;
}

int main(void) {
    volatile char *at = (volatile char *)&errno;
#ifdef THREADS
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
#endif
    switch (heddle_choose(0, 3)) {
#ifndef THREADS
    case 0:
        c = at[4]; // BUG out-of-bounds
        break;
    case 1:
        c = at[5]; // BUG out-of-bounds
        break;
#endif
    case 2:
        c = at[-1]; // BUG out-of-bounds
        break;
    case 3:
        errno = 0;
        c = at[3];
        heddle_reach(errno == 0 ? "mine" : "another's");
        break;
    default:
        break;
    }
    return 0;
}

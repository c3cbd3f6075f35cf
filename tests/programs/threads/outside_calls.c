/* Functions that run as they are: those that keep something between calls are ordered, others are not.
 *
 * run: -DWAY=0
 * verdict: complete
 * executions: 1
 *
 * run: -DWAY=1
 * verdict: complete
 * executions: 2
 *
 * run: -DWAY=1 --por none
 * verdict: complete */
#include <fnmatch.h>
#include <heddle.h>
#include <pthread.h>
#include <sys/statvfs.h>

static void *call(void *unused) {
#if WAY == 0
    heddle_assert(fnmatch("a*", "abc", 0) == 0);
#else
    struct statvfs disk;
    heddle_assert(statvfs("/usr", &disk) == 0);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, call, NULL);
    pthread_create(&b, NULL, call, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* A stream that one thread closes beside another that uses it: the use comes first, or waits until it
 * is closed, or comes later.  When the close came first, whole, only that order was run.
 *
 * run:
 * verdict: complete
 * finding: use-after-free 1
 * says: use of a stream that was closed
 * label: used
 *
 * run: --por none
 * verdict: complete
 * finding: use-after-free 1
 * label: used
 *
 * run: -DWAY=1
 * verdict: complete
 * finding: use-after-free 1
 * label: used
 *
 * run: -DWAY=2
 * verdict: complete
 * finding: use-after-free 1
 * label: used
 *
 * run: -DWAY=3
 * verdict: complete
 * finding: use-after-free 1
 * label: used
 *
 * run: -DWAY=4
 * verdict: complete
 * finding: use-after-free 1
 * label: used */
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>

static FILE *f;

static void *use(void *unused) {
#if WAY == 1
    fileno(f); // BUG use-after-free
#elif WAY == 2
    if (ftrylockfile(f) == 0) // BUG use-after-free
        funlockfile(f);
#elif WAY == 3
    ftell(f); // BUG use-after-free
#elif WAY == 4
    fprintf(f, "text"); // BUG use-after-free
#else
    fputc('a', f); // BUG use-after-free
#endif
    heddle_reach("used");
    return unused;
}

int main(void) {
    pthread_t thread;
    f = tmpfile();
    pthread_create(&thread, NULL, use, NULL);
    fclose(f);
    pthread_join(thread, NULL);
    return 0;
}

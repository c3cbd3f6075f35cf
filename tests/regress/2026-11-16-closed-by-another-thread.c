/* A thread waits for a stream that another one closes, and would have used it afterwards.
 *
 * run:
 * verdict: complete
 * finding: use-after-free
 *
 * run: --por none
 * verdict: complete
 * finding: use-after-free */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static FILE *f;

static void *work(void *unused) {
    fputc('x', f); // BUG use-after-free
    return unused;
}

int main(void) {
    int ends[2];
    pthread_t thread;
    if (pipe(ends) != 0 || !(f = fdopen(ends[1], "w")))
        return 2;
    pthread_create(&thread, NULL, work, NULL);
    fclose(f); // BUG use-after-free
    pthread_join(thread, NULL);
    return 0;
}

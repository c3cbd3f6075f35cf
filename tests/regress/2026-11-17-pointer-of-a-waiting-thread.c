/* A block was lost, although a thread that still waited when the program ended had its address: in
 * a register that it keeps, below all its locals, or in a local that it would not have read again.
 *
 * run: -DWAY=1
 * verdict: complete
 *
 * run: -DWAY=2
 * verdict: complete
 *
 * run: -DWAY=3
 * verdict: complete
 *
 * run: -DWAY=4
 * verdict: complete
 *
 * run: -DWAY=5
 * verdict: complete
 * finding: leak 1 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *later(void *p) {
    char *block = p;
    pause();
    free(block);
    return NULL;
}

static void *never(void *p) {
    char *block = p;
    block[0] = 1;
    pause();
    return NULL;
}

static void deep(char *p, int n) {
    if (n)
        deep(p, n - 1);
    else
        pause();
    p[n] = 1;
}

static void *below(void *p) {
    deep(p, 3);
    return NULL;
}

static void *lose(void *p) {
    ((char *)p)[0] = 1;
    p = NULL;
    pause();
    return p;
}

int main(void) {
    static void *(*const starts[])(void *) = {later, never, below, later, lose};
    pthread_t t;
#if WAY == 4
    pthread_create(&t, NULL, starts[WAY - 1], malloc(4));
    exit(0);
#else
    pthread_create(&t, NULL, starts[WAY - 1], malloc(4)); // BUG leak
    pthread_detach(t);
#endif
    return 0;
}

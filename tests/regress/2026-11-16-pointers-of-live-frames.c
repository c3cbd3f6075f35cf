/* A block was lost, although a local of a function that had not returned pointed to it: nobody read
 * that local again, and so it was nowhere.
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
 * finding: leak 1
 *
 * run: -DWAY=6
 * verdict: complete
 * finding: leak 1
 *
 * run: -DWAY=7
 * verdict: complete
 * finding: leak 1 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void leave(int status) {
    exit(status);
}

static void first(void) {
    char *p = malloc(10);
    p[0] = 1;
    exit(p[0] - 1);
}

struct holder {
    int n;
    char *p;
};

static void second(void) {
    struct holder h = {1, malloc(10)};
    h.p[0] = 1;
    leave(h.p[0] - 1);
}

static void *third(void *unused) {
    char *p = malloc(10);
    p[0] = 1;
    pause();
    return unused;
}

static void lose(void) {
    char *p = malloc(10); // BUG leak
    p[0] = 1;
}

int main(void) {
#if WAY == 1
    first();
#elif WAY == 2
    second();
#elif WAY == 3
    char *p = malloc(10);
    p[0] = 1;
    second();
#elif WAY == 4
    pthread_t t;
    pthread_create(&t, NULL, third, NULL);
    pthread_detach(t);
#elif WAY == 5
    lose();
    leave(0);
#elif WAY == 6
    char *p = malloc(10); // BUG leak
    p[0] = 1;
    p = malloc(20);
    p[0] = 1;
    leave(0);
#elif WAY == 7
    char *p = malloc(10); // BUG leak
    p[0] = 1;
    p = NULL;
    leave(p != NULL);
#endif
    return 0;
}

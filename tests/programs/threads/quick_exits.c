/* Handlers of quick_exit that threads add: in both orders, and beside quick_exit itself, before or after the handlers run.
 *
 * run:
 * verdict: complete
 * label: first-second 1
 * label: second-first 1
 *
 * run: -DBESIDE
 * verdict: complete
 * label: own-first 2
 * label: first-own 1
 * label: own 2
 *
 * run: --por none
 * verdict: complete
 * label: first-second
 * label: second-first
 *
 * run: -DBESIDE --por none
 * verdict: complete
 * label: own-first
 * label: first-own
 * label: own */
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char label[64];
static void add(const char *name) {
    if (label[0])
        strcat(label, "-");
    strcat(label, name);
}
static void first(void) {
    add("first");
}
static void second(void) {
    add("second");
}
static void own(void) {
    add("own");
}
static void tell(void) {
    heddle_reach(label);
}

static void *add_first(void *unused) {
    at_quick_exit(first);
    return unused;
}
static void *add_second(void *unused) {
    at_quick_exit(second);
    return unused;
}

int main(void) {
    pthread_t a, b;
    at_quick_exit(tell);
#ifdef BESIDE
    pthread_create(&a, NULL, add_first, NULL);
    at_quick_exit(own);
#else
    pthread_create(&a, NULL, add_first, NULL);
    pthread_create(&b, NULL, add_second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#endif
    quick_exit(0);
}

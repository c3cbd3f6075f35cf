/* Constructors run before main, atexit handlers and destructors after it, in every execution.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: started 2
 * label: handler 2
 * label: destroyed 2 */
#include <heddle.h>
#include <stdlib.h>

static int ready;

__attribute__((constructor)) static void start(void) {
    ready++;
    heddle_reach("started");
}

__attribute__((destructor)) static void finish(void) {
    heddle_reach("destroyed");
}

static void handler(void) {
    heddle_reach("handler");
}

int main(void) {
    int x;
    heddle_input(x);
    heddle_assert(ready == 1);
    atexit(handler);
    if (x == 5)
        exit(0);
    return 0;
}

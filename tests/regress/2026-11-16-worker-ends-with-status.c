/* An execution whose process ended with a status, and not by exit(), counted as a path that ended
 * well, and the run as complete.
 *
 * run:
 * verdict: incomplete
 * paths: 2
 * finding: lost-worker
 * reason: took the worker process down */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <heddle.h>

int main(void) {
    int x;
    heddle_input(x);
    void (*leave)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "_exit");
    if (x == 77)
        leave(7);
    return 0;
}

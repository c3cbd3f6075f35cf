/* Functions that would change Heddle's own process, or find code that has no model: the execution ends
 * where it calls one, before anything happens.
 *
 * run: --strategy dfs
 * verdict: incomplete
 * no-label: went-on
 * label: not-refused 1
 * reason: call of 'sbrk': not modelled (executions end there)
 * reason: call of 'dlopen': what it finds would run past all models (executions end there)
 * reason: call of 'dlsym': what it finds would run past all models (executions end there)
 * reason: call of 'dlclose': what it finds would run past all models (executions end there) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <heddle.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void refuse(int n) {
    struct rlimit limit = {0, 0};
    switch (n) {
    case 0: sbrk(0); break;
    case 1: dlopen("libm.so.6", RTLD_NOW); break;
    case 2: dlsym(RTLD_DEFAULT, "free"); break;
    case 3: dlclose(&limit); break;
    default: /* They only ask. */
        heddle_assert(getrlimit(RLIMIT_CORE, &limit) == 0);
        getpriority(PRIO_PROCESS, 0);
        heddle_reach("not-refused");
        return;
    }
    heddle_reach("went-on");
}

int main(void) {
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 5);
    for (int i = 0; i < 5; i++)
        if (x == i)
            refuse(i);
    return 0;
}

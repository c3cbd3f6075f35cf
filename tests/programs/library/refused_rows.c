/* Functions that would change Heddle's own process, start programs, or find code that has no model: the
 * execution ends where it calls one, before anything happens.
 *
 * run: --strategy dfs
 * verdict: incomplete
 * no-label: went-on
 * label: not-refused 1
 * reason: call of 'system': Heddle runs no other programs (executions end there)
 * reason: call of 'setrlimit': it would change Heddle itself (executions end there)
 * reason: call of 'nice': it would change Heddle itself (executions end there)
 * reason: call of 'setpriority': it would change Heddle itself (executions end there)
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
    case 0: system("true"); break;
    case 1: setrlimit(RLIMIT_CORE, &limit); break;
    case 2: nice(1); break;
    case 3: setpriority(PRIO_PROCESS, 0, 1); break;
    case 4: dlopen("libm.so.6", RTLD_NOW); break;
    case 5: dlsym(RTLD_DEFAULT, "free"); break;
    case 6: dlclose(&limit); break;
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
    heddle_assume(x < 8);
    for (int i = 0; i < 8; i++)
        if (x == i)
            refuse(i);
    return 0;
}

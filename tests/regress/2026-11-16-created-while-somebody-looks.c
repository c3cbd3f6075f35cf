/* A thread looks at the variable that pthread_create writes: before that, or after it.  `--por none`
 * took creating and joining for no choice, and never ran the first.
 *
 * run: --no-races
 * verdict: complete
 * paths: 2
 * label: set
 * label: unset
 *
 * run: --no-races --por none
 * verdict: complete
 * paths: 2
 * label: set
 * label: unset */
#include <heddle.h>
#include <pthread.h>

static pthread_t first, second;

static void *end(void *unused) {
    return unused;
}

static void *look(void *unused) {
    heddle_reach(second ? "set" : "unset");
    return unused;
}

int main(void) {
    pthread_create(&first, NULL, look, NULL);
    pthread_create(&second, NULL, end, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}

/* Three hundred threads, one after the other, of which each takes an input: no two inputs are one.
 *
 * Thread 256 and main must not have the same: then no inputs would lead to "main".
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: both
 * label: main
 * label: thread
 * label: none */
#include <heddle.h>
#include <pthread.h>

enum { THREADS = 300, SAME_BYTE = 256 };

static unsigned char mine, inputs[THREADS + 1];

static void *take(void *number) {
    unsigned char *input = number;
    heddle_bytes(input, 1, "its");
    return NULL;
}

int main(void) {
    heddle_bytes(&mine, 1, "mine");
    for (int i = 1; i <= THREADS; i++) {
        pthread_t t;
        pthread_create(&t, NULL, take, &inputs[i]);
        pthread_join(t, NULL);
    }
    int has_thread = inputs[SAME_BYTE] > 100;
    if (mine > 100)
        heddle_reach(has_thread ? "both" : "main");
    else
        heddle_reach(has_thread ? "thread" : "none");
    return 0;
}

/* A function returns while another thread still uses its local: every reduction must see it, so the
 * end of a frame is a write to what others may use of it.
 *
 * run: --no-races
 * verdict: complete
 * finding: use-after-return
 *
 * run: --no-races --por dpor
 * verdict: complete
 * finding: use-after-return */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void *use(void *local) {
    atomic_store(&done, 1);
    *(int *)local = 5; // BUG use-after-return
    return NULL;
}

static void lend(pthread_t *thread) {
    int local = 0;
    pthread_create(thread, NULL, use, &local);
    while (!atomic_load(&done)) {
    }
}

int main(void) {
    pthread_t thread;
    lend(&thread);
    pthread_join(thread, NULL);
    return 0;
}

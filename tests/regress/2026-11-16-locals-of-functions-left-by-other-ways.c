/* Locals of threads that end by pthread_exit, by being cancelled and by thrd_exit, and those of
 * functions that longjmp leaves, end as those of functions that return.  Handlers and destructors of
 * keys run before that.
 *
 * run: --no-races
 * verdict: complete
 * finding: use-after-return
 *
 * run: --no-races -DCANCEL
 * verdict: complete
 * finding: use-after-return
 *
 * run: --no-races -DC11
 * verdict: complete
 * finding: use-after-return
 *
 * run: --no-races -DWHILE
 * verdict: complete
 * finding: use-after-return
 *
 * run: -DHANDLERS
 * verdict: complete
 *
 * run: -DJUMP
 * verdict: complete
 * finding: use-after-return
 *
 * run: -DARRAY
 * verdict: complete
 * finding: use-after-return */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static _Atomic(int *) kept;

#if defined JUMP
static jmp_buf place;

static void jump(int depth) {
    int local = depth;
    kept = &local;
    if (depth == 0)
        longjmp(place, 1);
    jump(depth - 1);
}

int main(void) {
    volatile int n = 0;
    int mine = 1, *p = &mine;
    if (setjmp(place) == 0)
        jump(3);
    n += *p;
    return *kept + n; // BUG use-after-return
}
#elif defined ARRAY
static void fill(int n) {
    int local[n];
    local[0] = n;
    kept = local;
}

int main(int argc, char **argv) {
    (void)argv;
    fill(argc + 2);
    return *kept; // BUG use-after-return
}
#elif defined HANDLERS
static pthread_key_t key;
static int seen;

static void destroy(void *p) {
    seen = *(int *)p;
}

static void clean(void *p) {
    *(int *)p = 7;
}

static void *run(void *unused) {
    int local = 3;
    pthread_setspecific(key, &local);
    pthread_cleanup_push(clean, &local);
    pthread_exit(unused);
    pthread_cleanup_pop(1);
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    assert(seen == 7);
}
#elif defined C11
static int run(void *unused) {
    int local = 0;
    (void)unused;
    kept = &local;
    thrd_exit(0);
}

int main(void) {
    thrd_t t;
    thrd_create(&t, run, NULL);
    thrd_join(t, NULL);
    *kept = 42; // BUG use-after-return
}
#else
static void *run(void *unused) {
    int local = 0;
    kept = &local;
#ifdef CANCEL
    sem_t never;
    sem_init(&never, 0, 0);
    sem_wait(&never);
#endif
    pthread_exit(unused);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
#ifdef CANCEL
    pthread_cancel(t);
#endif
#ifndef WHILE
    pthread_join(t, NULL);
#endif
    int *p = kept;
    if (p)
        *p = 42; // BUG use-after-return
#ifdef WHILE
    pthread_join(t, NULL);
#endif
}
#endif

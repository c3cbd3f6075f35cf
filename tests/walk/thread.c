/* Threads, locks, conditions, semaphores. */
#include "walk.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static void *twice(void *v) {
    return (void *)(2 * (long)v);
}
static void *thrice(void *v) {
    return (void *)(3 * (long)v);
}
static int c_twice(void *v) {
    return 2 * (int)(long)v;
}
static int c_thrice(void *v) {
    return 3 * (int)(long)v;
}
static void *ends(void *v) {
    pthread_exit((void *)v);
}
static int c_ends(void *v) {
    thrd_exit((int)(long)v);
}
WALK(pthread_create) {
    pthread_t t = 0;
    void *out;
    pthread_attr_t a[2];
    pthread_attr_init(&a[0]);
    pthread_attr_init(&a[1]);
    SEE(pthread_create(W(0, &t), A(1, a), (void *)C(2, (long)twice, (long)thrice),
                       (void *)V(3, 7)));
    pthread_join(t, &out);
    SEE((long)out);
}
WALK(pthread_join) {
    pthread_t t[2];
    void *out = (void *)9;
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, twice, (void *)(i + 1));
    SEE(pthread_join(A(0, t)[0], W(1, &out)));
    SEE((long)out);
}
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void *wait_at_gate(void *u) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return u;
}
WALK(pthread_tryjoin_np) {
    pthread_t t[2];
    void *out = (void *)9;
    pthread_mutex_lock(&gate);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, wait_at_gate, (void *)(i + 1));
    SEE(pthread_tryjoin_np(A(0, t)[0], W(1, &out)));
    pthread_mutex_unlock(&gate);
    SEE((long)out);
}
WALK(pthread_detach) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, twice, (void *)(i + 1));
    SEE(pthread_detach(A(0, t)[0]));
}
WALK(pthread_exit) {
    pthread_t t;
    void *out;
    pthread_create(&t, 0, ends, (void *)V(0, 3));
    pthread_join(t, &out);
    SEE((long)out);
}
WALK(pthread_self) {
    SEE(pthread_self() != 0);
}
WALK(pthread_equal) {
    pthread_t t[2] = {pthread_self(), 0};
    SEE(pthread_equal(A(0, t)[0], A(1, t)[0]) != 0);
}
WALK(sched_yield) {
    SEE(sched_yield());
}
WALK(pthread_yield) {
    extern int walk_yield(void) __asm__("sched_yield");
    SEE(walk_yield());
}
#define WALK_ATTR(f, type)                                                                         \
    WALK(f) {                                                                                      \
        type a[2];                                                                                 \
        memset(a, 0, sizeof a);                                                                    \
        SEE(f(A(0, a)));                                                                           \
    }
#define WALK_ATTRD(f, init, type)                                                                  \
    WALK(f) {                                                                                      \
        type a[2];                                                                                 \
        init(&a[0]);                                                                               \
        init(&a[1]);                                                                               \
        SEE(f(A(0, a)));                                                                           \
    }
WALK_ATTR(pthread_attr_init, pthread_attr_t)
WALK_ATTRD(pthread_attr_destroy, pthread_attr_init, pthread_attr_t)
WALK_ATTR(pthread_mutexattr_init, pthread_mutexattr_t)
WALK_ATTRD(pthread_mutexattr_destroy, pthread_mutexattr_init, pthread_mutexattr_t)
WALK_ATTR(pthread_condattr_init, pthread_condattr_t)
WALK_ATTRD(pthread_condattr_destroy, pthread_condattr_init, pthread_condattr_t)
WALK_ATTR(pthread_rwlockattr_init, pthread_rwlockattr_t)
WALK_ATTRD(pthread_rwlockattr_destroy, pthread_rwlockattr_init, pthread_rwlockattr_t)
WALK_ATTR(pthread_barrierattr_init, pthread_barrierattr_t)
WALK_ATTRD(pthread_barrierattr_destroy, pthread_barrierattr_init, pthread_barrierattr_t)
/* Set, and read from both. */
#define WALK_SET(f, get, init, type, value, ...)                                                   \
    WALK(f) {                                                                                      \
        type a[2];                                                                                 \
        value v[2] = {0, 0};                                                                       \
        init(&a[0]);                                                                               \
        init(&a[1]);                                                                               \
        SEE(f(A(0, a), C(1, __VA_ARGS__)));                                                        \
        get(&a[0], &v[0]);                                                                         \
        get(&a[1], &v[1]);                                                                         \
        SEE(v[0]);                                                                                 \
        SEE(v[1]);                                                                                 \
    }
#define WALK_GET(f, set, init, type, value, one)                                                   \
    WALK(f) {                                                                                      \
        type a[2];                                                                                 \
        value v = 0;                                                                               \
        init(&a[0]);                                                                               \
        init(&a[1]);                                                                               \
        set(&a[1], one);                                                                           \
        SEE(f(A(0, a), W(1, &v)));                                                                 \
        SEE(v);                                                                                    \
    }
WALK_SET(pthread_attr_setdetachstate, pthread_attr_getdetachstate, pthread_attr_init,
         pthread_attr_t, int, 1, 0, 2, 3)
WALK_SET(pthread_attr_setscope, pthread_attr_getscope, pthread_attr_init, pthread_attr_t, int, 0, 1,
         2, 3)
WALK_SET(pthread_attr_setinheritsched, pthread_attr_getinheritsched, pthread_attr_init,
         pthread_attr_t, int, 0, 1, 2, 3)
WALK_SET(pthread_attr_setschedpolicy, pthread_attr_getschedpolicy, pthread_attr_init,
         pthread_attr_t, int, 0, 1, 2, 3)
WALK_SET(pthread_attr_setstacksize, pthread_attr_getstacksize, pthread_attr_init, pthread_attr_t,
         size_t, 65536, 131072, 1)
WALK_SET(pthread_attr_setguardsize, pthread_attr_getguardsize, pthread_attr_init, pthread_attr_t,
         size_t, 4096, 0, 8192)
WALK_SET(pthread_mutexattr_settype, pthread_mutexattr_gettype, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 0, 1, 2, 3, 9)
WALK_SET(pthread_mutexattr_setrobust, pthread_mutexattr_getrobust, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 0, 1, 9)
WALK_SET(pthread_mutexattr_setpshared, pthread_mutexattr_getpshared, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 0, 1, 9)
WALK_SET(pthread_mutexattr_setprotocol, pthread_mutexattr_getprotocol, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 0, 1, 2, 9)
WALK_SET(pthread_mutexattr_setprioceiling, pthread_mutexattr_getprioceiling, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 1, 2, 500)
WALK_SET(pthread_condattr_setclock, pthread_condattr_getclock, pthread_condattr_init,
         pthread_condattr_t, clockid_t, 0, 1, 9)
WALK_SET(pthread_condattr_setpshared, pthread_condattr_getpshared, pthread_condattr_init,
         pthread_condattr_t, int, 0, 1, 9)
WALK_SET(pthread_rwlockattr_setpshared, pthread_rwlockattr_getpshared, pthread_rwlockattr_init,
         pthread_rwlockattr_t, int, 0, 1, 9)
WALK_SET(pthread_rwlockattr_setkind_np, pthread_rwlockattr_getkind_np, pthread_rwlockattr_init,
         pthread_rwlockattr_t, int, 0, 1, 2, 9)
WALK_SET(pthread_barrierattr_setpshared, pthread_barrierattr_getpshared, pthread_barrierattr_init,
         pthread_barrierattr_t, int, 0, 1, 9)
WALK_GET(pthread_attr_getdetachstate, pthread_attr_setdetachstate, pthread_attr_init,
         pthread_attr_t, int, 1)
WALK_GET(pthread_attr_getscope, pthread_attr_setscope, pthread_attr_init, pthread_attr_t, int, 0)
WALK_GET(pthread_attr_getinheritsched, pthread_attr_setinheritsched, pthread_attr_init,
         pthread_attr_t, int, 1)
WALK_GET(pthread_attr_getschedpolicy, pthread_attr_setschedpolicy, pthread_attr_init,
         pthread_attr_t, int, 1)
WALK(pthread_attr_getstacksize) {
    pthread_attr_t a[2];
    size_t v = 0;
    pthread_attr_init(&a[0]);
    pthread_attr_init(&a[1]);
    pthread_attr_setstacksize(&a[0], 65536);
    pthread_attr_setstacksize(&a[1], 131072);
    SEE(pthread_attr_getstacksize(A(0, a), W(1, &v)));
    SEE(v);
}
WALK_GET(pthread_attr_getguardsize, pthread_attr_setguardsize, pthread_attr_init, pthread_attr_t,
         size_t, 8192)
WALK_GET(pthread_mutexattr_gettype, pthread_mutexattr_settype, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 1)
WALK_GET(pthread_mutexattr_getrobust, pthread_mutexattr_setrobust, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 1)
WALK_GET(pthread_mutexattr_getpshared, pthread_mutexattr_setpshared, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 1)
WALK_GET(pthread_mutexattr_getprotocol, pthread_mutexattr_setprotocol, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 1)
WALK_GET(pthread_mutexattr_getprioceiling, pthread_mutexattr_setprioceiling, pthread_mutexattr_init,
         pthread_mutexattr_t, int, 2)
WALK_GET(pthread_condattr_getclock, pthread_condattr_setclock, pthread_condattr_init,
         pthread_condattr_t, clockid_t, 1)
WALK_GET(pthread_condattr_getpshared, pthread_condattr_setpshared, pthread_condattr_init,
         pthread_condattr_t, int, 1)
WALK_GET(pthread_rwlockattr_getpshared, pthread_rwlockattr_setpshared, pthread_rwlockattr_init,
         pthread_rwlockattr_t, int, 1)
WALK_GET(pthread_rwlockattr_getkind_np, pthread_rwlockattr_setkind_np, pthread_rwlockattr_init,
         pthread_rwlockattr_t, int, 2)
WALK_GET(pthread_barrierattr_getpshared, pthread_barrierattr_setpshared, pthread_barrierattr_init,
         pthread_barrierattr_t, int, 1)

/* Keys. */
static void forget(void *v) {}
static void remember(void *v) {}
WALK(pthread_key_create) {
    pthread_key_t k = 0;
    SEE(pthread_key_create(W(0, &k), (void *)C(1, (long)forget, (long)remember)));
    pthread_setspecific(k, "abc");
    SEES(pthread_getspecific(k));
}
#define KEYS(create)                                                                               \
    __typeof__(0u) k[2];                                                                           \
    create(&k[0], 0);                                                                              \
    create(&k[1], 0)
WALK(pthread_key_delete) {
    KEYS(pthread_key_create);
    SEE(pthread_key_delete(A(0, k)[0]));
    SEE(pthread_setspecific(k[0], "a"));
    SEE(pthread_setspecific(k[1], "a"));
}
WALK(pthread_setspecific) {
    KEYS(pthread_key_create);
    SEE(pthread_setspecific(A(0, k)[0], (void *)V(1, 7)));
    SEE((long)pthread_getspecific(k[0]));
    SEE((long)pthread_getspecific(k[1]));
}
WALK(pthread_getspecific) {
    KEYS(pthread_key_create);
    pthread_setspecific(k[0], "ab");
    pthread_setspecific(k[1], "cd");
    SEES(pthread_getspecific(A(0, k)[0]));
}
WALK(tss_create) {
    tss_t k = 0;
    SEE(tss_create(W(0, &k), (void *)C(1, (long)forget, (long)remember)));
    tss_set(k, "abc");
    SEES(tss_get(k));
}
WALK(tss_delete) {
    KEYS(tss_create);
    tss_delete(A(0, k)[0]);
    SEE(tss_set(k[1], "a"));
}
WALK(tss_set) {
    KEYS(tss_create);
    SEE(tss_set(A(0, k)[0], (void *)V(1, 7)));
    SEE((long)tss_get(k[0]));
    SEE((long)tss_get(k[1]));
}
WALK(tss_get) {
    KEYS(tss_create);
    tss_set(k[0], "ab");
    tss_set(k[1], "cd");
    SEES(tss_get(A(0, k)[0]));
}

/* Cancellation. */
static sem_t never;
static void *waits(void *v) {
    sem_wait(&never);
    return 0;
}
WALK(pthread_cancel) {
    pthread_t t[2];
    void *out = 0;
    sem_init(&never, 0, 0);
    pthread_create(&t[0], 0, waits, 0);
    t[1] = t[0];
    SEE(pthread_cancel(A(0, t)[0]));
    pthread_join(t[0], &out);
    SEE(out == PTHREAD_CANCELED);
}
WALK(pthread_testcancel) {
    pthread_testcancel();
    SEE(1);
}
WALK(pthread_setcancelstate) {
    int old = 9;
    SEE(pthread_setcancelstate(V(0, 0), W(1, &old)));
    SEE(old);
    pthread_setcancelstate(0, &old);
    SEE(old);
}
WALK(pthread_setcanceltype) {
    int old = 9;
    SEE(pthread_setcanceltype(V(0, 0), W(1, &old)));
    SEE(old);
    pthread_setcanceltype(0, &old);
    SEE(old);
}

/* C11. */
WALK(thrd_create) {
    thrd_t t = 0;
    int out;
    SEE(thrd_create(W(0, &t), (void *)C(1, (long)c_twice, (long)c_thrice), (void *)V(2, 7)));
    thrd_join(t, &out);
    SEE(out);
}
WALK(thrd_join) {
    thrd_t t[2];
    int out = 9;
    for (long i = 0; i < 2; i++)
        thrd_create(&t[i], c_twice, (void *)(i + 1));
    SEE(thrd_join(A(0, t)[0], W(1, &out)));
    SEE(out);
}
WALK(thrd_detach) {
    thrd_t t[2];
    for (long i = 0; i < 2; i++)
        thrd_create(&t[i], c_twice, (void *)(i + 1));
    SEE(thrd_detach(A(0, t)[0]));
}
WALK(thrd_exit) {
    thrd_t t;
    int out;
    thrd_create(&t, c_ends, (void *)V(0, 3));
    thrd_join(t, &out);
    SEE(out);
}
WALK(thrd_yield) {
    thrd_yield();
    SEE(1);
}
WALK(thrd_current) {
    SEE(thrd_current() != 0);
}
WALK(thrd_equal) {
    thrd_t t[2] = {thrd_current(), 0};
    SEE(thrd_equal(A(0, t)[0], A(1, t)[0]) != 0);
}
WALK(thrd_sleep) {
    struct timespec t = {0, 1}, left = {7, 7};
    SEE(thrd_sleep(M(0, &t, 8), W(1, &left)));
    SEE(left.tv_nsec);
}

/* Mutexes. */
#define MUTEX2 pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}
#define SEEMUTEX                                                                                   \
    SEE(pthread_mutex_trylock(&m[0]));                                                             \
    SEE(pthread_mutex_trylock(&m[1]))
WALK(pthread_mutex_init) {
    pthread_mutex_t m[2];
    memset(m, 0, sizeof m);
    pthread_mutexattr_t a[2];
    pthread_mutexattr_init(&a[0]);
    pthread_mutexattr_init(&a[1]);
    pthread_mutexattr_settype(&a[1], PTHREAD_MUTEX_RECURSIVE);
    SEE(pthread_mutex_init(A(0, m), A(1, a)));
    pthread_mutex_t *l = A(0, m);
    SEE(pthread_mutex_lock(l));
    SEE(pthread_mutex_trylock(l));
}
WALK(pthread_mutex_destroy) {
    MUTEX2;
    SEE(pthread_mutex_destroy(A(0, m)));
}
WALK(pthread_mutex_lock) {
    MUTEX2;
    SEE(pthread_mutex_lock(A(0, m)));
    SEEMUTEX;
}
WALK(pthread_mutex_trylock) {
    MUTEX2;
    SEE(pthread_mutex_trylock(A(0, m)));
    SEEMUTEX;
}
WALK(pthread_mutex_unlock) {
    MUTEX2;
    SEEMUTEX;
    SEE(pthread_mutex_unlock(A(0, m)));
    SEEMUTEX;
}
WALK(pthread_mutex_timedlock) {
    MUTEX2;
    struct timespec t = {0, 0};
    pthread_mutex_lock(&m[0]);
    SEE(pthread_mutex_timedlock(A(0, m), M(1, &t, 11)));
}
WALK(pthread_mutex_clocklock) {
    MUTEX2;
    struct timespec t = {0, 0};
    pthread_mutex_lock(&m[0]);
    SEE(pthread_mutex_clocklock(A(0, m), C(1, CLOCK_REALTIME, CLOCK_MONOTONIC, 99), M(2, &t, 11)));
}
WALK(pthread_mutex_consistent) {
    pthread_mutexattr_t a;
    pthread_mutex_t m[2];
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m[0], &a);
    pthread_mutex_init(&m[1], &a);
    SEE(pthread_mutex_consistent(A(0, m)));
}
#define MTX2                                                                                       \
    mtx_t m[2];                                                                                    \
    mtx_init(&m[0], mtx_timed);                                                                    \
    mtx_init(&m[1], mtx_timed)
#define SEEMTX                                                                                     \
    SEE(mtx_trylock(&m[0]));                                                                       \
    SEE(mtx_trylock(&m[1]))
WALK(mtx_init) {
    mtx_t m[2];
    memset(m, 0, sizeof m);
    mtx_t *l = A(0, m);
    SEE(mtx_init(l, C(1, mtx_plain, mtx_recursive, mtx_timed, 99)));
    SEE(way == 4 && x >= 3 ? 0 : mtx_lock(l));
}
WALK(mtx_destroy) {
    MTX2;
    mtx_destroy(A(0, m));
    SEE(1);
}
WALK(mtx_lock) {
    MTX2;
    SEE(mtx_lock(A(0, m)));
    SEEMTX;
}
WALK(mtx_trylock) {
    MTX2;
    SEE(mtx_trylock(A(0, m)));
    SEEMTX;
}
WALK(mtx_unlock) {
    MTX2;
    SEEMTX;
    SEE(mtx_unlock(A(0, m)));
    SEEMTX;
}
WALK(mtx_timedlock) {
    MTX2;
    struct timespec t = {0, 0};
    mtx_lock(&m[0]);
    SEE(mtx_timedlock(A(0, m), M(1, &t, 11)));
}

/* Conditions. */
#define COND2                                                                                      \
    MUTEX2;                                                                                        \
    pthread_cond_t c[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};                    \
    struct timespec t = {0, 0};                                                                    \
    pthread_mutex_lock(&m[0]);                                                                     \
    pthread_mutex_lock(&m[1])
WALK(pthread_cond_init) {
    pthread_cond_t c[2];
    memset(c, 0, sizeof c);
    pthread_condattr_t a[2];
    pthread_condattr_init(&a[0]);
    pthread_condattr_init(&a[1]);
    SEE(pthread_cond_init(A(0, c), A(1, a)));
}
WALK(pthread_cond_destroy) {
    pthread_cond_t c[2];
    pthread_cond_init(&c[0], 0);
    pthread_cond_init(&c[1], 0);
    SEE(pthread_cond_destroy(A(0, c)));
}
static pthread_mutex_t gm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gc[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int told;
static void *tell(void *v) {
    pthread_mutex_lock(&gm);
    told = 1;
    pthread_cond_broadcast(&gc[0]);
    pthread_cond_broadcast(&gc[1]);
    pthread_mutex_unlock(&gm);
    return 0;
}
WALK(pthread_cond_wait) {
    pthread_t h;
    int r = 0;
    pthread_mutex_lock(&gm); /* before the other one is there: or there is nothing to wait for */
    pthread_create(&h, 0, tell, 0);
    while (!told)
        r |= pthread_cond_wait(A(0, gc), P(1, &gm, &gm));
    pthread_mutex_unlock(&gm);
    pthread_join(h, 0);
    SEE(r);
}
WALK(pthread_cond_timedwait) {
    COND2;
    SEE(pthread_cond_timedwait(A(0, c), A(1, m), M(2, &t, 11)));
}
WALK(pthread_cond_clockwait) {
    COND2;
    SEE(pthread_cond_clockwait(A(0, c), A(1, m), C(2, CLOCK_REALTIME, CLOCK_MONOTONIC, 99),
                               M(3, &t, 11)));
}
WALK(pthread_cond_signal) {
    COND2;
    SEE(pthread_cond_signal(A(0, c)));
    (void)t;
}
WALK(pthread_cond_broadcast) {
    COND2;
    SEE(pthread_cond_broadcast(A(0, c)));
    (void)t;
}
#define CND2                                                                                       \
    MTX2;                                                                                          \
    cnd_t c[2];                                                                                    \
    struct timespec t = {0, 0};                                                                    \
    cnd_init(&c[0]);                                                                               \
    cnd_init(&c[1]);                                                                               \
    mtx_lock(&m[0]);                                                                               \
    mtx_lock(&m[1])
WALK(cnd_init) {
    cnd_t c[2];
    memset(c, 0, sizeof c);
    SEE(cnd_init(A(0, c)));
}
WALK(cnd_destroy) {
    CND2;
    cnd_destroy(A(0, c));
    SEE(1);
    (void)t;
}
static mtx_t cm;
static cnd_t cc[2];
static int c_tell(void *v) {
    mtx_lock(&cm);
    told = 1;
    cnd_broadcast(&cc[0]);
    cnd_broadcast(&cc[1]);
    mtx_unlock(&cm);
    return 0;
}
WALK(cnd_wait) {
    thrd_t h;
    int r = 0;
    mtx_init(&cm, mtx_plain);
    cnd_init(&cc[0]);
    cnd_init(&cc[1]);
    mtx_lock(&cm);
    thrd_create(&h, c_tell, 0);
    while (!told)
        r |= cnd_wait(A(0, cc), P(1, &cm, &cm));
    mtx_unlock(&cm);
    thrd_join(h, 0);
    SEE(r);
}
WALK(cnd_timedwait) {
    CND2;
    SEE(cnd_timedwait(A(0, c), A(1, m), M(2, &t, 11)));
}
WALK(cnd_signal) {
    CND2;
    SEE(cnd_signal(A(0, c)));
    (void)t;
}
WALK(cnd_broadcast) {
    CND2;
    SEE(cnd_broadcast(A(0, c)));
    (void)t;
}

/* Locks for readers and writers, and those that spin. */
#define RW2                                                                                        \
    pthread_rwlock_t l[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};              \
    struct timespec t = {0, 0}
#define SEERW                                                                                      \
    SEE(pthread_rwlock_trywrlock(&l[0]));                                                          \
    SEE(pthread_rwlock_trywrlock(&l[1]));                                                          \
    (void)t
WALK(pthread_rwlock_init) {
    RW2;
    pthread_rwlockattr_t a[2];
    pthread_rwlockattr_init(&a[0]);
    pthread_rwlockattr_init(&a[1]);
    SEE(pthread_rwlock_init(A(0, l), A(1, a)));
    SEERW;
}
WALK(pthread_rwlock_destroy) {
    RW2;
    SEE(pthread_rwlock_destroy(A(0, l)));
    (void)t;
}
WALK(pthread_rwlock_rdlock) {
    RW2;
    SEE(pthread_rwlock_rdlock(A(0, l)));
    SEERW;
}
WALK(pthread_rwlock_wrlock) {
    RW2;
    SEE(pthread_rwlock_wrlock(A(0, l)));
    SEERW;
}
WALK(pthread_rwlock_tryrdlock) {
    RW2;
    SEE(pthread_rwlock_tryrdlock(A(0, l)));
    SEERW;
}
WALK(pthread_rwlock_trywrlock) {
    RW2;
    SEE(pthread_rwlock_trywrlock(A(0, l)));
    SEERW;
}
WALK(pthread_rwlock_unlock) {
    RW2;
    SEERW;
    SEE(pthread_rwlock_unlock(A(0, l)));
    SEERW;
}
static pthread_rwlock_t taken[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static void *take(void *v) {
    pthread_rwlock_wrlock(&taken[0]);
    return 0;
}
#define TAKEN                                                                                      \
    pthread_t h;                                                                                   \
    struct timespec t = {0, 0};                                                                    \
    pthread_create(&h, 0, take, 0);                                                                \
    pthread_join(h, 0)
WALK(pthread_rwlock_timedrdlock) {
    TAKEN;
    SEE(pthread_rwlock_timedrdlock(A(0, taken), M(1, &t, 11)));
}
WALK(pthread_rwlock_timedwrlock) {
    TAKEN;
    SEE(pthread_rwlock_timedwrlock(A(0, taken), M(1, &t, 11)));
}
WALK(pthread_rwlock_clockrdlock) {
    TAKEN;
    SEE(pthread_rwlock_clockrdlock(A(0, taken), C(1, CLOCK_REALTIME, CLOCK_MONOTONIC, 99),
                                   M(2, &t, 11)));
}
WALK(pthread_rwlock_clockwrlock) {
    TAKEN;
    SEE(pthread_rwlock_clockwrlock(A(0, taken), C(1, CLOCK_REALTIME, CLOCK_MONOTONIC, 99),
                                   M(2, &t, 11)));
}
#define SPIN2                                                                                      \
    pthread_spinlock_t l[2];                                                                       \
    pthread_spin_init(&l[0], 0);                                                                   \
    pthread_spin_init(&l[1], 0)
#define SEESPIN                                                                                    \
    SEE(pthread_spin_trylock(&l[0]));                                                              \
    SEE(pthread_spin_trylock(&l[1]))
WALK(pthread_spin_init) {
    pthread_spinlock_t l[2] = {0, 0};
    SEE(pthread_spin_init(A(0, l), C(1, 0, 1)));
}
WALK(pthread_spin_destroy) {
    SPIN2;
    SEE(pthread_spin_destroy(A(0, l)));
}
WALK(pthread_spin_lock) {
    SPIN2;
    SEE(pthread_spin_lock(A(0, l)));
    SEESPIN;
}
WALK(pthread_spin_trylock) {
    SPIN2;
    SEE(pthread_spin_trylock(A(0, l)));
    SEESPIN;
}
WALK(pthread_spin_unlock) {
    SPIN2;
    SEESPIN;
    SEE(pthread_spin_unlock(A(0, l)));
    SEESPIN;
}

/* Semaphores. */
#define SEM2                                                                                       \
    sem_t s[2];                                                                                    \
    sem_init(&s[0], 0, 1);                                                                         \
    sem_init(&s[1], 0, 2);                                                                         \
    struct timespec t = {0, 0};                                                                    \
    int v[2] = {5, 6};                                                                             \
    (void)t
#define SEESEM                                                                                     \
    sem_getvalue(&s[0], &v[0]);                                                                    \
    sem_getvalue(&s[1], &v[1]);                                                                    \
    SEEM(v, 8)
WALK(sem_init) {
    sem_t s[2];
    int v = 9;
    sem_init(&s[0], 0, 0);
    sem_init(&s[1], 0, 0);
    SEE(sem_init(A(0, s), C(1, 0, 1), V(2, 1)));
    sem_getvalue(&s[0], &v);
    SEE(v);
}
WALK(sem_destroy) {
    SEM2;
    SEE(sem_destroy(A(0, s)));
    (void)v;
}
WALK(sem_wait) {
    SEM2;
    SEE(sem_wait(A(0, s)));
    SEESEM;
}
WALK(sem_trywait) {
    SEM2;
    sem_wait(&s[0]);
    SEE(sem_trywait(A(0, s)));
    SEESEM;
}
WALK(sem_timedwait) {
    SEM2;
    sem_wait(&s[0]);
    SEE(sem_timedwait(A(0, s), M(1, &t, 11)));
    SEESEM;
}
WALK(sem_clockwait) {
    SEM2;
    sem_wait(&s[0]);
    SEE(sem_clockwait(A(0, s), C(1, CLOCK_REALTIME, CLOCK_MONOTONIC, 99), M(2, &t, 11)));
    SEESEM;
}
WALK(sem_post) {
    SEM2;
    SEE(sem_post(A(0, s)));
    SEESEM;
}
WALK(sem_getvalue) {
    SEM2;
    SEE(sem_getvalue(A(0, s), W(1, &v[0])));
    SEEM(v, 8);
}
#define FORGET                                                                                     \
    for (char c = 'a'; c < 'a' + DOMAIN; c++) {                                                    \
        char name[] = "/walk-sema";                                                                \
        name[9] = c;                                                                               \
        sem_unlink(name);                                                                          \
    }                                                                                              \
    errno = 0
WALK(sem_open) {
    sem_t *s = sem_open(N(0, "/walk-sema"), C(1, O_CREAT, 0), 0600, (unsigned)V(2, 1));
    int v = 7;
    SEE(s != SEM_FAILED);
    if (s != SEM_FAILED)
        sem_getvalue(s, &v);
    SEE(v);
    SEE(sem_unlink("/walk-sema"));
    FORGET;
}
WALK(sem_close) {
    sem_t *s[2] = {sem_open("/walk-sema", O_CREAT, 0600, 1),
                   sem_open("/walk-semb", O_CREAT, 0600, 1)};
    FORGET;
    SEE(sem_close(A(0, s)[0]));
}
WALK(sem_unlink) {
    sem_open("/walk-sema", O_CREAT, 0600, 1);
    SEE(sem_unlink(N(0, "/walk-sema")));
    FORGET;
}
static int times_called;
static void once_a(void) {
    times_called++;
}
static void once_b(void) {
    times_called += 10;
}
WALK(pthread_once) {
    static pthread_once_t o[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
    SEE(pthread_once(A(0, o), (void *)C(1, (long)once_a, (long)once_b)));
    SEE(pthread_once(&o[0], once_a));
    SEE(times_called);
}
WALK(call_once) {
    static once_flag o[2] = {ONCE_FLAG_INIT, ONCE_FLAG_INIT};
    call_once(A(0, o), (void *)C(1, (long)once_a, (long)once_b));
    call_once(&o[0], once_a);
    SEE(times_called);
}
#define BARRIER2                                                                                   \
    pthread_barrier_t b[2];                                                                        \
    pthread_barrier_init(&b[0], 0, 1);                                                             \
    pthread_barrier_init(&b[1], 0, 1)
WALK(pthread_barrier_init) {
    pthread_barrier_t b[2];
    memset(b, 0, sizeof b);
    pthread_barrierattr_t a[2];
    pthread_barrierattr_init(&a[0]);
    pthread_barrierattr_init(&a[1]);
    SEE(pthread_barrier_init(A(0, b), A(1, a), C(2, 1, 0)));
}
WALK(pthread_barrier_destroy) {
    BARRIER2;
    SEE(pthread_barrier_destroy(A(0, b)));
}
WALK(pthread_barrier_wait) {
    BARRIER2;
    SEE(pthread_barrier_wait(A(0, b)));
}

/* What compilers call for atomic objects that have no instructions. */
#include "walk.h"

#include <pthread.h>
#include <sched.h>

typedef struct three {
    unsigned char b[3];
} three;
extern void walk_load(size_t, void *, void *, int) __asm__("__atomic_load");
extern void walk_store(size_t, void *, void *, int) __asm__("__atomic_store");
extern void walk_exchange(size_t, void *, void *, void *, int) __asm__("__atomic_exchange");
extern _Bool walk_compare(size_t, void *, void *, void *, int,
                          int) __asm__("__atomic_compare_exchange");
extern _Bool walk_is_free(size_t, void *) __asm__("__atomic_is_lock_free");
#define THREES three a = {{1, 2, 3}}, b = {{1, 2, 3}}, c = {{7, 8, 9}}
#define SEETHREES                                                                                  \
    SEEM(&a, 3);                                                                                   \
    SEEM(&b, 3);                                                                                   \
    SEEM(&c, 3)
WALK(__atomic_load) {
    THREES;
    walk_load(VS(0, 1, 1) & 3, M(1, &a, 0), W(2, &c), V(3, 0) & 0);
    SEETHREES;
}
WALK(__atomic_store) {
    THREES;
    walk_store(VS(0, 1, 1) & 3, W(1, &a), M(2, &c, 0), V(3, 0) & 0);
    SEETHREES;
}
WALK(__atomic_exchange) {
    THREES;
    walk_exchange(VS(0, 1, 1) & 3, M(1, &a, 0), M(2, &c, 0), W(3, &b), V(4, 0) & 0);
    SEETHREES;
}
WALK(__atomic_compare_exchange) {
    THREES;
    SEE((int)walk_compare(VS(0, 1, 1) & 3, M(1, &a, 0), M(2, &b, 0), M(3, &c, 0), V(4, 0) & 0,
                          V(5, 0) & 0));
    SEETHREES;
}
WALK(__atomic_is_lock_free) {
    SEE((int)walk_is_free(C(0, 1, 2, 4, 8, 3), P(1, (char *)0, (char *)0)));
}

/* Hints, which mean nothing. */
WALK(pthread_attr_setschedparam) {
    pthread_attr_t a[2];
    struct sched_param p = {0};
    pthread_attr_init(&a[0]);
    pthread_attr_init(&a[1]);
    SEE(pthread_attr_setschedparam(A(0, a), &p));
}
WALK(pthread_setname_np) {
    pthread_t t[2] = {pthread_self(), pthread_self()};
    SEE(pthread_setname_np(A(0, t)[0], S(1, "abc")));
}
WALK(pthread_setconcurrency) {
    SEE(pthread_setconcurrency(V(0, 1)));
}
WALK(pthread_getconcurrency) {
    SEE(pthread_getconcurrency());
}
WALK(pthread_setschedparam) {
    struct sched_param p = {0};
    SEE(pthread_setschedparam(pthread_self() + V(0, 0) * 0, V(1, 0) * 0, &p));
}
WALK(pthread_setschedprio) {
    SEE(pthread_setschedprio(pthread_self() + V(0, 0) * 0, V(1, 0) * 0));
}
WALK(pthread_setaffinity_np) {
    cpu_set_t s;
    CPU_ZERO(&s);
    CPU_SET(0, &s);
    SEE(pthread_setaffinity_np(pthread_self() + V(0, 0) * 0, VS(1, sizeof s, 0), M(2, &s, 1)));
}
WALK(sched_setaffinity) {
    cpu_set_t s;
    CPU_ZERO(&s);
    CPU_SET(0, &s);
    SEE(sched_setaffinity(V(0, 0) * 0, VS(1, sizeof s, 0), M(2, &s, 1)));
}
WALK(sched_get_priority_min) {
    SEE(sched_get_priority_min(C(0, SCHED_OTHER, SCHED_BATCH)));
}
WALK(sched_get_priority_max) {
    SEE(sched_get_priority_max(C(0, SCHED_OTHER, SCHED_BATCH)));
}

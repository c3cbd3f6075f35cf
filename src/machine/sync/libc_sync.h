/* libc_sync.h -- functions of the C library on threads and synchronisation objects, and
 * <threads.h>.
 *
 * Objects come as what they are to the program, bytes: their types belong to the files that
 * implement them (sync/). */
#ifndef HD_MACHINE_SYNC_LIBC_SYNC_H
#define HD_MACHINE_SYNC_LIBC_SYNC_H
#include "machine/tasks/threads.h"

#include <pthread.h>
#include <time.h>

/* pthread_thread.c: pthread_t is an unsigned long */
int hd_libc_pthread_create(uint64_t *out, void *attr, void *(*function)(void *), void *argument);
int hd_libc_pthread_join(uint64_t value, uint64_t *out);
int hd_libc_pthread_detach(uint64_t value);
_Noreturn void hd_libc_pthread_exit(void *result);
uint64_t hd_libc_pthread_self(void);
int hd_libc_pthread_equal(uint64_t a, uint64_t b);
int hd_libc_sched_yield(void);
int hd_libc_pthread_attr_init(void *p);
int hd_libc_pthread_attr_destroy(void *p);
/* name, type, field, and which values are good */
#define HD_THREAD_ATTRIBUTES(X)                                                                    \
    X(detachstate, int, is_detached, value == 0 || value == 1)                                     \
    X(scope, int, scope, value == 0)                                                               \
    X(inheritsched, int, inherits, value == 0 || value == 1)                                       \
    X(schedpolicy, int, policy, value >= 0 && value <= 2)                                          \
    X(stacksize, size_t, stack_size, value >= 16384)                                               \
    X(guardsize, size_t, guard_size, true)
#define X(name, type, field, is_good)                                                              \
    int hd_libc_pthread_attr_set##name(void *p, type value);                                       \
    int hd_libc_pthread_attr_get##name(void *p, type *out);
HD_THREAD_ATTRIBUTES(X)
#undef X
int hd_libc_pthread_hint(void);

/* pthread_key.c: pthread_key_t is an unsigned int */
int hd_libc_pthread_key_create(uint32_t *out, void (*destructor)(void *));
int hd_libc_pthread_key_delete(uint32_t key);
int hd_libc_pthread_setspecific(uint32_t key, const void *value);
void *hd_libc_pthread_getspecific(uint32_t key);

/* pthread_cancel.c */
int hd_libc_pthread_cancel(uint64_t value);
void hd_libc_pthread_testcancel(void);
int hd_libc_pthread_setcancelstate(int state, int *old);
int hd_libc_pthread_setcanceltype(int type, int *old);
void hd_libc_register_cancel(__pthread_unwind_buf_t *buffer);
void hd_libc_unregister_cancel(__pthread_unwind_buf_t *buffer);
_Noreturn void hd_libc_unwind_next(__pthread_unwind_buf_t *buffer);

/* sync/mutex.c */
int hd_libc_pthread_mutex_init(void *x, const int *attributes);
int hd_libc_pthread_mutex_destroy(void *x);
int hd_libc_pthread_mutex_lock(void *x);
int hd_libc_pthread_mutex_trylock(void *x);
int hd_libc_pthread_mutex_timedlock(void *x, const struct timespec *when);
int hd_libc_pthread_mutex_clocklock(void *x, int clock, const struct timespec *when);
int hd_libc_pthread_mutex_unlock(void *x);
int hd_libc_pthread_mutex_consistent(void *object);
int hd_libc_pthread_mutexattr_init(int *attributes);
int hd_libc_pthread_mutexattr_destroy(int *attributes);
int hd_libc_pthread_mutexattr_settype(int *attributes, int type);
int hd_libc_pthread_mutexattr_gettype(const int *attributes, int *out);
int hd_libc_pthread_mutexattr_setrobust(int *attributes, int robust);
int hd_libc_pthread_mutexattr_getrobust(const int *attributes, int *out);
int hd_libc_pthread_mutexattr_setpshared(int *attributes, int shared);
int hd_libc_pthread_mutexattr_getpshared(const int *attributes, int *out);
int hd_libc_pthread_mutexattr_setprotocol(int *attributes, int protocol);
int hd_libc_pthread_mutexattr_getprotocol(const int *attributes, int *out);
int hd_libc_pthread_mutexattr_setprioceiling(int *attributes, int ceiling);
int hd_libc_pthread_mutexattr_getprioceiling(const int *attributes, int *out);

/* sync/condition.c */
int hd_libc_pthread_cond_init(void *c, const int *attributes);
int hd_libc_pthread_cond_destroy(void *c);
int hd_libc_pthread_cond_wait(void *c, void *mutex);
int hd_libc_pthread_cond_timedwait(void *c, void *mutex, const struct timespec *when);
int hd_libc_pthread_cond_clockwait(void *c, void *mutex, int clock, const struct timespec *when);
int hd_libc_pthread_cond_signal(void *c);
int hd_libc_pthread_cond_broadcast(void *c);
int hd_libc_pthread_condattr_init(int *attributes);
int hd_libc_pthread_condattr_destroy(int *attributes);
int hd_libc_pthread_condattr_setclock(int *attributes, int clock);
int hd_libc_pthread_condattr_getclock(const int *attributes, int *out);
int hd_libc_pthread_condattr_setpshared(int *attributes, int shared);
int hd_libc_pthread_condattr_getpshared(const int *attributes, int *out);

/* sync/rwlock.c */
int hd_libc_pthread_rwlock_unlock(void *x);
int hd_libc_pthread_rwlock_init(void *x, const void *attributes);
int hd_libc_pthread_rwlock_destroy(void *object);
int hd_libc_pthread_rwlock_rdlock(void *x);
int hd_libc_pthread_rwlock_wrlock(void *x);
int hd_libc_pthread_rwlock_tryrdlock(void *x);
int hd_libc_pthread_rwlock_trywrlock(void *x);
int hd_libc_pthread_rwlock_timedrdlock(void *x, const struct timespec *when);
int hd_libc_pthread_rwlock_timedwrlock(void *x, const struct timespec *when);
int hd_libc_pthread_rwlock_clockrdlock(void *x, int clock, const struct timespec *when);
int hd_libc_pthread_rwlock_clockwrlock(void *x, int clock, const struct timespec *when);
int hd_libc_pthread_rwlockattr_init(int *attributes);
int hd_libc_pthread_rwlockattr_destroy(int *attributes);
int hd_libc_pthread_rwlockattr_setpshared(int *attributes, int shared);
int hd_libc_pthread_rwlockattr_getpshared(const int *attributes, int *out);
int hd_libc_pthread_rwlockattr_setkind_np(int *attributes, int kind);
int hd_libc_pthread_rwlockattr_getkind_np(const int *attributes, int *out);

/* sync/spinlock.c */
int hd_libc_pthread_spin_init(void *x, int shared);
int hd_libc_pthread_spin_destroy(void *x);
int hd_libc_pthread_spin_lock(void *x);
int hd_libc_pthread_spin_trylock(void *x);
int hd_libc_pthread_spin_unlock(void *x);

/* sync/semaphore.c */
int hd_libc_sem_wait(void *s);
int hd_libc_sem_trywait(void *s);
int hd_libc_sem_clockwait(void *s, int clock, const struct timespec *when);
int hd_libc_sem_timedwait(void *s, const struct timespec *when);
int hd_libc_sem_post(void *object);
int hd_libc_sem_getvalue(void *object, int *out);
int hd_libc_sem_init(void *object, int shared, unsigned value);
int hd_libc_sem_destroy(void *object);
void *hd_libc_sem_open(const char *name, int flags, unsigned mode, unsigned value);
int hd_libc_sem_close(void *object);
int hd_libc_sem_unlink(const char *name);

/* sync/barrier.c */
int hd_libc_pthread_barrier_wait(void *b);
int hd_libc_barrier_meet(void *b); /* the same, and nobody looks at the result (serial.c) */
int hd_libc_pthread_barrier_init(void *object, const void *attributes, unsigned needed);
int hd_libc_pthread_barrier_destroy(void *object);
int hd_libc_pthread_barrierattr_init(int *attributes);
int hd_libc_pthread_barrierattr_destroy(int *attributes);
int hd_libc_pthread_barrierattr_setpshared(int *attributes, int shared);
int hd_libc_pthread_barrierattr_getpshared(const int *attributes, int *out);

/* sync/once.c */
int hd_libc_pthread_once(void *control, void (*function)(void));

/* sync/c11.c */
int hd_libc_thrd_create(uint64_t *out, int (*function)(void *), void *argument);
int hd_libc_thrd_join(uint64_t thread, int *out);
int hd_libc_thrd_detach(uint64_t thread);
_Noreturn void hd_libc_thrd_exit(int result);
void hd_libc_thrd_yield(void);
int hd_libc_mtx_init(void *x, int type);
void hd_libc_mtx_destroy(void *x);
int hd_libc_mtx_lock(void *x);
int hd_libc_mtx_trylock(void *x);
int hd_libc_mtx_timedlock(void *x, const struct timespec *when);
int hd_libc_mtx_unlock(void *x);
int hd_libc_cnd_init(void *c);
void hd_libc_cnd_destroy(void *c);
int hd_libc_cnd_wait(void *c, void *mutex);
int hd_libc_cnd_timedwait(void *c, void *mutex, const struct timespec *when);
int hd_libc_cnd_signal(void *c);
int hd_libc_cnd_broadcast(void *c);
void hd_libc_call_once(void *control, void (*function)(void));
int hd_libc_tss_create(uint32_t *out, void (*destructor)(void *));
int hd_libc_tss_set(uint32_t key, void *value);
void hd_libc_tss_delete(uint32_t key);
#endif

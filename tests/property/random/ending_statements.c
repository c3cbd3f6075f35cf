/* What threads of random programs do (see ending_source.h), by the feature that it belongs to.
 *
 * %X is one of the variables, %C a small constant, %L a lock (the same one in a statement), %S a
 * simple statement, %T the name of the thread.  The weight is how many visible operations there
 * are, about; more than one way for each order counts as inputs do. */
#include "property/random/ending_source.h"

#define WHEN "{ struct timespec when = soon(); "
#define CANCELLED_WAIT                                                                             \
    {CANCELLATION, 3, 1,                                                                           \
     "pthread_mutex_lock(&lock[0]); pthread_cleanup_push(unlock, &lock[0]); "                      \
     "pthread_cond_wait(&condition, &lock[0]); SEE(2); pthread_cleanup_pop(1);"}
#define SIGNAL {CANCELLATION, 1, 1, "pthread_cond_signal(&condition);"}

const statement ending_cancelled_wait = CANCELLED_WAIT, ending_signal = SIGNAL;

const statement ending_statements[] = {
    /* simple ones first: they may stand inside of others */
    {MEMORY, 1, 1, "SEE(atomic_load(&x[%X]));"},
    {MEMORY, 1, 1, "atomic_store(&x[%X], %C);"},
    {MEMORY, 1, 1, "atomic_fetch_add(&x[%X], 1);"},
    {MEMORY, 1, 1, "SEE(atomic_exchange(&x[%X], %C));"},
    {MEMORY, 1, 1, "{ int want = %C; SEE(atomic_compare_exchange_strong(&x[%X], &want, %C)); }"},
    {MEMORY, 2, 1, "if (atomic_load(&x[%X]) == %C) atomic_store(&x[%X], %C);"},

    {LOCKS, 2, 1, "pthread_mutex_lock(&lock[%L]); %S pthread_mutex_unlock(&lock[%L]);"},
    {LOCKS, 2, 1,
     "pthread_mutex_lock(&lock[0]); SEE(plain); plain++; "
     "pthread_mutex_unlock(&lock[0]);"},
    {LOCKS, 2, 1, "pthread_spin_lock(&spin); %S pthread_spin_unlock(&spin);"},
    {LOCKS, 2, 1, "mtx_lock(&plain_lock); %S mtx_unlock(&plain_lock);"},
    {LOCKS, 1, 1, "if (atomic_load(&x[%X]) == %C) pthread_mutex_lock(&lock[%L]);"},
    {TRIES, 2, 1,
     "if (pthread_mutex_trylock(&lock[%L]) == 0) { %S "
     "pthread_mutex_unlock(&lock[%L]); } else SEE(7);"},
    {TRIES, 1, 1, "SEE(pthread_mutex_trylock(&lock[1]) == 0);"},
    {TRIES, 2, 1,
     "if (pthread_spin_trylock(&spin) == 0) { %S pthread_spin_unlock(&spin); } else "
     "SEE(6);"},
    {TRIES, 2, 1,
     "if (mtx_trylock(&plain_lock) == thrd_success) { %S mtx_unlock(&plain_lock); } "
     "else SEE(5);"},

    {READERS, 2, 1, "pthread_rwlock_rdlock(&shared); %S pthread_rwlock_unlock(&shared);"},
    {READERS, 2, 1, "pthread_rwlock_wrlock(&shared); %S pthread_rwlock_unlock(&shared);"},
    {READERS, 2, 1,
     "if (pthread_rwlock_tryrdlock(&shared) == 0) { %S "
     "pthread_rwlock_unlock(&shared); } else SEE(5);"},
    {READERS, 2, 1,
     "if (pthread_rwlock_trywrlock(&shared) == 0) { %S "
     "pthread_rwlock_unlock(&shared); } else SEE(4);"},

    {SEMAPHORES, 1, 1, "sem_post(&semaphore);"},
    {SEMAPHORES, 1, 1, "sem_post(&semaphore);"},
    {SEMAPHORES, 1, 1, "sem_wait(&semaphore);"},
    {SEMAPHORES, 1, 1, "SEE(sem_trywait(&semaphore) == 0);"},
    {SEMAPHORES, 1, 1, "{ int value; sem_getvalue(&semaphore, &value); SEE(value); }"},

    {CONDITIONS, 3, 1,
     "pthread_mutex_lock(&lock[0]); if (!plain) pthread_cond_wait(&condition, "
     "&lock[0]); pthread_mutex_unlock(&lock[0]);"},
    {CONDITIONS, 3, 1,
     "pthread_mutex_lock(&lock[0]); while (!plain) pthread_cond_wait(&condition, "
     "&lock[0]); pthread_mutex_unlock(&lock[0]);"},
    {CONDITIONS, 3, 1,
     "pthread_mutex_lock(&lock[0]); plain = 1; pthread_mutex_unlock(&lock[0]); "
     "pthread_cond_signal(&condition);"},
    {CONDITIONS, 1, 1, "pthread_cond_broadcast(&condition);"},

    {TIMEOUTS, 1, 2, WHEN "SEE(pthread_mutex_timedlock(&lock[1], &when) == 0); }"},
    {TIMEOUTS, 1, 2, WHEN "SEE(sem_timedwait(&semaphore, &when) == 0); }"},
    {TIMEOUTS, 2, 2,
     WHEN "if (pthread_rwlock_timedwrlock(&shared, &when) == 0) { %S "
          "pthread_rwlock_unlock(&shared); } else SEE(2); }"},
    {TIMEOUTS, 3, 2,
     WHEN "pthread_mutex_lock(&lock[0]); if (!plain) SEE(pthread_cond_timedwait("
          "&condition, &lock[0], &when) == 0); SEE(plain); pthread_mutex_unlock(&lock[0]); }"},

    {ONCE, 2, 1, "pthread_once(&once, run_once);"},
    {ONCE, 2, 1, "call_once(&flag, run_once);"},
    {ONCE, 1, 1, "SEE(pthread_setspecific(key, (void *)1));"},
    {ONCE, 1, 1, "SEE(pthread_key_delete(key));"},
    {ONCE, 1, 1, "SEE(pthread_getspecific(key) != NULL);"},
    {ONCE, 1, 1, "own += %C; SEE(own);"},

    {ASSUMPTIONS, 1, 1, "heddle_assume(atomic_load(&x[%X]) != %C);"},
    {ASSUMPTIONS, 1, 2, "heddle_assume(heddle_choose(0, 2) != atomic_load(&x[%X]));"},
    {ASSUMPTIONS, 2, 1,
     "pthread_mutex_lock(&lock[%L]); heddle_assume(atomic_load(&x[%X]) != %C); "
     "pthread_mutex_unlock(&lock[%L]);"},
    {ASSUMPTIONS, 0, 2, "heddle_assume(heddle_choose(0, 3) > %C);"},
    {CHECKS, 1, 1, "check(atomic_load(&x[%X]) != %C);"},
    {CHECKS, 1, 1, "check(atomic_fetch_add(&x[%X], 1) != %C);"},

    {INPUTS, 1, 2, "{ long input = heddle_choose(0, 1); if (input) { %S } else SEE(input); }"},
    {INPUTS, 1, 2, "if (heddle_choose(0, 2) > atomic_load(&x[%X])) SEE(1);"},
    {INPUTS, 1, 2, "atomic_store(&x[%X], (int)heddle_choose(0, 2));"},
    {INPUTS, 1, 2, "SEE(atomic_exchange(&x[%X], (int)heddle_choose(1, 2)));"},
    {INPUTS, 1, 2,
     "{ int want = (int)heddle_choose(0, 1); "
     "SEE(atomic_compare_exchange_strong(&x[%X], &want, %C)); }"},
    {INPUTS, 1, 3, "SEE(atomic_load(&x[heddle_choose(0, 2)]));"},
    {INPUTS, 1, 2,
     "{ unsigned char input = byte(); if (input > 200) { %S } else if (input * 3 == "
     "99) SEE(2); }"},

    {CALLS, 2, 1, "SEE(descend(2, %X));"},
    {CALLS, 2, 3, "SEE(descend((int)heddle_choose(0, 2), %X));"},
    {CALLS, 1, 1, "if (atomic_load(&x[%X]) == %C) { tell('%T', seen); leave(%C); }"},
    {CALLS, 1, 2, "if (heddle_choose(0, 1)) { tell('%T', seen); leave(%C); }"},
    {CALLS, 2, 1,
     "pthread_cleanup_push(tidy, &x[%X]); %S pthread_testcancel(); "
     "pthread_cleanup_pop(%C);"},
    {CALLS, 2, 1,
     "pthread_cleanup_push(tidy, &x[%X]); if (atomic_load(&x[%X]) == %C) leave(%C); "
     "pthread_cleanup_pop(0);"},

    {ENDS, 1, 1, "if (atomic_load(&x[%X]) == %C) { tell('%T', seen); exit(0); }"},
    {ENDS, 1, 1, "if (atomic_load(&x[%X]) == %C) { tell('%T', seen); _exit(0); }"},
    {ENDS, 1, 1, "if (atomic_load(&x[%X]) == %C) { tell('%T', seen); quick_exit(0); }"},
    {ENDS, 1, 2, "if (heddle_choose(0, 1)) { tell('%T', seen); exit(0); }"},
    {ENDS, 1, 1, "atexit(finish_too);"},

    {CANCELLATION, 1, 1, "pthread_testcancel();"},
    {CANCELLATION, 1, 1, "SEE(write(-1, \"\", 1) < 0);"}, /* so is this, which never waits */
    {CANCELLATION, 2, 1, "SEE(close(-1) < 0); %S"},
    CANCELLED_WAIT,
    SIGNAL,
    {CANCELLATION, 1, 1, "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); %S"},
    {CANCELLATION, 2, 1,
     "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); %S "
     "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);"},

    {HOLDERS, 2, 1,
     "{ int r = pthread_mutex_lock(&robust); SEE(r == EOWNERDEAD); if (r == "
     "EOWNERDEAD) pthread_mutex_consistent(&robust); if (!r || r == EOWNERDEAD) "
     "pthread_mutex_unlock(&robust); }"},
    {HOLDERS, 2,
     1, /* nobody can have it any more if this is the next after an owner that has died */
     "{ int r = pthread_mutex_lock(&robust); SEE(r == EOWNERDEAD ? 2 : r != 0); if (!r || r == "
     "EOWNERDEAD) pthread_mutex_unlock(&robust); }"},
    {HOLDERS, 1, 1, "SEE(pthread_mutex_lock(&robust) != 0);"},
    {HOLDERS, 1, 1,
     "{ int r = pthread_mutex_trylock(&robust); SEE(r == EBUSY ? 1 : r == "
     "EOWNERDEAD ? 2 : r == EDEADLK ? 4 : r == 0 ? 0 : 3); }"},
    {HOLDERS, 2, 1, "SEE(pthread_mutex_lock(&again) != 0); %S"},
    {HOLDERS, 1, 1, "SEE(pthread_mutex_unlock(&checked) == EPERM);"},
    {HOLDERS, 1, 1, "SEE(pthread_mutex_lock(&checked) == EDEADLK);"},

    {BLOCKS, 1, 1, "{ int *p = atomic_exchange(&block, NULL); if (p) SEE(*p); free(p); }"},
    {BLOCKS, 1, 1, "{ int *p = malloc(sizeof *p); *p = %C; free(atomic_exchange(&block, p)); }"},
    {BLOCKS, 1, 2,
     "{ int *p = malloc(sizeof *p); *p = (int)heddle_choose(0, 1); "
     "free(atomic_exchange(&block, p)); }"},

    {LOOPS, 1, 1, "while (atomic_load(&x[%X]) == %C) ;"},
    {LOOPS, 1, 1,
     "{ int want = 0; while (!atomic_compare_exchange_strong(&x[%X], &want, 1)) want "
     "= 0; }"},

    {ARGUMENTS, 1, 1, "SEE(atomic_load(mine));"},
    {ARGUMENTS, 1, 1, "atomic_store(mine, %C);"},
    {ARGUMENTS, 1, 1, "SEE(atomic_fetch_add(mine, 1));"},
    {RESULTS, 1, 1, "SEE(result != NULL);"},

    {CHILDREN, 1, 2, "SEE(await(0));"},
    {CHILDREN, 1, 2, "SEE(await(0));"},
    {CHILDREN, 1, 2, "SEE(await(WNOHANG));"},
    {CHILDREN, 1, 2, "SEE(kill(born, 0) != 0);"},

    {SIGNALS, 2, 2, "SEE(kill(getpid(), SIGUSR1));"},
    {SIGNALS, 2, 2, "SEE(kill(getpid(), SIGUSR1)); %S"},
    {SIGNALS, 2, 1, "raise(SIGUSR1);"},
    {SIGNALS, 1, 1, "SEE(atomic_load(&n_caught));"},
    {SIGNALS, 1, 1, "SEE(signal(SIGUSR1, SIG_IGN) == catch);"},
    {SIGNALS, 1, 1, "SEE(signal(SIGUSR1, catch) == catch);"},
    {SIGNALS, 1, 1, "SEE(signal(SIGUSR1, catch_and_end) == catch);"},
    {SIGNALS, 3, 1, "SEE(jump_away());"},
    {SIGNALS, 1, 1, "let_in(SIG_BLOCK);"},
    {SIGNALS, 2, 1, "let_in(SIG_BLOCK); %S let_in(SIG_UNBLOCK);"},

    {NUMBERS, 2, 1, "SEE(told(write(ends[1], \"a\", 1)));"},
    {NUMBERS, 2, 1, "{ char c; SEE(told(read(ends[0], &c, 1))); }"},
    {NUMBERS, 2, 1, "SEE(told(close(ends[0])));"},
    {NUMBERS, 2, 1, "SEE(told(close(ends[1])));"},
    {NUMBERS, 2, 1, "SEE(told(dup2(ends[1], ends[0]) < 0 ? -1 : 0));"},
    {NUMBERS, 1, 1, "SEE(told(fcntl(ends[0], F_GETFD)));"},
    {NUMBERS, 1, 1, "SEE(told(fcntl(ends[1], F_SETFD, FD_CLOEXEC)));"},
    {NUMBERS, 1, 1, "SEE(told(fcntl(ends[1], F_GETFD)));"},
    {NUMBERS, 2, 1, "SEE(told(fcntl(ends[1], F_DUPFD, ends[0]) < 0 ? -1 : 0));"},

    {LINES, 2, 1, "SEE(told(write(line[1], \"a\", 1)));"},
    {LINES, 2, 1, "{ char c; SEE(told(read(line[0], &c, 1))); }"},
    {LINES, 2, 1,
     "pthread_cleanup_push(tidy, &x[%X]); { char c; SEE(told(read(line[0], &c, 1))); } "
     "pthread_cleanup_pop(0);"},
    {LINES, 2, 1, "{ struct pollfd some = {line[0], POLLIN, 0}; SEE(poll(&some, 1, -1)); }"},

    {TAKING, 1, 1, "SEE(kill(getpid(), SIGUSR2));"},
    {TAKING, 1, 1, "SEE(kill(getpid(), SIGHUP));"},
    {TAKING, 2, 1, "SEE(take(1));"},
    {TAKING, 1, 1, "SEE(take(0));"},
    {TAKING, 1, 1, "SEE(left());"},
    {TAKING, 1, 1, "SEE(pthread_kill(pthread_self(), SIGHUP)); %S SEE(take(1));"},

    {AIMING, 2, 2, "SEE(pthread_kill(main_thread, SIGUSR1));"},
    {AIMING, 2, 1, "SEE(pthread_kill(pthread_self(), SIGUSR1));"},
    {AIMING, 2, 2, "SEE(kill(getpid(), SIGUSR1));"},
    {AIMING, 1, 1, "let_in(SIG_BLOCK);"},
    {AIMING, 2, 1, "let_in(SIG_BLOCK); %S let_in(SIG_UNBLOCK);"},
    {AIMING, 3, 1, "let_in(SIG_BLOCK); %S suspend();"},
    {AIMING, 1, 1, "interrupt();"},
    {AIMING, 2, 2, "SEE(sem_wait(&semaphore) == 0);"},
    {AIMING, 1, 1, "sem_post(&semaphore);"},
    {AIMING, 2, 3,
     WHEN "SEE(sem_timedwait(&semaphore, &when) == 0 ? 0 : errno == EINTR ? 1 : 2); }"},

    {TIMERS, 1, 1, "SEE(timer_left());"},
    {TIMERS, 1, 1, "SEE(timer_left());"},
    {TIMERS, 1, 1, "SEE(set_timer(1, %C));"},
    {TIMERS, 1, 1, "SEE(set_timer(%C, 0));"},

    /* C gives these no meaning, or not always */
    {DYING, 2, 1, "{ int *p = atomic_load(&kept); if (p) SEE(*p); }"},
    {DYING, 2, 1, "{ int *p = atomic_load(&kept); if (p) *p = %C; }"},
    {DYING, 1, 1, "atomic_store(&kept, &local);"},
    {DYING, 1, 1, "atomic_store(&kept, &own);"},
    {DYING, 2, 1, "SEE(lend(1));"},
    {DYING, 3, 1, "{ atomic_store(&kept, (int[]){%C}); %S }"},
    {DYING, 1, 1, "if (atomic_load(&x[%X]) == %C) { tell('%T', seen); lend(-1); }"},
    {DYING, 1, 1, "if (pthread_mutex_destroy(&lock[1]) == EBUSY) SEE(3);"},
    {DYING, 1, 1, "{ int *p = atomic_load(&block); free(p); }"},
    {DYING, 2, 1, "{ int *p = atomic_load(&block); if (p) SEE(*p); }"},
    {RACES, 1, 1, "SEE(plain);"},
    {RACES, 1, 1, "plain = %C;"},
    {RACES, 2, 1, "if (plain == %C) plain++;"},
};

const unsigned n_ending_statements = sizeof ending_statements / sizeof *ending_statements;
const unsigned n_simple_statements = 6;

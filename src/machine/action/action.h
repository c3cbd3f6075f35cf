/* action.h -- what threads do to each other, and who goes next.
 *
 * A thread stops before every visible operation: an access of memory that other threads may see,
 * a lock, a wait, a join.  What it stands before is its action; executed, it is an event.  The
 * machine knows what threads stand before and who is able to go on; its sink says who does (paper
 * 002, 5.2; docs/design.md D3, D4).
 *
 * E1. Exactly one thread runs.  Between two events a thread runs alone and its doings are its own.
 * E2. Threads have names that do not depend on the schedule: (parent, nth child of it) always gets
 *     the same index within one machine.
 * E3. Two actions that do not conflict commute: in either order they lead to the same state.
 * E4. The outcome of an action (did the exchange succeed, was the lock free) is settled when it
 *     is chosen, by hd_threads_settle, and shows in its accesses: a failed one reads.
 * E5. A thread whose execution is over for any reason (returned, failed, assumption rejected) has
 *     no action any more; the others go on, so that what they race with is seen.
 * E6. A thread that is alone, all others joined, does without events.  Before it creates a thread
 *     it takes all locks that it holds, in events that do not wait.  Apart
 *     from that no event takes a lock that is held: to lock a recursive mutex again concerns its
 *     holder alone. */
#ifndef HD_MACHINE_ACTION_ACTION_H
#define HD_MACHINE_ACTION_ACTION_H
#include "base/set.h"
#include "machine/action/action_kinds.h"
#include "program/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Threads, processes and messages under way of one execution, together: so many addresses there are
 * for what belongs to one of them.  What is kept of each costs memory when it is used. */
#define HD_MAX_THREADS 16384
typedef hd_set hd_thread_set;
/* The first so many threads have large parts of the address space each (stacks, heaps, names of
 * objects); those behind them have smaller ones, elsewhere. */
#define HD_FEW_THREADS 64

/* How an action uses a piece of memory or an object. */
typedef enum hd_access_mode {
    HD_MODE_READ,   /* commutes with itself */
    HD_MODE_WRITE,  /* commutes with nothing */
    HD_MODE_ARRIVE, /* at a barrier: commutes with those of the same generation (detail) */
    HD_MODE_LEAVE,  /* after all of its generation; commutes with everything else */
    HD_MODE_ADD,    /* commutes with itself only: something new that readers would notice */
} hd_access_mode;

/* Objects of synchronisation are accessed at their address, with their size.  Addresses below
 * HD_TOKEN_LIMIT are tokens of threads: no memory, only things to conflict on. */
typedef struct hd_access {
    uint64_t address;
    uint32_t size;
    uint8_t mode;      /* hd_access_mode */
    uint8_t is_atomic; /* or an object of synchronisation: no data race */
    uint16_t unused;
} hd_access;
#define HD_TOKEN_LIMIT     UINT64_C(0x20000000)
#define HD_TOKENS(nth)     (UINT64_C(0x1000000) * (nth)) /* one kind of them behind the other */
#define HD_TOKEN_EXIT      UINT64_C(0x3000)              /* who ends the program */
#define HD_TOKEN_ATOMIC    UINT64_C(0x3010)              /* who is in an atomic section */
#define HD_TOKEN_AT_EXIT   UINT64_C(0x3020)              /* handlers for the end of the program */
#define HD_TOKEN_OUTSIDE   UINT64_C(0x3030)              /* names of files, and standard input */
#define HD_TOKEN_NAMES     UINT64_C(0x3040)              /* of semaphores and shared memory */
#define HD_TOKEN_SHOWN     UINT64_C(0x3050)              /* what processes exported */
#define HD_TOKEN_RECORDS   UINT64_C(0x3060)              /* who waits for a record of a file */
#define HD_TOKEN_WOKEN(t)  (HD_TOKENS(1) + 16 * (t))     /* was signalled */
#define HD_TOKEN_CANCEL(t) (HD_TOKENS(2) + 16 * (t))     /* was cancelled; joined, detached */
#define HD_TOKEN_OVER(t)   (HD_TOKENS(2) + 8 + 16 * (t)) /* has ended, if that is told */
/* Who is the serial one of the nth meeting at a barrier whose lowest thread is t. */
#define HD_TOKEN_SERIAL(t, nth) (HD_TOKENS(3) + 16 * (t) + (nth) % 16)
#define HD_TOKEN_FILE(name)     (HD_TOKENS(4) + (name) % 0x6000)       /* its content, by a hash */
#define HD_TOKEN_INBOX(t)       (HD_TOKENS(5) + 16 * (t))              /* what an actor receives */
#define HD_TOKEN_READY(p)       (HD_TOKENS(6) + HD_READY_TOKENS * (p)) /* what its queues hold */
#define HD_READY_TOKENS         64                                     /* of each process */
#define HD_TOKEN_ALIVE(p)       (HD_TOKENS(7) + 16 * (p))              /* was not killed */
#define HD_TOKEN_SIGNAL(p)      (HD_TOKENS(8) + (p)) /* its handlers, and what was sent to them */
#define HD_TOKEN_EAR(t)         (HD_TOKEN_SIGNAL(HD_MAX_THREADS) + (t)) /* sent to a thread alone */
#define HD_TOKEN_SIGNALS        HD_TOKEN_EAR(HD_MAX_THREADS)            /* the end of both */
#define HD_TOKEN_LAST(p)        (HD_TOKENS(10) + (p)) /* which of its threads ends last */
#define HD_TOKEN_UP(p)          (HD_TOKENS(9) + (p))  /* a node waits for others, or has ended */
#define HD_TOKEN_GROUP(p)       (HD_TOKEN_UP(HD_MAX_THREADS) + (p)) /* its group and session */
#define HD_TOKEN_NUMBER(p, d)   (HD_TOKENS(11) + 1024 * (p) + (d))  /* what descriptor d means */
#define HD_TOKEN_SENT(p)        (HD_TOKENS(12) + (p))               /* how many messages it sent */
#define HD_TOKEN_CUT(rule)      (HD_TOKENS(13) + (rule))            /* is there a link? */
#define HD_TOKEN_KEY(p, key)    (HD_TOKENS(14) + ((p) * 97 + (key)) % 0x6000) /* does it exist? */
/* A child of a process has ended; those of one process lie side by side. */
#define HD_TOKEN_ENDED(p, nth) (HD_TOKENS(16) + (uint64_t)HD_MAX_THREADS * (p) + (nth))
_Static_assert(16 * HD_MAX_THREADS <= HD_TOKENS(1) &&
                   HD_READY_TOKENS * HD_MAX_THREADS <= HD_TOKENS(1) &&
                   HD_TOKEN_ENDED(HD_MAX_THREADS, 0) <= HD_TOKEN_LIMIT,
               "tokens of one kind do not run into those of the next");
/* Queues: one address for each item that is ever in it, and its two ends; and one for each process
 * that may read it: whether it still does.  The first of these is for the one that is expected to
 * read (channels/readers.c).  Those are looked at together, so that there are a few only: processes
 * with high numbers share the last, and conflict more often than they must. */
#define HD_QUEUE(id)      (UINT64_C(1) << 62 | (uint64_t)(id) << 32)
#define HD_DOORS          UINT32_C(0x20000000) /* ids below are of objects, those from here on of doors */
#define HD_QUEUE_HEAD(id) (HD_QUEUE(id) | UINT64_C(0xfffffff0))
#define HD_QUEUE_TAIL(id) (HD_QUEUE(id) | UINT64_C(0xffffffe0))
#define HD_QUEUE_END(id)  (HD_QUEUE(id) | UINT64_C(0xffffffd0))
/* What a counter (eventfd, timerfd) holds: `expected` of those who change it says what that was. */
#define HD_QUEUE_COUNT(id) (HD_QUEUE(id) | UINT64_C(0xffffff90))
/* What a file is set to, apart from what goes through it (channels/state.c). */
#define HD_QUEUE_STATE(id) (HD_QUEUE(id) | UINT64_C(0xffffffa0))
#define HD_ENDS_AT_ONCE    1 /* `state` of a PUT that adds to the end: others need not */
/* `state` of a JOIN that SETTLES: why it went on. */
#define HD_JOIN_ENDED        1u /* the other thread had ended */
#define HD_JOIN_EARLY        2u /* its own was cancelled, or the other one detached */
#define HD_QUEUE_READERS(id) (HD_QUEUE(id) | UINT64_C(0xffffff00))
#define HD_N_READERS         65u
/* Which of a queue's reader addresses stands for process p. */
#define HD_READER_PLACE(p) ((p) + 1 < HD_N_READERS ? (p) + 1 : HD_N_READERS - 1)
#define HD_QUEUE_PLACES    UINT64_C(0xffffff00) /* items come before; behind are head, tail, ends */
/* Memory of different processes is different memory. */
#define HD_SPACE(process) ((uint64_t)(process) << 48)
#define HD_SPACE_MASK     (HD_SPACE(1) - 1)

#define HD_OWN_ACCESSES 5 /* what an action is about */
#define HD_MAX_ACCESSES 7 /* also: its thread was not killed; nobody else is in a section */
enum hd_action_flags {
    HD_ACTION_WAITS = 1,    /* cannot run in every state: ask hd_threads_enabled */
    HD_ACTION_ACQUIRES = 2, /* takes the object of access[0] (locks, semaphores, once) */
    HD_ACTION_RELEASES = 4, /* gives it back */
    HD_ACTION_SETTLES = 8,  /* its accesses depend on the state it runs in: E4 */
    HD_ACTION_FAILED = 16,  /* settled: a failed exchange, lock, ... */
    HD_ACTION_TIMEOUT = 32, /* settled: ends by its timeout */
    HD_ACTION_SPINS = 64,   /* with WAITS: the one access of a waiting loop (spin.c); it waits while
                             * what it would see is known to lead round the loop again */
    HD_ACTION_INSIDE = 128, /* of an atomic section (ATOMIC): no other thread runs until its end */
};

typedef struct hd_action {
    uint8_t kind, n_accesses, flags, unused;
    uint32_t thread;
    uint32_t site;
    uint32_t detail; /* child, joined thread, generation; WAKE: 1 + the thread that signalled */
    uint32_t nth;    /* WAKE: event of that thread, 0 = its last signal; KILL: the signal */
    uint32_t state;  /* settled: of the semaphore at access[0], before the action; ARRIVE: how many
                      * of its generation were there before; POLL: how many of the events that it
                      * conflicts with have left something to be found */
    uint64_t value;  /* READ to COMPARE, up to 8 bytes: what is there when it is chosen; RECEIVE and
                      * PUT  by a courier: the sender's process << 32 | the site of its send */
    uint64_t expected; /* COMPARE: what must be there for it to succeed; RECEIVE: the set of
                        * channels that the actor accepts (state: the one of this message); EXIT:
                        * the threads of the process, bits of a set (state: 1 = all of them have
                        * ended); START: nodes, as bits; ARRIVE: how many make a generation; at a
                        * counter: what it holds before */
    uint32_t after[2]; /* 1 + an event in which this became possible (a message was sent, a thread
                        * was born); 0 = it was before all events */
    hd_access access[HD_MAX_ACCESSES];
} hd_action;

/* Copy what is in use of `from`: most actions have one access. */
static inline void hd_action_copy(hd_action *to, const hd_action *from) {
    HD_CHECK(from->n_accesses <= HD_MAX_ACCESSES);
    memcpy(to, from, offsetof(hd_action, access) + sizeof(hd_access));
    for (unsigned i = 1; i < from->n_accesses; i++)
        to->access[i] = from->access[i];
}

/* The action of a thread that has not said what it does: what is behind is not in use. */
static inline void hd_action_clear(hd_action *a, uint32_t thread) {
    HD_CHECK(thread < HD_MAX_THREADS);
    memset(a, 0, offsetof(hd_action, access));
    a->thread = thread;
}

/* The address of an action's first access, as its own process sees it. */
static inline uint64_t hd_action_object(const hd_action *a) {
    return a->access[0].address & HD_SPACE_MASK;
}

static inline bool hd_accesses_conflict(const hd_access *a, uint32_t detail_a, const hd_access *b,
                                        uint32_t detail_b) {
    HD_CHECK(a->mode <= HD_MODE_ADD && b->mode <= HD_MODE_ADD);
    if ((a->mode | b->mode) == HD_MODE_READ) /* most that are compared: neither changes anything */
        return false;
    if (a->address >= b->address + b->size || b->address >= a->address + a->size)
        return false;
    if (a->mode == HD_MODE_WRITE || b->mode == HD_MODE_WRITE)
        return true;
    if (a->mode == HD_MODE_ARRIVE && b->mode == HD_MODE_ARRIVE)
        return detail_a != detail_b;
    if (a->mode == HD_MODE_ADD || b->mode == HD_MODE_ADD)
        return a->mode != b->mode;
    if (a->mode != b->mode && a->mode != HD_MODE_READ && b->mode != HD_MODE_READ)
        return detail_a == detail_b;
    return false;
}

/* Do two actions of different threads depend on each other? (Creation and joining order
 * threads without conflicting.) */
static inline bool hd_actions_conflict(const hd_action *a, const hd_action *b) {
    HD_CHECK_INVARIANT(E3,
                       !a->n_accesses || !b->n_accesses ||
                           hd_accesses_conflict(a->access, a->detail, b->access, b->detail) ==
                               hd_accesses_conflict(b->access, b->detail, a->access, a->detail));
    if (__builtin_expect(a->n_accesses == 1 && b->n_accesses == 1, 1))
        return hd_accesses_conflict(&a->access[0], a->detail, &b->access[0], b->detail);
    for (unsigned i = 0; i < a->n_accesses; i++)
        for (unsigned k = 0; k < b->n_accesses; k++)
            if (hd_accesses_conflict(&a->access[i], a->detail, &b->access[k], b->detail))
                return true;
    return false;
}

const char *hd_action_words(hd_action_kind kind);
/* What a token stands for; NULL if there is no name for it. */
const char *hd_token_words(uint64_t address);

/* What a thread did in an atomic section that is one event: of its accesses the event tells only
 * which memory they may concern. */
#define HD_MAX_INNER 32
typedef struct hd_inner_access {
    hd_access access;
    uint32_t site;
    bool has_value;   /* known to be what was there before the section */
    uint32_t content; /* that value as an expression, as in hd_threads */
    uint64_t value;
} hd_inner_access;
typedef struct hd_inner {
    uint64_t event; /* of the section */
    uint32_t n;
    hd_inner_access at[HD_MAX_INNER];
} hd_inner;

/* The threads of the running program as the sink sees them. */
typedef struct hd_threads hd_threads;
struct hd_threads {
    hd_thread_set alive; /* stand before an action */
    uint32_t n;          /* 1 + the highest index in use so far */
    uint32_t current;    /* the thread that ran last; it may be alive no more */
    /* Threads of `alive` whose action can run now; costs a look at every thread. */
    hd_thread_set (*enabled)(hd_threads *t);
    /* The lowest of `among` whose action can run now, without a look at those behind it;
     * HD_MAX_THREADS if there is none, or if others must be looked at to tell.  NULL: nobody can
     * say. */
    uint32_t (*first)(hd_threads *t, hd_thread_set among);
    /* Settle the action of a thread that is enabled (E4). */
    void (*settle)(hd_threads *t, uint32_t thread);
    /* The memory of the thread's process becomes the one that is seen; NULL: there is one only. */
    void (*enter)(hd_threads *t, uint32_t thread);
    /* What is at the place that the thread's action is about, as an expression (symbolic/expr.h);
     * 0 if it does not depend on inputs.  NULL: nothing does so far. */
    uint32_t (*content)(hd_threads *t, uint32_t thread);
    /* SPINS: would the waiting loop go round again if `a` saw `value`? */
    bool (*goes_round)(hd_threads *t, const hd_action *a, uint64_t value);
    void *machine;
    bool is_elsewhere; /* the program ran in another process: `value` is given, not looked up */
    bool is_recalled;  /* nobody runs (tasks/recall.h): `settle` knows all values */
    bool may_spin;     /* somebody may stand before SPIN in this execution */
    hd_inner inner;    /* of the last section that ended */
    /* Of the last HD_BRANCH_SPENT: so many events were before the choice that used its budget up.
     * 0: it is spent wherever the other choices of its event are what they are. */
    uint32_t spent_since;
    /* By thread, last because they are big: what nobody uses costs no memory. */
    uint16_t process[HD_MAX_THREADS]; /* of a courier: where it goes */
    hd_action action[HD_MAX_THREADS];
};
static inline hd_thread_set hd_threads_enabled(hd_threads *t) {
    return t->enabled(t);
}
/* What the program has at `address`, up to 8 bytes.  Each size has a load of its
 * own: a value that is put together in memory first takes longer to read. */
static inline uint64_t hd_value_at(uint64_t address, uint32_t size) {
    HD_CHECK(size <= sizeof(uint64_t));
    const void *at = (const void *)address;
    uint64_t value = 0;
    uint32_t word;
    switch (size) {
    case 1:
        return *(const uint8_t *)at;
    case sizeof word:
        memcpy(&word, at, sizeof word);
        return word;
    case sizeof value:
        memcpy(&value, at, sizeof value);
        return value;
    default:
        memcpy(&value, at, size);
        return value;
    }
}
/* Load the memory of the thread's process, if it is not loaded. */
static inline void hd_threads_enter(hd_threads *t, uint32_t thread) {
    HD_CHECK(thread < t->n);
    if (t->enter)
        t->enter(t, thread);
}
static inline void hd_threads_settle(hd_threads *t, uint32_t thread) {
    hd_action *a = &t->action[thread];
    HD_CHECK_INVARIANT(E5, hd_set_has(t->alive, thread) && a->thread == thread);
    hd_threads_enter(t, thread);
    if (a->flags & HD_ACTION_SETTLES || t->is_recalled)
        t->settle(t, thread);
    HD_CHECK_INVARIANT(E4, a->flags & HD_ACTION_SETTLES ||
                               !(a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT)));
    if (hd_kind_is(a->kind, HD_KIND_MEMORY) && !t->is_elsewhere && !t->is_recalled &&
        a->access[0].size <= sizeof a->value)
        a->value = hd_value_at(hd_action_object(a), a->access[0].size);
}

/* What is at the place of a settled thread's action, as hd_threads.content; 0 also if nobody will
 * ask what was there before the action. */
static inline uint32_t hd_threads_content(hd_threads *t, uint32_t thread) {
    const hd_action *a = &t->action[thread];
    HD_CHECK_INVARIANT(E5, a->thread == thread && a->n_accesses <= HD_MAX_ACCESSES);
    bool matters = hd_kind_is(a->kind, HD_KIND_MEMORY) &&
                   (hd_kind_is(a->kind, HD_KIND_EXCHANGES) || a->access[0].mode == HD_MODE_WRITE) &&
                   a->access[0].size <= sizeof a->value;
    return t->content && matters ? t->content(t, thread) : 0;
}

/* Events that are known to come first, because the execution before had them too: the machine
 * runs them without asking, as long as each is what it is said to be. */
typedef struct hd_script {
    const uint64_t *at; /* hd_script_line */
    uint32_t n;
    uint32_t n_done;   /* set by the machine: so many it has run */
    uint32_t n_rounds; /* facts about waiting loops that some machine found out (spin.c) */
    const uint64_t *rounds;
} hd_script;
static inline uint64_t hd_script_line_of(hd_action_kind kind, uint32_t thread, unsigned flags,
                                         uint32_t site, uint64_t address) {
    HD_CHECK(kind < HD_N_ACTIONS && thread < HD_MAX_THREADS && flags <= UINT8_MAX);
    uint64_t where = (address >> 2 ^ address >> 10) & 0xff;
    return (site ^ where << 24) | (uint64_t)thread << 32 | (uint64_t)kind << 48 |
           (uint64_t)flags << 56;
}
static inline uint64_t hd_script_line(const hd_action *a) {
    return hd_script_line_of(a->kind, a->thread, a->flags, a->site,
                             a->n_accesses ? a->access[0].address : 0);
}
_Static_assert(HD_MAX_THREADS <= UINT16_MAX + 1, "a line of a script has 16 bits for its thread");
static inline uint32_t hd_script_thread(uint64_t line) {
    return (uint16_t)(line >> 32);
}

/* Answers of hd_sink.schedule other than a thread. */
#define HD_SCHEDULE_STUCK UINT32_MAX       /* nobody can go on: the machine ends the execution */
#define HD_SCHEDULE_STOP  (UINT32_MAX - 1) /* what follows was or will be seen elsewhere */
#define HD_SCHEDULE_OVER  (UINT32_MAX - 4) /* virtual time is over: hd_machine_options.horizon */
#define HD_SCHEDULE_VAIN  (UINT32_MAX - 3) /* as STOP, because a loop went round in vain (SPIN) */
#endif

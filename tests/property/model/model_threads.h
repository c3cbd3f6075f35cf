/* model_threads.h -- an abstract machine of threads, small enough to be believed.
 *
 * It plays the part of hd_machine_run for the explorer: little programs of two to four threads over
 * a few locations, locks, a semaphore, a condition and a barrier, with every thread standing before
 * an hd_action as action.h says.  The same steps, taken without any explorer, enumerate all
 * interleavings by brute force (brute_threads.c).
 *
 * Not here: which programs to try (random_threads.h), and what the explorer must do with them
 * (compare.h). */
#ifndef HD_TESTS_MODEL_THREADS_H
#define HD_TESTS_MODEL_THREADS_H
#include "property/model/history.h"
#include "property/model/known.h"
#include "property/model/values.h"

enum {
    MODEL_THREADS = 4,
    MODEL_LOCATIONS = KNOWN_LOCATIONS,
    MODEL_LOCKS = 3,
};

/* `object` is a location, lock, thread or input; r is the thread's register.  The second column is
 * the text for people: %o object, %v value, %e extra. */
#define MODEL_OPERATION_KINDS(X)                                                                   \
    X(READ, "r = x%o")                                                                             \
    X(WRITE, "x%o = %v")                                                                           \
    X(STORE, "x%o = r")                                                                            \
    X(READ_PAIR, "r = x%o and its neighbour") /* one access of twice the size */                   \
    X(WRITE_PAIR, "x%o and its neighbour = %v")                                                    \
    X(ADD, "r = fetch_add(x%o, %v)")                                                               \
    X(COMPARE, "r = compare_exchange(x%o, %v, %e)")                                                \
    X(LOCK, "lock m%o")                                                                            \
    X(TRY_LOCK, "r = trylock m%o")                                                                 \
    X(UNLOCK, "unlock m%o")    /* nothing if it is not held, like READ_UNLOCK and the waits */     \
    X(READ_LOCK, "rdlock m%o") /* may be nested: only the outermost are actions */                 \
    X(TRY_READ_LOCK, "r = tryrdlock m%o")                                                          \
    X(READ_UNLOCK, "rdunlock m%o")                                                                 \
    X(TAKE, "sem_wait")                                                                            \
    X(TRY_TAKE, "r = sem_trywait")                                                                 \
    X(POST, "sem_post")                                                                            \
    X(WAIT, "cond_wait m%o")                                                                       \
    X(TIMED_WAIT, "r = cond_timedwait m%o")                                                        \
    X(SIGNAL, "signal")                                                                            \
    X(BROADCAST, "broadcast")                                                                      \
    X(BARRIER, "barrier_wait")                                                                     \
    X(CREATE, "create t%o")                                                                        \
    X(JOIN, "join t%o")                                                                            \
    X(SPIN, "while (x%o == %v)")                                                                   \
    X(SPIN_LOCK, "while (!compare_exchange(x%o, %v, %e))")                                         \
    /* Over two places; the second is read if the first does not tell, or in any case. */          \
    X(SPIN_WHILE_BOTH, "while (x%o == %v && x%p == %e)")                                           \
    X(SPIN_UNTIL_ONE, "while (x%o != %v && x%p != %e)")                                            \
    X(SPIN_UNTIL_BOTH, "while (x%o != %v || x%p < %e)")                                            \
    X(SPIN_ON_ALL, "while ((x%o == %v) & (x%p == %e))")                                            \
    X(SPIN_TRY, "while (x%o != %v || !compare_exchange(x%p, %e, 3))")                              \
    X(EXIT, "exit")                                                                                \
    X(INPUT, "r = input %o")                                                                       \
    X(SKIP, "if (r == %v) skip %e")                                                                \
    X(ASSERT, "assert(r != %v)")                                                                   \
    X(ASSUME, "assume(r != %v)")                                                                   \
    X(ASSERT_LINEAR, "assert(2 * input %o + 1 != r)")                                              \
    X(VALUE, "r = sem_getvalue")                                                                   \
    X(END, "end the thread")

typedef enum operation_kind {
#define X(name, text) OPERATION_##name,
    MODEL_OPERATION_KINDS(X)
#undef X
        N_OPERATIONS
} operation_kind;

typedef struct program {
    code code;
    uint8_t semaphore, barrier; /* its count at the start; threads of a generation */
} program;

void program_print(const program *p, hd_text *out);

typedef enum thread_status { THREAD_NEW, THREAD_ALIVE, THREAD_ENDED, THREAD_GAVE_UP } thread_status;

/* Where in an iteration of a waiting loop over two places a thread is. */
typedef enum loop_stage { BEFORE_FIRST, BEFORE_SECOND, BEHIND_BOTH } loop_stage;
typedef struct round_state {
    uint8_t stage;
    uint8_t seen[2];
    uint8_t event[2]; /* 1 + the events in which it saw that; 0: none, the thread was alone */
} round_state;

typedef struct model_thread {
    uint8_t status, pc;
    uint8_t n_done;                  /* actions of an operation of several that it has done */
    uint8_t seen;                    /* the generation of the barrier */
    uint8_t held;                    /* set of locks */
    uint8_t told;                    /* those told of before it creates a thread (E6) */
    uint8_t read_depth[MODEL_LOCKS]; /* how often it holds each for reading */
    uint8_t n_items;                 /* events and decisions so far */
    uint8_t n_events;
    round_state round;
    uint32_t signaller, signal; /* as HD_DO_WAKE says it in `detail` and `nth` */
    model_value r;
} model_thread;

typedef struct model_lock {
    uint8_t writer; /* 1 + thread */
    uint8_t readers;
} model_lock;

typedef struct model_state {
    model_thread thread[MODEL_THREADS];
    model_value memory[MODEL_LOCATIONS];
    model_lock lock[MODEL_LOCKS];
    uint8_t semaphore, arrived, generation;
    uint8_t waiting, woken, unjoined; /* sets of threads */
    bool is_over;
    uint64_t in_vain[EVENT_WORDS]; /* events of iterations in vain */
    history history; /* findings: bit 8 * thread + operation: an assertion; 63: deadlock */
} model_state;
#define FINDING_DEADLOCK (UINT64_C(1) << 63)

/* One execution.  With a sink it asks and tells it; without one it is driven by model_step. */
typedef struct model {
    const program *program;
    model_inputs inputs;
    const hd_sink *sink;
    /* Values that lead round a waiting loop, by thread and operation; found out by running into
     * them, and kept from execution to execution. */
    bool goes_round[MODEL_THREADS][MODEL_OPERATIONS][256];
    hd_threads threads; /* as the sink sees them; it may look at them after the execution */
    model_state state;
    model_event event[MODEL_EVENTS];
} model;

/* Ready to run: every initial thread stands before its first action. */
void model_begin(model *m);
hd_action model_action(const model *m, uint32_t thread); /* before it is settled */
hd_action model_settled(const model *m, uint32_t thread);
bool model_is_enabled(const model *m, uint32_t thread);
/* Does it stand behind an iteration in vain of a waiting loop? */
bool model_is_in_vain(const model *m, uint32_t thread);
model_set model_enabled(const model *m);
void model_step(model *m, uint32_t thread);
/* Nobody can go on: is that a deadlock? */
void model_end(model *m);
/* Of memory, registers and threads, for comparison. */
uint64_t model_final_state(const model *m);

/* The inputs of a program, made in a graph and its table of variables. */
void model_open(model *m, const program *p, hd_graph *graph, hd_variables *variables);
/* One execution with the explorer's sink, as hd_machine_run does it. */
void model_run(model *m, const hd_sink *sink, hd_model *inputs, hd_outcome *outcome);

/* Brute force: all interleavings for all values of the inputs. */
void threads_collect(known *k, const program *p);
#endif

/* model_messages.h -- an abstract machine of actors, messages, queues and a clock.
 *
 * It plays the part of hd_machine_run for the explorer, as model_threads.h does for threads: a few
 * actors that send, receive and spawn, or that put into queues and take from them, with couriers
 * and the clock as pseudo-threads that stand before actions like all others (courier.h).  An actor
 * runs from one receive to the next without a break (paper 000, section 3.2); what it sends and
 * whom it spawns are no events.  The same steps, taken without any explorer, enumerate all
 * executions by brute force (brute_messages.c).
 *
 * A trace (history.h) says which messages each actor received, in order (paper 000, section 3.3:
 * happens-before is program order and sending before receiving, so nothing else can differ), what
 * it did besides, with outcomes and decisions, and the order of each pair of conflicting events on
 * queues and memory.  Messages have names that do not depend on the order: their sender, and the
 * how manieth it sent.
 * Not here: which programs to try (random_messages.h), and what the explorer must do with them
 * (compare.h). */
#ifndef HD_TESTS_MODEL_MESSAGES_H
#define HD_TESTS_MODEL_MESSAGES_H
#include "property/model/history.h"
#include "property/model/known.h"
#include "property/model/values.h"

enum {
    MODEL_ACTORS = CODE_THREADS,
    MODEL_CHANNELS = 2,
    MODEL_QUEUES = 2,
    MODEL_LOCATIONS = 2,
    MODEL_REGISTERS = 6,
    MODEL_MESSAGES = 48,        /* of one execution */
    MODEL_ITEMS = 24,           /* of one queue in one execution */
    MODEL_CLOCK = MODEL_ACTORS, /* index of the clock; those of couriers follow */
    MODEL_FIRST_COURIER,
    MODEL_NOTHING = 9, /* what a take from an empty queue gives */
};

/* `object` is an actor, queue, location or input; r is the actor's register.  The second column is
 * the text for people: %o object, %v value, %e extra. */
#define MODEL_OPERATION_KINDS(X)                                                                   \
    X(SEND, "send %v to a%o on c%e")                                                               \
    X(FORWARD, "send r to a%o on c%e")                                                             \
    X(REPLY, "send r to the sender of the last message on c%e")                                    \
    X(RECEIVE, "r = receive")                                                                      \
    X(RECEIVE_ON, "r = receive on c%o")                                                            \
    X(SPAWN, "spawn a%o")                                                                          \
    X(HALT, "halt")                                                                                \
    X(IDLE, "may idle")                                                                            \
    X(INPUT, "r = input %o")                                                                       \
    X(SKIP, "if (r == %v) skip %e")                                                                \
    X(ASSERT, "assert(r != %v)")                                                                   \
    X(ASSUME, "assume(r != %v)")                                                                   \
    X(ASSERT_LINEAR, "assert(2 * input %o + 1 != r)")                                              \
    X(POST, "post %v to q%o on c%e") /* a courier puts it into the queue some time */              \
    X(PUT, "put %v into q%o")                                                                      \
    X(TRY_PUT, "r = try_put %v into q%o")                                                          \
    X(PUT_R, "put r into q%o")                                                                     \
    X(TAKE, "r = take q%o")                                                                        \
    X(TRY_TAKE, "r = try_take q%o")                                                                \
    X(TIMED_TAKE, "r = take q%o within %v")                                                        \
    X(TAKE_MANY, "r = sum of up to %v of q%o") /* a stream: as much as there is */                 \
    X(POLL, "poll q%o")                                                                            \
    X(TIMED_POLL, "r = poll q%o within %v")                                                        \
    X(POLL_VAGUELY, "poll q%o by token") /* as one that looks at many queues would */              \
    X(POLL_ALL, "r = poll")              /* all queues */                                          \
    X(LISTEN, "listen q%o")                                                                        \
    X(CONNECT, "r = connect %v to q%o") /* put, or refused if nobody listens */                    \
    X(SLEEP, "sleep %v")                                                                           \
    X(READ, "r = x%o")                                                                             \
    X(WRITE, "x%o = %v")

typedef enum operation_kind {
#define X(name, text) OPERATION_##name,
    MODEL_OPERATION_KINDS(X)
#undef X
        N_OPERATIONS
} operation_kind;

typedef struct model model;

/* Programs of the literature are C functions instead of operations: what an actor does with each
 * message. */
typedef struct program {
    code code;
    uint8_t fifo;            /* set of channels that keep the order */
    bool timeouts_any;       /* a timed wait may end at any time; else by the clock */
    uint8_t capacity;        /* of queue 0; 0: as much as one likes */
    bool has_pairs;          /* two actors are threads of one process; else each is one */
    bool (*begin)(model *m); /* false: an assumption was rejected */
    void (*react)(model *m, uint32_t actor, unsigned tag, model_value v);
    bool (*holds)(const model *m); /* at the end */
} program;

void messages_print(const program *p, hd_text *out);

typedef enum actor_status { ACTOR_NEW, ACTOR_ALIVE, ACTOR_ENDED, ACTOR_GAVE_UP } actor_status;

typedef struct model_actor {
    uint8_t status, pc;
    bool may_idle;
    uint8_t n_items;    /* events and decisions so far */
    uint8_t n_sent;     /* messages */
    uint8_t n_children; /* couriers */
    uint8_t sender;     /* of the last message */
    uint8_t deadline;   /* of a timed wait */
    uint32_t birth;     /* 1 + the event in which it was spawned; 0: before all */
    model_value r;
    model_value registers[MODEL_REGISTERS]; /* of programs that are functions */
} model_actor;

typedef struct model_message {
    uint8_t sender, nth; /* of its sender */
    uint8_t courier;
    uint8_t to; /* actor or queue */
    uint8_t channel;
    uint8_t tag; /* for programs that are functions */
    bool is_for_queue, is_delivered;
    uint32_t after; /* 1 + the event in which it was sent; 0: before all */
    model_value value;
} model_message;

typedef struct model_queue {
    uint8_t head, tail;
    bool is_open; /* for connections */
    model_value item[MODEL_ITEMS];
} model_queue;

typedef struct model_state {
    model_actor actor[MODEL_ACTORS];
    model_message message[MODEL_MESSAGES];
    model_queue queue[MODEL_QUEUES];
    model_value memory[MODEL_LOCATIONS];
    uint8_t n_messages, n_delivered_first; /* the first so many messages are all delivered */
    uint8_t time, n_ticks;
    history history; /* findings: bit 8 * actor + operation: an assertion; 62, 63: see below */
} model_state;
#define FINDING_DEADLOCK (UINT64_C(1) << 63)
#define FINDING_AT_END   (UINT64_C(1) << 62)

/* Names of couriers: (parent, nth child of it) has the same index in every execution (E2). */
typedef struct model_names {
    uint8_t courier[MODEL_ACTORS][MODEL_MESSAGES];
    uint32_t n;
} model_names;

/* One execution.  With a sink it asks and tells it; without one it is driven by messages_step. */
struct model {
    const program *program;
    model_inputs inputs;
    const hd_sink *sink;
    model_names names;  /* of all executions of a program */
    hd_threads threads; /* as the sink sees them; it may look at them after the execution */
    model_state state;
    model_event event[MODEL_EVENTS];
};

/* Ready to run: every initial actor stands before its first action. */
void messages_begin(model *m);
model_set messages_enabled(const model *m);
/* Actor, courier or clock, which must be enabled. */
void messages_step(model *m, uint32_t thread);
/* Nobody can go on: is that a deadlock? */
void messages_end(model *m);
/* Of memory, queues, registers and actors, for comparison. */
uint64_t messages_final_state(const model *m);

/* The inputs of a program, made in a graph and its table of variables; names of couriers stay. */
void messages_open(model *m, const program *p, hd_graph *graph, hd_variables *variables);
/* One execution with the explorer's sink, as hd_machine_run does it. */
void messages_run(model *m, const hd_sink *sink, hd_model *inputs, hd_outcome *outcome);

/* ---- For programs that are functions ---- */
model_value model_input(const model *m, unsigned n);
/* Is a == b, a < b, a <= b?  A decision if that depends on inputs; `site` from 1. */
bool model_decide(model *m, uint32_t actor, uint32_t site, hd_op op, model_value a, model_value b);
/* On channel 0. */
void model_send(model *m, uint32_t actor, uint32_t to, unsigned tag, model_value v);
void model_halt(model *m, uint32_t actor);
void model_fail(model *m, uint32_t actor);

/* ---- Brute force: all executions for all values of the inputs ---- */
void messages_collect(known *k, const program *p);
#endif

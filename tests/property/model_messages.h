/* model_messages.h -- an abstract machine of actors, messages, queues and a clock.
 *
 * It plays the part of hd_machine_run for the explorer, as model_threads.h does for threads: a few
 * actors that send, receive and spawn, or that put into queues and take from them, with couriers
 * and the clock as pseudo-threads that stand before actions like all others (courier.h).  An actor
 * runs from one receive to the next without a break (paper 000, section 3.2); what it sends and
 * whom it spawns are no events.  The same steps, taken without any explorer, enumerate all
 * executions by brute force.  What executions have in common is kept as numbers:
 *
 *   sequence  what went on, and the decisions, in the order in which they came: one execution
 *   trace     the same for equivalent executions and for no others: which messages each actor
 *             received, in order (paper 000, section 3.3: happens-before is program order and
 *             sending before receiving, so nothing else can differ), what it did besides, with
 *             outcomes and decisions, and the order of each pair of conflicting events on queues
 *             and memory
 *
 * Messages have names that do not depend on the order: their sender, and the how manieth it sent.
 * Not here: which programs to try, and what the explorer must do with them
 * (property_messages.c). */
#ifndef HD_TESTS_MODEL_MESSAGES_H
#define HD_TESTS_MODEL_MESSAGES_H
#include "base/map.h"
#include "base/vec.h"
#include "machine/machine.h"

enum {
    MODEL_ACTORS = 6,
    MODEL_OPERATIONS = 8, /* of one actor */
    MODEL_CHANNELS = 2,
    MODEL_QUEUES = 2,
    MODEL_LOCATIONS = 2,
    MODEL_INPUTS = 5,
    MODEL_REGISTERS = 6,
    MODEL_MESSAGES = 48, /* of one execution */
    MODEL_ITEMS = 24,    /* of one queue in one execution */
    MODEL_EVENTS = 128,
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

typedef struct operation {
    uint8_t kind, object, value, extra;
} operation;

typedef struct model model;
typedef struct model_value {
    uint8_t is;
    hd_expr expr; /* 8 bits wide; HD_NONE: does not depend on inputs */
} model_value;

/* Actors 0 to n_initial-1 exist at the start, the others are spawned.  Programs of the literature
 * are C functions instead of operations: what an actor does with each message. */
typedef struct program {
    operation at[MODEL_ACTORS][MODEL_OPERATIONS];
    uint8_t n[MODEL_ACTORS];
    uint8_t n_actors, n_initial;
    uint8_t n_inputs, input_width; /* bits */
    uint8_t first[MODEL_INPUTS];   /* values of the inputs where the explorer has no wish */
    uint8_t fifo;                  /* set of channels that keep the order */
    bool timeouts_any;             /* a timed wait may end at any time; else by the clock */
    uint8_t capacity;              /* of queue 0; 0: as much as one likes */
    bool has_pairs;                /* two actors are threads of one process; else each is one */
    bool (*begin)(model *m);       /* false: an assumption was rejected */
    void (*react)(model *m, uint32_t actor, unsigned tag, model_value v);
    bool (*holds)(const model *m); /* at the end */
} program;

void program_print(const program *p, hd_text *out);

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
    bool is_rejected;
    uint32_t n_events;
    uint64_t findings; /* bit 8 * actor + operation: an assertion; 62, 63: see below */
    uint64_t sequence, trace;
} model_state;
#define FINDING_DEADLOCK (UINT64_C(1) << 63)
#define FINDING_AT_END   (UINT64_C(1) << 62)

typedef struct model_event {
    hd_action action;
    uint64_t name;
} model_event;

/* Names of couriers: (parent, nth child of it) has the same index in every execution (E2). */
typedef struct model_names {
    uint8_t courier[MODEL_ACTORS][MODEL_MESSAGES];
    uint32_t n;
} model_names;

/* One execution.  With a sink it asks and tells it; without one it is driven by model_step. */
struct model {
    const program *program;
    hd_graph *graph;
    hd_expr input[MODEL_INPUTS];
    uint8_t input_value[MODEL_INPUTS];
    const hd_sink *sink;
    model_names names;
    hd_threads threads; /* as the sink sees them; it may look at them after the execution */
    model_state state;
    model_event event[MODEL_EVENTS];
};

/* Ready to run: every initial actor stands before its first action. */
void model_begin(model *m);
hd_thread_set model_enabled(const model *m);
/* Actor, courier or clock, which must be enabled. */
void model_step(model *m, uint32_t thread);
/* Nobody can go on: is that a deadlock? */
void model_end(model *m);
/* Of memory, queues, registers and actors, for comparison. */
uint64_t model_final_state(const model *m);

/* The inputs of a program, made in a graph and its table of variables. */
void model_open(model *m, const program *p, hd_graph *graph, hd_variables *variables);
/* One execution with the explorer's sink, as hd_machine_run does it. */
void model_run(model *m, const hd_sink *sink, hd_model *inputs, hd_outcome *outcome);

/* ---- For programs that are functions ---- */
model_value model_constant(unsigned is);
model_value model_input(const model *m, unsigned n);
/* Is a == b, a < b, a <= b?  A decision if that depends on inputs; `site` from 1. */
bool model_decide(model *m, uint32_t actor, uint32_t site, hd_op op, model_value a, model_value b);
/* On channel 0. */
void model_send(model *m, uint32_t actor, uint32_t to, unsigned tag, model_value v);
void model_halt(model *m, uint32_t actor);
void model_fail(model *m, uint32_t actor);

/* ---- Brute force: brute_messages.c ---- */

typedef struct known_class {
    uint64_t trace, final_state, findings;
    uint64_t hash;  /* the explorer's name of it; 0: not yet seen */
    uint32_t n_run; /* by the explorer */
} known_class;

typedef struct known {
    hd_vec(known_class) classes; /* of executions that no assumption rejects */
    hd_map class_of_trace;
    hd_map n_run_of_sequence;
    hd_map rejected; /* the sequences of those that are rejected */
    uint64_t limit;  /* of executions, also of rejected ones */
    uint64_t n_ends; /* executions, the same for several inputs counted for each */
    bool is_beyond;  /* there are more */
    bool is_wrong;   /* two executions of one trace ended differently: the model is wrong */
} known;

/* All executions for all values of the inputs. */
void known_collect(known *k, const program *p);
known_class *known_find(const known *k, uint64_t trace);
void known_release(known *k);
#endif

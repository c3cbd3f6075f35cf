/* ipc.h -- what processes say to each other through descriptors, as events of threads.
 *
 * The state is that of world/net.h.  A call of the program checks its memory, says what it is about
 * to do (an action on a queue, action.h), waits for its turn, and then changes the state.  What is
 * sent through the network is carried by couriers; everything else is put into its queue by the
 * sender itself.
 *
 * I1. Nothing here looks at memory of the program while its thread waits: another process may be
 *     loaded then.  What a waiting thread wants is kept in its request.
 * I2. A queue with an address of its own (a listener, a bound datagram socket) is named by the
 *     address, so that binding, closing and sending conflict on its tail.
 * Not here: who goes next (visible.c), how couriers take turns (process.h). */
#ifndef HD_MACHINE_CHANNELS_IPC_H
#define HD_MACHINE_CHANNELS_IPC_H
#include "machine/tasks/process.h"
#include "world/epoll.h"
#include "world/net.h"

typedef struct hd_ipc_request hd_ipc_request;
struct hd_ipc_request {
    /* Could the action succeed now?  NULL: it always could. */
    bool (*is_ready)(hd_machine *m, const hd_ipc_request *r);
    /* E4: accesses and flags of the action as they are if it runs now. */
    void (*settle)(hd_machine *m, const hd_ipc_request *r, hd_action *a);
    /* "waits to receive from 'tcp 10.0.0.1:7000'" */
    void (*describe)(hd_machine *m, const hd_ipc_request *r, hd_text *out);
    hd_queue *queue;
    bool wants_data; /* an end of file does not count */
    hd_file *file;   /* for words; may be NULL */
    hd_socket *socket;
    hd_counter *counter;
    uint64_t amount;   /* that is added to a counter */
    hd_address target; /* of a connect or a datagram */
    hd_address source; /* of a datagram */
    int type;
    hd_epoll *epoll;
    hd_polled *polled;
    uint32_t n_polled;
    uint32_t n_wanted; /* bytes: a peek waits for so many */
    bool is_poll;      /* or select: told of signals even if it does not wait */
    uint64_t until;    /* of a wait for timers: when it ends without them; 0: it is none */
};

/* What a thread stood before when a handler began. */
typedef struct hd_interrupted {
    uint32_t thread;
    hd_ipc_request request;
} hd_interrupted;

typedef struct hd_ipc {
    hd_net net;
    hd_ipc_request request[HD_MAX_THREADS]; /* of the action that each stands before */
    hd_vec(hd_interrupted) interrupted;     /* by handlers of signals, the innermost last */
    hd_map names;                           /* of queues, over all executions: number -> char * */
    struct hd_received *received;           /* channels/reuse.c; of an execution, by thread */
    uint32_t n_received;
} hd_ipc;

/* ---- ipc.c ---- */
/* Could the action of a thread (PUT, TAKE, POLL) go on now?  Couriers are asked themselves. */
bool hd_ipc_is_enabled(hd_machine *m, const hd_action *a);
void hd_ipc_settle(hd_machine *m, hd_action *a);
/* A process ends, while its last thread still runs: closing is an event. */
void hd_descriptors_exit(hd_machine *m, uint32_t process, bool is_killed);
/* The scenario: what a name means, and where a process lives.  False if there is no such address
 * or name.  Good for all executions that follow. */
bool hd_ipc_set_name(hd_machine *m, const char *name, const char *address);
bool hd_ipc_set_host(hd_machine *m, uint32_t process, const char *name);
/* Enter a function of the library: its arguments are concrete from here on. */
hd_machine *hd_ipc_enter(void);
/* hd_ipc_enter of a function that is a cancellation point (POSIX): a cancelled thread ends here. */
hd_machine *hd_ipc_enter_point(void);
hd_net *hd_ipc_net(hd_machine *m);
uint32_t hd_ipc_process(const hd_machine *m);
/* The program's errno is set, to EINTR if a signal has ended its wait.  Always -1. */
int hd_ipc_fail(hd_machine *m, int error);
/* Did a signal end the wait that has just failed?  hd_ipc_fail tells the program. */
bool hd_ipc_was_interrupted(const hd_machine *m);
/* The file of a descriptor; NULL: it is not open.  An event if threads share the table. */
hd_file *hd_ipc_find(hd_machine *m, int descriptor);
/* As hd_ipc_find, with EBADF. */
hd_file *hd_ipc_file(hd_machine *m, int descriptor);
/* The socket of a descriptor, and its file; NULL with EBADF or ENOTSOCK. */
hd_socket *hd_ipc_socket(hd_machine *m, int descriptor, hd_file **file);
/* Is there no number left for another file? */
bool hd_ipc_is_full(hd_machine *m);
/* A descriptor for a new file; -1 with EMFILE. */
int hd_ipc_open(hd_machine *m, hd_file *file, bool closes_on_exec);
/* The first of two descriptors, for which there was no second: it is closed.  -1, with EMFILE. */
int hd_ipc_give_back(hd_machine *m, int descriptor);
/* What the program wants is not modelled: the execution ends here, which is said in a sentence. */
_Noreturn void hd_ipc_refuse(hd_machine *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A write that nobody will read: SIGPIPE ends the process, or EPIPE. */
int hd_ipc_broken(hd_machine *m, const char *what, bool is_quiet);
/* Do several threads of the running process share its descriptors? */
bool hd_ipc_is_shared_table(const hd_machine *m);
/* Which numbers are free changes, or is asked for; and what `from` means is asked for, unless that
 * is -1.  These are events if threads share the table. */
void hd_ipc_change_table(hd_machine *m, int from);
/* What a number means is asked for, or changes. */
void hd_ipc_number_event(hd_machine *m, int descriptor, bool is_store);
/* An open number becomes free, or a free one is taken: both; `from` as above. */
void hd_ipc_change_number(hd_machine *m, int descriptor, int from);
/* A number that was reserved means `file`. */
void hd_ipc_install(hd_machine *m, int descriptor, hd_file *file, bool closes_on_exec);

/* ---- channels/program_memory.c: memory of the program ---- */
void hd_ipc_check(hd_machine *m, const void *p, uint64_t n, bool is_store);
/* n bytes with their shadow words, in memory of this execution. */
hd_bytes hd_ipc_load(hd_machine *m, const void *p, uint64_t n);
void hd_ipc_store(hd_machine *m, void *to, const uint8_t *bytes, const uint32_t *words, uint64_t n);
/* Concrete bytes of the host. */
void hd_ipc_store_plain(hd_machine *m, void *to, const void *bytes, uint64_t n);
/* A string of the program, checked up to its end. */
const char *hd_ipc_text(hd_machine *m, const char *text);
struct iovec;
/* A copy of the program's list of pieces; NULL if there are too many. */
const struct iovec *hd_ipc_pieces(hd_machine *m, const struct iovec *pieces, uint64_t n);
/* The total size of pieces, as much of it as one call transfers; -1 if that is no size (EINVAL).
 * Nothing is checked: what is not transferred need not be accessible. */
int64_t hd_ipc_total(const struct iovec *pieces, uint64_t n);
hd_bytes hd_ipc_gather(hd_machine *m, const struct iovec *pieces, uint64_t n, uint64_t total);
void hd_ipc_scatter(hd_machine *m, const struct iovec *pieces, uint64_t n, const uint8_t *bytes,
                    const uint32_t *words, uint64_t total);
/* An address argument; 0 or an error number. */
int hd_ipc_load_address(hd_machine *m, const void *p, uint32_t n, int family, hd_address *out);
/* An address as accept and recvfrom answer it: as much as there is room for, and its true
 * length. */
void hd_ipc_store_address(hd_machine *m, const hd_address *a, int family, void *out,
                          uint32_t *length);

/* ---- channels/event.c: events on queues ---- */
/* Stop before an action with this request until it is chosen; returns the action as settled. */
const hd_action *hd_ipc_stand(hd_machine *m, hd_action_kind kind, unsigned flags,
                              const hd_ipc_request *r);
/* hd_ipc_stand until `deadline` at most (UINT64_MAX: none; 0: does not wait); false if the action
 * failed. */
bool hd_ipc_wait(hd_machine *m, hd_action_kind kind, const hd_ipc_request *r, uint64_t deadline);
/* The outcome of an action that is being settled. */
void hd_ipc_set_failed(hd_action *a, bool fails);
/* Take from a queue: true if there is an item now, or an end of file (nothing is popped yet). */
bool hd_ipc_take(hd_machine *m, hd_queue *q, hd_file *file, uint64_t deadline);
/* Take from a queue what is there now, without waiting; an end of file does not count. */
bool hd_ipc_take_more(hd_machine *m, hd_queue *q, hd_file *file);
/* Look at all items of a queue without taking any: waits as hd_ipc_take until there is one. */
bool hd_ipc_peek(hd_machine *m, hd_queue *q, hd_file *file, uint64_t deadline);
/* Look at the items that are there now, and at the state of the file (channels/state.c). */
void hd_ipc_inspect(hd_machine *m, hd_queue *q, hd_file *file);
/* Put something into a queue at once; false if nobody takes from it any more. */
bool hd_ipc_put(hd_machine *m, hd_queue *q, hd_file *file, hd_item *item);
/* After a change of a queue or address: can things be put into it?  (explore/events/queues.h, Q5)
 */
typedef enum hd_opening { HD_OPENING_UNKNOWN, HD_OPENING_OPENS, HD_OPENING_SAME } hd_opening;
/* A door is the number that stands for an address where a queue can be reached (I2).  It is changed
 * (bound, opened, closed); and with it the state of `f`, unless that is NULL. */
void hd_ipc_change(hd_machine *m, const hd_queue *q, hd_opening what, const hd_file *f);
void hd_ipc_change_door(hd_machine *m, uint32_t door, hd_opening what, const hd_file *f);
/* The running process uses a file, or changes how it is used (O_NONBLOCK, connect, shutdown of
 * datagrams).  Which of these comes first is no choice of order if different processes do them, and
 * is said then. */
typedef enum hd_use { HD_USE_ANY, HD_USE_RECEIVE } hd_use; /* what the change matters to */
void hd_ipc_note_use(hd_machine *m, hd_file *f, hd_use use);
void hd_ipc_note_change(hd_machine *m, hd_file *f, hd_use matters_to);
/* May others send through the same socket, processes or threads? */
bool hd_ipc_has_rivals(const hd_machine *m, const hd_file *f);
/* Before something is sent: did a reset arrive from `q`, and what do others send through the socket
 * that `own` is the input of?  Either may be NULL. */
void hd_ipc_look(hd_machine *m, const hd_queue *q, const hd_queue *own);
/* Whether an action is hd_ipc_look(m, q, ...), or the question what a descriptor means. */
bool hd_ipc_is_look(const hd_action *a, const hd_queue *q);
bool hd_ipc_is_question(const hd_action *a);
/* Before one of those who could put something into `q` is closed; others may be added to it. */
hd_action hd_ipc_closing_source(hd_machine *m, const hd_queue *q);
/* Nothing more will come out of `q`; `is_final`: and nothing can be put into it any more, at least
 * not through the same socket; who looks at `other`, or NULL, may see that too. */
void hd_ipc_shut(hd_machine *m, const hd_queue *q, bool is_final, const hd_queue *other);
/* Addresses to conflict on.  The readiness of a queue is one of those of its owner, which lie side
 * by side; the others are of one queue each (action.h). */
uint64_t hd_ipc_ready(uint32_t owner, uint32_t id);
uint64_t hd_ipc_ready_of(const hd_queue *q);
uint64_t hd_ipc_end_of(const hd_queue *q);
uint64_t hd_ipc_reset_of(const hd_queue *q);
uint64_t hd_ipc_tail(const hd_queue *q);
uint64_t hd_ipc_head(const hd_queue *q);
uint64_t hd_ipc_slot(const hd_queue *q, uint32_t number);
uint64_t hd_ipc_door(uint32_t door);
uint32_t hd_ipc_id(const hd_queue *q);
/* The accesses of a put into `q`; has_rivals: others may put too, so that it matters who is first.
 */
void hd_ipc_fill_put(hd_action *a, const hd_queue *q, bool succeeds, bool has_rivals);
/* Owners of locks of files: processes, by their number, and open files. */
static inline uint64_t hd_lock_owner_file(const hd_file *f) {
    return UINT64_C(1) << 63 | (uint64_t)(uintptr_t)f;
}
static inline bool hd_lock_is_of_file(uint64_t owner) {
    return owner >> 63;
}
/* Something of a process is put into `to` next, where time orders events: for stories. */
void hd_ipc_note_arrival(hd_machine *m, uint32_t sender, const hd_queue *to, uint32_t site);
/* The accesses of a put that fails because nobody is there who would take it. */
void hd_ipc_fill_refused(hd_action *a, uint64_t tail);
/* The running thread took something from the queue. */
void hd_ipc_note_taker(hd_machine *m, hd_queue *q);
/* When a wait of this many nanoseconds ends; 0 nanoseconds = never. */
uint64_t hd_ipc_deadline(hd_machine *m, uint64_t nanoseconds);

/* ---- channels/state.c: what files are set to ---- */
/* The flags, options, names ... of a file are asked for, or changed: an event if others may have
 * it too. */
void hd_ipc_state_event(hd_machine *m, const hd_file *f, bool is_store);
/* The address that stands for the state of a file. */
uint64_t hd_ipc_state_of(const hd_file *f);
/* When a wait for files ends by a timer among them, or by its own time. */
uint64_t hd_ipc_due(const hd_ipc_request *r);
/* Is there a timer that could expire among what is asked for, and has not yet?  Of several
 * processes only: else nobody says when. */
bool hd_ipc_has_running_timer(hd_machine *m, const hd_ipc_request *r);
/* A timer was set, or is waited for now: those who wait for it wait for its time. */
void hd_ipc_renew_deadlines(hd_machine *m);

/* ---- channels/readers.c: who can still read what is put into a queue ---- */
/* `a` depends on whether somebody can read from `q`. */
void hd_ipc_look_at_readers(hd_machine *m, hd_action *a, const hd_queue *q);
/* `a` depends on everybody who may close the queue with this tail. */
void hd_ipc_look_at_all_readers(hd_action *a, uint64_t tail);
/* The queue of the listener that has not accepted the other end of `f` yet: closing the listener
 * would close that end too.  NULL if there is none. */
const hd_queue *hd_ipc_listener_of(const hd_file *f);
/* `a` depends on whoever closes the listener of hd_ipc_listener_of. */
void hd_ipc_look_at_listener(hd_action *a, const hd_file *f);
/* The process closes its last descriptor of a file that reads `q`. */
void hd_ipc_close_reader(hd_machine *m, hd_action *a, const hd_queue *q, uint32_t process);
/* Where `hd_ipc_look_at_readers` looks, for polls: an address and how many follow. */
uint64_t hd_ipc_readers_of(hd_machine *m, const hd_queue *q, uint32_t thread, uint32_t *size);

/* ---- channels/carry.c: the network ---- */
/* Who carries what `s` will send: the same in every order of those who may use it. */
void hd_ipc_prepare_courier(hd_machine *m, hd_socket *s);
/* What socket `s` sends on its connection. */
void hd_ipc_carry(hd_machine *m, hd_socket *s, hd_item *item);
/* Something that was sent on a connection is there: data that nobody will read is answered. */
void hd_ipc_take_in(hd_machine *m, hd_socket *to, hd_item *item);
/* How a datagram goes: all zero as its link says. */
typedef struct hd_way {
    uint64_t when;         /* not before that; 0: at any time */
    bool may_be_overtaken; /* on a link that keeps the order, by ... */
    uint32_t window;       /* ... so many */
} hd_way;
/* A datagram from `s` to an address. */
void hd_ipc_carry_datagram(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item,
                           const hd_way *way);
/* Who hears a datagram that comes from a host with that source: a socket with a fixed peer hears
 * nobody else.  NULL: nobody. */
hd_socket *hd_ipc_hearer(hd_machine *m, uint32_t from, const hd_address *target,
                         const hd_address *source);
/* ---- channels/arrive.c: where virtual time orders events ---- */
/* A datagram arrives, and something may happen to it. */
void hd_ipc_arrive(hd_machine *m, uint32_t from, uint32_t sender, const hd_address *target,
                   hd_item *item, uint32_t site);
/* ---- channels/cable.c: connections between hosts, where virtual time orders events ---- */
/* The socket, which has both addresses, asks that host for a connection; `id` is that of the queue
 * that the other end gets. */
void hd_cable_connect(hd_machine *m, hd_socket *s, uint32_t host, uint32_t id);
/* Nobody wants the connection that the socket has asked for: `error` says why. */
void hd_cable_refuse(hd_machine *m, hd_socket *s, int error);
/* Wait until the socket of `f` has an answer, if it has asked; false if it does not wait, or was
 * interrupted. */
bool hd_cable_await(hd_machine *m, hd_file *f, bool waits);
/* What socket `s` sends on its connection. */
void hd_cable_send(hd_machine *m, hd_socket *s, hd_item *item);
/* ---- transmit.c: a datagram leaves its host, and something may happen to it ---- */
void hd_ipc_transmit(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item);

/* ---- channels/reuse.c: couriers of datagrams that keep no order ---- */
/* One that is free to go from the running thread to an address again, or HD_NOBODY. */
uint32_t hd_ipc_idle_courier(hd_machine *m, const hd_address *to);
/* The running thread sends an item by a courier; it receives one. */
void hd_ipc_stamp(hd_machine *m, hd_item *item, const hd_address *to, uint32_t courier);
void hd_ipc_received(hd_machine *m, const hd_item *item);

/* ---- channels/transfer.c: sending and receiving, for all calls that do ---- */
typedef struct hd_ipc_message {
    const struct iovec *pieces;
    uint64_t n_pieces;
    hd_bytes bytes;       /* sending: what is in them */
    int flags;            /* MSG_... of the call; of the answer afterwards */
    const hd_address *to; /* sending; NULL: the peer */
    hd_file **files;      /* that travel along */
    uint32_t n_files;
    hd_address from, sent_to; /* received; the latter of datagrams of the Internet */
} hd_ipc_message;
/* As sendmsg and recvmsg answer; also for pipes. */
int64_t hd_ipc_send(hd_machine *m, hd_file *f, hd_ipc_message *message);
int64_t hd_ipc_receive(hd_machine *m, hd_file *f, hd_ipc_message *message);

/* ---- channels/system_requests.c: sockets of AF_NETLINK ---- */
/* 0 or an error number. */
int hd_ipc_bind_asker(hd_machine *m, hd_socket *s, const hd_address *a);
/* As sendmsg answers: the system has answered when it returns. */
int64_t hd_ipc_ask_system(hd_machine *m, hd_file *f, const hd_ipc_message *message);

/* ---- channels/poll.c ---- */
/* Wait until one of the files is ready (or `list`, of epoll, has something to report): false if it
 * was not in time.  `deadline` as for hd_ipc_take. */
bool hd_ipc_poll(hd_machine *m, hd_polled *polled, uint32_t n, hd_file *list, uint64_t deadline);

/* ---- channels/close.c ---- */
/* A descriptor of the running process is closed, and with it perhaps its file; false with EBADF if
 * there is none. */
bool hd_ipc_close(hd_machine *m, int descriptor);
/* A file was taken out of the table of the running process, as `descriptor`. */
void hd_ipc_let_go(hd_machine *m, hd_file *f, int descriptor);
void hd_ipc_shutdown(hd_machine *m, const hd_file *f, bool reading, bool writing);

/* ---- channels/channel_words.c ---- */
/* Words for deadlock reports; nothing is added if the action is not one of these. */
bool hd_ipc_describe_wait(hd_machine *m, const hd_action *a, hd_text *out);
/* "'tcp 10.0.0.1:7000'", "'pipe'", ... */
void hd_ipc_describe_file(hd_machine *m, const hd_file *f, hd_text *out);
/* Words for a queue, for stories: they stay when the queue is gone. */
void hd_ipc_name(hd_machine *m, const hd_queue *q, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The name of the queue at an address of an action; "" if it has none. */
const char *hd_ipc_name_at(const hd_machine *m, uint64_t address);
/* The queues of a socket are named by its addresses. */
void hd_ipc_name_socket(hd_machine *m, const hd_socket *s);
/* What was not read of a file that is about to be gone, for a warning; nothing if all was. */
void hd_ipc_unread_of(hd_machine *m, const hd_file *f, int descriptor, hd_text *out);
/* What was not read of all files that a process has open, for a warning. */
void hd_ipc_unread(hd_machine *m, uint32_t process, hd_text *out);
#endif

/* fault.h -- what may go wrong in a network of nodes: one vocabulary for scenarios, options and
 * every engine that runs nodes.
 *
 * A rule says what may happen, to whom, how often and when.  What a rule allows is a choice with a
 * name ("drop a->b #2": the second message from a to b is lost), which a search takes both ways.
 *
 * F1. Budgets bound how many faults of a rule an execution has, in total, at one node, on one link;
 *     which of the choices use them up is open.  An order of events that another one of the same
 *     class allows is so never forbidden by a budget.
 * F2. A fault of messages is chosen when the message is sent: nobody can tell when it was lost.
 *     Where time orders events it is chosen when a datagram arrives, by its receiver.  A fault of
 *     nodes is chosen before an operation of the node that others can notice.
 * F3. Numbers of nodes are those of hd_network_node; `from` and `to` of a rule are never empty.
 * F4. Which datagram of all is the n-th that a node receives is known when it arrives: only where
 *     time orders events, and receivers meet faults, does a rule have `received`.
 * Not here: the text of rules (scenario/fault_entry.c), what happens (machine/channels/faults.c). */
#ifndef HD_MACHINE_FAULT_H
#define HD_MACHINE_FAULT_H
#include "base/panic.h"
#include "base/set.h"
#include "base/text.h"
#include "machine/node.h"

/* What a kind of fault is about. */
typedef enum hd_fault_subject {
    HD_FAULT_OF_DATAGRAMS,   /* one of them, from a node to another */
    HD_FAULT_OF_CONNECTIONS, /* something that is sent on one */
    HD_FAULT_OF_SENDS,       /* a call that sends, whatever */
    HD_FAULT_OF_NODES,       /* `from`: which; `to` is not used */
} hd_fault_subject;

/* X(name, word, subject, words): `words` follow "may", after the number. */
#define HD_FAULTS(X)                                                                               \
    X(DROP, "drop", HD_FAULT_OF_DATAGRAMS, "be lost")                                              \
    X(DUPLICATE, "duplicate", HD_FAULT_OF_DATAGRAMS, "arrive twice")                               \
    X(REORDER, "reorder", HD_FAULT_OF_DATAGRAMS, "be overtaken")                                   \
    X(DELAY, "delay", HD_FAULT_OF_DATAGRAMS, "be late")                                            \
    X(CORRUPT, "corrupt", HD_FAULT_OF_DATAGRAMS, "arrive with other bytes")                        \
    X(FULL, "full", HD_FAULT_OF_SENDS, "find the buffer full")                                     \
    X(RESET, "reset", HD_FAULT_OF_CONNECTIONS, "find the connection reset")                        \
    X(PARTITION, "partition", HD_FAULT_OF_DATAGRAMS, "fall into a time without a link")            \
    X(CRASH, "crash", HD_FAULT_OF_NODES, "crash")                                                  \
    X(REBOOT, "reboot", HD_FAULT_OF_NODES, "crash and start again")

typedef enum hd_fault_kind {
#define X(name, ...) HD_FAULT_##name,
    HD_FAULTS(X)
#undef X
        HD_N_FAULTS
} hd_fault_kind;

const char *hd_fault_word(hd_fault_kind kind);
const char *hd_fault_words(hd_fault_kind kind);
hd_fault_subject hd_fault_subject_of(hd_fault_kind kind);

#define HD_NO_BUDGET UINT32_MAX /* as many as there are chances */
#define HD_ALL_NODES UINT32_MAX /* in place of a node: a budget in total */

typedef struct hd_fault {
    hd_fault_kind kind;
    hd_set from, to;                    /* F3 */
    uint32_t total, per_node, per_link; /* F1; HD_NO_BUDGET.  The node of a message is its receiver */
    uint32_t nth;           /* only this message of a link, from 1; operation of a node; 0: any */
    uint32_t received;      /* only this datagram of all that others send to the receiver, from 1; 0: any (F4) */
    uint64_t begins, ends;  /* virtual time in nanoseconds: not before, and not at or after */
    uint64_t duration;      /* DELAY: how late; PARTITION: how long, 0: for ever */
    uint32_t window;        /* REORDER: by how many it may be overtaken */
    bool has_own;           /* it is about what nodes send to themselves, too */
    bool keeps_files;       /* REBOOT: what the node wrote is still there */
} hd_fault;

static inline bool hd_fault_is_of_nodes(const hd_fault *f) {
    return hd_fault_subject_of(f->kind) == HD_FAULT_OF_NODES;
}
/* Is a message from one to the other, or the node `from`, what the rule is about? */
static inline bool hd_fault_concerns(const hd_fault *f, uint32_t from, uint32_t to) {
    HD_CHECK_INVARIANT(F3, !hd_set_is_empty(f->from) &&
                               (hd_fault_is_of_nodes(f) || !hd_set_is_empty(f->to)));
    return hd_set_has(f->from, from) &&
           (hd_fault_is_of_nodes(f) || (hd_set_has(f->to, to) && (from != to || f->has_own)));
}

/* The name of a choice: "drop a->b #2", "crash a #3"; `to` is not used for faults of nodes. */
void hd_fault_name(hd_fault_kind kind, const char *from, const char *to, uint32_t nth, char *out,
                   size_t size);
/* Is this the name of such a choice, not that of an input of a program? */
bool hd_fault_is_name(const char *name);

/* A fault that has happened in an execution. */
typedef struct hd_fault_event {
    hd_fault_kind kind;
    uint32_t from, to; /* processes */
    uint32_t nth, site;
    uint64_t event; /* so many events were before it */
} hd_fault_event;
#endif

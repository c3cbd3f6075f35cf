/* sendings.h -- what states of one node send in one round of their events, before it is mapped.
 *
 * An event of a state may branch, before it sends and after; all that comes of it has sent the same
 * packets up to there.  And states that have branched long ago may send the same (paper 004,
 * section III-D).  Were each of them mapped by itself, the first would be parted from the others as
 * from rivals.  So what all states of a node send at one moment of virtual time is noted here, and
 * mapped when all of them have run: packets of equal keys at equal places are one packet.
 *
 * Who does not want equal packets of different states to be one gives each of its own a key.
 *
 * G1. What one state sends is mapped in the order in which it was noted.
 * G2. One flush is about states of one node that do not run before it is over. */
#ifndef HD_MAPPING_SENDINGS_H
#define HD_MAPPING_SENDINGS_H
#include "mapping/mapping.h"

typedef struct hd_sending {
    uint32_t from, to; /* a state, a node */
    uint32_t round;    /* how many its state has sent before it */
    uint64_t key;      /* equal packets (content, time, constraints) have equal ones, others not */
    uint64_t packet;   /* whatever the caller calls it */
} hd_sending;

typedef struct hd_sendings {
    hd_vec(hd_sending) list;
} hd_sendings;

/* What a packet goes to: `packet` is that of the first of its senders. */
typedef void hd_deliver(void *context, uint64_t packet, const hd_sending *senders, size_t n_senders,
                        const hd_states *receivers);

/* The state `from` sends.  Its sends must be noted one after the other; those of a state that came
 * of it are noted for that state as well. */
void hd_sendings_add(hd_sendings *s, uint32_t from, uint32_t to, uint64_t key, uint64_t packet);
/* Map all, in rounds: the first packet of each state, then the second, ...  `deliver` is called
 * after each is mapped; it must not change the mapping (hd_mapping_discard has to wait until the
 * flush is over).  The list is empty then. */
void hd_sendings_flush(hd_sendings *s, hd_mapping *m, hd_deliver *deliver, void *context);
void hd_sendings_release(hd_sendings *s);
#endif

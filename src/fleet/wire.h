/* wire.h -- what workers and supervisor say to each other, as bytes.
 *
 * A frame is its payload's length (4 bytes), its type (1 byte) and the payload, all little
 * endian.  The worker runs code that nobody vouches for, so the reader believes nothing.
 *
 * W1. Decoding any bytes either gives a value that hd_record_commit can store, or fails. */
#ifndef HD_FLEET_WIRE_H
#define HD_FLEET_WIRE_H
#include "base/pack.h"
#include "fleet/coordinator.h"
#include "record/record.h"

typedef enum hd_frame_type {
    HD_FRAME_BUNDLE = 1, /* hd_bundle */
    HD_FRAME_GLANCE,     /* hd_observers_glance */
    HD_FRAME_NOTE,       /* a sentence for the user */
    HD_FRAME_REFUSED,    /* the worker cannot start: message and hint */
    HD_FRAME_STOPPED,    /* the worker ends without a bundle: why */
    HD_FRAME_WORK,       /* to the worker: hd_works */
    HD_FRAME_RETURNED,   /* units that it was given and has not begun: hd_unit_numbers */
    HD_N_FRAMES
} hd_frame_type;

#define HD_FRAME_HEAD  5
#define HD_FRAME_LIMIT (UINT32_C(1) << 30)

/* What a worker hands over: what it found since its last bundle, and the commit that belongs to
 * it. */
typedef struct hd_bundle {
    hd_commit commit;
    hd_text classes; /* hd_explorer_take_classes */
    hd_text races;   /* hd_explorer_take_races */
    bool is_whole;   /* of a unit that is done: nothing was left out on purpose */
    /* Without a frontier and tests, which an observer has (observers/kept_tests.c); a stop reason
     * if the worker waits for new orders. */
    hd_batch results;
} hd_bundle;

/* A unit for a worker, and what it has to know beside it. */
typedef struct hd_work {
    uint64_t unit, epoch, n_commits;
    bool is_shared;          /* others have other units */
    bool is_whole;           /* for who hands it out only: hd_unit.is_whole */
    uint64_t max_executions; /* UINT64_MAX: no bound */
    bool gives;              /* a part of what is left, at the end of its turn */
    uint64_t turn;           /* executions after which others have their turn, if the search goes
                              * depth first; 0: none */
    hd_text journal, context, path;
    hd_text facts;    /* hd_machine_print_facts */
    hd_text coverage; /* by anybody, 2 * branches bytes */
    hd_text known;    /* findings that have been told: signatures, u64 each */
} hd_work;
typedef hd_vec(hd_work) hd_works;

/* A unit as it was handed out. */
typedef struct hd_unit_at {
    uint64_t unit, epoch;
} hd_unit_at;
typedef hd_vec(hd_unit_at) hd_unit_numbers;

void hd_wire_pack_bundle(hd_text *out, const hd_bundle *p);
bool hd_wire_unpack_bundle(const void *bytes, size_t n, hd_bundle *p);
void hd_bundle_release(hd_bundle *p);
void hd_wire_pack_tests(hd_text *out, const hd_test *tests, uint32_t n);
/* The caller frees them, also if `u` fails. */
hd_test *hd_wire_unpack_tests(hd_unpack *u, uint32_t *n);
/* Results alone; without a frontier and units. */
void hd_wire_pack_batch(hd_text *out, const hd_batch *b);
/* `b` can be released in any case. */
bool hd_wire_unpack_batch(hd_unpack *u, hd_batch *b);
void hd_wire_pack_work(hd_text *out, const hd_work *w);
bool hd_wire_unpack_work(const void *bytes, size_t n, hd_work *w);
void hd_work_release(hd_work *w);
/* Several, to be begun in this order; what they have in common is packed once. */
void hd_wire_pack_works(hd_text *out, const hd_works *works);
/* Behind those that are there already, which stay if it fails. */
bool hd_wire_unpack_works(const void *bytes, size_t n, hd_works *works);
void hd_works_release(hd_works *works);
void hd_wire_pack_numbers(hd_text *out, const hd_unit_numbers *units);
/* `units` can be released in any case. */
bool hd_wire_unpack_numbers(const void *bytes, size_t n, hd_unit_numbers *units);
void hd_wire_pack_error(hd_text *out, const hd_err *err);
bool hd_wire_unpack_error(const void *bytes, size_t n, hd_err *err);

/* Send one frame; false when the other side is gone. */
bool hd_wire_send(int socket, hd_frame_type type, const void *payload, size_t n);

/* Bytes received so far.  A zeroed inbox is empty. */
typedef struct hd_inbox {
    hd_text bytes;
    size_t used; /* of the front, by frames that were handed out */
} hd_inbox;
/* Wait until something is there to read, or the end of the stream. */
void hd_inbox_wait(int socket);
/* Read what is there without waiting, up to HD_INBOX_SHARE: who writes without an end is left for a
 * while.  False at the end of the stream. */
#define HD_INBOX_SHARE ((size_t)1 << 22)
bool hd_inbox_fill(hd_inbox *in, int socket);
/* The next whole frame, good until the next fill; false if there is none.  `*is_damaged` if
 * what came cannot be a frame. */
bool hd_inbox_next(hd_inbox *in, hd_frame_type *type, const void **payload, size_t *n,
                   bool *is_damaged);
void hd_inbox_release(hd_inbox *in);
#endif

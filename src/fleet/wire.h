/* wire.h -- what workers and supervisor say to each other, as bytes.
 *
 * A frame is its payload's length (4 bytes), its type (1 byte) and the payload, all little
 * endian.  The worker runs code that nobody vouches for, so the reader believes nothing.
 *
 * W1. Decoding any bytes either gives a value that hd_record_commit can store, or fails. */
#ifndef HD_FLEET_WIRE_H
#define HD_FLEET_WIRE_H
#include "record/record.h"

typedef enum hd_frame_type {
    HD_FRAME_BATCH = 1, /* hd_batch */
    HD_FRAME_PROGRESS,  /* counters and the number of findings */
    HD_FRAME_NOTE,      /* a sentence for the user */
    HD_FRAME_REFUSED,   /* the worker cannot start: message and hint */
    HD_FRAME_STOPPED,   /* the worker ends without a batch: why */
    HD_N_FRAMES
} hd_frame_type;

#define HD_FRAME_HEAD  5
#define HD_FRAME_LIMIT (UINT32_C(1) << 30)

typedef struct hd_progress {
    hd_run_counters counters;
    uint64_t findings; /* different ones */
} hd_progress;

void hd_wire_pack_batch(hd_text *out, const hd_batch *b);
bool hd_wire_unpack_batch(const void *bytes, size_t n, hd_batch *b);
void hd_wire_pack_progress(hd_text *out, const hd_progress *p);
bool hd_wire_unpack_progress(const void *bytes, size_t n, hd_progress *p);
void hd_wire_pack_error(hd_text *out, const hd_err *err);
bool hd_wire_unpack_error(const void *bytes, size_t n, hd_err *err);

/* Send one frame; false when the other side is gone. */
bool hd_wire_send(int socket, hd_frame_type type, const void *payload, size_t n);

/* Bytes received so far.  A zeroed inbox is empty. */
typedef struct hd_inbox {
    hd_text bytes;
    size_t used; /* of the front, by frames that were handed out */
} hd_inbox;
/* Read what is there without waiting; false at the end of the stream. */
bool hd_inbox_fill(hd_inbox *in, int socket);
/* The next whole frame, good until the next fill; false if there is none.  `*is_damaged` if
 * what came cannot be a frame. */
bool hd_inbox_next(hd_inbox *in, hd_frame_type *type, const void **payload, size_t *n,
                   bool *is_damaged);
void hd_inbox_release(hd_inbox *in);
#endif

/* post.h -- the messages of one run: where they go, sealed, and of any size.
 *
 * A run has three streams: its log (what happened, in order), its units (work that waits for
 * somebody), and its store (what the run is, and bytes by their hash).  Beside them coordinator and
 * machines talk, in orders and news; whatever is lost of that is said again (talk.h).
 *
 * A message that is too long for the server goes to the store in parts, and what is sent names it
 * by its hash.
 *
 * Promise (tests/unit/test_cluster.c): what is given out was sealed by somebody with the key of the
 *     run (seal.h); the rest is counted.  Bytes that were asked for by their hash have that hash.
 * Not here: what messages say (log_entry.h, talk.h, manifest.h). */
#ifndef HD_FLEET_CLUSTER_POST_H
#define HD_FLEET_CLUSTER_POST_H
#include "base/pack.h"
#include "fleet/cluster/line.h"
#include "fleet/cluster/seal.h"

typedef struct hd_post hd_post;

hd_post *hd_post_open(const hd_line_options *options, const hd_seal *seal, hd_err *err);
void hd_post_close(hd_post *p);
const char *hd_post_run(const hd_post *p);
const char *hd_post_servers(const hd_post *p);
/* Messages that were not sealed with our key. */
uint64_t hd_post_n_dropped(const hd_post *p);

/* ---- the run as a whole ---- */
bool hd_post_is_there(hd_post *p, bool *yes, hd_err *err);
/* Make its streams; good if they are there. */
bool hd_post_found(hd_post *p, hd_err *err);
/* Nothing of it stays at the server. */
bool hd_post_erase(hd_post *p, hd_err *err);
/* Nobody takes the units that wait now. */
bool hd_post_clear_units(hd_post *p, hd_err *err);

/* ---- the store ---- */
/* A bale: bytes in the store, which go there in parts and are named by the hash of all. */
typedef struct hd_bale {
    uint64_t size;
    uint32_t part; /* bytes of all parts but the last */
    char hash[HD_HASH_SIZE];
} hd_bale;
void hd_bale_pack(hd_text *out, const hd_bale *bale);
hd_bale hd_bale_unpack(hd_unpack *u);
bool hd_post_keep(hd_post *p, const void *bytes, size_t n, hd_bale *bale, hd_err *err);
/* Appended to `out`. */
bool hd_post_fetch(hd_post *p, const hd_bale *bale, hd_text *out, hd_err *err);
/* What the run is (manifest.h): written once. */
hd_published hd_post_declare(hd_post *p, const hd_text *what, hd_err *err);
typedef enum hd_declared {
    HD_DECLARED,
    HD_NOT_DECLARED,
    HD_DECLARED_BY_OTHERS,
    HD_DECLARED_UNKNOWN
} hd_declared;
/* BY_OTHERS: it is there, and sealed with another key.  DECLARED_UNKNOWN with `err`. */
hd_declared hd_post_read_declared(hd_post *p, hd_text *what, hd_err *err);

/* ---- the log and the units ---- */
/* `id`: the same for the same message (line.h). */
bool hd_post_append(hd_post *p, const char *id, const hd_text *entry, hd_err *err);
/* From the first one on; `entry` is replaced. */
hd_read hd_post_next(hd_post *p, double seconds, hd_text *entry, hd_err *err);
/* A snapshot of all entries that were read so far; those are forgotten then, with what they had in
 * the store. */
bool hd_post_keep_snapshot(hd_post *p, const hd_text *snapshot, hd_err *err);
/* The last one, before anything is read: entries behind it come next.  Not `found`: there is none.
 */
bool hd_post_read_snapshot(hd_post *p, hd_text *snapshot, bool *found, hd_err *err);
bool hd_post_offer(hd_post *p, const char *id, const hd_text *work, hd_err *err);
/* Who opens the queue says how long one who has a unit may be silent. */
bool hd_post_open_queue(hd_post *p, double patience, hd_err *err);
hd_read hd_post_take(hd_post *p, double seconds, hd_delivery *d, hd_text *work);

/* ---- talk ---- */
typedef enum hd_talk { HD_TALK_ORDERS, HD_TALK_NEWS } hd_talk;
void hd_post_say(hd_post *p, hd_talk talk, const hd_text *message);
/* `hear` is called in another thread. */
bool hd_post_listen(hd_post *p, hd_talk talk,
                    void (*hear)(void *context, const void *bytes, size_t n), void *context,
                    hd_err *err);
/* Nothing more will be heard. */
void hd_post_stop_listening(hd_post *p);
#endif

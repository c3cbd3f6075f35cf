/* Streams and subjects of a run, seals, and messages in parts (post.h). */
#include "fleet/cluster/post.h"

#include "base/panic.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define MOST_BALE (UINT64_C(2) << 30)
#define LONG_NAME 160

enum { N_TALKS = HD_TALK_NEWS + 1 };

/* How a message has its body. */
enum { INLINE, IN_STORE };

struct hd_post {
    hd_line *line;
    hd_seal seal;
    char log[LONG_NAME], units[LONG_NAME], store[LONG_NAME]; /* subjects; store is without ".*" */
    char declared[LONG_NAME], snapshot[LONG_NAME], talks[N_TALKS][LONG_NAME];
    char log_stream[LONG_NAME], unit_stream[LONG_NAME], store_stream[LONG_NAME];
    hd_log_reader *reader;
    hd_work_queue *queue;
    hd_vec(hd_bale) read;       /* of entries of the log, in the store */
    hd_bale snapshot_bale;      /* of the last snapshot, */
    uint64_t snapshot_sequence; /* and where it stands in the store; 0 = there is none */
    struct hearing {
        hd_post *post;
        hd_ear *ear;
        const char *subject;
        void (*hear)(void *context, const void *bytes, size_t n);
        void *context;
    } hearings[N_TALKS];
    atomic_ullong n_dropped;
};

/* ---- opening and closing ---- */

static void name_all(hd_post *p) {
    const char *run = p->seal.run;
    snprintf(p->log, LONG_NAME, "heddle.%s.log", run);
    snprintf(p->units, LONG_NAME, "heddle.%s.units", run);
    snprintf(p->store, LONG_NAME, "heddle.%s.store", run);
    snprintf(p->declared, LONG_NAME, "heddle.%s.store.run", run);
    snprintf(p->snapshot, LONG_NAME, "heddle.%s.store.snapshot", run);
    snprintf(p->talks[HD_TALK_ORDERS], LONG_NAME, "heddle.%s.orders", run);
    snprintf(p->talks[HD_TALK_NEWS], LONG_NAME, "heddle.%s.news", run);
    snprintf(p->log_stream, LONG_NAME, "heddle-%s-log", run);
    snprintf(p->unit_stream, LONG_NAME, "heddle-%s-units", run);
    snprintf(p->store_stream, LONG_NAME, "heddle-%s-store", run);
}

hd_post *hd_post_open(const hd_line_options *options, const hd_seal *seal, hd_err *err) {
    hd_line *line = hd_line_open(options, err);
    if (!line)
        return NULL;
    hd_post *p = calloc(1, sizeof *p);
    if (!p)
        hd_out_of_memory();
    p->line = line;
    p->seal = *seal;
    name_all(p);
    p->reader = hd_log_reader_new(line, p->log_stream, p->log);
    return p;
}

void hd_post_close(hd_post *p) {
    if (!p)
        return;
    hd_post_stop_listening(p);
    if (p->queue)
        hd_work_queue_close(p->queue);
    hd_log_reader_free(p->reader);
    hd_vec_release(&p->read);
    hd_line_close(p->line);
    free(p);
}

const char *hd_post_run(const hd_post *p) {
    return p->seal.run;
}

const char *hd_post_servers(const hd_post *p) {
    return hd_line_servers(p->line);
}

uint64_t hd_post_n_dropped(const hd_post *p) {
    return p->n_dropped;
}

bool hd_post_is_there(hd_post *p, bool *yes, hd_err *err) {
    return hd_line_has_stream(p->line, p->store_stream, yes, err);
}

bool hd_post_found(hd_post *p, hd_err *err) {
    char all[LONG_NAME + 2];
    snprintf(all, sizeof all, "%s.>", p->store);
    return hd_line_make_stream(p->line, p->store_stream, all, HD_STREAM_STORE, err) &&
           hd_line_make_stream(p->line, p->log_stream, p->log, HD_STREAM_LOG, err) &&
           hd_line_make_stream(p->line, p->unit_stream, p->units, HD_STREAM_QUEUE, err);
}

bool hd_post_erase(hd_post *p, hd_err *err) {
    return hd_line_delete_stream(p->line, p->unit_stream, err) &&
           hd_line_delete_stream(p->line, p->log_stream, err) &&
           hd_line_delete_stream(p->line, p->store_stream, err);
}

bool hd_post_clear_units(hd_post *p, hd_err *err) {
    return hd_line_purge_stream(p->line, p->unit_stream, err);
}

/* ---- seals ---- */

/* Without its seal, as a view; counted if it is not right. */
static bool open_seal(hd_post *p, const char *subject, const void *bytes, size_t n,
                      size_t *length) {
    bool ok = hd_seal_open(&p->seal, subject, bytes, n, length);
    p->n_dropped += !ok;
    return ok;
}

static hd_published publish(hd_post *p, const char *subject, const char *id, hd_text *body,
                            bool is_first, hd_err *err) {
    hd_seal_close(&p->seal, subject, body);
    return hd_line_publish(
        p->line,
        &(hd_publication){
            .subject = subject, .id = id, .bytes = body->at, .n = body->n, .is_first = is_first},
        err);
}

/* ---- the store ---- */

static void name_part(const hd_post *p, const hd_bale *bale, uint64_t i, char name[2 * LONG_NAME]) {
    snprintf(name, (size_t)2 * LONG_NAME, "%s.%s.%llu", p->store, bale->hash,
             (unsigned long long)i);
}

void hd_bale_pack(hd_text *out, const hd_bale *bale) {
    hd_pack_u64(out, bale->size);
    hd_pack_u32(out, bale->part);
    hd_pack_string(out, bale->hash);
}

hd_bale hd_bale_unpack(hd_unpack *u) {
    hd_bale bale = {.size = hd_unpack_u64(u), .part = hd_unpack_u32(u)};
    char *hash = hd_unpack_string(u);
    u->failed |= !bale.part || bale.size > MOST_BALE || strlen(hash) != HD_HASH_SIZE - 1;
    snprintf(bale.hash, sizeof bale.hash, "%s", hash);
    free(hash);
    return bale;
}

bool hd_post_keep(hd_post *p, const void *bytes, size_t n, hd_bale *bale, hd_err *err) {
    char name[2 * LONG_NAME];
    bool ok = true;
    *bale = (hd_bale){.size = n, .part = (uint32_t)(hd_line_most_bytes(p->line) - HD_SEAL_SIZE)};
    hd_hash_name(bytes, n, bale->hash);
    for (uint64_t i = 0, at = 0; ok && at < n; i++, at += bale->part) {
        hd_text part = {0};
        size_t left = n - at;
        name_part(p, bale, i, name);
        hd_text_add_bytes(&part, (const char *)bytes + at, left < bale->part ? left : bale->part);
        ok = publish(p, name, NULL, &part, false, err) == HD_PUBLISHED;
        hd_text_release(&part);
    }
    return ok;
}

static bool fetch_part(hd_post *p, const char *name, hd_text *out, hd_err *err) {
    size_t before = out->n, length = 0;
    uint64_t sequence;
    if (!hd_line_get_last(p->line, p->store_stream, name, out, &sequence, err))
        return false;
    if (!sequence || !open_seal(p, name, out->at + before, out->n - before, &length))
        return hd_err_set(err, "a part of run '%s' is missing at its server", p->seal.run);
    hd_text_cut(out, before + length);
    return true;
}

bool hd_post_fetch(hd_post *p, const hd_bale *bale, hd_text *out, hd_err *err) {
    char name[2 * LONG_NAME], hash[HD_HASH_SIZE];
    size_t before = out->n;
    for (uint64_t i = 0; i * bale->part < bale->size; i++) {
        name_part(p, bale, i, name);
        if (!fetch_part(p, name, out, err))
            return false;
    }
    hd_hash_name(hd_text_string(out) + before, out->n - before, hash);
    return strcmp(hash, bale->hash) == 0 ||
           hd_err_set(err, "a part of run '%s' has changed at its server", p->seal.run);
}

/* ---- messages of any size ---- */

static bool fill_body(hd_post *p, const hd_text *message, hd_text *body, hd_err *err) {
    bool fits = message->n + 1 + HD_SEAL_SIZE <= hd_line_most_bytes(p->line);
    hd_pack_u8(body, fits ? INLINE : IN_STORE);
    if (fits) {
        hd_text_add_bytes(body, message->at, message->n);
        return true;
    }
    hd_bale bale;
    bool ok = hd_post_keep(p, message->at, message->n, &bale, err);
    hd_bale_pack(body, &bale);
    return ok;
}

static hd_published send(hd_post *p, const char *subject, const char *id, const hd_text *message,
                         bool is_first, hd_err *err) {
    hd_text body = {0};
    hd_published answer = HD_NOT_PUBLISHED;
    if (fill_body(p, message, &body, err))
        answer = publish(p, subject, id, &body, is_first, err);
    hd_text_release(&body);
    return answer;
}

/* NOTHING if it was not sealed by us, or makes no sense.  *bale has no size if it was not in the
 * store. */
static hd_read receive(hd_post *p, const char *subject, const void *bytes, size_t n,
                       hd_text *message, hd_bale *bale, hd_err *err) {
    size_t length;
    *bale = (hd_bale){0};
    hd_text_clear(message);
    if (!open_seal(p, subject, bytes, n, &length))
        return HD_READ_NOTHING;
    hd_unpack u = hd_unpack_from(bytes, length);
    if (hd_unpack_u8(&u) == INLINE) {
        hd_text_add_bytes(message, u.at, (size_t)(u.end - u.at));
        return HD_READ;
    }
    *bale = hd_bale_unpack(&u);
    if (!hd_unpack_ok(&u))
        return HD_READ_NOTHING;
    return hd_post_fetch(p, bale, message, err) ? HD_READ : HD_READ_FAILED;
}

hd_published hd_post_declare(hd_post *p, const hd_text *what, hd_err *err) {
    return send(p, p->declared, NULL, what, true, err);
}

hd_declared hd_post_read_declared(hd_post *p, hd_text *what, hd_err *err) {
    hd_text bytes = {0};
    hd_bale unused;
    uint64_t found;
    hd_declared answer = HD_DECLARED_UNKNOWN;
    if (hd_line_get_last(p->line, p->store_stream, p->declared, &bytes, &found, err)) {
        hd_read r =
            found ? receive(p, p->declared, bytes.at, bytes.n, what, &unused, err) : HD_READ;
        answer = !found                 ? HD_NOT_DECLARED
                 : r == HD_READ         ? HD_DECLARED
                 : r == HD_READ_NOTHING ? HD_DECLARED_BY_OTHERS
                                        : HD_DECLARED_UNKNOWN;
    }
    hd_text_release(&bytes);
    return answer;
}

bool hd_post_append(hd_post *p, const char *id, const hd_text *entry, hd_err *err) {
    return send(p, p->log, id, entry, false, err) == HD_PUBLISHED;
}

hd_read hd_post_next(hd_post *p, double seconds, hd_text *entry, hd_err *err) {
    const void *bytes;
    size_t n;
    hd_read r;
    hd_bale bale;
    while ((r = hd_log_reader_next(p->reader, seconds, &bytes, &n, err)) == HD_READ) {
        r = receive(p, p->log, bytes, n, entry, &bale, err);
        if (bale.size)
            hd_vec_push(&p->read, bale);
        if (r != HD_READ_NOTHING)
            return r;
    }
    return r;
}

/* ---- snapshots ---- */

/* The store has each bale once, whoever names it: entries behind a snapshot that name one of those
 * before it would be of the same bytes, which hold the number of a commit, and so are not there. */
static bool forget_bale(hd_post *p, const hd_bale *bale, hd_err *err) {
    char name[2 * LONG_NAME];
    snprintf(name, sizeof name, "%s.%s.>", p->store, bale->hash);
    return hd_line_purge_subject(p->line, p->store_stream, name, err);
}

static bool trim(hd_post *p, uint64_t sequence, hd_err *err) {
    if (sequence &&
        !hd_line_trim_stream(p->line, p->log_stream, sequence, err)) /* the last one stays: N2 */
        return false;
    for (size_t i = 0; i < p->read.n; i++)
        if (!forget_bale(p, &p->read.at[i], err))
            return false;
    hd_vec_clear(&p->read);
    return true;
}

/* Only if the last one is still the one that we know: somebody else may have gone on, and have
 * forgotten entries that ours would need. */
static hd_published publish_snapshot(hd_post *p, uint64_t sequence, const hd_bale *bale,
                                     hd_err *err) {
    char id[64];
    hd_text body = {0};
    snprintf(id, sizeof id, "s%llu.%.16s", (unsigned long long)sequence, bale->hash);
    hd_pack_u64(&body, sequence);
    hd_bale_pack(&body, bale);
    hd_seal_close(&p->seal, p->snapshot, &body);
    hd_publication what = {.subject = p->snapshot,
                           .id = id,
                           .bytes = body.at,
                           .n = body.n,
                           .is_first = !p->snapshot_sequence,
                           .after = p->snapshot_sequence,
                           .sequence = &p->snapshot_sequence};
    hd_published answer = hd_line_publish(p->line, &what, err);
    hd_text_release(&body);
    return answer;
}

/* In this order: whenever it is cut short, there is a snapshot with all entries behind it. */
bool hd_post_keep_snapshot(hd_post *p, const hd_text *snapshot, hd_err *err) {
    hd_bale bale, old = p->snapshot_bale;
    bool had_one = p->snapshot_sequence;
    uint64_t sequence = hd_log_reader_sequence(p->reader);
    if (!hd_post_keep(p, snapshot->at, snapshot->n, &bale, err))
        return false;
    hd_published answer = publish_snapshot(p, sequence, &bale, err);
    if (answer != HD_PUBLISHED)
        return answer == HD_NOT_FIRST && forget_bale(p, &bale, err);
    p->snapshot_bale = bale;
    bool is_other = had_one && strcmp(old.hash, bale.hash) != 0;
    return trim(p, sequence, err) && (!is_other || forget_bale(p, &old, err));
}

bool hd_post_read_snapshot(hd_post *p, hd_text *snapshot, bool *found, hd_err *err) {
    hd_text bytes = {0};
    size_t length = 0;
    bool ok =
        hd_line_get_last(p->line, p->store_stream, p->snapshot, &bytes, &p->snapshot_sequence, err);
    *found = ok && p->snapshot_sequence;
    if (*found) {
        bool is_ours = open_seal(p, p->snapshot, bytes.at, bytes.n, &length);
        hd_unpack u = hd_unpack_from(bytes.at, length);
        uint64_t sequence = hd_unpack_u64(&u);
        p->snapshot_bale = hd_bale_unpack(&u);
        ok = ((is_ours && hd_unpack_ok(&u)) ||
              hd_err_set(err, "the snapshot of run '%s' is damaged", p->seal.run)) &&
             hd_post_fetch(p, &p->snapshot_bale, snapshot, err);
        if (ok)
            hd_log_reader_begin_behind(p->reader, sequence);
    }
    hd_text_release(&bytes);
    return ok;
}

bool hd_post_offer(hd_post *p, const char *id, const hd_text *work, hd_err *err) {
    return send(p, p->units, id, work, false, err) == HD_PUBLISHED;
}

bool hd_post_open_queue(hd_post *p, double patience, hd_err *err) {
    p->queue = hd_work_queue_open(p->line, p->unit_stream, p->units, patience, err);
    return p->queue != NULL;
}

hd_read hd_post_take(hd_post *p, double seconds, hd_delivery *d, hd_text *work) {
    hd_err ignored;
    hd_bale unused;
    if (hd_work_queue_take(p->queue, seconds, d) != HD_READ)
        return HD_READ_NOTHING;
    hd_read r = receive(p, p->units, d->bytes, d->n, work, &unused, &ignored);
    if (r == HD_READ)
        return HD_READ;
    if (r == HD_READ_NOTHING) /* nobody can use it */
        hd_delivery_end(d);
    else
        hd_delivery_drop(d);
    return HD_READ_NOTHING;
}

/* ---- talk ---- */

/* Talk that is too long is left out: nobody relies on it. */
void hd_post_say(hd_post *p, hd_talk talk, const hd_text *message) {
    hd_text body = {0};
    if (message->n + HD_SEAL_SIZE > hd_line_most_bytes(p->line))
        return;
    hd_text_add_bytes(&body, message->at, message->n);
    hd_seal_close(&p->seal, p->talks[talk], &body);
    hd_line_say(p->line, p->talks[talk], body.at, body.n);
    hd_text_release(&body);
}

static void hear_sealed(void *hearing, const void *bytes, size_t n) {
    struct hearing *h = hearing;
    size_t length;
    if (open_seal(h->post, h->subject, bytes, n, &length))
        h->hear(h->context, bytes, length);
}

bool hd_post_listen(hd_post *p, hd_talk talk,
                    void (*hear)(void *context, const void *bytes, size_t n), void *context,
                    hd_err *err) {
    struct hearing *h = &p->hearings[talk];
    HD_ASSERT(!h->ear);
    *h = (struct hearing){.post = p, .subject = p->talks[talk], .hear = hear, .context = context};
    h->ear = hd_ear_open(p->line, h->subject, hear_sealed, h, err);
    return h->ear != NULL;
}

void hd_post_stop_listening(hd_post *p) {
    for (int i = 0; i < N_TALKS; i++)
        if (p->hearings[i].ear) {
            hd_ear_close(p->hearings[i].ear);
            p->hearings[i].ear = NULL;
        }
}

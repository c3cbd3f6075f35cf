/* Encoding and decoding of frames (fuzzed by tests/fuzz/fuzz_wire.c). */
#include "fleet/wire.h"

#include "record/stored.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Least sizes of packed elements, for hd_unpack_count. */
enum { TEST_LEAST = 43, FOUND_LEAST = 57, LOSS_LEAST = 21, LABEL_LEAST = 12 };

static void pack_test(hd_text *out, const hd_test *t) {
    size_t before = out->n;
    hd_pack_u8(out, (uint8_t)t->reason);
    hd_pack_u64(out, t->path_hash);
    hd_pack_u64(out, t->trace_hash);
    hd_pack_u8(out, (uint8_t)t->end);
    hd_pack_u8(out, (uint8_t)t->finding);
    hd_pack_u32(out, (uint32_t)t->status);
    hd_pack_string(out, t->path);
    hd_pack_string(out, t->map);
    hd_pack_string(out, t->schedule);
    hd_pack_string(out, t->threads);
    hd_inputs_pack(out, t->inputs, t->n_inputs);
    HD_ASSERT(out->n - before >= TEST_LEAST);
}

static void unpack_test(hd_unpack *u, hd_test *t) {
    t->reason = hd_unpack_below(u, HD_TEST_FINDING + 1);
    t->path_hash = hd_unpack_u64(u);
    t->trace_hash = hd_unpack_u64(u);
    t->end = hd_unpack_below(u, HD_END_FINDING + 1);
    t->finding = hd_unpack_below(u, HD_N_FINDING_KINDS);
    t->status = (int)hd_unpack_u32(u);
    t->path = hd_unpack_string(u);
    t->map = hd_unpack_string(u);
    t->schedule = hd_unpack_string(u);
    t->threads = hd_unpack_string(u);
    t->inputs = hd_inputs_unpack(u, &t->n_inputs);
}

void hd_wire_pack_tests(hd_text *out, const hd_test *tests, uint32_t n) {
    hd_pack_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        pack_test(out, &tests[i]);
}

/* Stop at the first damage: elements behind it would only be zeros. */
hd_test *hd_wire_unpack_tests(hd_unpack *u, uint32_t *n) {
    *n = hd_unpack_count(u, TEST_LEAST);
    hd_test *tests = hd_allocate(*n, sizeof *tests);
    for (uint32_t i = 0; i < *n && !u->failed; i++)
        unpack_test(u, &tests[i]);
    return tests;
}

static void pack_found(hd_text *out, const hd_found *f) {
    size_t before = out->n;
    hd_pack_u64(out, f->signature);
    hd_pack_u8(out, (uint8_t)f->kind);
    hd_pack_string(out, f->message);
    hd_pack_string(out, f->file);
    hd_pack_string(out, f->function);
    hd_pack_string(out, f->stack);
    hd_pack_u32(out, f->line);
    hd_pack_u64(out, f->count);
    hd_pack_u64(out, f->test);
    hd_pack_string(out, f->story);
    hd_pack_u64(out, f->leads_to);
    HD_ASSERT(out->n - before >= FOUND_LEAST);
}

static void unpack_found(hd_unpack *u, hd_found *f) {
    f->signature = hd_unpack_u64(u);
    f->kind = hd_unpack_below(u, HD_N_FINDING_KINDS);
    f->message = hd_unpack_string(u);
    f->file = hd_unpack_string(u);
    f->function = hd_unpack_string(u);
    f->stack = hd_unpack_string(u);
    f->line = hd_unpack_u32(u);
    f->count = hd_unpack_u64(u);
    f->test = hd_unpack_u64(u);
    f->story = hd_unpack_string(u);
    f->leads_to = hd_unpack_u64(u);
}

static void pack_loss(hd_text *out, const hd_loss *l) {
    size_t before = out->n;
    hd_pack_u8(out, (uint8_t)l->kind);
    hd_pack_string(out, l->what);
    hd_pack_string(out, l->file);
    hd_pack_u32(out, l->line);
    hd_pack_u64(out, l->count);
    HD_ASSERT(out->n - before >= LOSS_LEAST);
}

static void unpack_loss(hd_unpack *u, hd_loss *l) {
    l->kind = hd_unpack_below(u, HD_N_LOSS_KINDS);
    l->what = hd_unpack_string(u);
    l->file = hd_unpack_string(u);
    l->line = hd_unpack_u32(u);
    l->count = hd_unpack_u64(u);
}

static void pack_batch(hd_text *out, const hd_batch *b) {
    HD_ASSERT((b->tests || !b->n_tests) && (b->findings || !b->n_findings));
    HD_ASSERT((b->losses || !b->n_losses) && (b->labels || !b->n_labels));
    HD_ASSERT((b->coverage || !b->n_branches));
    hd_wire_pack_tests(out, b->tests, b->n_tests);
    hd_pack_u32(out, b->n_findings);
    for (uint32_t i = 0; i < b->n_findings; i++)
        pack_found(out, &b->findings[i]);
    hd_pack_u32(out, b->n_losses);
    for (uint32_t i = 0; i < b->n_losses; i++)
        pack_loss(out, &b->losses[i]);
    hd_pack_u32(out, b->n_labels);
    for (uint32_t i = 0; i < b->n_labels; i++) {
        size_t before = out->n;
        hd_pack_string(out, b->labels[i].name);
        hd_pack_u64(out, b->labels[i].count);
        HD_ASSERT(out->n - before >= LABEL_LEAST);
    }
    hd_pack_bytes(out, b->observed ? b->observed : "", b->n_observed);
    hd_counters_pack(out, &b->counters);
    hd_pack_bytes(out, b->coverage ? (void *)b->coverage : "", (size_t)2 * b->n_branches);
    hd_pack_string(out, b->threads);
    hd_pack_string(out, b->warnings);
    hd_pack_string(out, b->stop_reason);
}

static void *unpack_copy(hd_unpack *u, size_t *n) {
    const void *at = hd_unpack_bytes(u, n);
    void *copy = hd_allocate(*n, 1);
    if (copy)
        memcpy(copy, at, *n);
    return copy;
}

static void unpack_findings(hd_unpack *u, hd_batch *b) {
    b->n_findings = hd_unpack_count(u, FOUND_LEAST);
    b->findings = hd_allocate(b->n_findings, sizeof *b->findings);
    for (uint32_t i = 0; i < b->n_findings && !u->failed; i++)
        unpack_found(u, &b->findings[i]);
}

static void unpack_losses(hd_unpack *u, hd_batch *b) {
    b->n_losses = hd_unpack_count(u, LOSS_LEAST);
    b->losses = hd_allocate(b->n_losses, sizeof *b->losses);
    for (uint32_t i = 0; i < b->n_losses && !u->failed; i++)
        unpack_loss(u, &b->losses[i]);
}

static void unpack_labels(hd_unpack *u, hd_batch *b) {
    b->n_labels = hd_unpack_count(u, LABEL_LEAST);
    b->labels = hd_allocate(b->n_labels, sizeof *b->labels);
    for (uint32_t i = 0; i < b->n_labels && !u->failed; i++) {
        b->labels[i].name = hd_unpack_string(u);
        b->labels[i].count = hd_unpack_u64(u);
    }
}

static void unpack_state(hd_unpack *u, hd_batch *b) {
    size_t n_coverage;
    b->counters = hd_counters_unpack(u);
    b->coverage = unpack_copy(u, &n_coverage);
    b->n_branches = (uint32_t)(n_coverage / 2);
    u->failed |= n_coverage % 2 != 0;
    b->threads = hd_unpack_string(u);
    b->warnings = hd_unpack_string(u);
    b->stop_reason = hd_unpack_string(u);
    HD_ASSERT(b->stop_reason);
    if (b->stop_reason[0] == '\0') {
        free(b->stop_reason);
        b->stop_reason = NULL;
    }
}

/* W1, of what was decoded without damage: as many elements as it says, of kinds that there are. */
static void check_batch(const hd_batch *b) {
    HD_INVARIANT(W1, (b->tests || !b->n_tests) && (b->findings || !b->n_findings));
    HD_INVARIANT(W1, (b->losses || !b->n_losses) && (b->labels || !b->n_labels));
    HD_INVARIANT(W1, (b->coverage || !b->n_branches));
    for (uint32_t i = 0; i < b->n_tests; i++)
        HD_INVARIANT(W1, b->tests[i].finding < HD_N_FINDING_KINDS && b->tests[i].path);
    for (uint32_t i = 0; i < b->n_findings; i++)
        HD_INVARIANT(W1, b->findings[i].kind < HD_N_FINDING_KINDS && b->findings[i].message);
    for (uint32_t i = 0; i < b->n_losses; i++)
        HD_INVARIANT(W1, b->losses[i].kind < HD_N_LOSS_KINDS && b->losses[i].what);
    for (uint32_t i = 0; i < b->n_labels; i++)
        HD_INVARIANT(W1, b->labels[i].name);
}

static void unpack_batch(hd_unpack *u, hd_batch *b) {
    b->tests = hd_wire_unpack_tests(u, &b->n_tests);
    unpack_findings(u, b);
    unpack_losses(u, b);
    unpack_labels(u, b);
    b->observed = unpack_copy(u, &b->n_observed);
    unpack_state(u, b);
}

void hd_wire_pack_batch(hd_text *out, const hd_batch *b) {
    pack_batch(out, b);
}

bool hd_wire_unpack_batch(hd_unpack *u, hd_batch *b) {
    *b = (hd_batch){0};
    unpack_batch(u, b);
    if (!hd_unpack_ok(u))
        return false;
    check_batch(b);
    return true;
}

static void pack_text(hd_text *out, const hd_text *t) {
    hd_pack_bytes(out, hd_text_string(t), t->n);
}

static void unpack_text(hd_unpack *u, hd_text *t) {
    size_t n;
    const void *bytes = hd_unpack_bytes(u, &n);
    if (hd_unpack_ok(u))
        hd_text_add_bytes(t, bytes, n);
}

static void pack_commit(hd_text *out, const hd_commit *c) {
    hd_pack_u64(out, c->unit);
    hd_pack_u64(out, c->epoch);
    hd_pack_u64(out, c->number);
    hd_pack_u64(out, c->generation);
    hd_pack_u8(out, c->is_done);
    pack_text(out, &c->lifted);
    pack_text(out, &c->context);
    pack_text(out, &c->followed);
    pack_text(out, &c->asked);
    pack_text(out, &c->split);
    pack_text(out, &c->journal);
    pack_text(out, &c->rounds);
}

static void unpack_commit(hd_unpack *u, hd_commit *c) {
    c->unit = hd_unpack_u64(u);
    c->epoch = hd_unpack_u64(u);
    c->number = hd_unpack_u64(u);
    c->generation = hd_unpack_u64(u);
    c->is_done = hd_unpack_below(u, 2);
    unpack_text(u, &c->lifted);
    unpack_text(u, &c->context);
    unpack_text(u, &c->followed);
    unpack_text(u, &c->asked);
    unpack_text(u, &c->split);
    unpack_text(u, &c->journal);
    unpack_text(u, &c->rounds);
    u->failed |= c->rounds.n % 8 != 0;
}

void hd_wire_pack_bundle(hd_text *out, const hd_bundle *p) {
    pack_commit(out, &p->commit);
    pack_text(out, &p->classes);
    pack_text(out, &p->races);
    hd_pack_u8(out, p->is_whole);
    pack_batch(out, &p->results);
}

bool hd_wire_unpack_bundle(const void *bytes, size_t n, hd_bundle *p) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *p = (hd_bundle){0};
    unpack_commit(&u, &p->commit);
    unpack_text(&u, &p->classes);
    unpack_text(&u, &p->races);
    p->is_whole = hd_unpack_below(&u, 2);
    unpack_batch(&u, &p->results);
    if (!hd_unpack_ok(&u) || u.at != u.end || p->classes.n % 8 || p->races.n % 8) {
        hd_bundle_release(p);
        return false;
    }
    check_batch(&p->results);
    return true;
}

void hd_bundle_release(hd_bundle *p) {
    hd_commit_release(&p->commit);
    hd_text_release(&p->classes);
    hd_text_release(&p->races);
    hd_batch_release(&p->results);
}

void hd_wire_pack_work(hd_text *out, const hd_work *w) {
    hd_pack_u64(out, w->unit);
    hd_pack_u64(out, w->epoch);
    hd_pack_u64(out, w->n_commits);
    hd_pack_u8(out, w->is_shared);
    hd_pack_u64(out, w->max_executions);
    hd_pack_u8(out, w->gives);
    hd_pack_u64(out, w->turn);
    pack_text(out, &w->journal);
    pack_text(out, &w->context);
    pack_text(out, &w->path);
    pack_text(out, &w->facts);
    pack_text(out, &w->coverage);
    pack_text(out, &w->known);
}

bool hd_wire_unpack_work(const void *bytes, size_t n, hd_work *w) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *w = (hd_work){0};
    w->unit = hd_unpack_u64(&u);
    w->epoch = hd_unpack_u64(&u);
    w->n_commits = hd_unpack_u64(&u);
    w->is_shared = hd_unpack_below(&u, 2);
    w->max_executions = hd_unpack_u64(&u);
    w->gives = hd_unpack_below(&u, 2);
    w->turn = hd_unpack_u64(&u);
    unpack_text(&u, &w->journal);
    unpack_text(&u, &w->context);
    unpack_text(&u, &w->path);
    unpack_text(&u, &w->facts);
    unpack_text(&u, &w->coverage);
    unpack_text(&u, &w->known);
    if (hd_unpack_ok(&u) && u.at == u.end)
        return true;
    hd_work_release(w);
    return false;
}

/* What units that are handed out together mostly have in common. */
enum { N_COMMON = 4 };
static void find_common(hd_work *w, hd_text *common[N_COMMON]) {
    common[0] = &w->context;
    common[1] = &w->facts;
    common[2] = &w->coverage;
    common[3] = &w->known;
}

static bool is_same_text(const hd_text *a, const hd_text *b) {
    return a->n == b->n && (!a->n || memcmp(a->at, b->at, a->n) == 0);
}

/* `w` is a copy whose texts are the caller's. */
static void pack_behind(hd_text *out, hd_work w, hd_work before) {
    hd_text *mine[N_COMMON], *theirs[N_COMMON], bytes = {0};
    unsigned is_same = 0;
    find_common(&w, mine);
    find_common(&before, theirs);
    for (unsigned i = 0; i < N_COMMON; i++)
        if (is_same_text(mine[i], theirs[i])) {
            is_same |= 1u << i;
            *mine[i] = (hd_text){0};
        }
    hd_wire_pack_work(&bytes, &w);
    hd_pack_u8(out, (uint8_t)is_same);
    hd_pack_bytes(out, bytes.at, bytes.n);
    hd_text_release(&bytes);
}

void hd_wire_pack_works(hd_text *out, const hd_works *works) {
    hd_pack_u32(out, (uint32_t)works->n);
    for (size_t i = 0; i < works->n; i++)
        pack_behind(out, works->at[i], i ? works->at[i - 1] : (hd_work){0});
}

static void copy_common(hd_work *w, hd_work *before, unsigned is_same) {
    hd_text *mine[N_COMMON], *theirs[N_COMMON];
    find_common(w, mine);
    find_common(before, theirs);
    for (unsigned i = 0; i < N_COMMON; i++)
        if (is_same >> i & 1) {
            hd_text_clear(mine[i]);
            hd_text_add_bytes(mine[i], theirs[i]->at, theirs[i]->n);
        }
}

static bool unpack_behind(hd_unpack *u, hd_work *before, hd_work *w) {
    size_t n;
    unsigned is_same = hd_unpack_below(u, 1u << N_COMMON);
    const void *bytes = hd_unpack_bytes(u, &n);
    if (!hd_unpack_ok(u) || !hd_wire_unpack_work(bytes, n, w))
        return false;
    copy_common(w, before, is_same);
    return true;
}

bool hd_wire_unpack_works(const void *bytes, size_t n, hd_works *works) {
    hd_unpack u = hd_unpack_from(bytes, n);
    size_t n_before = works->n;
    uint32_t n_works = hd_unpack_count(&u, 5);
    bool is_right = hd_unpack_ok(&u) && n_works;
    for (uint32_t i = 0; i < n_works && is_right; i++) {
        hd_work w, none = {0};
        is_right = unpack_behind(&u, i ? &works->at[works->n - 1] : &none, &w);
        if (is_right)
            hd_vec_push(works, w);
    }
    if (is_right && u.at == u.end)
        return true;
    while (works->n > n_before)
        hd_work_release(&works->at[--works->n]);
    return false;
}

void hd_works_release(hd_works *works) {
    for (size_t i = 0; i < works->n; i++)
        hd_work_release(&works->at[i]);
    hd_vec_release(works);
}

void hd_wire_pack_numbers(hd_text *out, const hd_unit_numbers *units) {
    hd_pack_u32(out, (uint32_t)units->n);
    for (size_t i = 0; i < units->n; i++) {
        hd_pack_u64(out, units->at[i].unit);
        hd_pack_u64(out, units->at[i].epoch);
    }
}

bool hd_wire_unpack_numbers(const void *bytes, size_t n, hd_unit_numbers *units) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *units = (hd_unit_numbers){0};
    uint32_t n_units = hd_unpack_count(&u, 16);
    for (uint32_t i = 0; i < n_units && hd_unpack_ok(&u); i++) {
        uint64_t unit = hd_unpack_u64(&u);
        hd_vec_push(units, ((hd_unit_at){unit, hd_unpack_u64(&u)}));
    }
    return hd_unpack_ok(&u) && u.at == u.end;
}

void hd_work_release(hd_work *w) {
    hd_text_release(&w->journal);
    hd_text_release(&w->context);
    hd_text_release(&w->path);
    hd_text_release(&w->facts);
    hd_text_release(&w->coverage);
    hd_text_release(&w->known);
}

void hd_wire_pack_error(hd_text *out, const hd_err *err) {
    hd_pack_string(out, err->message);
    hd_pack_string(out, err->hint);
}

bool hd_wire_unpack_error(const void *bytes, size_t n, hd_err *err) {
    hd_unpack u = hd_unpack_from(bytes, n);
    char *message = hd_unpack_string(&u), *hint = hd_unpack_string(&u);
    hd_err_set(err, "%s", message);
    hd_err_hint(err, "%s", hint);
    free(message);
    free(hint);
    return hd_unpack_ok(&u);
}

static bool send_all(int socket, const void *bytes, size_t n) {
    for (const char *at = bytes; n > 0;) {
        ssize_t sent = send(socket, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        HD_ASSERT((size_t)sent <= n);
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

bool hd_wire_send(int socket, hd_frame_type type, const void *payload, size_t n) {
    HD_ASSERT(type > 0 && type < HD_N_FRAMES && (payload || !n));
    if (n > HD_FRAME_LIMIT)
        return false;
    unsigned char head[HD_FRAME_HEAD] = {(unsigned char)n, (unsigned char)(n >> 8),
                                         (unsigned char)(n >> 16), (unsigned char)(n >> 24),
                                         (unsigned char)type};
    return send_all(socket, head, sizeof head) && send_all(socket, payload, n);
}

static void drop_used(hd_inbox *in) {
    HD_ASSERT(in->used <= in->bytes.n);
    if (in->used == 0)
        return;
    memmove(in->bytes.at, in->bytes.at + in->used, in->bytes.n - in->used);
    hd_text_cut(&in->bytes, in->bytes.n - in->used);
    in->used = 0;
}

void hd_inbox_wait(int socket) {
    struct pollfd p = {.fd = socket, .events = POLLIN};
    while (poll(&p, 1, -1) < 0 && errno == EINTR)
        ;
}

bool hd_inbox_fill(hd_inbox *in, int socket) {
    char chunk[65536];
    drop_used(in);
    for (size_t all = 0; all < HD_INBOX_SHARE;) {
        ssize_t n = recv(socket, chunk, sizeof chunk, MSG_DONTWAIT);
        if (n > 0)
            hd_text_add_bytes(&in->bytes, chunk, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return n < 0 && errno == EAGAIN;
        all += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool hd_inbox_next(hd_inbox *in, hd_frame_type *type, const void **payload, size_t *n,
                   bool *is_damaged) {
    hd_unpack u = hd_unpack_from(in->bytes.at + in->used, in->bytes.n - in->used);
    size_t length = hd_unpack_u32(&u);
    unsigned kind = hd_unpack_u8(&u);
    *is_damaged = hd_unpack_ok(&u) && (length > HD_FRAME_LIMIT || kind == 0 || kind >= HD_N_FRAMES);
    if (!hd_unpack_ok(&u) || *is_damaged || length > (size_t)(u.end - u.at))
        return false;
    *type = (hd_frame_type)kind;
    *payload = u.at;
    *n = length;
    in->used += HD_FRAME_HEAD + length;
    HD_ASSERT(in->used <= in->bytes.n && length <= HD_FRAME_LIMIT);
    return true;
}

void hd_inbox_release(hd_inbox *in) {
    hd_text_release(&in->bytes);
    in->used = 0;
}

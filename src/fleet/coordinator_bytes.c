/* A coordinator as bytes, for the record and for snapshots of a cluster; older forms are read. */
#include "fleet/coordinator_int.h"

#include "base/panic.h"
#include "explore/events/action_bytes.h"

#include <stdlib.h>

#define MAGIC        UINT32_C(0x35434448) /* "HDC5" */
#define WITHOUT_REST UINT32_C(0x34434448) /* "HDC4": paths end with their last step */
#define WITHOUT_PART UINT32_C(0x33434448) /* "HDC3": does not know parts */
#define WITHOUT_OUTS UINT32_C(0x32434448) /* "HDC2": does not say who has units */

/* Parents before children, children in their order: their new numbers. */
static void number_states(const hd_coordinator *c, hd_state_numbers *order) {
    for (size_t i = 0; i < c->beginnings.n; i++)
        hd_vec_push(order, c->beginnings.at[i].state);
    for (size_t i = 0; i < order->n; i++) {
        const hd_lifted *l = &c->tree.at.at[order->at[i]];
        for (size_t k = 0; k < l->kids.n; k++)
            hd_vec_push(order, l->kids.at[k]);
    }
}

static void save_gift(const hd_gift *given, hd_text *out) {
    hd_pack_u64(out, given->giver);
    hd_pack_u64(out, given->at);
}

static hd_gift restore_gift(hd_unpack *in) {
    hd_gift given = {.giver = hd_unpack_u64(in)};
    given.at = hd_unpack_u64(in);
    return given;
}

static void save_state(const hd_lifted *l, uint32_t parent, hd_text *out) {
    hd_pack_u32(out, parent);
    hd_pack_u8(out, (uint8_t)l->kind);
    hd_pack_u8(out, (uint8_t)(l->is_known | l->is_free << 1));
    save_gift(&l->given, out);
    hd_journal_save_action(&l->action, out);
    hd_pack_u32(out, (uint32_t)l->sleepers.n);
    for (size_t i = 0; i < l->sleepers.n; i++)
        hd_journal_save_action(&l->sleepers.at[i], out);
}

static void save_unit(const hd_open_unit *u, uint32_t base, hd_text *out) {
    hd_pack_u64(out, u->epoch);
    hd_pack_u8(out, (uint8_t)(u->is_taken | u->is_aside << 1));
    hd_pack_u64(out, u->number);
    hd_pack_u64(out, u->n_commits);
    hd_pack_u32(out, base);
    save_gift(&u->given, out);
    hd_pack_bytes(out, u->journal.at, u->journal.n);
    hd_pack_bytes(out, u->path.at, u->path.n);
}

static void save_beginning(const hd_beginning *b, hd_text *out) {
    hd_pack_u32(out, b->part);
    hd_pack_bytes(out, b->context.at, b->context.n);
}

void hd_coordinator_save(const hd_coordinator *c, hd_text *out) {
    hd_state_numbers order = {0}, renamed = {0};
    number_states(c, &order);
    hd_vec_reserve(&renamed, c->tree.at.n);
    for (uint32_t i = 0; i < order.n; i++)
        renamed.at[order.at[i]] = i;
    hd_pack_u32(out, MAGIC);
    hd_pack_u64(out, c->n_units);
    hd_pack_u64(out, c->n_epochs);
    hd_pack_u64(out, c->generation);
    hd_pack_u32(out, (uint32_t)c->parts.n);
    for (size_t i = 0; i < c->parts.n; i++)
        hd_pack_bytes(out, c->parts.at[i].at, c->parts.at[i].n);
    hd_pack_u32(out, (uint32_t)c->beginnings.n);
    for (size_t i = 0; i < c->beginnings.n; i++)
        save_beginning(&c->beginnings.at[i], out);
    hd_pack_u32(out, (uint32_t)order.n);
    for (size_t i = 0; i < order.n; i++) {
        const hd_lifted *l = &c->tree.at.at[order.at[i]];
        save_state(l, l->parent == HD_NO_STATE ? HD_NO_STATE : renamed.at[l->parent], out);
    }
    hd_pack_u32(out, (uint32_t)c->units.n);
    for (size_t i = 0; i < c->units.n; i++) {
        const hd_open_unit *u = &c->units.at[i];
        save_unit(u, renamed.at[u->base], out);
    }
    hd_vec_release(&order);
    hd_vec_release(&renamed);
}

static void restore_state(hd_coordinator *c, hd_unpack *in) {
    uint32_t parent = hd_unpack_u32(in), number = (uint32_t)c->tree.at.n;
    in->failed |= number < c->beginnings.n ? parent != HD_NO_STATE : parent >= number;
    if (!hd_unpack_ok(in))
        return;
    hd_lifted_add(&c->tree, parent, NULL, HD_NOBODYS);
    if (number < c->beginnings.n)
        c->beginnings.at[number].state = c->tree.at.at[number].place = number;
    uint8_t kind = hd_unpack_u8(in);
    in->failed |= kind > HD_LIFTED_DONE;
    if (!in->failed)
        hd_lifted_set_kind(&c->tree, number, (hd_lifted_kind)kind);
    unsigned flags = hd_unpack_u8(in);
    if (flags & 1)
        hd_lifted_set_known(&c->tree, number);
    hd_lifted *l = &c->tree.at.at[number];
    l->is_free = flags >> 1 & 1;
    l->given = restore_gift(in);
    l->action = hd_journal_restore_action(in);
    uint32_t n = hd_unpack_count(in, sizeof(hd_action));
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++)
        hd_vec_push(&l->sleepers, hd_journal_restore_action(in));
}

static void restore_text(hd_unpack *in, hd_text *text) {
    size_t n;
    const void *bytes = hd_unpack_bytes(in, &n);
    if (hd_unpack_ok(in))
        hd_text_add_bytes(text, bytes, n);
}

/* Nothing was run at its end, and nothing is planned there. */
static void add_no_rest(hd_text *path) {
    hd_pack_u32(path, 0);
    hd_pack_u8(path, false);
    hd_pack_u32(path, 0);
}

static void restore_unit(hd_coordinator *c, hd_unpack *in, bool has_outs, bool has_rest) {
    hd_open_unit u = {.epoch = has_outs ? hd_unpack_u64(in) : 0};
    unsigned flags = has_outs ? hd_unpack_u8(in) : 0;
    u.is_taken = flags & 1;
    u.is_aside = flags >> 1 & 1;
    u.number = hd_unpack_u64(in);
    u.n_commits = hd_unpack_u64(in);
    u.base = hd_unpack_u32(in);
    in->failed |= u.number >= c->n_units || hd_coordinator_find(c, u.number) ||
                  u.base >= c->tree.at.n || c->tree.at.at[u.base].kind != HD_LIFTED_OUT;
    u.given = restore_gift(in);
    restore_text(in, &u.journal);
    restore_text(in, &u.path);
    if (u.path.n && !has_rest)
        add_no_rest(&u.path);
    hd_vec_push(&c->units, u);
}

static void restore_parts(hd_coordinator *c, hd_unpack *in) {
    uint32_t n = hd_unpack_count(in, 4);
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++) {
        hd_vec_push(&c->parts, (hd_text){0});
        restore_text(in, &c->parts.at[i]);
    }
}

static void restore_beginnings(hd_coordinator *c, hd_unpack *in, bool has_parts) {
    uint32_t n = hd_unpack_count(in, 4);
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++) {
        hd_vec_push(&c->beginnings, (hd_beginning){.part = HD_NO_PART});
        if (has_parts)
            c->beginnings.at[i].part = hd_unpack_u32(in);
        restore_text(in, &c->beginnings.at[i].context);
    }
}

static bool restore_all(hd_coordinator *c, hd_unpack *in, uint32_t magic) {
    bool has_rest = magic == MAGIC, has_parts = has_rest || magic == WITHOUT_REST;
    bool has_outs = magic != WITHOUT_OUTS;
    c->n_units = hd_unpack_u64(in);
    c->n_epochs = hd_unpack_u64(in);
    c->generation = hd_unpack_u64(in);
    if (has_parts)
        restore_parts(c, in);
    restore_beginnings(c, in, has_parts);
    uint32_t n = hd_unpack_count(in, 10);
    in->failed |= n < c->beginnings.n;
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++)
        restore_state(c, in);
    n = hd_unpack_count(in, 28);
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++)
        restore_unit(c, in, has_outs, has_rest);
    return hd_unpack_ok(in) && in->at == in->end;
}

/* Nobody has a unit any more, and what was set aside is tried again. */
static void forget_owners(hd_coordinator *c) {
    for (size_t i = 0; i < c->units.n; i++) {
        c->units.at[i].is_taken = c->units.at[i].is_aside = false;
        c->units.at[i].epoch = 0; /* of no hand-out (D4) */
    }
}

static hd_coordinator *restore(const void *bytes, size_t n, hd_err *err) {
    hd_unpack in = hd_unpack_from(bytes, n);
    uint32_t magic = hd_unpack_u32(&in);
    if (magic != MAGIC && magic != WITHOUT_REST && magic != WITHOUT_PART && magic != WITHOUT_OUTS)
        return hd_coordinator_new(bytes, n);
    hd_coordinator *c = hd_coordinator_make();
    if (restore_all(c, &in, magic))
        return c;
    hd_coordinator_free(c);
    hd_err_set(err, "the journal of the run is damaged");
    hd_err_hint(err, "explore the program again with 'heddle run'");
    return NULL;
}

hd_coordinator *hd_coordinator_restore(const void *bytes, size_t n, hd_err *err) {
    hd_coordinator *c = restore(bytes, n, err);
    if (c)
        forget_owners(c);
    return c;
}

hd_coordinator *hd_coordinator_restore_exactly(const void *bytes, size_t n, hd_err *err) {
    return restore(bytes, n, err);
}

/* A coordinator as bytes, for the record and for snapshots of a cluster. */
#include "fleet/coordinator_int.h"

#include "base/panic.h"
#include "explore/events/action_bytes.h"

#include <stdlib.h>

#define MAGIC      UINT32_C(0x36434448) /* "HDC6"; journals in older ones are older, too */
#define MAGIC_NAME UINT32_C(0x00ffffff) /* without the number */

/* Least sizes, for hd_unpack_count. */
enum { LEAST_STATE = 13, LEAST_UNIT = 39 };

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
    hd_pack_short(out, given->giver + 1); /* HD_NO_UNIT is 0 */
    hd_pack_short(out, given->at);
}

static hd_gift restore_gift(hd_unpack *in) {
    hd_gift given = {.giver = hd_unpack_short(in) - 1};
    given.at = hd_unpack_short(in);
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
    hd_pack_bytes(out, c->rounds.at, c->rounds.n);
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
    uint32_t n = hd_unpack_count(in, HD_LEAST_ACTION);
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++)
        hd_vec_push(&l->sleepers, hd_journal_restore_action(in));
}

static void restore_text(hd_unpack *in, hd_text *text) {
    size_t n;
    const void *bytes = hd_unpack_bytes(in, &n);
    if (hd_unpack_ok(in))
        hd_text_add_bytes(text, bytes, n);
}

static void restore_unit(hd_coordinator *c, hd_unpack *in) {
    hd_open_unit u = {.epoch = hd_unpack_u64(in)};
    unsigned flags = hd_unpack_u8(in);
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
    hd_vec_push(&c->units, u);
}

static void restore_rounds(hd_coordinator *c, hd_unpack *in) {
    hd_text rounds = {0};
    restore_text(in, &rounds);
    in->failed |= rounds.n % 8 != 0;
    hd_coordinator_add_rounds(c, &rounds);
    hd_text_release(&rounds);
}

static void restore_parts(hd_coordinator *c, hd_unpack *in) {
    uint32_t n = hd_unpack_count(in, 4);
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++) {
        hd_vec_push(&c->parts, (hd_text){0});
        restore_text(in, &c->parts.at[i]);
    }
}

static void restore_beginnings(hd_coordinator *c, hd_unpack *in) {
    uint32_t n = hd_unpack_count(in, 4);
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++) {
        hd_vec_push(&c->beginnings, (hd_beginning){.part = HD_NO_PART});
        c->beginnings.at[i].part = hd_unpack_u32(in);
        restore_text(in, &c->beginnings.at[i].context);
    }
}

static bool restore_all(hd_coordinator *c, hd_unpack *in) {
    c->n_units = hd_unpack_u64(in);
    c->n_epochs = hd_unpack_u64(in);
    c->generation = hd_unpack_u64(in);
    restore_rounds(c, in);
    restore_parts(c, in);
    restore_beginnings(c, in);
    uint32_t n = hd_unpack_count(in, LEAST_STATE);
    in->failed |= n < c->beginnings.n;
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++)
        restore_state(c, in);
    n = hd_unpack_count(in, LEAST_UNIT);
    for (uint32_t i = 0; i < n && hd_unpack_ok(in); i++)
        restore_unit(c, in);
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
    if ((magic & MAGIC_NAME) != (MAGIC & MAGIC_NAME))
        return hd_coordinator_new(bytes, n);
    if (magic != MAGIC) {
        hd_err_set(err, "the run was left by another version of Heddle");
        hd_err_hint(err, "go on with that one, or explore the program again");
        return NULL;
    }
    hd_coordinator *c = hd_coordinator_make();
    if (restore_all(c, &in))
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

/* What observers (fleet/observer.h) saw, as it is stored: a list of names with bytes. */
#include "record/stored.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 17

const void *hd_observed_find(const void *bytes, size_t n, const char *name, size_t *size) {
    hd_unpack u = hd_unpack_from(bytes ? bytes : "", n);
    while (u.at < u.end && hd_unpack_ok(&u)) {
        char *found = hd_unpack_string(&u);
        const void *part = hd_unpack_bytes(&u, size);
        bool is_it = hd_unpack_ok(&u) && strcmp(found, name) == 0;
        free(found);
        if (is_it)
            return part;
    }
    return NULL;
}

/* ---- first times ---- */

void hd_firsts_pack(hd_text *out, const hd_firsts *f) {
    for (size_t i = 0; i < f->n; i++) {
        uint64_t bits;
        memcpy(&bits, &f->at[i].seconds, sizeof bits);
        hd_pack_u8(out, (uint8_t)f->at[i].kind);
        hd_pack_u64(out, f->at[i].what);
        hd_pack_u64(out, bits);
    }
}

static hd_first unpack_first(hd_unpack *u) {
    hd_first f = {.kind = (hd_first_kind)hd_unpack_u8(u)};
    f.what = hd_unpack_u64(u);
    uint64_t bits = hd_unpack_u64(u);
    memcpy(&f.seconds, &bits, sizeof bits);
    u->failed |= f.kind >= HD_N_FIRST_KINDS || !(f.seconds >= 0 && f.seconds < 1e15);
    return f;
}

bool hd_firsts_unpack(const void *bytes, size_t n, hd_firsts *f) {
    hd_unpack u = hd_unpack_from(bytes, n);
    size_t before = f->n;
    while (u.at < u.end && hd_unpack_ok(&u)) {
        hd_first first = unpack_first(&u);
        hd_vec_push(f, first);
    }
    if (hd_unpack_ok(&u) && n % FIRST_SIZE == 0)
        return true;
    f->n = before;
    return false;
}

/* ---- growth ---- */

#define GROWTH_SIZE 48

void hd_growth_pack(hd_text *out, const hd_growth *g) {
    for (size_t i = 0; i < g->n; i++) {
        const hd_growth_point *p = &g->at[i];
        hd_pack_double(out, p->seconds);
        hd_pack_u64(out, p->moment);
        hd_pack_u64(out, p->states);
        hd_pack_u64(out, p->dstates);
        hd_pack_u64(out, p->events);
        hd_pack_u64(out, p->bytes);
    }
}

bool hd_growth_unpack(const void *bytes, size_t n, hd_growth *g) {
    hd_unpack u = hd_unpack_from(bytes, n);
    size_t before = g->n;
    while (u.at < u.end && hd_unpack_ok(&u)) {
        hd_growth_point p = {.seconds = hd_unpack_double(&u), .moment = hd_unpack_u64(&u)};
        p.states = hd_unpack_u64(&u);
        p.dstates = hd_unpack_u64(&u);
        p.events = hd_unpack_u64(&u);
        p.bytes = hd_unpack_u64(&u);
        u.failed |= !(p.seconds >= 0 && p.seconds < 1e15);
        hd_vec_push(g, p);
    }
    if (hd_unpack_ok(&u) && n % GROWTH_SIZE == 0)
        return true;
    g->n = before;
    return false;
}

/* ---- scenarios ---- */

void hd_scenarios_release(hd_scenarios *s) {
    free(s->digits);
    *s = (hd_scenarios){0};
}

void hd_scenarios_pack(hd_text *out, const hd_scenarios *s) {
    hd_pack_string(out, s->digits);
    hd_pack_u8(out, s->are_possible);
}

bool hd_scenarios_unpack(const void *bytes, size_t n, hd_scenarios *s) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *s = (hd_scenarios){.digits = hd_unpack_string(&u)};
    s->are_possible = hd_unpack_u8(&u);
    if (hd_unpack_ok(&u) && u.at == u.end && *s->digits &&
        s->digits[strspn(s->digits, "0123456789")] == 0)
        return true;
    hd_scenarios_release(s);
    return false;
}

/* ---- ends ---- */

/* Statuses that there were. */
static void pack_end(hd_text *out, uint8_t what, uint64_t n) {
    if (!n)
        return;
    hd_pack_u8(out, what);
    hd_pack_u64(out, n);
}

void hd_ends_pack(hd_text *out, const hd_ends *e) {
    hd_pack_u64(out, e->rejected);
    hd_pack_u64(out, e->findings);
    for (unsigned i = 0; i < 256; i++)
        pack_end(out, (uint8_t)i, e->exits[i]);
}

bool hd_ends_unpack(const void *bytes, size_t n, hd_ends *e) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *e = (hd_ends){0};
    e->rejected = hd_unpack_u64(&u);
    e->findings = hd_unpack_u64(&u);
    while (u.at < u.end && hd_unpack_ok(&u)) {
        uint8_t status = hd_unpack_u8(&u);
        e->exits[status] += hd_unpack_u64(&u);
    }
    return hd_unpack_ok(&u);
}

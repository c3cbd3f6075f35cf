/* Going back over writes (see past.h). */
#include "explore/events/past.h"

#include "base/panic.h"

static void go_back_over(hd_past *p, const hd_access *x, const hd_access *y, bool tells,
                         uint64_t value) {
    if (y->address == x->address && y->size == x->size && tells) { /* nearly always */
        *p = (hd_past){value, UINT64_MAX};
        return;
    }
    HD_CHECK(!tells || y->size <= sizeof value);
    for (uint32_t i = 0; i < x->size && i < sizeof p->value; i++) {
        uint64_t at = x->address + i - y->address, byte = UINT64_C(0xff) << 8 * i;
        if (at >= y->size) /* also below it */
            continue;
        p->known = tells ? p->known | byte : p->known & ~byte;
        p->value = (p->value & ~byte) | (tells ? (value >> 8 * at & 0xff) << 8 * i : 0);
    }
}

/* A section may have written to some bytes twice: its first access tells what was before it. */
static void go_back_over_section(hd_past *p, const hd_events *log, const hd_access *x, uint32_t e) {
    for (size_t i = log->inner.n; i-- > 0 && log->inner.at[i].event >= e;) {
        const hd_inner_access *y = &log->inner.at[i].access;
        if (log->inner.at[i].event == e)
            go_back_over(p, x, &y->access, y->has_value, y->value);
    }
}

void hd_past_go_back(hd_past *p, const hd_events *log, const hd_access *x, uint32_t e) {
    const hd_action *b = hd_event_action(log, e);
    HD_ASSERT(e < log->at.n && b->n_accesses > 0);
    bool tells = hd_kind_is(b->kind, HD_KIND_MEMORY) && b->access[0].size <= sizeof b->value;
    go_back_over(p, x, &b->access[0], tells, b->value);
    if (hd_kind_is(b->kind, HD_KIND_SECTION))
        go_back_over_section(p, log, x, e);
}

bool hd_past_is_known(const hd_past *p, const hd_access *x) {
    HD_ASSERT(x->size > 0);
    uint64_t all = UINT64_MAX >> (64 - 8 * x->size) % 64;
    return x->size <= sizeof p->value && (p->known & all) == all;
}

/* Only sections do so with other accesses than their first. */
bool hd_any_writes_at(const hd_action *b, const hd_access *x) {
    for (unsigned i = 0; i < b->n_accesses; i++)
        if (b->access[i].mode == HD_MODE_WRITE && hd_accesses_conflict(&b->access[i], 0, x, 0))
            return true;
    return false;
}

/* Memory that processes share. */
#include "machine/tasks/shared.h"

#define MAX_SHARED                                                                                 \
    (UINT64_C(64) << 20) /* that is copied nowhere, but cleared after each execution */

uint64_t hd_shared_alloc(hd_machine *m, uint64_t n) {
    uint64_t room = (n + HD_PAGE - 1) & ~(HD_PAGE - 1), at = m->memory.shared_top;
    if (!n || n > MAX_SHARED || at + room + HD_PAGE > HD_SHARED_BASE + MAX_SHARED ||
        !hd_area_grow(&m->region.shared_area, at + room + HD_PAGE))
        return 0;
    HD_INVARIANT(M1, hd_is_shared(at) && hd_is_shared(at + room) && (at & HD_SPACE_MASK) == at);
    m->memory.shared_top = at + room + HD_PAGE; /* one between that belongs to nobody */
    hd_unpoison(at, room);
    hd_shared_note(m);
    return at;
}

void hd_shared_note(hd_machine *m) {
    /* M2: accesses are announced while any bit is set. */
    if (m->system.is_concurrent && m->memory.shared_top > HD_SHARED_BASE)
        m->registers->is_threaded |= HD_SHARES_MEMORY;
}

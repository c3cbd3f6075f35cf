/* Entries as bytes (log_entry.h). */
#include "fleet/cluster/log_entry.h"

void hd_log_entry_pack(hd_text *out, const hd_log_entry *e) {
    hd_pack_u8(out, (uint8_t)e->kind);
    hd_pack_u64(out, e->writer);
    hd_pack_u64(out, e->unit);
    hd_pack_u64(out, e->epoch);
    hd_pack_u8(out, e->is_whole);
    hd_pack_bytes(out, e->n_bundle ? e->bundle : "", e->n_bundle);
}

bool hd_log_entry_unpack(const void *bytes, size_t n, hd_log_entry *e) {
    hd_unpack u = hd_unpack_from(bytes, n);
    uint8_t kind = hd_unpack_u8(&u);
    u.failed |= kind < HD_ENTRY_BEGIN || kind >= HD_N_ENTRIES;
    *e = (hd_log_entry){.kind = (hd_log_entry_kind)kind,
                        .writer = hd_unpack_u64(&u),
                        .unit = hd_unpack_u64(&u),
                        .epoch = hd_unpack_u64(&u),
                        .is_whole = hd_unpack_u8(&u) == 1};
    e->bundle = hd_unpack_bytes(&u, &e->n_bundle);
    return hd_unpack_ok(&u) && u.at == u.end;
}

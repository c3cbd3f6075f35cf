/* Actions as bytes (action_bytes.h). */
#include "explore/events/action_bytes.h"

#include <string.h>

/* The threads that an end waits for are a set, and the nodes that come before another: their bits
 * mean nothing elsewhere, unless there are few of these. */
static bool has_set(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_ENDS) ||
           (hd_kind_is(a->kind, HD_KIND_STARTS) && !hd_set_is_word((hd_set){a->expected}));
}

/* Accesses that are not in use hold anything. */
void hd_journal_save_action(const hd_action *a, hd_text *out) {
    hd_action used = {0};
    hd_action_copy(&used, a);
    if (!used.n_accesses)
        used.access[0] = (hd_access){0};
    hd_pack_bytes(out, &used, sizeof used);
    if (has_set(a))
        hd_set_pack(out, (hd_set){a->expected});
}

hd_action hd_journal_restore_action(hd_unpack *u) {
    hd_action a = {0};
    size_t n;
    const void *bytes = hd_unpack_bytes(u, &n);
    if (n != sizeof a) {
        u->failed = true;
        return a;
    }
    memcpy(&a, bytes, n);
    if (a.kind >= HD_N_ACTIONS || a.thread >= HD_MAX_THREADS || a.n_accesses > HD_MAX_ACCESSES) {
        u->failed = true;
        return (hd_action){0}; /* readers may copy it before they look whether all went well */
    }
    if (has_set(&a))
        a.expected = hd_set_unpack(u, HD_MAX_THREADS).bits;
    return a;
}

/* Actions as bytes (action_bytes.h). */
#include "explore/events/action_bytes.h"

#include <stddef.h>
#include <string.h>

/* The threads that an end waits for are a set, and the nodes that come before another: their bits
 * mean nothing elsewhere, unless there are few of these. */
static bool has_set(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_ENDS) ||
           (hd_kind_is(a->kind, HD_KIND_STARTS) && !hd_set_is_word((hd_set){a->expected}));
}

enum { WORD = sizeof(uint32_t), WORDS = sizeof(hd_action) / WORD };
_Static_assert(sizeof(hd_action) == WORD * WORDS && WORDS < 64, "a bit for each word");

/* Most of an action is zero: which words are not, and these in as few bytes as they need, are a
 * seventh of its size.  Accesses that are not in use hold anything. */
void hd_journal_save_action(const hd_action *a, hd_text *out) {
    uint32_t words[WORDS];
    size_t n = (offsetof(hd_action, access) + a->n_accesses * sizeof(hd_access)) / WORD;
    uint64_t used = 0;
    memcpy(words, a, n * WORD);
    for (size_t i = 0; i < n; i++)
        used |= (uint64_t)(words[i] != 0) << i;
    hd_pack_short(out, used);
    for (size_t i = 0; i < n; i++)
        if (words[i])
            hd_pack_short(out, words[i]);
    if (has_set(a))
        hd_set_pack(out, (hd_set){a->expected});
}

static uint32_t restore_word(hd_unpack *u) {
    uint64_t word = hd_unpack_short(u);
    u->failed |= word > UINT32_MAX;
    return (uint32_t)word;
}

hd_action hd_journal_restore_action(hd_unpack *u) {
    hd_action a;
    uint32_t words[WORDS] = {0};
    uint64_t used = hd_unpack_short(u);
    u->failed |= used >> WORDS != 0;
    for (size_t i = 0; i < WORDS && !u->failed; i++)
        if (used >> i & 1)
            words[i] = restore_word(u);
    memcpy(&a, words, sizeof a);
    if (u->failed || a.kind >= HD_N_ACTIONS || a.thread >= HD_MAX_THREADS ||
        a.n_accesses > HD_MAX_ACCESSES) {
        u->failed = true;
        return (hd_action){0}; /* readers may copy it before they look whether all went well */
    }
    if (has_set(&a))
        a.expected = hd_set_unpack(u, HD_MAX_THREADS).bits;
    return a;
}

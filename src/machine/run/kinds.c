/* The machine's columns of the table of kinds (kinds.h). */
#include "machine/core/kinds.h"

const hd_kind hd_kinds[HD_N_ACTIONS] = {
#define X(name, words, traits, enabled, settle, describe, round, predict, race, blockers, drawn)   \
    [HD_DO_##name] = {words, traits, enabled, settle, describe, round},
    HD_ACTIONS(X)
#undef X
};

bool hd_can_always(hd_machine *m, const hd_action *a) {
    (void)m, (void)a;
    return true;
}

bool hd_can_never(hd_machine *m, const hd_action *a) {
    (void)m, (void)a;
    return false;
}

void hd_settle_nothing(hd_machine *m, hd_action *a) {
    (void)m, (void)a;
}

void hd_describe_nothing(hd_machine *m, const hd_action *a, hd_text *out) {
    (void)m;
    hd_text_add(out, "%s", hd_action_words(a->kind));
}

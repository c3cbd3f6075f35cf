/* The table of kinds of actions, expanded into words. */
#include "machine/action.h"

static const char *const words_of[] = {
#define X(name, text) text,
    HD_ACTIONS(X)
#undef X
};

const char *hd_action_words(hd_action_kind kind) {
    return kind < HD_N_ACTIONS ? words_of[kind] : "does something unknown";
}

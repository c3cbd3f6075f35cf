/* The table of kinds of losses, expanded into rows. */
#include "program/loss.h"

#include "base/panic.h"

static const struct {
    const char *name;
    hd_loss_side side;
    hd_loss_nature nature;
    hd_loss_effect effect;
    const char *one, *many;
} rows[] = {
#define X(kind, name, side, nature, effect, one, many)                                             \
    {name, HD_LOSS_##side, HD_LOSS_##nature, HD_LOSS_##effect, one, many},
    HD_LOSS_KINDS(X)
#undef X
};

/* What run directories of version 3 hold. */
_Static_assert(HD_LOSS_VALUE == 0 && HD_LOSS_UNKNOWN == 1 && HD_LOSS_MISPREDICTED == 2 &&
                   HD_LOSS_BOUND == 3 && HD_LOSS_LEFT_OUT == 4 && HD_LOSS_END == 5 &&
                   HD_LOSS_LIMIT == 6,
               "K2: numbers of losses are stored");

const char *hd_loss_kind_name(hd_loss_kind kind) {
    HD_INVARIANT(K1, kind < HD_N_LOSS_KINDS);
    return rows[kind].name;
}

const char *hd_loss_kind_words(hd_loss_kind kind, unsigned long long n) {
    HD_INVARIANT(K1, kind < HD_N_LOSS_KINDS);
    return n == 1 ? rows[kind].one : rows[kind].many;
}

bool hd_loss_kind_is_bound(hd_loss_kind kind) {
    HD_INVARIANT(K1, kind < HD_N_LOSS_KINDS);
    return rows[kind].nature == HD_LOSS_IS_BOUND;
}

bool hd_loss_kind_is_of_search(hd_loss_kind kind) {
    HD_INVARIANT(K1, kind < HD_N_LOSS_KINDS);
    return rows[kind].side == HD_LOSS_OF_SEARCH;
}

bool hd_loss_kind_ends(hd_loss_kind kind) {
    HD_INVARIANT(K1, kind < HD_N_LOSS_KINDS);
    return rows[kind].effect == HD_LOSS_ENDS;
}

/* Moving means by depth (subtrees.h): what was noted first was estimated with less. */
#include "explore/inputs/subtrees.h"

#include "base/panic.h"

#define LAST 64 /* ways that count, about */
#define FAR  64 /* depths that are looked at */

void hd_subtrees_release(hd_subtrees *b) {
    hd_vec_release(&b->at);
}

void hd_subtrees_note(hd_subtrees *b, uint32_t depth, double n_executions) {
    HD_ASSERT(n_executions >= 0);
    while (b->at.n <= depth)
        hd_vec_push(&b->at, (struct hd_subtree_mean){0});
    struct hd_subtree_mean *d = &b->at.at[depth];
    d->n += d->n < LAST;
    d->mean += (n_executions - d->mean) / d->n;
}

double hd_subtrees_behind(const hd_subtrees *b, uint32_t depth, double unknown) {
    for (uint32_t d = depth; d < b->at.n && d < depth + FAR; d++)
        if (b->at.at[d].n)
            return b->at.at[d].mean;
    return unknown;
}

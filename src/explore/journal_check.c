/* A journal that was written is read by another explorer, in the same process, and written again:
 * the second one is the first.  Where it is not, a search that is resumed goes on with something
 * else than was left (S2, S3).
 *
 * What a list of sleepers becomes is the list backwards, so that it is done twice.  Of a search
 * that begins anew only the facts it found out matter, and those are not compared. */
#include "explore/explore_int.h"

#include "base/panic.h"

#include <string.h>

/* What another explorer makes of a journal; false if it has nothing to run again. */
static bool rewrite(const hd_explorer *x, const void *bytes, size_t n, hd_text *out) {
    hd_explorer *other = hd_explorer_new(x->graph, x->variables, x->chain, &x->options);
    hd_err err = {0};
    bool is_good = hd_explorer_restore(other, bytes, n, &err);
    HD_INVARIANT(S2, is_good);
    bool is_comparable = !x->options.is_threaded || hd_explorer_is_rebuilding(other);
    hd_journal_write(other, out);
    hd_explorer_free(other);
    return is_comparable;
}

bool hd_journal_reads_back(const hd_explorer *x, const void *bytes, size_t n) {
    hd_text once = {0}, twice = {0};
    bool is_comparable = rewrite(x, bytes, n, &once) && rewrite(x, once.at, once.n, &twice);
    bool is_same = !is_comparable || (twice.n == n && memcmp(twice.at, bytes, n) == 0);
    hd_text_release(&once);
    hd_text_release(&twice);
    return is_same;
}

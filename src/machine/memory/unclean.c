/* Which globals may hold anything but concrete bytes: a bit for each, in the image.
 *
 * Instrumented code asks about an access that lies inside of a global by this bit instead of the
 * shadow words of its bytes (compile/compiler/inside.c), and about these only if it is set.
 *
 * U1. A global whose bit is clear has no shadow word but 0.
 *
 * A bit that is set says nothing, and is never taken back: neither executions, nor checkpoints and
 * processes that bring back what shadows were, can then break U1.  The bits lie beside the counters
 * of coverage, which no reset touches. */
#include "machine/memory/memory.h"

/* The index of the first global whose end is above `address`. */
static size_t first_above(const hd_machine *m, uint64_t address) {
    size_t low = 0, high = m->region.globals.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const hd_global *g = m->region.globals.at[middle];
        if (g->address + g->size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t number_of(const hd_machine *m, const hd_global *g) {
    HD_CHECK(g >= m->image->globals && g < m->image->globals + m->image->n_globals);
    return (uint64_t)(g - m->image->globals);
}

void hd_unclean_note(hd_machine *m, uint64_t address, uint64_t n) {
    hd_range *last = &m->region.unclean;
    if (address - last->address < last->n && n <= last->n - (address - last->address))
        return;
    for (size_t i = first_above(m, address); i < m->region.globals.n; i++) {
        const hd_global *g = m->region.globals.at[i];
        if (g->address >= address + n)
            break;
        uint64_t number = number_of(m, g);
        m->image->unclean[number / 64] |= UINT64_C(1) << number % 64;
        *last = (hd_range){g->address, g->size};
    }
}

bool hd_unclean_is_true(const hd_machine *m) {
    for (size_t i = 0; i < m->region.globals.n; i++) {
        const hd_global *g = m->region.globals.at[i];
        uint64_t number = number_of(m, g);
        if (!(m->image->unclean[number / 64] >> number % 64 & 1) &&
            hd_any_word(g->address, g->size))
            return false;
    }
    return true;
}

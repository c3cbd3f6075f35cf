/* Memory that handlers of signals touch.
 *
 * A handler runs at a moment in which its process is between two visible operations.  That is every
 * moment there is if what lies between two such operations touches nothing that a handler touches:
 * then it makes no difference where in between the handler runs.  So accesses of such memory by the
 * rest of the process are visible operations too.  Which memory that is, is learned: an execution
 * in which a handler touches more than was known does not count, and the search begins again.
 *
 * M1. Words of memory are known for all processes alike: what is learned too much makes more events
 *     and finds nothing else.
 * M2. Frames of handlers themselves are no such memory.
 * M3. Accesses are events only while a handler can run, in another handler too.
 * M4. That threads other than main take signals is learned the same way, and kept as what is
 *     "touched" of a word that is no memory: only then do they look for signals.
 * M5. So is that a thread gives its process a handler while others stand somewhere: only then do
 * they look before there is one. */
#include "machine/tasks/signals.h"

#include <stdio.h>

#define WORD    8
#define HEARING 1 /* the word of M4 */
#define LATE    2 /* the word of M5 */
#define MOST_WORDS                                                                                 \
    64 /* that are learned; behind them handlers run where they run, which is said                 \
        */
enum { READ = 1, WRITE = 2 };

static uint64_t *flags_of(const hd_machine *m, uint64_t word) {
    return hd_map_find(&m->facts.handled, word);
}

/* Does one of the two write? */
static bool is_touched(const hd_machine *m, uint64_t at, uint64_t n, bool writes) {
    HD_CHECK(n);
    if (!m->facts.handled.n)
        return false;
    for (uint64_t word = at / WORD; word <= (at + n - 1) / WORD; word++) {
        const uint64_t *known = flags_of(m, word);
        if (known && (writes || *known & WRITE))
            return true;
    }
    return false;
}

void hd_handled_learn(hd_machine *m, uint64_t word, uint64_t flags) {
    HD_ASSERT(flags && flags <= (READ | WRITE));
    const uint64_t *known = flags_of(m, word);
    hd_map_put(&m->facts.handled, word, flags | (known ? *known : 0));
}

void hd_handled_note(hd_machine *m, uint64_t at, uint64_t n, bool writes, uint32_t site) {
    uint64_t flags = writes ? WRITE : READ;
    HD_ASSERT(n);
    for (uint64_t word = at / WORD; word <= (at + n - 1) / WORD; word++) {
        const uint64_t *known = flags_of(m, word);
        if (known && (*known & flags) == flags)
            continue;
        if (!known && m->facts.handled.n >= MOST_WORDS) {
            hd_bound(m, site,
                     "of the memory that handlers of signals touch, %u words "
                     "are followed",
                     MOST_WORDS);
            return;
        }
        hd_handled_learn(m, word, flags);
        m->execution.handled_has_grown = true;
    }
}

uint64_t hd_handled_hearing(const hd_machine *m) {
    const uint64_t *known = flags_of(m, HEARING);
    return known ? *known : 0;
}

void hd_handled_hear(hd_machine *m, uint64_t what) {
    HD_ASSERT(what == HD_HEARS_OWN || what == HD_HEARS_SHARED);
    if (hd_handled_hearing(m) & what)
        return;
    hd_handled_learn(m, HEARING, what);
    m->execution.handled_has_grown = true;
}

bool hd_handled_comes_late(const hd_machine *m) {
    return flags_of(m, LATE) != NULL;
}

void hd_handled_come_late(hd_machine *m) {
    if (hd_handled_comes_late(m))
        return;
    hd_handled_learn(m, LATE, WRITE);
    m->execution.handled_has_grown = true;
}

bool hd_handled_is_to_repeat(const hd_machine *m) {
    return m->execution.handled_has_grown && m->options.orders != HD_ORDERS_TIME;
}

static bool is_own_frame(const hd_machine *m, const hd_hearing *ear, uint64_t at) {
    return at >= m->running.stack_bottom && at < ear->frame;
}

bool hd_signals_see(hd_machine *m, uint64_t at, uint64_t n, bool writes, uint32_t site) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    const hd_signals *s = p->signals;
    const hd_hearing *ear = &m->thread[p->main_thread].ear;
    if (!s || !s->handled || !n || hd_thread_current(m) != p->main_thread)
        return false;
    if (ear->depth && is_own_frame(m, ear, at))
        return false;
    if (ear->depth)
        hd_handled_note(m, at, n, writes, site);
    return s->handled & ~ear->blocked && is_touched(m, at, n, writes);
}

/* What it says of the program holds for every execution, and none before it has shown it. */
void hd_handled_end_lesson(hd_machine *m) {
    bool is_to_repeat = hd_handled_is_to_repeat(m);
    m->execution.handled_has_grown = false;
    if (!is_to_repeat)
        return;
    m->call.outcome->end = HD_END_RETRY;
    m->call.outcome->new_round = 0;
    m->call.outcome->retry_thread = HD_RETRY_ALL;
}

/* ---- from one machine to another ---- */

/* "h24000000802:3": a word that handlers read and write. */
void hd_handled_print(const hd_machine *m, hd_text *out) {
    const hd_map *all = &m->facts.handled;
    for (size_t i = 0; i < all->capacity; i++)
        if (all->keys[i] != HD_MAP_EMPTY) {
            HD_ASSERT(all->values[i] && all->values[i] <= (READ | WRITE));
            hd_text_add(out, "%sh%lx:%u", out->n ? " " : "", (unsigned long)all->keys[i],
                        (unsigned)all->values[i]);
        }
}

const char *hd_handled_take(hd_machine *m, const char *text) {
    unsigned long word;
    unsigned flags;
    int n;
    if (sscanf(text, "%lx:%u%n", &word, &flags, &n) != 2 || flags == 0 || flags > (READ | WRITE))
        return NULL;
    hd_handled_learn(m, word, flags);
    return text + n;
}

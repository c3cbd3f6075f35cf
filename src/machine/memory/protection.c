/* Protections of pages: what mmap and mprotect allow a process to do.
 *
 * Pages that must not be written to are so for the processor too, so that accesses that are allowed
 * cost nothing, and whoever writes there faults, be it the program, the C library or the machine on
 * the program's behalf (traps.c).  Pages that must not be touched at all have poison for shadows
 * instead: the machine may still look at them.
 *
 * Only protections of the process whose memory is in place are in force.  Checkpoints are not taken
 * while there are any (L2 of core/layout.h). */
#include "machine/memory/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

static void set_pages(const hd_protected *p, int protection) {
    int failed = mprotect((void *)p->address, p->n, protection);
    HD_ASSERT(!failed);
}

static void open_words(hd_protected *p) {
    if (p->words)
        memcpy(HD_SHADOW_OF(p->address), p->words, p->n * sizeof *p->words);
    else
        hd_unpoison(p->address, p->n);
    free(p->words);
    p->words = NULL;
}

static void close_words(hd_protected *p) {
    HD_ASSERT(!p->words);
    if (hd_any_word(p->address, p->n)) {
        p->words = malloc(p->n * sizeof *p->words);
        if (!p->words)
            hd_out_of_memory();
        memcpy(p->words, HD_SHADOW_OF(p->address), p->n * sizeof *p->words);
    }
    hd_poison(p->address, p->n, HD_POISON_CLOSED);
}

static void lift(hd_protected *p) {
    if (p->protection == HD_IS_READ_ONLY)
        set_pages(p, PROT_READ | PROT_WRITE);
    if (p->protection == HD_IS_CLOSED)
        open_words(p);
}

static void apply(hd_protected *p) {
    if (p->protection == HD_IS_READ_ONLY)
        set_pages(p, PROT_READ);
    if (p->protection == HD_IS_CLOSED)
        close_words(p);
}

void hd_protections_lift(hd_machine *m, uint32_t process) {
    for (size_t i = 0; i < m->memory.guarded.n; i++)
        if (m->memory.guarded.at[i].process == process)
            lift(&m->memory.guarded.at[i]);
}

void hd_protections_apply(hd_machine *m, uint32_t process) {
    for (size_t i = 0; i < m->memory.guarded.n; i++)
        if (m->memory.guarded.at[i].process == process)
            apply(&m->memory.guarded.at[i]);
}

/* Entries of one process do not overlap. */
static void add(hd_machine *m, hd_protected p) {
    HD_ASSERT(p.address % HD_PAGE == 0 && p.n % HD_PAGE == 0);
    if (!p.n)
        return;
    apply(&p);
    hd_vec_push(&m->memory.guarded, p);
}

/* What is left of an entry beside [from, to) stays as it is. */
static void cut_out(hd_machine *m, size_t i, uint64_t from, uint64_t to) {
    hd_protected p = m->memory.guarded.at[i], before = p, behind = p;
    lift(&p);
    m->memory.guarded.at[i] = m->memory.guarded.at[--m->memory.guarded.n];
    before.n = from > p.address ? from - p.address : 0;
    behind.n = p.address + p.n > to ? p.address + p.n - to : 0;
    behind.address = to;
    before.words = behind.words = NULL;
    add(m, before);
    add(m, behind);
}

static bool overlaps(const hd_protected *p, uint32_t process, hd_range pages) {
    return p->process == process && p->address < pages.address + pages.n &&
           pages.address < p->address + p->n;
}

const hd_protected *hd_protected_find(const hd_machine *m, uint32_t process, hd_range pages) {
    for (size_t i = 0; i < m->memory.guarded.n; i++)
        if (overlaps(&m->memory.guarded.at[i], process, pages))
            return &m->memory.guarded.at[i];
    return NULL;
}

void hd_unprotect(hd_machine *m, uint32_t process, hd_range pages) {
    const hd_protected *old;
    while ((old = hd_protected_find(m, process, pages)))
        cut_out(m, (size_t)(old - m->memory.guarded.at), pages.address, pages.address + pages.n);
}

/* Of shared memory it is known too that a process may write to it: it may map it again. */
void hd_protect(hd_machine *m, uint32_t process, hd_range pages, hd_protection p, bool is_final) {
    hd_unprotect(m, process, pages);
    if (p != HD_IS_OPEN || pages.address - HD_SHARED_BASE < HD_SHARED_LIMIT)
        add(m, (hd_protected){.address = pages.address,
                              .n = pages.n,
                              .process = process,
                              .protection = p,
                              .is_final = is_final});
}

bool hd_is_read_only(const hd_machine *m, uint64_t address) {
    uint32_t process = m->threads.n ? m->threads.process[m->threads.current] : 0;
    const hd_protected *p = hd_protected_find(m, process, (hd_range){address, 1});
    return p && p->protection == HD_IS_READ_ONLY;
}

void hd_protections_fork(hd_machine *m, uint32_t parent, uint32_t child) {
    size_t n = m->memory.guarded.n;
    for (size_t i = 0; i < n; i++) {
        hd_protected p = m->memory.guarded.at[i];
        HD_ASSERT(p.process != parent || !p.words); /* they are lifted */
        p.process = child;
        if (m->memory.guarded.at[i].process == parent)
            hd_vec_push(&m->memory.guarded, p);
    }
}

/* Pages of all processes lie at the same addresses, and words that are kept belong to others: what was
 * replaced is not looked at again. */
void hd_protections_forget(hd_machine *m) {
    for (size_t i = 0; i < m->memory.guarded.n; i++) {
        if (m->memory.guarded.at[i].protection == HD_IS_READ_ONLY)
            set_pages(&m->memory.guarded.at[i], PROT_READ | PROT_WRITE);
        free(m->memory.guarded.at[i].words);
    }
    hd_vec_clear(&m->memory.guarded);
}

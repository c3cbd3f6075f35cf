/* Memory of processes: who sees what (docs/design.md D3).
 *
 * Processes of one image share its code and have its globals at the same addresses: those of the
 * process that runs are in place, the others' in copies.  After fork a process also has its
 * stack and its heaps where its relatives have theirs; these pieces are swapped when one of the
 * family follows another.  Copying the little that programs under test use is cheaper than any
 * system call, and symbolic values are only shadow words that are copied along. */
#include "machine/tasks/process.h"

#include "base/reserve.h"

typedef enum piece_kind { PIECE_STACK, PIECE_HEAP, PIECE_INPUT } piece_kind;

/* Memory that relatives have at the same addresses. */
typedef struct family_piece {
    piece_kind kind;
    uint32_t thread;     /* whose stack or heap */
    uint64_t address, n; /* of the copy */
    hd_heap heap;        /* what is known about it, while it is not in place */
    hd_vec(uint8_t) bytes;
    hd_vec(hd_word) words;
} family_piece;

struct hd_space {
    uint8_t *globals; /* laid out like the data segment; while they are not in place */
    size_t n_hot;     /* pieces of the data segment that the copy knows */
    hd_vec(hd_range) symbolic;
    hd_vec(hd_word) words; /* of `symbolic` */
    uint32_t family;       /* the first process of it */
    uint32_t in_place;     /* of the first process: whose pieces are where they belong */
    hd_vec(family_piece) pieces;
};

static hd_space *space_of(hd_machine *m, uint32_t number) {
    hd_process *p = hd_process_at(m, number);
    if (p->space)
        return p->space;
    p->space = calloc(1, sizeof *p->space);
    if (!p->space)
        hd_out_of_memory();
    p->space->family = p->space->in_place = number;
    return p->space;
}

/* ---- globals ---- */

static uint64_t size_of_globals(const hd_machine *m) {
    return m->module->data_end - m->module->data_start;
}

static uint8_t *room_for_globals(hd_machine *m, hd_space *s) {
    if (!s->globals && size_of_globals(m))
        s->globals = hd_reserve_new(size_of_globals(m), false);
    return s->globals;
}

static void copy_symbolic(hd_machine *m, hd_space *s) {
    hd_vec_clear(&s->symbolic);
    hd_vec_clear(&s->words);
    for (size_t i = 0; i < m->memory.symbolic_globals.n; i++) {
        hd_range r = m->memory.symbolic_globals.at[i];
        hd_vec_push(&s->symbolic, r);
        hd_vec_reserve(&s->words, s->words.n + r.n);
        memcpy(s->words.at + s->words.n, HD_SHADOW_OF(r.address), r.n * sizeof(hd_word));
        s->words.n += r.n;
    }
}

static void save_globals(hd_machine *m, hd_space *s) {
    uint8_t *copy = room_for_globals(m, s);
    uint64_t start = m->module->data_start;
    for (size_t i = 0; i < m->region.hot.n; i++)
        memcpy(copy + (m->region.hot.at[i].address - start), (void *)m->region.hot.at[i].address,
               m->region.hot.at[i].n);
    s->n_hot = m->region.hot.n;
    copy_symbolic(m, s);
}

static void load_globals(hd_machine *m, hd_space *s) {
    uint64_t start = m->module->data_start;
    hd_registers registers = *m->registers; /* they lie among the globals, and are everybody's */
    for (size_t i = 0; i < m->region.hot.n; i++) {
        const uint8_t *from =
            i < s->n_hot ? s->globals : m->region.pristine; /* nobody had written to it */
        memcpy((void *)m->region.hot.at[i].address, from + (m->region.hot.at[i].address - start),
               m->region.hot.at[i].n);
    }
    *m->registers = registers;
    for (size_t i = 0; i < m->memory.symbolic_globals.n; i++)
        hd_unpoison(m->memory.symbolic_globals.at[i].address, m->memory.symbolic_globals.at[i].n);
    hd_vec_clear(&m->memory.symbolic_globals);
    const hd_word *words = s->words.at;
    for (size_t i = 0; i < s->symbolic.n; i++) {
        hd_range r = s->symbolic.at[i];
        hd_vec_push(&m->memory.symbolic_globals, r);
        memcpy(HD_SHADOW_OF(r.address), words, r.n * sizeof(hd_word));
        words += r.n;
    }
    HD_ASSERT(words == s->words.at + s->words.n);
}

/* ---- pieces ---- */

static void place_of(hd_machine *m, const family_piece *p, uint64_t *from, uint64_t *to) {
    const hd_thread *t = &m->thread[p->thread];
    switch (p->kind) {
    case PIECE_STACK:
        *from = *hd_stack_low(m, p->thread) - HD_LOCAL_PAD;
        if ((uint64_t)t->saved < *from)
            *from = (uint64_t)t->saved;
        *from &= ~UINT64_C(7);
        *to = t->stack_top;
        break;
    case PIECE_HEAP:
        *from = t->heap.area.base;
        *to = t->heap.top;
        break;
    default:
        *from = p->address;
        *to = p->address + p->n;
        break;
    }
}

static void save_piece(hd_machine *m, family_piece *p) {
    uint64_t to;
    place_of(m, p, &p->address, &to);
    if (p->kind == PIECE_STACK)
        hd_memory_forget_frames_from(&m->thread[p->thread], p->address); /* the host's are copied */
    p->n = to > p->address ? to - p->address : 0;
    hd_vec_reserve(&p->bytes, p->n + 1);
    hd_vec_reserve(&p->words, p->n + 1);
    memcpy(p->bytes.at, (void *)p->address, p->n);
    memcpy(p->words.at, HD_SHADOW_OF(p->address), p->n * sizeof(hd_word));
    if (p->kind == PIECE_HEAP)
        p->heap = m->thread[p->thread].heap;
}

static void load_piece(hd_machine *m, family_piece *p) {
    if (p->kind == PIECE_STACK)
        hd_memory_forget_frames_from(&m->thread[p->thread], p->address);
    memcpy((void *)p->address, p->bytes.at, p->n);
    memcpy(HD_SHADOW_OF(p->address), p->words.at, p->n * sizeof(hd_word));
    if (p->kind == PIECE_HEAP)
        m->thread[p->thread].heap = p->heap;
}

static void swap_family(hd_machine *m, uint32_t number) {
    hd_space *next = space_of(m, number);
    hd_space *first = space_of(m, next->family);
    HD_ASSERT(first->family == next->family);
    if (first->in_place == number)
        return;
    hd_space *before = space_of(m, first->in_place);
    for (size_t i = 0; i < before->pieces.n; i++)
        save_piece(m, &before->pieces.at[i]);
    for (size_t i = 0; i < next->pieces.n; i++)
        load_piece(m, &next->pieces.at[i]);
    first->in_place = number;
}

void hd_space_enter(hd_machine *m, uint32_t number) {
    hd_processes *all = m->processes;
    HD_CHECK(number < all->n && all->loaded < all->n);
    if (all->loaded == number)
        return;
    hd_process_note_waiting(m, all->loaded);
    hd_protections_lift(m, all->loaded);
    save_globals(m, space_of(m, all->loaded));
    load_globals(m, space_of(m, number));
    swap_family(m, number);
    all->loaded = number;
    hd_protections_apply(m, number);
    HD_INVARIANT(P3, space_of(m, space_of(m, number)->family)->in_place == number);
}

/* ---- new processes ---- */

void hd_space_copy(hd_machine *m, uint32_t child) {
    hd_space *s = space_of(m, child);
    HD_ASSERT(m->processes->loaded != child);
    s->family = s->in_place = child;
    save_globals(m, s);
}

void hd_space_begin(hd_machine *m, uint32_t child) {
    hd_space *s = space_of(m, child);
    HD_ASSERT(m->processes->loaded != child && !s->pieces.n);
    s->family = s->in_place = child;
    s->n_hot = 0; /* nothing was written to yet */
    hd_vec_clear(&s->symbolic);
    hd_vec_clear(&s->words);
}

static family_piece *find_piece(hd_space *s, piece_kind kind, uint32_t thread, uint64_t address) {
    for (size_t i = 0; i < s->pieces.n; i++) {
        family_piece *p = &s->pieces.at[i];
        if (p->kind == kind && p->thread == thread &&
            (kind != PIECE_INPUT || p->address == address))
            return p;
    }
    return NULL;
}

static void add_piece(hd_space *s, piece_kind kind, uint32_t thread, uint64_t address, uint64_t n) {
    if (!find_piece(s, kind, thread, address))
        hd_vec_push(&s->pieces,
                    ((family_piece){.kind = kind, .thread = thread, .address = address, .n = n}));
}

/* All that the running process has, and its child will have too. */
static void list_pieces(hd_machine *m, hd_space *s, uint32_t number) {
    add_piece(s, PIECE_STACK, m->threads.current, 0, 0);
    uint32_t t;
    HD_SET_EACH(t, hd_process_at(m, number)->threads)
    add_piece(s, PIECE_HEAP, t, 0, 0);
    for (size_t i = 0; i < m->input.objects.n; i++)
        add_piece(s, PIECE_INPUT, 0, m->input.objects.at[i].address, m->input.objects.at[i].size);
}

static void copy_heap(hd_heap *to, const hd_heap *from) {
    *to = *from;
    memset(&to->blocks, 0, sizeof to->blocks);
    memset(&to->freed, 0, sizeof to->freed);
    memset(&to->next_reusable, 0, sizeof to->next_reusable);
    for (size_t i = 0; i < from->blocks.n; i++)
        hd_vec_push(&to->blocks, from->blocks.at[i]);
    for (size_t i = 0; i < from->freed.n; i++)
        hd_vec_push(&to->freed, from->freed.at[i]);
    for (size_t i = 0; i < from->next_reusable.n; i++)
        hd_vec_push(&to->next_reusable, from->next_reusable.at[i]);
}

static void forget_heap(hd_heap *h) {
    hd_vec_release(&h->blocks);
    hd_vec_release(&h->freed);
    hd_vec_release(&h->next_reusable);
}

/* What is in place becomes the child's; the parent's is put aside. */
static void fork_pieces(hd_machine *m, hd_space *mine, hd_space *childs, uint32_t child_thread) {
    for (size_t i = 0; i < mine->pieces.n; i++) {
        family_piece *p = &mine->pieces.at[i];
        save_piece(m, p);
        bool is_my_stack = p->kind == PIECE_STACK && p->thread == m->threads.current;
        add_piece(childs, p->kind, is_my_stack ? child_thread : p->thread, p->address, p->n);
        if (p->kind == PIECE_HEAP)
            copy_heap(&m->thread[p->thread].heap, &p->heap);
    }
}

void hd_space_fork(hd_machine *m, uint32_t child, uint32_t child_thread) {
    uint32_t me = hd_process_current(m);
    hd_space *mine = space_of(m, me), *childs = space_of(m, child);
    HD_ASSERT(me != child && m->processes->loaded == me);
    hd_protections_lift(m, me);
    hd_protections_fork(m, me, child);
    list_pieces(m, mine, me);
    hd_vec_clear(&childs->pieces);
    fork_pieces(m, mine, childs, child_thread);
    childs->family = mine->family;
    childs->in_place = child;
    space_of(m, mine->family)->in_place = child;
    save_globals(m, mine);
    hd_process_note_waiting(m, me);
    m->processes->loaded = child;
    hd_protections_apply(m, child);
}

/* ---- ends ---- */

static void release_pieces(hd_space *s) {
    for (size_t i = 0; i < s->pieces.n; i++) {
        hd_vec_release(&s->pieces.at[i].bytes);
        hd_vec_release(&s->pieces.at[i].words);
    }
    hd_vec_clear(&s->pieces);
}

/* Of every heap only what its own thread's process knows is kept: the reset goes by it. */
static void give_heaps_back(hd_machine *m, uint32_t number, hd_space *s) {
    for (size_t i = 0; i < s->pieces.n; i++) {
        family_piece *p = &s->pieces.at[i];
        if (p->kind != PIECE_HEAP)
            continue;
        if (hd_process_of(m, p->thread) == number)
            m->thread[p->thread].heap = p->heap;
        else
            forget_heap(&p->heap);
    }
}

void hd_spaces_finish(hd_machine *m) {
    hd_processes *all = m->processes;
    for (uint32_t i = 0; i < all->n; i++) {
        hd_space *s = all->at[i].is_used ? all->at[i].space : NULL;
        if (s && s->family == i && s->pieces.n) {
            hd_space *in = space_of(m, s->in_place);
            for (size_t k = 0; k < in->pieces.n; k++)
                if (in->pieces.at[k].kind == PIECE_HEAP)
                    in->pieces.at[k].heap = m->thread[in->pieces.at[k].thread].heap;
        }
    }
    for (uint32_t i = 0; i < all->n; i++) {
        hd_space *s = all->at[i].is_used ? all->at[i].space : NULL;
        if (!s)
            continue;
        give_heaps_back(m, i, s);
        release_pieces(s);
        hd_vec_clear(&s->symbolic);
        hd_vec_clear(&s->words);
        s->family = s->in_place = i;
    }
}

void hd_spaces_release(hd_machine *m) {
    for (uint32_t i = 0; i < m->processes->n_names; i++) {
        hd_space *s = hd_process_at(m, i)->space;
        if (!s)
            continue;
        release_pieces(s);
        hd_vec_release(&s->pieces);
        hd_vec_release(&s->symbolic);
        hd_vec_release(&s->words);
        if (s->globals)
            hd_reserve_free(s->globals, size_of_globals(m));
        free(s);
    }
}

/* ---- from outside ---- */

static bool is_global(const hd_machine *m, uint64_t address) {
    return address >= m->module->data_start && address < m->module->data_end;
}

static bool is_hot(const hd_machine *m, const hd_space *s, uint64_t address) {
    for (size_t i = 0; i < m->region.hot.n && i < s->n_hot; i++)
        if (address - m->region.hot.at[i].address < m->region.hot.at[i].n)
            return true;
    return false;
}

/* What nobody had written to is in no copy yet. */
static void complete(hd_machine *m, hd_space *s) {
    uint64_t start = m->module->data_start, end = m->module->data_end;
    for (uint64_t at = start, next; at < end; at = next) {
        next = (at | (HD_PAGE - 1)) + 1 < end ? (at | (HD_PAGE - 1)) + 1 : end;
        if (!is_hot(m, s, at))
            memcpy(s->globals + (at - start), m->region.pristine + (at - start), next - at);
    }
    s->n_hot = SIZE_MAX;
}

void hd_spaces_stop_watching(hd_machine *m) {
    for (uint32_t i = 0; m->region.is_watching && i < m->processes->n_names; i++) {
        hd_space *s = hd_process_at(m, i)->space;
        if (s && s->globals)
            complete(m, s);
    }
    hd_memory_stop_watching(m);
}

static hd_word word_of(const hd_space *s, uint64_t address) {
    const hd_word *words = s->words.at;
    hd_word found = 0;
    for (size_t i = 0; i < s->symbolic.n; i++) {
        if (address - s->symbolic.at[i].address < s->symbolic.at[i].n)
            found = words[address - s->symbolic.at[i].address];
        words += s->symbolic.at[i].n;
    }
    return found;
}

void hd_space_read(hd_machine *m, uint32_t number, uint64_t address, uint64_t n, void *bytes,
                   hd_word *words) {
    const hd_space *s = space_of(m, number);
    uint8_t *out = bytes;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t at = address + i;
        bool is_here = number == m->processes->loaded || !is_global(m, at);
        if (is_here) {
            out[i] = *(const uint8_t *)at;
            words[i] = *HD_SHADOW_OF(at);
        } else {
            const uint8_t *from = is_hot(m, s, at) ? s->globals : m->region.pristine;
            out[i] = from[at - m->module->data_start];
            words[i] = word_of(s, at);
        }
    }
}

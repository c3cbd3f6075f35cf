/* The region, its shadow, and how both get back to the start.
 *
 * A reset copies, it does not map: system calls cost more than most programs write (design
 * D3).  Globals come back from a pristine copy; when there are more than a few pages of them
 * they are watched: pages start write-protected, the first write to one makes it "hot" for
 * good, and only hot pages are copied.  Shadow words of globals are logged when they become
 * symbolic; stack, heap and inputs are cleared over the range that was used. */
#include "machine/core/parts.h"
#include "machine/memory/memory.h"

#include "base/reserve.h"

#include <errno.h>
#include <immintrin.h>
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#define FRAMES_BELOW   (UINT64_C(256) << 10) /* bytes of a stack that functions of the host use */
#define WATCH_FROM     (2 * HD_PAGE)         /* smaller data segments are copied whole */
#define FIRST_CHUNK    UINT64_C(65536)       /* of an area */
#define BIG_GROWTH     UINT64_C(0x100000)
#define GIVE_BACK_FROM UINT64_C(0x400000) /* shadow bytes; more is unmapped, not written */
/* Slow paths run below the program's frames; what they leave there is wiped too, so that an
 * uninitialised local does not depend on earlier executions. */
#define HOST_FRAMES 2048

static uint64_t round_up(uint64_t x, uint64_t to) {
    return (x + to - 1) / to * to;
}

void hd_poison(uint64_t address, uint64_t n, hd_word poison) {
    HD_CHECK_INVARIANT(O2, !n || (hd_in_region(address) && hd_in_region(address + n - 1)));
    hd_word *s = HD_SHADOW_OF(address);
    for (uint64_t i = 0; i < n; i++)
        s[i] = poison;
}

static bool map_at(uint64_t address, uint64_t size) {
    return hd_reserve_at((void *)address, size) != NULL;
}

/* One big allocation does not write four times its size of poison: its inside is about to
 * be accessible anyway. */
bool hd_area_grow(hd_area *a, uint64_t end) {
    HD_CHECK(a->mapped >= a->base && a->mapped % HD_PAGE == 0);
    if (end <= a->mapped)
        return true;
    if (end < a->base || end - a->base > a->limit)
        return false;
    bool is_big = end - a->mapped > BIG_GROWTH;
    uint64_t have = a->mapped - a->base;
    uint64_t wanted = is_big ? end - a->base : have * 2 > FIRST_CHUNK ? have * 2 : FIRST_CHUNK;
    if (wanted < end - a->base)
        wanted = end - a->base;
    uint64_t new_end = a->base + round_up(wanted < a->limit ? wanted : a->limit, HD_PAGE);
    HD_ASSERT(new_end >= end && new_end > a->mapped);
    if (!map_at(a->mapped, new_end - a->mapped))
        return false;
    uint64_t from = is_big ? end : a->mapped;
    hd_poison(from, new_end - from, a->poison);
    a->mapped = new_end;
    return true;
}

void hd_area_drop(hd_area *a) {
    HD_ASSERT(a->mapped >= a->base && a->mapped - a->base <= a->limit + HD_PAGE);
    if (a->mapped == a->base)
        return;
    munmap((void *)a->base, a->mapped - a->base);
    hd_reserve_clear(HD_SHADOW_OF(a->base), (a->mapped - a->base) * sizeof(hd_word));
    a->mapped = a->base;
}

/* ---- the data segment ---- */

static uint64_t coverage_start(const hd_machine *m) {
    return (uint64_t)m->image->coverage & ~(HD_PAGE - 1);
}

static uint64_t coverage_end(const hd_machine *m) {
    return round_up((uint64_t)m->image->coverage + HD_COVERAGE_BYTES(m->image), HD_PAGE);
}

static void add_hot(hd_machine *m, uint64_t from, uint64_t to) {
    HD_ASSERT(from >= m->module->data_start && to <= m->module->data_end);
    if (from < to)
        hd_vec_push(&m->region.hot, ((hd_range){from, to - from}));
}

/* The two pieces of the data segment around the coverage counters. */
static void each_side(hd_machine *m, void (*visit)(hd_machine *, uint64_t, uint64_t)) {
    const hd_module *module = m->module;
    uint64_t start = coverage_start(m), end = coverage_end(m);
    HD_ASSERT(start <= end && module->data_start <= module->data_end);
    if (start < module->data_start || start >= module->data_end) {
        visit(m, module->data_start, module->data_end);
        return;
    }
    visit(m, module->data_start, start);
    if (end < module->data_end)
        visit(m, end, module->data_end);
}

static void protect(hd_machine *m, uint64_t from, uint64_t to) {
    (void)m;
    uint64_t first = from & ~(HD_PAGE - 1);
    if (first < to)
        mprotect((void *)first, round_up(to, HD_PAGE) - first, PROT_READ);
}

static void keep_pristine(hd_machine *m, uint64_t from, uint64_t to) {
    HD_ASSERT(from >= m->module->data_start && to <= m->module->data_end);
    static const uint8_t zeros[HD_PAGE];
    /* Untouched zero pages cost nothing in the copy either. */
    for (uint64_t at = from; at < to;) {
        uint64_t next = (at | (HD_PAGE - 1)) + 1;
        uint64_t n = (next < to ? next : to) - at;
        if (memcmp((void *)at, zeros, n) != 0)
            memcpy(m->region.pristine + (at - m->module->data_start), (void *)at, n);
        at += n;
    }
}

static uint64_t data_pages(const hd_machine *m) {
    uint64_t first = m->module->data_start & ~(HD_PAGE - 1);
    return (round_up(m->module->data_end, HD_PAGE) - first) / HD_PAGE;
}

void hd_memory_watch(hd_machine *m) {
    uint64_t size = m->module->data_end - m->module->data_start;
    if (size == 0)
        return;
    HD_ASSERT(!m->region.pristine && !m->region.hot.n);
    m->region.pristine = hd_reserve_new(size, false);
    each_side(m, keep_pristine);
    uint64_t counters = coverage_end(m) - coverage_start(m);
    if (size <= counters + WATCH_FROM || m->isolation.forks) {
        each_side(m, add_hot);
        return;
    }
    m->region.page_is_hot = calloc(data_pages(m), 1);
    if (!m->region.page_is_hot)
        hd_out_of_memory();
    m->region.is_watching = true;
    /* Room for all pages now: the fault handler must not allocate. */
    hd_vec_reserve(&m->region.hot, data_pages(m));
    each_side(m, protect);
}

bool hd_memory_note_write(hd_machine *m, uint64_t address) {
    const hd_module *module = m->module;
    if (!m->region.is_watching || address < module->data_start || address >= module->data_end)
        return false;
    uint64_t page = address & ~(HD_PAGE - 1);
    uint64_t number = (page - (module->data_start & ~(HD_PAGE - 1))) / HD_PAGE;
    HD_ASSERT(number < data_pages(m) && m->region.hot.n <= data_pages(m));
    if (m->region.page_is_hot[number])
        return false;
    m->region.page_is_hot[number] = 1;
    mprotect((void *)page, HD_PAGE, PROT_READ | PROT_WRITE);
    uint64_t from = page > module->data_start ? page : module->data_start;
    uint64_t to = page + HD_PAGE < module->data_end ? page + HD_PAGE : module->data_end;
    add_hot(m, from, to);
    return true;
}

static void unprotect(hd_machine *m, uint64_t from, uint64_t to) {
    (void)m;
    uint64_t first = from & ~(HD_PAGE - 1);
    if (first < to)
        mprotect((void *)first, round_up(to, HD_PAGE) - first, PROT_READ | PROT_WRITE);
}

void hd_memory_stop_watching(hd_machine *m) {
    if (!m->region.is_watching)
        return;
    HD_INVARIANT(O3, m->region.page_is_hot && m->region.hot.n <= data_pages(m));
    m->region.is_watching = false;
    each_side(m, unprotect);
    hd_vec_clear(&m->region.hot);
    hd_vec_clear(&m->region.objects);
    each_side(m, add_hot);
}

static void restore_data(hd_machine *m, size_t n_kept) {
    HD_CHECK(n_kept <= m->region.hot.n);
    uint64_t start = m->module->data_start;
    for (size_t i = n_kept; i < m->region.hot.n; i++)
        memcpy((void *)m->region.hot.at[i].address,
               m->region.pristine + (m->region.hot.at[i].address - start), m->region.hot.at[i].n);
}

/* ---- life ---- */

static int by_address(const void *a, const void *b) {
    const hd_global *x = *(const hd_global *const *)a, *y = *(const hd_global *const *)b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void sort_globals(hd_machine *m) {
    hd_vec_reserve(&m->region.globals, m->image->n_globals + 1);
    for (uint64_t i = 0; i < m->image->n_globals; i++)
        hd_vec_push(&m->region.globals, &m->image->globals[i]);
    for (uint64_t i = 0; i < m->image->n_globals; i++)
        if (m->image->globals[i].begins_copies)
            hd_vec_push(&m->region.copied, &m->image->globals[i]);
    qsort(m->region.globals.at, m->region.globals.n, sizeof *m->region.globals.at, by_address);
}

/* What is of the image and no object of the program: its tables, counters, the rest of pages. */
static void poison_between(uint64_t from, uint64_t to) {
    if (from < to)
        hd_poison(from, to - from, HD_POISON_GLOBAL);
}

/* Code may be read.  Behind each global stands poison already (module.c). */
static void poison_gaps(const hd_machine *m) {
    const hd_module *module = m->module;
    uint64_t at = HD_IMAGE_BASE, end = round_up(module->data_end, HD_PAGE);
    for (size_t i = 0; i <= m->region.globals.n; i++) {
        const hd_global *g = i < m->region.globals.n ? m->region.globals.at[i] : NULL;
        uint64_t next = g ? g->address : end;
        if (at < module->code_end && next >= module->code_end) {
            poison_between(at, module->code_start);
            at = module->code_end;
        }
        poison_between(at, next);
        at = g ? g->address + (g->padded > g->size ? g->padded : g->size) : end;
    }
}

/* Stacks at equal distances would compete for the same few lines of the processor's caches, and for
 * the same entries of its table of pages: each begins a page and some lines further on. */
#define CACHE_LINE      UINT64_C(64)
#define LINES_OF_THREAD 13 /* that a thread uses, about; odd */
#define MOST_SHIFTED    ((HD_FEW_THREADS + 1) * HD_PAGE)

static uint64_t start_of_stack(uint32_t index) {
    HD_ASSERT(index && index < HD_MAX_THREADS);
    uint64_t shift = index % HD_FEW_THREADS * HD_PAGE;
    return shift + (index < HD_FEW_THREADS
                        ? HD_THREAD_STACKS + index * HD_THREAD_STACK
                        : HD_FAR_STACKS + (index - HD_FEW_THREADS) * HD_FAR_STACK);
}

/* Main has the first stack; those of other threads lie far behind it, and are smaller if
 * main's is very big. */
bool hd_memory_stack(hd_machine *m, uint32_t index) {
    hd_thread *t = &m->thread[index];
    uint64_t size = round_up(m->options.stack_size, HD_PAGE), lines = 0;
    HD_ASSERT(index < HD_MAX_THREADS);
    if (t->stack_top)
        return true;
    t->stack_bottom = HD_STACK_BASE + HD_STACK_GUARD;
    if (index) {
        uint64_t room = index < HD_FEW_THREADS ? HD_THREAD_STACK : HD_FAR_STACK;
        if (size > room - HD_STACK_GUARD - MOST_SHIFTED)
            size = room - HD_STACK_GUARD - MOST_SHIFTED;
        size += HD_PAGE;
        lines = index * LINES_OF_THREAD * CACHE_LINE % HD_PAGE;
        t->stack_bottom = start_of_stack(index) + HD_STACK_GUARD;
    }
    if (size > HD_THREAD_STACKS - HD_STACK_BASE - HD_STACK_GUARD || !map_at(t->stack_bottom, size))
        return false;
    t->stack_top = t->stack_dirty = t->stack_bottom + size - lines;
    HD_ASSERT(t->stack_top > t->stack_bottom && t->stack_top < HD_WORLD_BASE);
    return true;
}

static void begin_heap(hd_machine *m, uint32_t index) {
    HD_ASSERT(index < HD_MAX_THREADS);
    uint64_t base = HD_HEAP_BASE + index * HD_THREAD_HEAP, room = HD_THREAD_HEAP;
    if (!m->may.create)
        room = HD_HEAP_LIMIT;
    if (index >= HD_FEW_THREADS) {
        base = HD_FAR_HEAPS + (index - HD_FEW_THREADS) * HD_FAR_HEAP;
        room = HD_FAR_HEAP;
    }
    hd_heap_init(&m->thread[index].heap, base, room, m->options.heap_limit);
}

void hd_memory_need_record(hd_machine *m, uint32_t index) {
    HD_ASSERT(index < HD_MAX_THREADS);
    for (; m->records.n <= index; m->records.n++) {
        hd_thread *t = &m->thread[m->records.n];
        t->spin = &m->records.spins[m->records.n * HD_MAX_SPINS]; /* apart, because few need them */
        begin_heap(m, m->records.n);
    }
}

static void begin(hd_machine *m) {
    m->memory.shared_top = HD_SHARED_BASE;
}

#define SPINS_SIZE (HD_MAX_THREADS * HD_MAX_SPINS * sizeof(hd_spin))

bool hd_memory_init(hd_machine *m, hd_err *err) {
    /* Records and what they point to stay where they are, and cost memory when they are used. */
    m->thread = hd_reserve_new(HD_MAX_THREADS * sizeof *m->thread, false);
    m->records.spins = hd_reserve_new(SPINS_SIZE, false);
    if (!hd_memory_stack(m, 0))
        return hd_err_set(err, "cannot get a stack of %lu bytes for the program",
                          m->options.stack_size);
    m->region.inputs_small =
        (hd_area){HD_INPUT_BASE, HD_INPUT_LIMIT / 2, HD_INPUT_BASE, HD_POISON_INPUT};
    m->region.inputs_big =
        (hd_area){HD_INPUT_BIG, HD_INPUT_LIMIT / 2, HD_INPUT_BIG, HD_POISON_INPUT};
    m->known_inputs.big_top = HD_INPUT_BIG;
    m->region.shared_area =
        (hd_area){HD_SHARED_BASE, HD_SHARED_LIMIT, HD_SHARED_BASE, HD_POISON_HEAP};
    begin(m);
    hd_memory_need_record(m, 0);
    m->running.heap = &m->thread[0].heap;
    HD_ASSERT(m->records.n == 1);
    sort_globals(m);
    poison_gaps(m);
    return true;
}

static void release_records(hd_machine *m) {
    hd_reserve_free(m->records.spins, SPINS_SIZE);
    hd_reserve_free(m->thread, HD_MAX_THREADS * sizeof *m->thread);
    m->thread = NULL;
}

static void release(hd_machine *m) {
    hd_memory_stop_watching(m);
    if (m->region.pristine) {
        restore_data(m, 0);
        hd_reserve_free(m->region.pristine, m->module->data_end - m->module->data_start);
    }
    for (uint32_t i = 0; i < m->records.n; i++) {
        hd_thread *t = &m->thread[i];
        if (t->stack_top)
            munmap((void *)t->stack_bottom, t->stack_top - t->stack_bottom);
        hd_heap_release(&t->heap);
    }
    hd_area_drop(&m->region.inputs_small);
    hd_area_drop(&m->region.inputs_big);
    hd_area_drop(&m->region.shared_area);
    munmap((void *)HD_WORLD_BASE, HD_WORLD_LIMIT);
    free(m->surroundings.pristine);
    free(m->region.page_is_hot);
    free(m->surroundings.node_argv);
    free(m->surroundings.node_environ);
    hd_vec_release(&m->surroundings.objects);
    hd_vec_release(&m->region.hot);
    hd_vec_release(&m->region.objects);
    hd_vec_release(&m->region.globals);
    hd_vec_release(&m->region.copied);
    if (m->thread)
        release_records(m);
}

void hd_memory_note_symbolic(hd_machine *m, uint64_t address, uint64_t n) {
    HD_CHECK(n && hd_in_region(address));
    if (address >= HD_HEAP_BASE)
        return; /* re-poisoned as a whole */
    uint32_t thread = hd_stack_of(m, address);
    if (thread < HD_MAX_THREADS) {
        uint64_t *low = hd_stack_low(m, thread);
        if (address < *low)
            *low = address;
        return;
    }
    hd_unclean_note(m, address, n);
    hd_vec_push(&m->memory.symbolic_globals, ((hd_range){address, n}));
}

/* Host frames that were left without returning are no longer in use. */
void hd_memory_forget_frames(const hd_thread *t) {
    hd_memory_forget_frames_from(t, t->stack_bottom);
}

/* A whole stack takes AddressSanitizer a millisecond. */
void hd_memory_forget_frames_from(const hd_thread *t, uint64_t lowest) {
#ifdef __SANITIZE_ADDRESS__
    uint64_t used = lowest < t->stack_top ? t->stack_top - lowest : 0;
    uint64_t size = t->stack_top - t->stack_bottom, n = used + FRAMES_BELOW;
    uint64_t from = n < size ? t->stack_top - n : t->stack_bottom;
    __asan_unpoison_memory_region((void *)from, t->stack_top - from);
#else
    (void)t, (void)lowest;
#endif
}

#define SCAN UINT64_C(256) /* bytes looked at in one go */

/* Instrumented code needs AVX2 anyway. */
__attribute__((target("avx2"))) static uint64_t skip_zeros(uint64_t from, uint64_t end) {
    for (; from + SCAN <= end; from += SCAN) {
        const __m256i *at = (const __m256i *)from;
        __m256i any = at[0] | at[1] | at[2] | at[3] | at[4] | at[5] | at[6] | at[7];
        if (!_mm256_testz_si256(any, any))
            break;
    }
    return from;
}

/* Below the frames that were in use there are only zeros, mostly: to read them is cheaper than to
 * write them, with many threads above all. */
static void clear_stack(uint64_t low, uint64_t top) {
    low = skip_zeros(low & ~(SCAN - 1), top);
    if (low < top)
        memset((void *)low, 0, top - low);
}

/* Where its shadow was in use, and where the stack itself may have been. */
static uint64_t lowest_shadow(const hd_thread *t) {
    return t->stack_low < t->stack_top ? t->stack_low - HD_LOCAL_PAD : t->stack_top;
}

static uint64_t lowest_frame(const hd_thread *t) {
    uint64_t low = lowest_shadow(t) - HOST_FRAMES - HD_LOCAL_PAD;
    if (t->stack_dirty < low)
        low = t->stack_dirty;
    return low > t->stack_bottom ? low : t->stack_bottom;
}

void hd_memory_stack_in_use(const hd_thread *t, uint64_t *stack, uint64_t *shadow) {
    *shadow = lowest_shadow(t);
    *stack = skip_zeros(lowest_frame(t) & ~(SCAN - 1), t->stack_top);
    HD_CHECK(*stack <= t->stack_top && *shadow <= t->stack_top);
}

uint64_t hd_memory_stack_hash(const hd_thread *t) {
    uint64_t h = 0;
    for (uint64_t at = lowest_frame(t) & ~UINT64_C(7); at < t->stack_top; at += sizeof h)
        h = hd_hash_add(h, *(const uint64_t *)at);
    for (uint64_t at = lowest_shadow(t); at < t->stack_top; at++)
        h = hd_hash_add(h, *HD_SHADOW_OF(at));
    return h;
}

static void clear_shadow(uint64_t low, uint64_t top) {
    if (low >= top)
        return;
    uint64_t words = top - low;
    if (words * sizeof(hd_word) < GIVE_BACK_FROM)
        hd_unpoison(low, words);
    else
        hd_reserve_clear((void *)((uint64_t)HD_SHADOW_OF(low) & ~(HD_PAGE - 1)),
                         words * sizeof(hd_word) + HD_PAGE);
}

/* Up to the given addresses, or the top. */
static void reset_stack(hd_thread *t, uint64_t stack, uint64_t shadow) {
    HD_CHECK(lowest_shadow(t) <= t->stack_top && lowest_frame(t) <= t->stack_top);
    hd_memory_forget_frames_from(t, lowest_frame(t));
    clear_shadow(lowest_shadow(t), shadow < t->stack_top ? shadow : t->stack_top);
    clear_stack(lowest_frame(t), stack < t->stack_top ? stack : t->stack_top);
    t->stack_dirty = t->stack_top;
}

static void reset_shadow_of_globals(hd_machine *m) {
    HD_CHECK_INVARIANT(U1, hd_unclean_is_true(m));
    for (size_t i = 0; i < m->memory.symbolic_globals.n; i++)
        hd_unpoison(m->memory.symbolic_globals.at[i].address, m->memory.symbolic_globals.at[i].n);
    hd_vec_clear(&m->memory.symbolic_globals);
}

static void reset_inputs(hd_machine *m) {
    for (size_t i = 0; i < m->input.objects.n; i++)
        hd_poison(m->input.objects.at[i].address, m->input.objects.at[i].size, HD_POISON_INPUT);
}

static void reset_shared(hd_machine *m) {
    uint64_t n = m->memory.shared_top - HD_SHARED_BASE;
    HD_ASSERT(n <= HD_SHARED_LIMIT);
    if (!n)
        return;
    memset((void *)HD_SHARED_BASE, 0, n);
    hd_poison(HD_SHARED_BASE, n, HD_POISON_HEAP);
    m->memory.shared_top = HD_SHARED_BASE;
}

/* Was the thread gone at the checkpoint, so that nobody has used its stack since then? */
static bool stays(const hd_machine *m, const hd_kept_memory *kept, uint32_t thread) {
    const hd_thread *t = &m->thread[thread];
    if (!kept || thread >= kept->stacks.n || !kept->stacks.at[thread].is_gone)
        return false;
    HD_CHECK_INVARIANT(C3, hd_memory_stack_hash(t) == kept->stacks.at[thread].hash);
    HD_INVARIANT(C3, t->has_ended && t->heap.top == t->heap.area.base);
    return true;
}

static void reset(hd_machine *m, const hd_kept_memory *kept) {
    hd_protections_forget(m);
    for (uint32_t i = 0; i < m->threads.n; i++)
        if (m->thread[i].is_used && !stays(m, kept, i)) {
            bool is_kept = kept && i < kept->stacks.n && kept->stacks.at[i].stack;
            reset_stack(&m->thread[i], is_kept ? kept->stacks.at[i].stack : UINT64_MAX,
                        is_kept ? kept->stacks.at[i].shadow : UINT64_MAX);
            hd_heap_reset(&m->thread[i].heap);
        }
    reset_shared(m);
    reset_shadow_of_globals(m);
    reset_inputs(m);
    restore_data(m, kept ? kept->n_hot : 0);
    if (!kept)
        memcpy((void *)HD_WORLD_BASE, m->surroundings.pristine, m->surroundings.writable);
}

/* ---- checkpoints ---- */

static bool is_simple(const hd_machine *m) {
    return m->memory.shared_top == HD_SHARED_BASE;
}

/* Is part of the range more than objects of the program: registers, or copies of an object for each
 * thread, which are not listed? */
static bool has_more(const hd_machine *m, hd_range r) {
    uint64_t registers = (uint64_t)m->registers;
    bool has_it = registers < r.address + r.n && registers + sizeof *m->registers > r.address;
    return has_it || m->region.copied.n;
}

/* From the first object of the program in the range to the last: a page of a small program is
 * nearly empty, and what else lies in it is poison for the program. */
static hd_range objects_in(const hd_machine *m, hd_range r) {
    uint64_t low = r.address + r.n, high = r.address;
    for (size_t i = 0; i < m->region.globals.n && !has_more(m, r); i++) {
        const hd_global *g = m->region.globals.at[i];
        uint64_t end = g->address + (g->padded > g->size ? g->padded : g->size);
        if (end <= r.address || g->address >= r.address + r.n)
            continue;
        low = g->address < low ? g->address : low;
        high = end > high ? end : high;
    }
    if (low >= high)
        return r;
    low = low < r.address ? r.address : low;
    high = high > r.address + r.n ? r.address + r.n : high;
    return (hd_range){low, high - low};
}

/* Has the rest of a hot piece never changed? */
static bool is_rest_pristine(const hd_machine *m, hd_range hot, hd_range objects) {
    const uint8_t *pristine = m->region.pristine - m->module->data_start;
    uint64_t end = objects.address + objects.n;
    return memcmp((void *)hot.address, pristine + hot.address, objects.address - hot.address) ==
               0 &&
           memcmp((void *)end, pristine + end, hot.address + hot.n - end) == 0;
}

static void keep_objects(hd_machine *m, hd_keeper *k, size_t i) {
    if (i == m->region.objects.n)
        hd_vec_push(&m->region.objects, objects_in(m, m->region.hot.at[i]));
    hd_range r = m->region.objects.at[i];
    HD_CHECK(is_rest_pristine(m, m->region.hot.at[i], r));
    hd_keep(k, (void *)r.address, r.n);
}

/* Stacks are kept with their threads. */
static void keep(hd_machine *m, hd_keeper *k) {
    HD_ASSERT(m->surroundings.writable && m->surroundings.writable <= HD_WORLD_LIMIT);
    hd_keeper_memory(k)->n_hot = m->region.hot.n;
    for (size_t i = 0; i < m->region.hot.n; i++)
        keep_objects(m, k, i);
    hd_keep(k, (void *)HD_WORLD_BASE, m->surroundings.writable);
}

const hd_part hd_part_memory = {"memory",
                                {begin, reset, release, NULL},
                                {is_simple, keep, NULL},
                                HD_PART_NOT_ISOLATED,
                                HD_PART_NO_TASKS};

/* malloc and its family, on the program's own heap.
 *
 * A symbolic size is settled to the concrete one, and that goes on the path: other sizes are
 * other paths. */
#include "machine/libc/libc.h"
#include "machine/tasks/library.h"

#include <errno.h>

#define HERE ((uint64_t)__builtin_return_address(0) - 1)

static void out_of_memory(hd_machine *m) {
    hd_errno_set(m, ENOMEM);
}

static void *allocate(hd_machine *m, uint64_t size, uint64_t alignment, uint64_t pc) {
    void *p = hd_heap_alloc(m->running.heap, size, alignment, pc);
    HD_CHECK((uint64_t)p % alignment == 0);
    if (p)
        hd_fresh_begin(m, p, size);
    else
        out_of_memory(m);
    return p;
}

void *hd_libc_malloc(size_t size) {
    hd_machine *m = hd_enter();
    hd_settle_argument(m, hd_take_arguments(m), 0);
    return allocate(m, size, 16, HERE);
}

void *hd_libc_calloc(size_t n, size_t size) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m), bytes;
    hd_settle_argument(m, passed, 0);
    hd_settle_argument(m, passed, 1);
    void *p = __builtin_mul_overflow(n, size, &bytes)
                  ? NULL
                  : hd_heap_calloc(m->running.heap, bytes, HERE);
    if (!p)
        out_of_memory(m);
    return p;
}

static bool is_power_of_two(uint64_t x) {
    return x && (x & (x - 1)) == 0;
}

void *hd_libc_aligned_alloc(size_t alignment, size_t size) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_settle_argument(m, passed, 0);
    hd_settle_argument(m, passed, 1);
    if (!is_power_of_two(alignment)) {
        hd_errno_set(m, EINVAL);
        return NULL;
    }
    return allocate(m, size, alignment, HERE);
}

int hd_libc_posix_memalign(void **out, size_t alignment, size_t size) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    for (unsigned i = 0; i < 3; i++)
        hd_settle_argument(m, passed, i);
    if (!is_power_of_two(alignment) || alignment < sizeof(void *))
        return EINVAL;
    void *p = hd_heap_alloc(m->running.heap, size, alignment, HERE);
    if (!p)
        return ENOMEM;
    hd_fresh_begin(m, p, size);
    hd_library_store(m, out, &p, sizeof p);
    return 0;
}

/* ---- free ---- */

static _Noreturn void end_bad_free(hd_machine *m, uint64_t address) {
    hd_object o;
    bool is_known = hd_object_near(m, address, &o);
    const char *what = !is_known                    ? "no object"
                       : o.kind == HD_OBJECT_HEAP   ? "the inside of a heap block"
                       : o.kind == HD_OBJECT_GLOBAL ? "a global object"
                       : o.kind == HD_OBJECT_LOCAL  ? "a local object"
                                                    : "the inside of an input object";
    hd_end_finding(m, HD_FINDING_BAD_FREE, 0, "free of a pointer to %s", what);
}

/* Objects behind input pointers count as allocated: programs free what they are given. */
static void free_input(hd_machine *m, uint64_t address) {
    HD_ASSERT(address >= HD_INPUT_BASE && hd_in_region(address));
    for (size_t i = 0; i < m->input.objects.n; i++) {
        hd_input_object *o = &m->input.objects.at[i];
        if (o->address != address)
            continue;
        if (o->is_freed)
            hd_end_finding(m, HD_FINDING_DOUBLE_FREE, 0,
                           "the input object of %lu bytes is freed "
                           "a second time",
                           o->size);
        o->is_freed = true;
        hd_poison(o->address, o->size, HD_POISON_FREED);
        return;
    }
    end_bad_free(m, address);
}

static hd_block *find_block(const hd_machine *m, uint64_t address) {
    bool is_heap = address - HD_HEAP_BASE < HD_HEAP_LIMIT;
    return is_heap ? hd_heap_block(hd_heap_of(m, address), address) : NULL;
}

static hd_block *live_block(hd_machine *m, uint64_t address) {
    hd_block *b = find_block(m, address);
    if (!b && hd_is_external(address, 1))
        hd_end_external(m, true, 0);
    if (!b)
        end_bad_free(m, address);
    if (b->is_free)
        hd_end_finding(m, HD_FINDING_DOUBLE_FREE, 0,
                       "a heap block of %lu bytes is freed a second time", b->size);
    return b;
}

/* For other threads a block that is freed is written as a whole. */
static void free_visibly(hd_machine *m, uint64_t address) {
    const hd_block *b = find_block(m, address);
    const hd_input_object *o = b ? NULL : hd_inputs_object_at(m, address);
    uint64_t size = b ? b->size : o && o->address == address ? o->size : 0;
    uint32_t site = 0;
    if (!b && !size)
        return;
    if (hd_is_threaded(m)) {
        uint32_t n = size < UINT32_MAX ? (uint32_t)size + !size : UINT32_MAX;
        hd_action a = hd_action_on(m, HD_DO_FREE, 0, (const void *)address, n, HD_MODE_WRITE);
        a.access[0].is_atomic = false;
        hd_visible(m, &a);
        site = a.site;
    }
    hd_sync_check_gone(m, address, size, site);
}

static void release(hd_machine *m, uint64_t address, uint64_t pc) {
    if (hd_is_external(address, 1)) /* external code allocated it: it is left alone */
        hd_approximate_call(m, "free of memory of external code");
    else if (address >= HD_INPUT_BASE && hd_in_region(address))
        free_input(m, address);
    else {
        hd_block *b = live_block(m, address);
        hd_heap *h = hd_heap_of(m, address);
        HD_ASSERT(b->address == address && !b->is_free);
        hd_heap_free_block(h, b, pc, h != m->running.heap);
    }
}

void hd_program_free(hd_machine *m, void *p, uint64_t pc) {
    if (!p)
        return;
    free_visibly(m, (uint64_t)p);
    release(m, (uint64_t)p, pc);
}

void hd_libc_free(void *p) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_program_free(m, p, HERE);
}

static void copy_with_shadow(uint64_t to, uint64_t from, uint64_t n) {
    HD_ASSERT(hd_in_region(to) && hd_in_region(from));
    memcpy((void *)to, (const void *)from, n);
    memcpy(HD_SHADOW_OF(to), HD_SHADOW_OF(from), n * sizeof(hd_word));
}

static void *reallocate(hd_machine *m, void *p, uint64_t size, uint64_t pc) {
    if (!p)
        return allocate(m, size, 16, pc);
    uint64_t address = (uint64_t)p, have;
    free_visibly(m, address);
    if (address >= HD_INPUT_BASE && hd_in_region(address)) {
        const hd_input_object *o = hd_inputs_object_at(m, address);
        have = o && o->address == address && !o->is_freed ? o->size : 0;
    } else
        have = live_block(m, address)->size;
    void *new = size ? allocate(m, size, 16, pc) : NULL;
    if (!new && size)
        return NULL;
    if (new)
        copy_with_shadow((uint64_t)new, address, size < have ? size : have);
    release(m, address, pc);
    return new;
}

void *hd_libc_realloc(void *p, size_t size) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    return reallocate(m, p, size, HERE);
}

void *hd_libc_reallocarray(void *p, size_t n, size_t size) {
    hd_machine *m = hd_enter();
    uint64_t bytes;
    hd_settle_arguments(m);
    if (__builtin_mul_overflow(n, size, &bytes)) {
        out_of_memory(m);
        return NULL;
    }
    return reallocate(m, p, bytes, HERE);
}

size_t hd_libc_malloc_usable_size(void *p) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    return p ? live_block(m, (uint64_t)p)->size : 0;
}

void *hd_libc_hidden_block(size_t n) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    void *p = hd_heap_alloc_hidden(m->running.heap, n);
    if (!p)
        out_of_memory(m);
    return p;
}

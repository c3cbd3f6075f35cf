/* Which object an address belongs to, and what to say about an access that misses it.
 *
 * Heap blocks, globals and input objects have tables; a local is found in the shadow itself,
 * because its poisoned borders are the only record of it. */
#include "machine/memory/memory.h"

#include <stdio.h>

#define LOCAL_REACH 4096 /* words searched beside a poisoned address for the object meant */

static bool is_poison_at(uint64_t address) {
    return HD_WORD_IS_POISON(*HD_SHADOW_OF(address));
}

bool hd_global_near(const hd_machine *m, uint64_t address, hd_object *out) {
    size_t low = 0, high = m->region.globals.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (m->region.globals.at[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    const hd_global *g = m->region.globals.at[low - 1];
    *out = (hd_object){.kind = HD_OBJECT_GLOBAL,
                       .base = g->address,
                       .size = g->size,
                       .name = g->name,
                       .is_constant = g->is_constant};
    HD_CHECK(g->address <= address && hd_in_region(g->address));
    return address < g->address + (g->padded > g->size ? g->padded : g->size);
}

static bool world_near(const hd_machine *m, uint64_t address, hd_object *out) {
    for (size_t i = m->surroundings.objects.n; i-- > 0;)
        if (m->surroundings.objects.at[i].base <= address) {
            *out = m->surroundings.objects.at[i];
            return true;
        }
    return false;
}

static bool is_border(uint64_t address) {
    hd_word w = *HD_SHADOW_OF(address);
    return w == HD_POISON_LOCAL || w == HD_POISON_PRIVATE;
}

/* The run of accessible bytes around `address` in the stack, if it has a border on both
 * sides.  Other accessible bytes are saved registers and unused stack, which no pointer of
 * the program means. */
static bool local_around(uint64_t bottom, uint64_t top, uint64_t address, hd_object *out) {
    HD_CHECK(bottom <= address && address <= top);
    uint64_t low = address, high = address;
    while (low > bottom && !is_poison_at(low - 1))
        low--;
    while (high < top && !is_poison_at(high))
        high++;
    *out = (hd_object){.kind = HD_OBJECT_LOCAL, .base = low, .size = high - low};
    return low < high && low > bottom && high < top && is_border(low - 1) && is_border(high);
}

static bool local_near(const hd_machine *m, uint64_t address, hd_object *out) {
    uint32_t thread = hd_stack_of(m, address);
    if (thread == HD_MAX_THREADS || !m->thread[thread].is_used)
        return false;
    uint64_t top = m->thread[thread].stack_top;
    uint64_t bottom = *hd_stack_low((hd_machine *)m, thread) - HD_LOCAL_PAD;
    if (address >= bottom && !is_poison_at(address) && local_around(bottom, top, address, out))
        return true;
    for (uint64_t d = 1; d < LOCAL_REACH; d++) {
        /* the byte next to a border */
        if (address - d > bottom && is_border(address - d + 1) && !is_poison_at(address - d) &&
            local_around(bottom, top, address - d, out))
            return true;
        if (address + d < top && address + d > bottom && is_border(address + d - 1) &&
            !is_poison_at(address + d) && local_around(bottom, top, address + d, out))
            return true;
    }
    return false;
}

static bool heap_near(const hd_machine *m, uint64_t address, hd_object *out) {
    const hd_block *b = address - HD_HEAP_BASE < HD_HEAP_LIMIT
                            ? hd_heap_near(hd_heap_of(m, address), address)
                            : NULL;
    if (!b)
        return false;
    HD_ASSERT(b->size <= b->room);
    *out = (hd_object){.kind = HD_OBJECT_HEAP, .base = b->address, .size = b->size, .block = b};
    return true;
}

bool hd_input_near(const hd_machine *m, uint64_t address, hd_object *out) {
    const hd_input_object *best = NULL;
    for (size_t i = 0; i < m->input.objects.n; i++) {
        const hd_input_object *o = &m->input.objects.at[i];
        if (o->address <= address + 16 && (!best || o->address > best->address))
            best = o;
    }
    if (!best)
        return false;
    *out = (hd_object){.kind = HD_OBJECT_INPUT,
                       .base = best->address,
                       .size = best->size,
                       .name = hd_variables_info(m->variables, best->owner)->name};
    return true;
}

bool hd_object_near(const hd_machine *m, uint64_t address, hd_object *out) {
    *out = (hd_object){0};
    if (!hd_in_region(address))
        return false;
    if (address < HD_STACK_BASE)
        return hd_global_near(m, address, out);
    if (address < HD_WORLD_BASE)
        return local_near(m, address, out);
    if (address < HD_HEAP_BASE)
        return address < m->surroundings.top && world_near(m, address, out);
    if (address < HD_INPUT_BASE)
        return heap_near(m, address, out);
    return hd_input_near(m, address, out);
}

bool hd_object_at(const hd_machine *m, uint64_t address, hd_object *out) {
    return hd_in_region(address) && !is_poison_at(address) && hd_object_near(m, address, out) &&
           address - out->base < out->size;
}

/* ---- all of them ---- */

typedef struct listing {
    hd_objects *out;
    uint64_t least; /* size */
} listing;

static void list(listing *l, hd_object o) {
    if (o.size >= l->least && !is_poison_at(o.base))
        hd_vec_push(l->out, o);
}

static void list_globals(const hd_machine *m, listing *l) {
    for (size_t i = 0; i < m->region.globals.n; i++)
        list(l, (hd_object){.kind = HD_OBJECT_GLOBAL,
                            .base = m->region.globals.at[i]->address,
                            .size = m->region.globals.at[i]->size,
                            .name = m->region.globals.at[i]->name,
                            .is_constant = m->region.globals.at[i]->is_constant});
}

static void list_locals(const hd_machine *m, uint32_t thread, listing *l) {
    HD_ASSERT(thread < m->records.n && m->thread[thread].is_used);
    uint64_t top = m->thread[thread].stack_top;
    uint64_t bottom = *hd_stack_low((hd_machine *)m, thread) - HD_LOCAL_PAD;
    hd_object o;
    for (uint64_t at = bottom; at + 1 < top; at++)
        if (is_border(at) && !is_poison_at(at + 1) && local_around(bottom, top, at + 1, &o)) {
            list(l, o);
            at += o.size;
        }
}

static void list_blocks(const hd_heap *h, listing *l) {
    for (size_t i = 0; i < h->blocks.n; i++)
        if (!h->blocks.at[i].is_free)
            list(l, (hd_object){.kind = HD_OBJECT_HEAP,
                                .base = h->blocks.at[i].address,
                                .size = h->blocks.at[i].size,
                                .block = &h->blocks.at[i]});
}

void hd_objects_list(const hd_machine *m, hd_objects *out, uint64_t least) {
    HD_ASSERT(m->threads.n <= m->records.n);
    listing l = {out, least ? least : 1};
    hd_vec_clear(out);
    list_globals(m, &l);
    for (uint32_t t = 0; t < m->threads.n; t++)
        if (m->thread[t].is_used) {
            list_locals(m, t, &l);
            list_blocks(&m->thread[t].heap, &l);
        }
    for (size_t i = 0; i < m->surroundings.objects.n; i++)
        list(&l, m->surroundings.objects.at[i]);
    for (size_t i = 0; i < m->input.objects.n; i++)
        list(&l, (hd_object){.kind = HD_OBJECT_INPUT,
                             .base = m->input.objects.at[i].address,
                             .size = m->input.objects.at[i].size});
}

static hd_finding_kind kind_of(hd_word poison) {
    switch (poison) {
    case HD_POISON_FREED:
        return HD_FINDING_USE_AFTER_FREE;
    case HD_POISON_RETURNED:
    case HD_POISON_THREAD:
        return HD_FINDING_USE_AFTER_RETURN;
    case HD_POISON_SCOPE:
        return HD_FINDING_USE_AFTER_SCOPE;
    case HD_POISON_ARGUMENT:
        return HD_FINDING_MISSING_ARGUMENT;
    default:
        return HD_FINDING_OUT_OF_BOUNDS;
    }
}

#define S(n) ((n) == 1 ? "" : "s")

static void describe_object(const hd_object *o, char *out, size_t n) {
    switch (o->kind) {
    case HD_OBJECT_HEAP:
        HD_ASSERT(o->block);
        snprintf(out, n, "a%s heap block of %lu byte%s", o->block->is_free ? " freed" : "", o->size,
                 S(o->size));
        break;
    case HD_OBJECT_GLOBAL:
        snprintf(out, n, "global '%s' of %lu byte%s", o->name ? o->name : "?", o->size, S(o->size));
        break;
    case HD_OBJECT_LOCAL:
        snprintf(out, n, "a local object of %lu byte%s", o->size, S(o->size));
        break;
    case HD_OBJECT_INPUT:
        snprintf(out, n, "the input object of %lu byte%s behind '%s'", o->size, S(o->size),
                 o->name);
        break;
    case HD_OBJECT_NONE:
        snprintf(out, n, "no object");
        break;
    }
}

/* "4 bytes behind", "inside", ... of the byte that must not be touched. */
static void describe_place(const hd_object *o, uint64_t bad, char *out, size_t n) {
    if (bad < o->base)
        snprintf(out, n, "%lu byte%s before", o->base - bad, S(o->base - bad));
    else if (bad == o->base + o->size)
        snprintf(out, n, "right behind the end of");
    else if (bad > o->base + o->size)
        snprintf(out, n, "%lu byte%s behind the end of", bad - o->base - o->size,
                 S(bad - o->base - o->size));
    else
        snprintf(out, n, "at offset %lu of", bad - o->base);
}

/* The words of a local object lie right before it (__hd_local_name). */
static const char *words_of_scope(const hd_machine *m, uint64_t bad) {
    HD_ASSERT(*HD_SHADOW_OF(bad) == HD_POISON_SCOPE);
    const char *words;
    uint32_t thread = hd_stack_of(m, bad);
    if (thread == HD_MAX_THREADS)
        return "a local whose scope has ended";
    while (bad > m->thread[thread].stack_bottom && *HD_SHADOW_OF(bad - 1) == HD_POISON_SCOPE)
        bad--;
    memcpy(&words, (const void *)(bad - sizeof words), sizeof words);
    uint64_t at = (uint64_t)words;
    bool is_ours = is_border(bad - 1) && at >= HD_IMAGE_BASE && at < m->module->data_end;
    return is_ours ? words : "a local whose scope has ended";
}

/* The copies of far threads are hidden blocks, which have no name. */
static _Noreturn void end_in_thread_local(hd_machine *m, const char *access, uint64_t n,
                                          uint64_t bad, uint32_t site) {
    hd_object o;
    bool has_name = bad < HD_STACK_BASE && hd_global_near(m, bad, &o) && o.name;
    hd_end_finding(m, HD_FINDING_USE_AFTER_RETURN, site,
                   "%s of %lu byte%s in %s%s%s of a thread that has ended", access, n, S(n),
                   has_name ? "thread-local '" : "a thread-local object", has_name ? o.name : "",
                   has_name ? "'" : "");
}

static _Noreturn void end_near_object(hd_machine *m, const char *access, uint64_t n, uint64_t bad,
                                      hd_word poison, uint32_t site) {
    HD_ASSERT(hd_in_region(bad));
    hd_object o;
    hd_finding_kind kind = kind_of(poison);
    char object[256], place[64];
    if (poison == HD_POISON_THREAD)
        end_in_thread_local(m, access, n, bad, site);
    if (poison == HD_POISON_CLOSED)
        hd_end_finding(m, kind, site,
                       "%s of %lu byte%s in memory that was mapped without any access", access, n,
                       S(n));
    if (kind == HD_FINDING_USE_AFTER_RETURN)
        hd_end_finding(m, kind, site, "%s of %lu byte%s in a local of a function that has returned",
                       access, n, S(n));
    if (kind == HD_FINDING_MISSING_ARGUMENT)
        hd_end_finding(m, kind, site, "va_arg of %lu byte%s beyond the arguments that were passed",
                       n, S(n));
    if (kind == HD_FINDING_USE_AFTER_SCOPE)
        hd_end_finding(m, kind, site, "%s of %lu byte%s in %s", access, n, S(n),
                       words_of_scope(m, bad));
    if (!hd_object_near(m, bad, &o))
        hd_end_finding(m, kind, site, "%s of %lu byte%s outside any object", access, n, S(n));
    describe_object(&o, object, sizeof object);
    describe_place(&o, bad, place, sizeof place);
    hd_end_finding(m, kind, site, "%s of %lu byte%s, %s %s", access, n, S(n), place, object);
}

void hd_end_bad_access(hd_machine *m, uint64_t address, uint64_t n, uint64_t bad, bool is_store,
                       uint32_t site) {
    const char *access = is_store ? "write" : "read";
    HD_ASSERT(bad < n || !n);
    if (address + bad < HD_NEAR_NULL)
        hd_end_finding(m, HD_FINDING_NULL_POINTER, site,
                       "%s of %lu byte%s through a null pointer%s", access, n, S(n),
                       address ? " plus an offset" : "");
    if (hd_is_external(address + bad, 1))
        hd_end_external(m, is_store, site);
    if (!hd_in_region(address + bad))
        hd_end_finding(m, HD_FINDING_OUT_OF_BOUNDS, site,
                       "%s of %lu byte%s at %#lx, outside any object", access, n, S(n), address);
    end_near_object(m, access, n, address + bad, *HD_SHADOW_OF(address + bad), site);
}

/* Before the machine or the system writes for the program: the first of n bytes that nobody may. */
static void check_writable(hd_machine *m, uint64_t address, uint64_t n, uint32_t site) {
    for (uint64_t at = address; at < address + n; at = (at | (HD_PAGE - 1)) + 1)
        if (hd_is_read_only(m, at))
            hd_end_finding(m, HD_FINDING_READ_ONLY, site,
                           "write to memory that was mapped for reading only");
}

void hd_check_range(hd_machine *m, uint64_t address, uint64_t n, bool is_store, uint32_t site) {
    if (n == 0)
        return;
    if (__builtin_expect(m->memory.guarded.n != 0, 0) && is_store)
        check_writable(m, address, n, site);
    if (n == sizeof(void *) && address - HD_REGION < HD_REGION_SIZE - n && !hd_any_word(address, n))
        return;
    if (!hd_in_region(address))
        hd_end_bad_access(m, address, n, 0, is_store, site);
    /* Beyond the region there is no shadow; within it poison comes long before the end. */
    uint64_t limit = HD_REGION + HD_REGION_SIZE - address;
    const hd_word *s = HD_SHADOW_OF(address);
    for (uint64_t i = 0; i < n; i++)
        if (i == limit || HD_WORD_IS_POISON(s[i]))
            hd_end_bad_access(m, address, n, i, is_store, site);
}

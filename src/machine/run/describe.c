/* Words for memory, also after the execution: names for stories and reports. */
#include "machine/channels/ipc.h"
#include "machine/libc/streams.h"
#include "program/symbolize.h"

#include <stdio.h>

#define S(n) ((n) == 1 ? "" : "s")

static void describe_offset(char *out, size_t size, const char *name, uint64_t offset) {
    if (offset)
        snprintf(out, size, "%s+%lu", name, offset);
    else
        snprintf(out, size, "%s", name);
}

/* Blocks of the last execution are in the table until the next one. */
static const hd_block *last_block(const hd_machine *m, uint64_t address) {
    const hd_heap *h = hd_heap_of(m, address);
    size_t n = h->blocks.n ? h->blocks.n : h->n_last;
    for (size_t i = 0; i < n; i++) {
        const hd_block *b = &h->blocks.at[i];
        if (address - b->address < (b->size ? b->size : 1))
            return b;
    }
    return NULL;
}

static hd_symbolizer *symbolizer_of(hd_machine *m) {
    if (!m->callers.symbolizer)
        m->callers.symbolizer = hd_symbolizer_new(m->module->directory);
    return m->callers.symbolizer;
}

/* "savings.balance"; "savings+40" where nobody knows what lies there. */
static void describe_global(hd_machine *m, const hd_object *o, uint64_t address, char *out,
                            size_t size) {
    hd_text path = {0};
    if (hd_fields_of_global(hd_symbolizer_fields(symbolizer_of(m)), o->base, address - o->base,
                            &path))
        snprintf(out, size, "%s%s", o->name, path.n ? hd_text_string(&path) : "");
    else
        describe_offset(out, size, o->name, address - o->base);
    hd_text_release(&path);
}

/* Words for the block at an address.  Are they a name? */
static bool describe_block(hd_machine *m, uint64_t address, char *out, size_t size) {
    const hd_block *b = last_block(m, address);
    if (!b)
        return false;
    hd_finding f;
    hd_stack_of_block(m, b, &f);
    f.file[0] = f.function[0] = '\0';
    hd_text lines = {0}, what = {0};
    hd_symbolizer_stack(symbolizer_of(m), &f, &lines);
    hd_text_release(&lines);
    uint64_t offset = address - b->address;
    bool has_type = hd_fields_of_block(hd_symbolizer_fields(m->callers.symbolizer), b->allocated_at,
                                       b->size, offset, &what);
    if (has_type)
        hd_text_add(&what, " (");
    else if (offset)
        hd_text_add(&what, "byte %lu of the block of %lu byte%s", offset, b->size, S(b->size));
    else
        hd_text_add(&what, "the block of %lu byte%s", b->size, S(b->size));
    if (f.file[0])
        hd_text_add(&what, "%sallocated at %s:%u", has_type ? "" : " ", f.file, f.line);
    if (has_type)
        hd_text_add(&what, "%s)", f.file[0] ? "" : "on the heap");
    snprintf(out, size, "%s", hd_text_string(&what));
    hd_text_release(&what);
    return has_type;
}

/* Up to the words in brackets. */
static size_t length_of_name(const char *text) {
    size_t n = strcspn(text, "(");
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return n;
}

static size_t describe_input(const hd_machine *m, uint64_t address, char *out, size_t size) {
    hd_object o;
    char name[128];
    if (!hd_input_near(m, address, &o) || address < o.base || address - o.base >= o.size)
        return 0;
    snprintf(name, sizeof name, "the object behind '%s'", o.name);
    describe_offset(out, size, name, address - o.base);
    return 0;
}

size_t hd_machine_describe(const hd_machine *m, uint64_t address, char *out, size_t size) {
    hd_object o;
    out[0] = '\0';
    uint32_t thread = hd_stack_of(m, address);
    if (address >> 62)
        snprintf(out, size, "%s", hd_ipc_name_at(m, address));
    else if (hd_stream_locked_by(m, address))
        snprintf(out, size, "%s", hd_stream_locked_by(m, address));
    else if (thread < HD_MAX_THREADS) {
        snprintf(out, size, "a local of thread %u", thread);
        return 0;
    } else if (address - HD_HEAP_BASE < HD_HEAP_LIMIT)
        return describe_block((hd_machine *)m, address, out, size) ? length_of_name(out) : 0;
    else if (address >= HD_INPUT_BASE)
        return describe_input(m, address, out, size);
    else if (address < HD_STACK_BASE && hd_in_region(address) && hd_global_near(m, address, &o) &&
             o.name)
        describe_global((hd_machine *)m, &o, address, out, size);
    return length_of_name(out);
}

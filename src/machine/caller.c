/* Which place of the program called this model of the C library?
 *
 * Calls do not pass their site, so it is found as a debugger would: from the return addresses
 * through the debug information to a line, and from there to a site of that line.  That takes
 * milliseconds and is remembered by the return addresses. */
#include "machine/machine_int.h"

#include "machine/symbolize.h"

#define MAX_FRAMES 8                /* the caller of the models is among the innermost */
#define DEEP       UINT64_C(131072) /* stack that libdw may leave dirty */

static uint32_t find_site(const hd_machine *m, const hd_finding *f) {
    for (uint32_t i = 1; f->file[0] && i < m->image->n_sites; i++) {
        const hd_site *s = &m->image->sites[i];
        if (s->line == f->line && s->file && strcmp(s->file, f->file) == 0)
            return i;
    }
    return 0;
}

static uint32_t look_up(hd_machine *m, hd_finding *f, const void *frame) {
    uint64_t low = (uint64_t)frame - DEEP;
    if (low < m->stack_bottom + HD_STACK_MARGIN)
        return 0;
    if (low < m->stack_dirty)
        m->stack_dirty = low;
    if (!m->symbolizer)
        m->symbolizer = hd_symbolizer_new(m->module->directory);
    hd_text lines = {0};
    hd_symbolizer_stack(m->symbolizer, f, &lines);
    hd_text_release(&lines);
    return find_site(m, f);
}

uint32_t hd_caller_site(hd_machine *m, const void *frame) {
    hd_finding f;
    f.n_stack = 0;
    f.file[0] = f.function[0] = '\0';
    hd_stack_walk(m, &f, frame);
    if (f.n_stack == 0)
        return 0;
    if (f.n_stack > MAX_FRAMES)
        f.n_stack = MAX_FRAMES;
    uint64_t key = hd_hash_bytes(f.n_stack, f.stack, f.n_stack * sizeof *f.stack) & INT64_MAX;
    const uint64_t *known = hd_map_find(&m->caller_sites, key);
    if (known)
        return (uint32_t)*known;
    uint32_t site = look_up(m, &f, frame);
    hd_map_put(&m->caller_sites, key, site);
    return site;
}

uint32_t hd_users_site(hd_machine *m, uint32_t site, const void *frame) {
    const char *file = site < m->image->n_sites ? m->image->sites[site].file : NULL;
    if (site && file && !hd_finding_is_model(file))
        return site;
    uint32_t caller = hd_caller_site(m, frame);
    return caller ? caller : site;
}

/* Which place of the program called this model of the C library?
 *
 * Calls do not pass their site, so it is found as a debugger would: from the return addresses
 * through the debug information to a line, and from there to a site of that line.  That takes
 * milliseconds and is remembered by the return addresses: by the innermost alone, if it is in no
 * model, because every lock and unlock of a program with threads asks. */
#include "machine/core/parts.h"
#include "machine/memory/memory.h"

#include "program/symbolize.h"

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
    if (low < m->running.stack_bottom + HD_STACK_MARGIN)
        return 0;
    if (low < m->running.stack_dirty)
        m->running.stack_dirty = low;
    if (!m->callers.symbolizer)
        m->callers.symbolizer = hd_symbolizer_new(m->module->directory);
    uint32_t site =
        0; /* a line that does nothing but call has none: then where it was called from */
    for (uint32_t n = f->n_stack, i = 0; i < n && !site; i++) {
        hd_finding rest = {.n_stack = n - i};
        memcpy(rest.stack, f->stack + i, (n - i) * sizeof *f->stack);
        hd_text lines = {0};
        hd_symbolizer_stack(m->callers.symbolizer, &rest, &lines);
        hd_text_release(&lines);
        site = find_site(m, &rest);
    }
    return site;
}

/* The innermost return address into the program, 0 if there is none nearby, NOWHERE if there is
 * none at all: main has returned, and the program ends. */
#define NOWHERE 1
static uint64_t innermost(const hd_machine *m, const void *frame) {
    const uint64_t *at = frame;
    for (unsigned i = 0; i < MAX_FRAMES && (uint64_t)at - m->running.stack_bottom <
                                               m->running.stack_top - m->running.stack_bottom;
         i++) {
        if (at[1] - m->module->code_start < m->module->code_end - m->module->code_start)
            return at[1];
        at = (const uint64_t *)at[0];
    }
    return at ? 0 : NOWHERE;
}

uint64_t hd_caller_pc(const hd_machine *m, const void *frame) {
    uint64_t pc = innermost(m, frame);
    return pc > NOWHERE ? pc - 1 : 0;
}

uint64_t hd_program_boundary(const hd_machine *m, const void *frame) {
    const uint64_t *at = frame;
    while ((uint64_t)at - m->running.stack_bottom <
               m->running.stack_top - m->running.stack_bottom &&
           at[1] - m->module->code_start >= m->module->code_end - m->module->code_start)
        at = (const uint64_t *)at[0];
    return (uint64_t)at;
}

/* The place is known by the innermost address if no model is between. */
static bool is_users(hd_machine *m, uint64_t pc) {
    HD_ASSERT(m->callers.symbolizer && pc > NOWHERE);
    hd_finding f;
    hd_text lines = {0};
    f.n_stack = 1;
    f.stack[0] = pc - 1;
    f.file[0] = f.function[0] = '\0';
    hd_symbolizer_stack(m->callers.symbolizer, &f, &lines);
    hd_text_release(&lines);
    return f.file[0] != '\0' && !hd_finding_is_model(f.file);
}

static uint32_t find_by_stack(hd_machine *m, const void *frame) {
    hd_finding f;
    f.n_stack = 0;
    f.file[0] = f.function[0] = '\0';
    hd_stack_walk(m, &f, frame);
    if (f.n_stack == 0)
        return 0;
    if (f.n_stack > MAX_FRAMES)
        f.n_stack = MAX_FRAMES;
    HD_ASSERT(f.n_stack <= sizeof f.stack / sizeof *f.stack);
    uint64_t key = hd_hash_bytes(f.n_stack, f.stack, f.n_stack * sizeof *f.stack) & INT64_MAX;
    const uint64_t *known = hd_map_find(&m->callers.sites, key);
    if (known)
        return (uint32_t)*known;
    uint32_t site = look_up(m, &f, frame);
    hd_map_put(&m->callers.sites, key, site);
    return site;
}

/* What is remembered of a return address: 1 + its site, 0 if a model is there. */
static uint64_t find_by_address(hd_machine *m, uint64_t pc, const void *frame) {
    HD_ASSERT(pc > NOWHERE);
    const uint64_t *known = hd_map_find(&m->callers.sites, pc);
    if (known)
        return *known;
    uint32_t site = find_by_stack(m, frame);
    uint64_t answer = m->callers.symbolizer && is_users(m, pc) ? (uint64_t)site + 1 : 0;
    hd_map_put(&m->callers.sites, pc, answer);
    return answer;
}

uint32_t hd_caller_site(hd_machine *m, const void *frame) {
    uint64_t pc = innermost(m, frame);
    hd_place_cache *cache = &m->callers.cache[(pc ^ pc >> 8) % HD_N_CALLERS];
    if (pc && cache->pc == pc)
        return cache->site;
    if (pc == NOWHERE)
        return 0;
    uint64_t found = pc ? find_by_address(m, pc, frame) : 0;
    if (!found)
        return find_by_stack(m, frame);
    *cache = (hd_place_cache){pc, (uint32_t)(found - 1)};
    HD_ASSERT(!cache->site || cache->site < m->image->n_sites);
    return cache->site;
}

uint32_t hd_users_site(hd_machine *m, uint32_t site, const void *frame) {
    const char *file = site < m->image->n_sites ? m->image->sites[site].file : NULL;
    if (site && file && !hd_finding_is_model(file))
        return site;
    uint32_t caller = hd_caller_site(m, frame);
    return caller ? caller : site;
}

static void release(hd_machine *m) {
    hd_map_release(&m->callers.sites);
    hd_symbolizer_free(m->callers.symbolizer);
}

const hd_part hd_part_places = {"places",
                                {NULL, NULL, release, NULL},
                                HD_PART_NO_CHECKPOINT,
                                HD_PART_NOT_ISOLATED,
                                HD_PART_NO_TASKS};

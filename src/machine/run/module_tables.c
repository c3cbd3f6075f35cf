/* Every address of the tables, before somebody follows it (module_tables.h). */
#include "machine/run/module_tables.h"

#include <stddef.h>
#include <string.h>

/* The segment that has all of it. */
static const struct hd_segment *segment_of(const hd_segments *s, const void *at, uint64_t n) {
    uint64_t address = (uint64_t)at;
    for (unsigned i = 0; i < s->n; i++) {
        const struct hd_segment *g = &s->at[i];
        if (g->is_readable && address >= g->start && address <= g->end && n <= g->end - address)
            return g;
    }
    return NULL;
}

static bool is_table(const hd_segments *s, const void *at, uint64_t n, size_t size) {
    return n <= HD_IMAGE_LIMIT / size &&
           (n == 0 || (segment_of(s, at, n * size) && (uint64_t)at % 8 == 0));
}

static bool is_written(const hd_segments *s, const void *at, uint64_t n) {
    const struct hd_segment *g = segment_of(s, at, n);
    return n <= HD_IMAGE_LIMIT && g && g->is_writable;
}

static bool is_text(const hd_segments *s, const char *text) {
    const struct hd_segment *g = segment_of(s, text, 1);
    return g && memchr(text, '\0', g->end - (uint64_t)text);
}

static bool may_be_text(const hd_segments *s, const char *text) {
    return !text || is_text(s, text);
}

static bool are_imports(const hd_image *image, const hd_segments *s) {
    if (!is_table(s, image->imports, image->n_imports, sizeof *image->imports) ||
        (image->n_imports && !is_written(s, image->imports, 1)))
        return false;
    for (uint64_t n = 0; n < image->n_imports; n++) {
        const hd_import *i = &image->imports[n];
        if (!is_text(s, i->name) || (i->is_data && !is_written(s, (void *)i->address, i->size)))
            return false;
    }
    return true;
}

static bool are_globals(const hd_image *image, const hd_segments *s) {
    if (!is_table(s, image->globals, image->n_globals, sizeof *image->globals))
        return false;
    for (uint64_t n = 0; n < image->n_globals; n++) {
        const hd_global *g = &image->globals[n];
        if (g->size > g->padded || !segment_of(s, (void *)g->address, g->padded) ||
            !may_be_text(s, g->name) || !may_be_text(s, g->file))
            return false;
    }
    return true;
}

static bool are_sites(const hd_image *image, const hd_segments *s) {
    if (!image->n_sites || !is_table(s, image->sites, image->n_sites, sizeof *image->sites))
        return false;
    for (uint64_t n = 0; n < image->n_sites; n++) {
        const hd_site *at = &image->sites[n];
        if (!may_be_text(s, at->function) || !may_be_text(s, at->file) ||
            (at->branch != UINT32_MAX && at->branch >= image->n_branches))
            return false;
    }
    return true;
}

static bool are_programs(const hd_image *image, const hd_segments *s) {
    if (!image->n_programs ||
        !is_table(s, image->programs, image->n_programs, sizeof *image->programs))
        return false;
    for (uint64_t n = 0; n < image->n_programs; n++)
        if (!is_text(s, image->programs[n].name))
            return false;
    return true;
}

/* Ways, counters and bits lie together (HD_COVERAGE_BYTES). */
static bool is_counted(const hd_image *image, const hd_segments *s) {
    uint64_t ways = (uint64_t)image->coverage, counters = (uint64_t)image->counters;
    if (image->n_branches > HD_IMAGE_LIMIT || image->n_counters > HD_IMAGE_LIMIT ||
        counters < ways || image->n_vectors > 2 * image->n_branches ||
        counters - ways < 2 * image->n_branches)
        return false;
    return image->unclean == image->counters + image->n_counters &&
           is_written(s, image->coverage, HD_COVERAGE_BYTES(image));
}

const char *hd_image_wrong(const hd_image *image, const hd_segments *s) {
    return !are_imports(image, s)    ? "its imports are not in it"
           : !are_globals(image, s)  ? "its globals are not in it"
           : !are_sites(image, s)    ? "its places are not in it"
           : !are_programs(image, s) ? "its programs are not in it"
           : !is_counted(image, s)   ? "its counters are not in it"
           : !is_written(s, image->registers, sizeof *image->registers)
               ? "its registers are not in it"
               : NULL;
}

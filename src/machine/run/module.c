/* Loading an image: map the segments where they were linked, then fill the tables.
 *
 * The file is not trusted: a damaged cache must give a sentence, not a crash, so every
 * number is checked against the file and the image's limits before it is used. */
#include "machine/libc/libc.h"
#include "machine/run/module_tables.h"

#include "base/reserve.h"
#include "program/module_fingerprint.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_loaded; /* L1 */
static bool has_shadow;

typedef struct file {
    const char *path;
    int descriptor;
    uint64_t size;
    Elf64_Ehdr header;
    hd_segments segments;
    uint64_t constants_start, constants_end; /* pages that are written while the module is loaded */
} file;

static bool damaged(const file *f, const char *what, hd_err *err) {
    hd_err_set(err, "the module '%s' is damaged: %s", f->path, what);
    return hd_err_hint(err, "remove it from the cache and compile again");
}

static bool cannot_open(const char *path, hd_err *err) {
    hd_err_set(err, "cannot open the module '%s': %s", path, strerror(errno));
    return hd_err_hint(err, "a run keeps its compiled program in its directory: explore again with "
                            "'heddle run', or take a copy of the whole directory");
}

static bool read_at(const file *f, void *to, size_t n, uint64_t offset) {
    return offset <= f->size && n <= f->size - offset &&
           pread(f->descriptor, to, n, (off_t)offset) == (ssize_t)n;
}

static bool find_image(file *f, hd_err *err) {
    struct stat status;
    f->descriptor = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f->descriptor < 0 || fstat(f->descriptor, &status) != 0)
        return cannot_open(f->path, err);
    f->size = (uint64_t)status.st_size;
    return true;
}

static bool read_header(file *f, hd_err *err) {
    const Elf64_Ehdr *h = &f->header;
    if (!read_at(f, &f->header, sizeof f->header, 0) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return damaged(f, "it is no ELF file", err);
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_machine != EM_X86_64 || h->e_type != ET_EXEC)
        return damaged(f, "it is no x86-64 image", err);
    return true;
}

static int protection_of(const Elf64_Phdr *p) {
    return (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_W ? PROT_WRITE : 0) |
           (p->p_flags & PF_X ? PROT_EXEC : 0);
}

static void note_segment(hd_module *m, const Elf64_Phdr *p) {
    uint64_t start = p->p_vaddr, end = p->p_vaddr + p->p_memsz;
    HD_ASSERT(start < end && start >= HD_IMAGE_BASE);
    if (p->p_flags & PF_W) {
        m->data_start = m->data_end && m->data_start < start ? m->data_start : start;
        m->data_end = m->data_end > end ? m->data_end : end;
    }
    if (p->p_flags & PF_X) {
        m->code_start = m->code_end && m->code_start < start ? m->code_start : start;
        m->code_end = m->code_end > end ? m->code_end : end;
    }
}

/* Anonymous memory with the file's bytes copied in: a page of the file that changes under
 * us would change the program. */
static bool map_segment(hd_module *m, file *f, const Elf64_Phdr *p, hd_err *err) {
    uint64_t first = p->p_vaddr & ~(HD_PAGE - 1);
    if (p->p_vaddr < HD_IMAGE_BASE || p->p_memsz > HD_IMAGE_LIMIT ||
        p->p_vaddr - HD_IMAGE_BASE > HD_IMAGE_LIMIT - p->p_memsz || p->p_filesz > p->p_memsz)
        return damaged(f, "a segment lies outside the image", err);
    uint64_t end = (p->p_vaddr + p->p_memsz + HD_PAGE - 1) & ~(HD_PAGE - 1);
    if (!hd_reserve_at((void *)first, end - first))
        return hd_err_set(err, "cannot map the module '%s': %s", f->path, strerror(errno));
    if (!read_at(f, (void *)p->p_vaddr, p->p_filesz, p->p_offset))
        return damaged(f, "it is too short", err);
    mprotect((void *)first, end - first, protection_of(p));
    f->segments.at[f->segments.n++] = (struct hd_segment){p->p_vaddr, p->p_vaddr + p->p_memsz,
                                                          p->p_flags & PF_R, p->p_flags & PF_W};
    note_segment(m, p);
    return true;
}

/* Whole pages only: what shares the last one stays writable. */
static void note_constants(file *f, const Elf64_Phdr *p) {
    f->constants_start = p->p_vaddr & ~(HD_PAGE - 1);
    f->constants_end = (p->p_vaddr + p->p_memsz) & ~(HD_PAGE - 1);
}

static bool map_segments(hd_module *m, file *f, hd_err *err) {
    if (f->header.e_phnum > HD_MOST_SEGMENTS)
        return damaged(f, "it has too many segments", err);
    for (unsigned i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr p;
        if (!read_at(f, &p, sizeof p, f->header.e_phoff + i * sizeof p))
            return damaged(f, "it is too short", err);
        if (p.p_type == PT_LOAD && p.p_memsz && !map_segment(m, f, &p, err))
            return false;
        if (p.p_type == PT_GNU_RELRO)
            note_constants(f, &p);
    }
    return true;
}

/* Constants that hold addresses stand before all that a program may write.  When imports are bound
 * they are as constant as the rest, and need not be brought back after executions. */
static bool seal_constants(hd_module *m, const file *f, hd_err *err) {
    uint64_t first = m->data_start & ~(HD_PAGE - 1);
    if (f->constants_start >= f->constants_end)
        return true;
    if (f->constants_start != first || f->constants_end > m->data_end)
        return damaged(f, "its constants lie outside its data", err);
    mprotect((void *)first, f->constants_end - first, PROT_READ);
    m->data_start = f->constants_end;
    return true;
}

static bool is_readable(const file *f, uint64_t address, uint64_t n) {
    for (unsigned i = 0; i < f->segments.n; i++) {
        const struct hd_segment *g = &f->segments.at[i];
        if (g->is_readable && address >= g->start && address <= g->end && n <= g->end - address)
            return true;
    }
    return false;
}

static bool find_header(hd_module *m, const file *f, hd_err *err) {
    if (f->header.e_entry % 8 || !is_readable(f, f->header.e_entry, sizeof(hd_image)))
        return damaged(f, "its entry is outside its segments", err);
    m->image = (hd_image *)f->header.e_entry;
    if (m->image->magic != HD_IMAGE_MAGIC)
        return damaged(f, "it has no header", err);
    if (m->image->version != HD_ABI_VERSION) {
        hd_err_set(err, "the module '%s' was made by another version of Heddle", f->path);
        return hd_err_hint(err, "compile the program again");
    }
    const char *wrong = hd_image_wrong(m->image, &f->segments);
    return !wrong || damaged(f, wrong, err);
}

/* ---- imports ---- */

static void bind_function(hd_module *m, uint64_t number) {
    HD_ASSERT(number < m->image->n_imports && !m->image->imports[number].is_data);
    hd_import *i = &m->image->imports[number];
    if (!hd_import_function(i, number))
        hd_vec_push(&m->refused, i->name);
    if (hd_import_is_outside(i->name) && !m->has_stateful_imports) {
        m->has_stateful_imports = true;
        m->stateful_import = i->name;
    }
}

static bool bind_imports(hd_module *m, hd_err *err) {
    bool is_good = true;
    hd_gateway_open(m->image->n_imports);
    for (uint64_t n = 0; n < m->image->n_imports && is_good; n++) {
        hd_import *i = &m->image->imports[n];
        if (!i->is_data)
            bind_function(m, n);
        else if (!(is_good = hd_import_data(i))) {
            hd_err_set(err, "the program uses '%s', which nobody defines", i->name);
            hd_err_hint(err, "add the source file that defines it");
        }
    }
    hd_gateway_seal();
    return is_good;
}

static void poison_globals(hd_module *m) {
    for (uint64_t n = 0; n < m->image->n_globals; n++) {
        const hd_global *g = &m->image->globals[n];
        if (g->padded > g->size)
            hd_poison(g->address + g->size, g->padded - g->size, HD_POISON_GLOBAL);
    }
}

static bool map_shadow(hd_err *err) {
    if (has_shadow)
        return true;
    has_shadow = hd_reserve_at(HD_SHADOW_OF(HD_REGION), 4 * HD_REGION_SIZE) != NULL;
    if (has_shadow)
        return true;
    hd_err_set(err, "cannot reserve 4 TiB of address space for shadow memory: %s", strerror(errno));
    return hd_err_hint(err, "lift the limit on address space ('ulimit -v unlimited') and allow "
                            "overcommit (vm.overcommit_memory)");
}

static bool load_types(hd_module *m, const char *directory, hd_err *err) {
    char *path = hd_text_format("%s/types", directory);
    m->types = hd_types_load(path, err);
    free(path);
    return m->types != NULL;
}

/* What is not as it was compiled is not run.  Versions before fingerprints left none. */
static bool check_whole(const char *directory, hd_err *err) {
    if (hd_module_is_whole(directory))
        return true;
    if (!hd_module_has_fingerprint(directory))
        hd_err_set(err, "the module '%s' was made by another version of Heddle", directory);
    else
        hd_err_set(err, "cannot load the program in '%s': its files are damaged, or gone",
                   directory);
    return hd_err_hint(err, "compile it again with 'heddle run' or 'heddle build'");
}

bool hd_module_load(hd_module *m, const char *directory, hd_err *err) {
    HD_INVARIANT(L1, !is_loaded);
    *m = (hd_module){.directory = hd_text_format("%s", directory)};
    char *path = hd_text_format("%s/image", directory);
    file f = {.path = path, .descriptor = -1};
    is_loaded = true;
    bool good = find_image(&f, err) && check_whole(directory, err) && map_shadow(err) &&
                read_header(&f, err) && map_segments(m, &f, err) && find_header(m, &f, err) &&
                load_types(m, directory, err) && bind_imports(m, err) && seal_constants(m, &f, err);
    if (f.descriptor >= 0)
        close(f.descriptor);
    free(path);
    if (good)
        poison_globals(m);
    else
        hd_module_unload(m);
    return good;
}

void hd_module_unload(hd_module *m) {
    munmap((void *)HD_IMAGE_BASE, HD_IMAGE_LIMIT);
    if (has_shadow)
        hd_reserve_clear(HD_SHADOW_OF(HD_IMAGE_BASE), 4 * HD_IMAGE_LIMIT);
    hd_types_free(m->types);
    hd_gateway_close();
    hd_vec_release(&m->refused);
    free(m->directory);
    *m = (hd_module){0};
    is_loaded = false;
}

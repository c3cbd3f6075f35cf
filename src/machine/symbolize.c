/* Program counters to source lines, with libdw. */
#include "machine/symbolize.h"

#include "base/panic.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hd_symbolizer {
    int descriptor;
    Dwarf *dwarf; /* NULL: no debug information */
};

hd_symbolizer *hd_symbolizer_new(const char *directory) {
    hd_symbolizer *s = calloc(1, sizeof *s);
    if (!s)
        hd_out_of_memory();
    char *path = hd_text_format("%s/image", directory);
    s->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    if (s->descriptor >= 0)
        s->dwarf = dwarf_begin(s->descriptor, DWARF_C_READ);
    return s;
}

void hd_symbolizer_free(hd_symbolizer *s) {
    if (!s)
        return;
    if (s->dwarf)
        dwarf_end(s->dwarf);
    if (s->descriptor >= 0)
        close(s->descriptor);
    free(s);
}

typedef struct frame {
    const char *function, *file;
    int line;
} frame;

/* The file as it was given to the compiler: without the directory it was compiled in. */
static const char *short_file(Dwarf_Die *unit, const char *file) {
    Dwarf_Attribute attribute;
    const char *directory =
        file ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
    size_t n = directory ? strlen(directory) : 0;
    bool is_inside = n && strncmp(file, directory, n) == 0 && file[n] == '/';
    return is_inside ? file + n + 1 : file;
}

static void print_frame(hd_finding *finding, const frame *f, hd_text *out) {
    const char *function = f->function ? f->function : "?";
    if (f->file)
        hd_text_add(out, "%s at %s:%d\n", function, f->file, f->line);
    else
        hd_text_add(out, "%s\n", function);
    if (finding->file[0] || !f->file)
        return;
    snprintf(finding->file, sizeof finding->file, "%s", f->file);
    snprintf(finding->function, sizeof finding->function, "%s", function);
    finding->line = (uint32_t)f->line;
}

static int attribute_number(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
        return 0;
    return (int)value;
}

static const char *called_file(Dwarf_Die *unit, Dwarf_Die *inlined) {
    Dwarf_Files *files;
    size_t n;
    if (dwarf_getsrcfiles(unit, &files, &n) != 0)
        return NULL;
    size_t number = (size_t)attribute_number(inlined, DW_AT_call_file);
    return number < n ? short_file(unit, dwarf_filesrc(files, number, NULL, NULL)) : NULL;
}

/* dwarf_diename follows abstract origins, so inlined functions have names too. */
static const char *name_of(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    const char *name = dwarf_diename(die);
    if (!name && dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
        dwarf_formref_die(&attribute, &origin))
        name = dwarf_diename(&origin);
    return name;
}

/* One line for each function that was inlined here, then one for the real one. */
static void print_scopes(Dwarf_Die *unit, uint64_t pc, frame f, hd_finding *finding, hd_text *out) {
    Dwarf_Die *scopes = NULL;
    int n = dwarf_getscopes(unit, pc, &scopes);
    bool is_printed = false;
    for (int i = 0; i < n; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
            continue;
        f.function = name_of(&scopes[i]);
        print_frame(finding, &f, out);
        is_printed = true;
        if (tag == DW_TAG_subprogram)
            break;
        f.file = called_file(unit, &scopes[i]);
        f.line = attribute_number(&scopes[i], DW_AT_call_line);
    }
    if (!is_printed)
        print_frame(finding, &f, out);
    free(scopes);
}

static void print_counter(hd_symbolizer *s, uint64_t pc, hd_finding *finding, hd_text *out) {
    Dwarf_Die unit;
    frame f = {0};
    if (!s->dwarf || !dwarf_addrdie(s->dwarf, pc, &unit)) {
        hd_text_add(out, "?\n");
        return;
    }
    Dwarf_Line *line = dwarf_getsrc_die(&unit, pc);
    if (line) {
        f.file = short_file(&unit, dwarf_linesrc(line, NULL, NULL));
        dwarf_lineno(line, &f.line);
    }
    print_scopes(&unit, pc, f, finding, out);
}

void hd_symbolizer_stack(hd_symbolizer *s, hd_finding *finding, hd_text *out) {
    for (uint32_t i = 0; i < finding->n_stack; i++)
        print_counter(s, finding->stack[i], finding, out);
}

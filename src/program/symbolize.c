/* Program counters to source lines, with libdw. */
#include "program/symbolize.h"

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
    hd_fields *fields;
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
    s->fields = hd_fields_new(s->dwarf);
    return s;
}

void hd_symbolizer_free(hd_symbolizer *s) {
    if (!s)
        return;
    hd_fields_free(s->fields);
    if (s->dwarf)
        dwarf_end(s->dwarf);
    if (s->descriptor >= 0)
        close(s->descriptor);
    free(s);
}

typedef struct source_frame {
    const char *function, *file;
    int line;
} source_frame;

/* The file as it was given to the compiler: without the directory it was compiled in. */
static const char *short_file(Dwarf_Die *unit, const char *file) {
    Dwarf_Attribute attribute;
    const char *directory =
        file ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
    size_t n = directory ? strlen(directory) : 0;
    bool is_inside = n && strncmp(file, directory, n) == 0 && file[n] == '/';
    file += is_inside ? n + 1 : 0;
    while (file && strncmp(file, "./", 2) == 0)
        file += 2;
    return file;
}

/* The first frame in the user's own code is the place of a finding that has none yet. */
static void place_finding(hd_finding *finding, const source_frame *f) {
    if (!f->file || hd_finding_is_model(f->file))
        return;
    if (!finding->function[0] && f->function)
        snprintf(finding->function, sizeof finding->function, "%s", f->function);
    if (finding->file[0])
        return;
    snprintf(finding->file, sizeof finding->file, "%s", f->file);
    finding->line = (uint32_t)f->line;
}

static void print_frame(hd_finding *finding, const source_frame *f, hd_text *out) {
    const char *function = f->function ? f->function : "?";
    if (!f->file)
        hd_text_add(out, "%s\n", function);
    else if (hd_finding_is_model(f->file))
        hd_text_add(out, "%s in Heddle's C library\n", function);
    else if (f->line > 0)
        hd_text_add(out, "%s at %s:%d\n", function, f->file, f->line);
    else
        hd_text_add(out, "%s in %s\n", function, f->file);
    place_finding(finding, f);
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

#define MAX_NESTING 64

/* The functions around `pc` below `die`, outermost first, inlined ones included.  (libdw's own
 * search follows an inlined function to where it was written, not to where it was called.) */
static unsigned find_functions(Dwarf_Die *die, uint64_t pc, Dwarf_Die *found, unsigned n) {
    Dwarf_Die child;
    if (n == MAX_NESTING || dwarf_child(die, &child) != 0)
        return n;
    do {
        int tag = dwarf_tag(&child);
        bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
        if ((!is_function && tag != DW_TAG_lexical_block) || dwarf_haspc(&child, pc) <= 0)
            continue;
        if (is_function)
            found[n++] = child;
        return find_functions(&child, pc, found, n);
    } while (dwarf_siblingof(&child, &child) == 0);
    return n;
}

/* One line for each function that was inlined here, then one for the real one. */
static void print_functions(Dwarf_Die *unit, uint64_t pc, source_frame f, hd_finding *finding,
                            hd_text *out) {
    Dwarf_Die functions[MAX_NESTING];
    unsigned n = find_functions(unit, pc, functions, 0);
    if (n == 0)
        print_frame(finding, &f, out);
    while (n-- > 0) {
        f.function = name_of(&functions[n]);
        if (f.line <= 0) /* made up by the compiler */
            f.line = attribute_number(&functions[n], DW_AT_decl_line);
        print_frame(finding, &f, out);
        f.file = called_file(unit, &functions[n]);
        f.line = attribute_number(&functions[n], DW_AT_call_line);
    }
}

/* clang writes no table of addresses, so the units are asked one by one. */
static bool find_unit(Dwarf *dwarf, uint64_t pc, Dwarf_Die *unit) {
    Dwarf_CU *cu = NULL;
    while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, unit, NULL) == 0)
        if (dwarf_haspc(unit, pc) > 0)
            return true;
    return false;
}

static void print_counter(hd_symbolizer *s, uint64_t pc, hd_finding *finding, hd_text *out) {
    Dwarf_Die unit;
    source_frame f = {0};
    if (!s->dwarf) {
        hd_text_add(out, "?\n");
        return;
    }
    if (!find_unit(s->dwarf, pc, &unit))
        return; /* a stub between the program and the machine */
    Dwarf_Line *line = dwarf_getsrc_die(&unit, pc);
    if (line) {
        f.file = short_file(&unit, dwarf_linesrc(line, NULL, NULL));
        dwarf_lineno(line, &f.line);
    }
    print_functions(&unit, pc, f, finding, out);
}

void hd_symbolizer_stack(hd_symbolizer *s, hd_finding *finding, hd_text *out) {
    for (uint32_t i = 0; i < finding->n_stack; i++)
        print_counter(s, finding->stack[i], finding, out);
}

hd_fields *hd_symbolizer_fields(hd_symbolizer *s) {
    return s->fields;
}

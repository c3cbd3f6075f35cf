/* Units of files, with libdwfl: it knows relocations of object files, and archives. */
#include "program/recorded_units.h"

#include "base/text.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>

bool hd_recorded_units_are_in(const char *path) {
    char first[8] = {0};
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(first, 1, sizeof first, file) : 0;
    if (file)
        fclose(file);
    return n == sizeof first &&
           (memcmp(first, "\177ELF", 4) == 0 || memcmp(first, "!<arch>\n", 8) == 0);
}

static char *text_of(Dwarf_Die *unit, unsigned attribute) {
    Dwarf_Attribute a;
    const char *text = dwarf_formstring(dwarf_attr(unit, attribute, &a));
    return text ? hd_text_format("%s", text) : NULL;
}

/* clang's name and version come before the command: words without a dash. */
static char *command_of(Dwarf_Die *unit) {
    char *producer = text_of(unit, DW_AT_producer);
    if (producer && strstr(producer, " -grecord-command-line"))
        return producer;
    free(producer);
    return NULL;
}

static bool is_language_c(int language) {
    switch (language) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case 0x2c: /* DW_LANG_C17, which older headers do not have */
        return true;
    default:
        return false;
    }
}

static void add_unit(hd_recorded_units *units, Dwarf_Die *unit) {
    hd_recorded_unit u = {.source = text_of(unit, DW_AT_name),
                          .directory = text_of(unit, DW_AT_comp_dir),
                          .command = command_of(unit),
                          .is_c = is_language_c(dwarf_srclang(unit))};
    u.source = u.source ? u.source : hd_text_format("?");
    u.directory = u.directory ? u.directory : hd_text_format(".");
    hd_vec_push(units, u);
}

/* Debug information of its own file only: nothing is looked for elsewhere, least of all on a
 * network. */
static int find_nothing(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word sum, char **found) {
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)sum;
    (void)found;
    return -1;
}

static bool fail(const char *path, hd_err *err) {
    hd_err_set(err, "cannot read the debug information of '%s': %s", path, dwfl_errmsg(-1));
    return hd_err_hint(err, "build it again with 'heddle cc' as its compiler");
}

bool hd_recorded_units_read(hd_recorded_units *units, const char *path, hd_err *err) {
    static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_nothing,
                                             .section_address = dwfl_offline_section_address};
    Dwfl *files = dwfl_begin(&callbacks);
    bool was_read = files && dwfl_report_offline(files, path, path, -1) &&
                    dwfl_report_end(files, NULL, NULL) == 0;
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    while (was_read && (unit = dwfl_nextcu(files, unit, &bias)))
        if (dwarf_tag(unit) == DW_TAG_compile_unit)
            add_unit(units, unit);
    if (!was_read)
        fail(path, err);
    if (files)
        dwfl_end(files);
    return was_read;
}

void hd_recorded_units_release(hd_recorded_units *units) {
    for (size_t i = 0; i < units->n; i++) {
        free(units->at[i].source);
        free(units->at[i].directory);
        free(units->at[i].command);
    }
    hd_vec_release(units);
}

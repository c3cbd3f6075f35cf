/* Any bytes as a file of parts: refused with a sentence, or read, and then what is written of it is
 * read again; never a crash. */
#include "partition/part_file.h"

#include <stdlib.h>
#include <string.h>

static void add_inputs(hd_variables *vs) {
    static const struct {
        const char *name;
        unsigned width;
    } inputs[] = {{"x", 32}, {"y", 64},           {"b", 1},  {"c", 8},
                  {"c", 8},  {"choose(-3,3)", 8}, {"s.f", 5}};
    for (uint32_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        hd_variables_root(vs, i, HD_VAR_INTEGER, inputs[i].width, 0, inputs[i].name);
}

static bool are_writable(const hd_names *names, const hd_division *parts) {
    for (size_t i = 0; i < parts->n; i++)
        for (size_t k = 0; k < parts->at[i].n; k++)
            if (!hd_condition_is_writable(names, parts->at[i].at[k]))
                return false;
    return true;
}

static void check_written(const hd_names *names, const hd_division *parts, hd_part_format format) {
    hd_text text = {0};
    hd_division back = {0};
    hd_err err = {0};
    hd_division_print(names, parts, format, &text);
    if (!hd_division_parse(names, "written", hd_text_string(&text), &back, &err) ||
        back.n != parts->n)
        abort();
    hd_division_release(&back);
    hd_text_release(&text);
}

/* Making a graph takes longer than reading most files: it is shared by some inputs. */
#define INPUTS_OF_GRAPH 1000
static hd_names names;

static void begin_names(void) {
    static unsigned n;
    if (n++ % INPUTS_OF_GRAPH)
        return;
    if (names.graph) {
        hd_variables_free((hd_variables *)names.variables);
        hd_graph_free(names.graph);
    }
    names = (hd_names){hd_graph_new(false), hd_variables_new(), NULL};
    add_inputs((hd_variables *)names.variables);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char *text = hd_text_format("%.*s", (int)n, (const char *)bytes);
    hd_division parts = {0};
    hd_err err = {0};
    begin_names();
    if (!hd_division_parse(&names, "file", text, &parts, &err)) {
        if (!err.message[0] || !err.hint[0])
            abort(); /* refused without a word */
    } else if (are_writable(&names, &parts)) {
        check_written(&names, &parts, HD_PARTS_C);
        check_written(&names, &parts, HD_PARTS_SMT);
    }
    hd_division_release(&parts);
    free(text);
    return 0;
}

/* Assertions of a scenario become a C source of the first program: functions that look at exported
 * variables of all nodes, registered before main.  Their lines are those of the scenario's file,
 * so that clang's messages and findings name it. */
#include "scenario/scenario.h"

#include <string.h>

static const char prelude[] =
    "#include <heddle.h>\n"
    "#include <stddef.h>\n"
    "void heddle_global_assert(int (*holds)(void));\n"
    "int heddle_exported(const char *name, int nth, void *value, size_t size);\n"
    "enum heddle_scenario_what { HEDDLE_SUM, HEDDLE_COUNT, HEDDLE_MIN, HEDDLE_MAX, HEDDLE_SAME };\n"
    "static long heddle_scenario_of(const char *name, enum heddle_scenario_what what) {\n"
    "    long sum = 0, least = 0, most = 0;\n"
    "    int n = 0;\n"
    "    for (int value; heddle_exported(name, n, &value, sizeof value); n++) {\n"
    "        sum += value;\n"
    "        least = n == 0 || value < least ? value : least;\n"
    "        most = n == 0 || value > most ? value : most;\n"
    "    }\n"
    "    return what == HEDDLE_SUM ? sum : what == HEDDLE_COUNT ? n : what == HEDDLE_MIN ? least "
    ":\n"
    "           what == HEDDLE_MAX ? most : least == most;\n"
    "}\n"
    "#define sum(name) heddle_scenario_of(#name, HEDDLE_SUM)\n"
    "#define count(name) heddle_scenario_of(#name, HEDDLE_COUNT)\n"
    "#define min(name) heddle_scenario_of(#name, HEDDLE_MIN)\n"
    "#define max(name) heddle_scenario_of(#name, HEDDLE_MAX)\n"
    "#define same(name) heddle_scenario_of(#name, HEDDLE_SAME)\n";

static void add_quoted(hd_text *out, const char *text) {
    hd_text_add(out, "\"");
    for (; *text; text++)
        hd_text_add(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    hd_text_add(out, "\"");
}

static void add_assertion(hd_text *out, const hd_scenario *s, size_t n) {
    const hd_scenario_assertion *a = &s->assertions.at[n];
    hd_text_add(out, "#line %u ", a->line);
    add_quoted(out, s->path);
    hd_text_add(out, "\nstatic int heddle_scenario_assertion%zu(void) { heddle_assert(", n);
    for (const char *p = a->text; *p; p++)
        hd_text_add(out, "%c", *p == '\n' || *p == '\r' ? ' ' : *p);
    hd_text_add(out, "); return 1; }\n");
}

void hd_scenario_assertion_source(const hd_scenario *s, hd_text *out) {
    if (s->assertions.n == 0)
        return;
    hd_text_add(out, "%s", prelude);
    for (size_t n = 0; n < s->assertions.n; n++)
        add_assertion(out, s, n);
    hd_text_add(out, "__attribute__((constructor)) static void heddle_scenario_register(void) {\n");
    for (size_t n = 0; n < s->assertions.n; n++)
        hd_text_add(out, "    heddle_global_assert(heddle_scenario_assertion%zu);\n", n);
    hd_text_add(out, "}\n");
}

/* Assertions of a scenario become a C source of the first program: functions that look at exported
 * variables of all nodes, registered before main.  Their lines are those of the scenario's file,
 * so that clang's messages and findings name it. */
#include "scenario/scenario.h"

/* What depends on values is computed without branches: an assertion is one decision, whatever it
 * looks at. */
static const char prelude[] =
    "#include <heddle.h>\n"
    "#define HEDDLE_OVER(quantity, first, next) \\\n"
    "    __attribute__((unused)) static long heddle_scenario_##quantity(const char *name) { \\\n"
    "        long result = 0; \\\n"
    "        int value = 0; \\\n"
    "        for (int n = 0; heddle_exported(name, n, &value, sizeof value); n++) \\\n"
    "            if (n == 0) \\\n"
    "                result = (first); \\\n"
    "            else \\\n"
    "                result = (next); \\\n"
    "        return result; \\\n"
    "    }\n"
    "HEDDLE_OVER(sum, value, result + value)\n"
    "HEDDLE_OVER(count, 1, result + 1)\n"
    "HEDDLE_OVER(min, value, result ^ ((result ^ value) & -(long)(value < result)))\n"
    "HEDDLE_OVER(max, value, result ^ ((result ^ value) & -(long)(value > result)))\n"
    "#define sum(name) heddle_scenario_sum(#name)\n"
    "#define count(name) heddle_scenario_count(#name)\n"
    "#define min(name) heddle_scenario_min(#name)\n"
    "#define max(name) heddle_scenario_max(#name)\n"
    "#define same(name) (min(name) == max(name))\n";

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

/* Assertions of a scenario become a C source of the first program: functions that look at exported
 * variables of all nodes, registered before main.  Their lines are those of the scenario's file,
 * so that clang's messages and findings name it. */
#include "scenario/scenario_int.h"

#include <string.h>

/* ---- reading ---- */

/* An assertion as written: an expression, or a mapping. */
typedef struct written {
    hd_piece text[HD_N_ASSERTION_TIMES];
    hd_fault_time within;
} written;

#define TEXT(when) (offsetof(written, text) + (when) * sizeof(hd_piece))
static const hd_key keys[] = {
    {"always", TEXT(HD_ASSERTION_ALWAYS), hd_read_text},
    {"eventually", TEXT(HD_ASSERTION_EVENTUALLY), hd_read_text},
    {"within", offsetof(written, within), hd_read_time},
    {0},
};

static const struct {
    const char *key, *words;
} times[] = {
#define X(constant, key, words) {key, words},
    HD_ASSERTION_TIMES(X)
#undef X
};

static bool is_blank(const char *text) {
    return text[strspn(text, " \t\r\n")] == '\0';
}

static void release_entry(written *e) {
    for (int i = 0; i < HD_N_ASSERTION_TIMES; i++)
        hd_piece_release(&e->text[i]);
}

static bool check_within(hd_reader *r, const written *e) {
    if (!e->within.is_given)
        return true;
    if (!e->text[HD_ASSERTION_EVENTUALLY].text) {
        hd_reader_fail(r, e->within.at, "'within' without 'eventually'");
        return hd_err_hint(r->err, "write '- {eventually: EXPRESSION, within: 5 s}'");
    }
    if (e->within.nanoseconds)
        return true;
    hd_reader_fail(r, e->within.at, "'within' no time at all nothing can happen");
    return hd_err_hint(r->err, "write a time above 0");
}

/* The one expression of the entry becomes an assertion. */
static bool take_entry(hd_reader *r, yaml_node_t *value, written *e) {
    hd_scenario_assertion a = {.within = e->within.nanoseconds};
    for (int i = 0; i < HD_N_ASSERTION_TIMES; i++) {
        hd_piece *p = &e->text[i];
        if (!p->text)
            continue;
        if (a.text) {
            hd_reader_fail(r, p->at, "'%s' beside '%s' in one assertion", times[i].key,
                           times[a.when].key);
            return hd_err_hint(r->err, "write two entries");
        }
        if (is_blank(p->text)) {
            hd_reader_fail(r, p->at, "an assertion without an expression");
            return hd_err_hint(r->err, "write an expression of C, such as 'sum(leader) <= 1'");
        }
        a.text = p->text;
        a.line = p->at.line;
        a.column = p->at.column;
        a.when = (hd_assertion_time)i;
    }
    if (!check_within(r, e))
        return false;
    if (!a.text) {
        hd_reader_fail(r, hd_text_place_of(value), "an assertion without an expression");
        return hd_err_hint(r->err, "write an expression, or 'always: EXPRESSION', or "
                                   "'eventually: EXPRESSION'");
    }
    e->text[a.when] = (hd_piece){0};
    hd_vec_push(&r->scenario->assertions, a);
    return true;
}

static bool read_assertion(hd_reader *r, yaml_node_t *value, void *unused) {
    written e = {0};
    (void)unused;
    bool ok = value->type == YAML_MAPPING_NODE ? hd_read_mapping(r, value, "an assertion", keys, &e)
                                               : hd_read_text(r, value, &e.text[HD_ASSERTION_END]);
    ok = ok && take_entry(r, value, &e);
    release_entry(&e);
    return ok;
}

bool hd_read_assertions(hd_reader *r, yaml_node_t *value, void *unused) {
    return hd_read_list(r, value, "a list of expressions", read_assertion, unused);
}

/* ---- words ---- */

static void explain(const hd_scenario_assertion *a, hd_text *out) {
    hd_text_add(out, "  line %u: %s", a->line, a->text);
    if (a->within) {
        hd_text_add(out, ", within ");
        hd_add_time(out, a->within);
        hd_text_add(out, " of virtual time");
    }
    hd_text_add(out, "\n");
}

void hd_assertions_explain(const hd_scenario *s, hd_text *out) {
    for (int when = 0; when < HD_N_ASSERTION_TIMES; when++) {
        bool is_first = true;
        for (size_t i = 0; i < s->assertions.n; i++) {
            if ((int)s->assertions.at[i].when != when)
                continue;
            if (is_first)
                hd_text_add(out, "\nmust hold %s\n", times[when].words);
            is_first = false;
            explain(&s->assertions.at[i], out);
        }
    }
}

/* ---- the source ---- */

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
    "__attribute__((unused)) static int heddle_scenario_distinct(const char *name) {\n"
    "    int a = 0, b = 0, equal = 0;\n"
    "    for (int n = 0; heddle_exported(name, n, &a, sizeof a); n++)\n"
    "        for (int k = 0; k < n && heddle_exported(name, k, &b, sizeof b); k++)\n"
    "            equal |= (a == b) & (a != 0);\n"
    "    return !equal;\n"
    "}\n"
    "#define distinct(name) heddle_scenario_distinct(#name)\n"
    "#define sum(name) heddle_scenario_sum(#name)\n"
    "#define count(name) heddle_scenario_count(#name)\n"
    "#define min(name) heddle_scenario_min(#name)\n"
    "#define max(name) heddle_scenario_max(#name)\n"
    "#define same(name) (min(name) == max(name))\n";

static bool is_break(char c) {
    return c == '\n' || c == '\r';
}

/* Lines of a long expression are one line in messages. */
static void add_quoted(hd_text *out, const char *text) {
    size_t n = strlen(text);
    while (n && is_break(text[n - 1]))
        n--;
    hd_text_add(out, "\"");
    for (size_t i = 0; i < n; i++)
        hd_text_add(out, text[i] == '"' || text[i] == '\\' ? "\\%c" : "%c",
                    is_break(text[i]) ? ' ' : text[i]);
    hd_text_add(out, "\"");
}

/* The expression stands where it stands in the file, so that clang's messages have its column. */
static void add_expression(hd_text *out, const hd_scenario *s, const hd_scenario_assertion *a) {
    hd_text_add(out, "\n#line %u ", a->line);
    add_quoted(out, s->path);
    hd_text_add(out, "\n%*s", (int)a->column - 1, "");
    for (const char *p = a->text; *p; p++)
        hd_text_add(out, "%c", is_break(*p) ? ' ' : *p);
    hd_text_add(out, "\n");
}

static void add_assertion(hd_text *out, const hd_scenario *s, size_t n) {
    const hd_scenario_assertion *a = &s->assertions.at[n];
    bool is_end = a->when == HD_ASSERTION_END;
    hd_text_add(out, "#line %u ", a->line);
    add_quoted(out, s->path);
    hd_text_add(out, "\nstatic int heddle_scenario_assertion%zu(void) { %s (", n,
                is_end ? "if" : "return");
    add_expression(out, s, a);
    hd_text_add(out, "#line %u ", a->line);
    add_quoted(out, s->path);
    hd_text_add(out, is_end ? "\n) return 1; __heddle_assert_failed(" : "\n); }\n");
    if (!is_end)
        return;
    add_quoted(out, a->text);
    hd_text_add(out, ", __FILE__, __LINE__, __func__); }\n");
}

static void add_registration(hd_text *out, const hd_scenario *s, size_t n) {
    const hd_scenario_assertion *a = &s->assertions.at[n];
    if (a->when == HD_ASSERTION_END) {
        hd_text_add(out, "    heddle_global_assert(heddle_scenario_assertion%zu);\n", n);
        return;
    }
    hd_text_add(out, "    __heddle_global_rule(heddle_scenario_assertion%zu, ", n);
    add_quoted(out, a->text);
    uint64_t deadline = a->when == HD_ASSERTION_ALWAYS ? 0 : a->within ? a->within : UINT64_MAX - 1;
    hd_text_add(out, ", %lluull);\n", (unsigned long long)deadline);
}

void hd_scenario_assertion_source(const hd_scenario *s, hd_text *out) {
    if (s->assertions.n == 0)
        return;
    hd_text_add(out, "%s", prelude);
    for (size_t n = 0; n < s->assertions.n; n++)
        add_assertion(out, s, n);
    hd_text_add(out, "__attribute__((constructor)) static void heddle_scenario_register(void) {\n");
    for (size_t n = 0; n < s->assertions.n; n++)
        add_registration(out, s, n);
    hd_text_add(out, "}\n");
}

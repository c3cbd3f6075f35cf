#include "partition/part_file.h"

#include "base/map.h"
#include "partition/condition.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

bool hd_condition_is_writable(const hd_names *names, hd_expr condition) {
    hd_text text = {0};
    bool is_it = hd_condition_print(names, condition, &text);
    hd_text_release(&text);
    return is_it;
}

/* Does the text have an "or", a choice or the like outside of all parentheses? */
static bool binds_weakly(const char *text) {
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && ((text[0] == '|' && text[1] == '|') || *text == '?'))
            return true;
    }
    return false;
}

/* What cannot be written is left out: the part that is read back is a larger one. */
static void print_line(const hd_names *names, const hd_conditions *part, hd_text *out) {
    for (size_t i = 0; i < part->n; i++) {
        hd_text one = {0};
        if (!hd_condition_print(names, part->at[i], &one))
            hd_text_add(&one, "1");
        bool is_weak = part->n > 1 && binds_weakly(hd_text_string(&one));
        hd_text_add(out, is_weak ? "%s(%s)" : "%s%s", i ? " && " : "", hd_text_string(&one));
        hd_text_release(&one);
    }
    hd_text_add(out, "%s\n", part->n ? "" : "1");
}

/* Under its name, and as expressions are printed: with its number it has no name of those. */
static void declare_input(const hd_var_info *info, hd_var v, hd_text *out) {
    hd_text_add(out, "(declare-const |%s#%lu| (_ BitVec %u))\n", info->name, info->number,
                info->width);
    hd_text_add(out, "(define-fun v%u () (_ BitVec %u) |%s#%lu|)\n", v, info->width, info->name,
                info->number);
}

/* Each input that is mentioned somewhere, once. */
static void declare_inputs(const hd_names *names, const hd_division *parts, hd_text *out) {
    hd_map seen = {0};
    for (size_t i = 0; i < parts->n; i++)
        for (size_t k = 0; k < parts->at[i].n; k++) {
            const hd_support *s = hd_expr_support(names->graph, parts->at[i].at[k]);
            for (uint32_t j = 0; j < s->n; j++) {
                if (hd_map_find(&seen, s->v[j]))
                    continue;
                hd_map_put(&seen, s->v[j], 1);
                declare_input(hd_variables_info(names->variables, s->v[j]), s->v[j], out);
            }
        }
    hd_map_release(&seen);
}

static void print_script(const hd_names *names, const hd_division *parts, hd_text *out) {
    hd_text_add(out, "(set-logic QF_BV)\n");
    declare_inputs(names, parts, out);
    for (size_t i = 0; i < parts->n; i++) {
        hd_text_add(out, "(push 1)\n");
        for (size_t k = 0; k < parts->at[i].n; k++) {
            hd_text_add(out, "(assert (= #b1 ");
            hd_expr_print_smt(names->graph, parts->at[i].at[k], out);
            hd_text_add(out, "))\n");
        }
        hd_text_add(out, "(check-sat)\n(pop 1)\n");
    }
}

void hd_division_print(const hd_names *names, const hd_division *parts, hd_part_format format,
                       hd_text *out) {
    if (format == HD_PARTS_SMT) {
        print_script(names, parts, out);
        return;
    }
    for (size_t i = 0; i < parts->n; i++)
        print_line(names, &parts->at[i], out);
}

/* ---- reading ---- */

static bool is_script(const char *text) {
    static const char *const commands[] = {"set-",       "declare-const", "declare-fun",
                                           "define-fun", "define-const",  "assert",
                                           "push",       "check-sat"};
    while (isspace((unsigned char)*text) || *text == ';')
        text += *text == ';' ? strcspn(text, "\n") : 1;
    for (size_t i = 0; *text == '(' && i < sizeof commands / sizeof *commands; i++)
        if (strncmp(text + 1, commands[i], strlen(commands[i])) == 0)
            return true;
    return false;
}

static bool read_line(const hd_names *names, const char *file, unsigned number, const char *line,
                      hd_division *parts, hd_err *err) {
    while (isspace((unsigned char)*line))
        line++;
    if (*line == '\0' || *line == '#')
        return true;
    char *where = hd_text_format("'%.200s', line %u: ", file, number);
    hd_conditions part = {0};
    hd_expr e;
    bool is_good = hd_condition_parse(names, line, where, &e, err);
    if (is_good) {
        hd_conditions_add(names->graph, &part, e);
        hd_vec_push(parts, part);
    }
    free(where);
    return is_good;
}

static bool read_lines(const hd_names *names, const char *file, const char *text,
                       hd_division *parts, hd_err *err) {
    bool is_good = true;
    for (unsigned number = 1; *text && is_good; number++) {
        size_t n = strcspn(text, "\n");
        char *line = hd_text_format("%.*s", (int)n, text);
        is_good = read_line(names, file, number, line, parts, err);
        free(line);
        text += n + (text[n] == '\n');
    }
    return is_good;
}

bool hd_division_parse(const hd_names *names, const char *file, const char *text,
                       hd_division *parts, hd_err *err) {
    bool is_good = is_script(text) ? hd_division_parse_smt(names, file, text, parts, err)
                                   : read_lines(names, file, text, parts, err);
    if (is_good && parts->n)
        return true;
    hd_division_release(parts);
    if (is_good) {
        hd_err_set(err, "'%.200s' has no parts", file);
        hd_err_hint(err, "write one condition on each line, such as 'x < 5'");
    }
    return false;
}

/* The option parser: one pass over the words, each looked up in the command's table. */
#include "cli/options.h"

#include "base/text.h"
#include "cli/cli.h"
#include "compile/flag.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Where we are in the command line. */
typedef struct reader {
    const hd_option_table *table;
    char **argv;
    int argc, next;
    char *values;
    hd_arguments *out;
    hd_err *err;
} reader;

static const char *next_word(reader *r) {
    return r->next < r->argc ? r->argv[r->next++] : NULL;
}

static bool parse_scaled(const char *text, const char *const *units, const double *factors,
                         double *value) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || errno || !(*value >= 0) || *value > 1e18 || text[0] == '-' ||
        strpbrk(text, "xXnN"))
        return false;
    for (; *units; units++, factors++)
        if (strcmp(end, *units) == 0) {
            *value *= *factors;
            return true;
        }
    return false;
}

static bool parse_seconds(const char *text, double *seconds) {
    static const char *const units[] = {"", "s", "ms", "m", "h", NULL};
    static const double factors[] = {1, 1, 0.001, 60, 3600};
    return parse_scaled(text, units, factors, seconds);
}

static bool parse_count(const char *text, uint64_t *count) {
    char *end;
    errno = 0;
    *count = strtoull(text, &end, 10);
    if (end == text || errno || text[0] < '0' || text[0] > '9')
        return false;
    uint64_t factor = strcmp(end, "k") == 0   ? 1000
                      : strcmp(end, "M") == 0 ? 1000000
                      : strcmp(end, "G") == 0 ? 1000000000
                      : *end == '\0'          ? 1
                                              : 0;
    return factor && !__builtin_mul_overflow(*count, factor, count);
}

bool hd_parse_number(const char *text, const char *what, uint64_t *number, hd_err *err) {
    if (parse_count(text, number) && *number > 0)
        return true;
    hd_err_set(err, "'%s' is not a %s", text, what);
    return hd_err_hint(err, "%ss are whole numbers: 1, 2, 3, ...", what);
}

static bool parse_choice(const hd_option *o, const char *text, int *choice, hd_err *err) {
    hd_text list = {0};
    for (int i = 0; o->choices[i]; i++) {
        if (strcmp(o->choices[i], text) == 0) {
            *choice = i;
            hd_text_release(&list);
            return true;
        }
        hd_text_add(&list, "%s%s", i ? ", " : "", o->choices[i]);
    }
    hd_err_set(err, "option '--%s' does not know '%s'", o->name, text);
    hd_err_hint(err, "use one of: %s", hd_text_string(&list));
    hd_text_release(&list);
    return false;
}

static bool bad_value(const hd_option *o, const char *value, const char *wanted, hd_err *err) {
    hd_err_set(err, "option '--%s' needs %s, not '%s'", o->name, wanted, value);
    return hd_err_hint(err, "'heddle COMMAND --help' explains the options of a command");
}

/* The last one would win, and what the first one allows would be left out without a word. */
static bool set_rules(const hd_option *o, const char *value, const char **field, hd_err *err) {
    if (*field) {
        hd_err_set(err, "option '--%s' is here twice", o->name);
        return hd_err_hint(err, "write all in one: --%s '%s; %s'", o->name, *field, value);
    }
    *field = value;
    return true;
}

static bool set_value(reader *r, const hd_option *o, const char *value) {
    char *field = r->values + o->offset;
    r->out->given[o - r->table->at] = value;
    switch (o->kind) {
    case HD_OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case HD_OPTION_TEXT:
    case HD_OPTION_OPTIONAL:
        *(const char **)field = value;
        return true;
    case HD_OPTION_RULES:
        return set_rules(o, value, (const char **)field, r->err);
    case HD_OPTION_COUNT:
        return parse_count(value, (uint64_t *)field) ||
               bad_value(o, value, "a whole number", r->err);
    case HD_OPTION_SECONDS:
        return parse_seconds(value, (double *)field) ||
               bad_value(o, value, "a time such as 10, 10s, 5m or 1h", r->err);
    case HD_OPTION_CHOICE:
        return parse_choice(o, value, (int *)field, r->err);
    }
    return false;
}

static bool wants_value(const hd_option *o) {
    return o->kind != HD_OPTION_FLAG && o->kind != HD_OPTION_OPTIONAL;
}

static bool set_with_word(reader *r, const hd_option *o, const char *written, const char *value) {
    if (!value && wants_value(o))
        value = next_word(r);
    if (!value && wants_value(o)) {
        hd_err_set(r->err, "option '%s' needs a value", written);
        return hd_err_hint(r->err, "write '--%s %s'", o->name, o->argument);
    }
    if (value && o->kind == HD_OPTION_FLAG) {
        hd_err_set(r->err, "option '--%s' takes no value", o->name);
        return hd_err_hint(r->err, "write just '--%s'", o->name);
    }
    return set_value(r, o, value ? value : "");
}

static bool unknown_option(reader *r, const char *word) {
    const char *names[HD_MAX_OPTIONS + 2];
    size_t n = 0;
    for (; n < r->table->n; n++)
        names[n] = r->table->at[n].name;
    names[n++] = "help";
    names[n] = NULL;
    size_t length = strcspn(word, "=");
    char *bare = hd_text_format("%.*s", (int)length, word);
    const char *nearest = hd_nearest_name(bare + strspn(bare, "-"), names);
    hd_err_set(r->err, "unknown option '%s'", bare);
    if (nearest)
        hd_err_hint(r->err, "did you mean '--%s'?", nearest);
    else if (r->table->takes_compiler_options && (word[1] == 'l' || word[1] == 'L'))
        hd_err_hint(r->err, "leave it out: functions of libraries are found without it");
    else
        hd_err_hint(r->err, "'heddle COMMAND --help' lists the options of a command");
    free(bare);
    return false;
}

static bool parse_long(reader *r, const char *word) {
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    for (size_t i = 0; i < r->table->n; i++) {
        const hd_option *o = &r->table->at[i];
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return set_with_word(r, o, word, equals ? equals + 1 : NULL);
    }
    return unknown_option(r, word);
}

static bool take_compiler_option(reader *r, const hd_compiler_flag *c, const char *word) {
    hd_vec_push(&r->out->compiler, word);
    if (!c->separate || strcmp(word, c->prefix) != 0)
        return true;
    const char *value = next_word(r);
    if (!value) {
        hd_err_set(r->err, "option '%s' needs a value", word);
        return hd_err_hint(r->err, "write '%s VALUE'", word);
    }
    hd_vec_push(&r->out->compiler, value);
    return true;
}

static bool parse_short(reader *r, const char *word) {
    for (size_t i = 0; i < r->table->n; i++) {
        const hd_option *o = &r->table->at[i];
        if (o->letter && o->letter == word[1] && (wants_value(o) || !word[2]))
            return set_with_word(r, o, word, word[2] ? word + 2 : NULL);
    }
    const hd_compiler_flag *c =
        r->table->takes_compiler_options ? hd_compiler_flag_find(word) : NULL;
    return c ? take_compiler_option(r, c, word) : unknown_option(r, word);
}

static bool take_rest(reader *r) {
    if (!r->table->takes_program && r->next < r->argc) {
        hd_err_set(r->err, "unexpected '--'");
        return hd_err_hint(r->err, "only 'heddle run' passes arguments on to the program");
    }
    for (const char *word; (word = next_word(r));)
        hd_vec_push(&r->out->program, word);
    return true;
}

static bool parse_word(reader *r, const char *word) {
    if (strcmp(word, "--") == 0)
        return take_rest(r);
    if (strncmp(word, "--", 2) == 0)
        return parse_long(r, word);
    if (word[0] == '-' && word[1])
        return parse_short(r, word);
    hd_vec_push(&r->out->files, word);
    return true;
}

bool hd_options_parse(const hd_option_table *table, int argc, char **argv, void *values,
                      hd_arguments *arguments, hd_err *err) {
    reader r = {table, argv, argc, 1, values, arguments, err};
    for (const char *word; (word = next_word(&r));)
        if (!parse_word(&r, word)) {
            hd_arguments_release(arguments);
            return false;
        }
    return true;
}

void hd_arguments_release(hd_arguments *a) {
    hd_vec_release(&a->files);
    hd_vec_release(&a->compiler);
    hd_vec_release(&a->program);
}

static bool is_same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool hd_option_is_same(const hd_option *option, const void *values, const void *others) {
    const char *a = (const char *)values + option->offset;
    const char *b = (const char *)others + option->offset;
    switch (option->kind) {
    case HD_OPTION_FLAG:
        return *(const bool *)a == *(const bool *)b;
    case HD_OPTION_COUNT:
        return *(const uint64_t *)a == *(const uint64_t *)b;
    case HD_OPTION_SECONDS:
        return *(const double *)a == *(const double *)b;
    case HD_OPTION_CHOICE:
        return *(const int *)a == *(const int *)b;
    default:
        return is_same_text(*(const char *const *)a, *(const char *const *)b);
    }
}

/* driver.c -- --function: a main() whose inputs are the arguments of one function (paper 002, 6.1).
 *
 * clang tells the parameter types (as JSON); the driver includes the source, so that every
 * type and every static function is visible, and declares one variable per parameter. */
#include "compile/compiler/build.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void run_clang(const hd_build *b, size_t source, FILE *out) {
    hd_strings arguments = {0};
    hd_vec_push(&arguments, "clang-19");
    hd_frontend_options(b, source, &arguments);
    const char *const more[] = {
        "-fsyntax-only",       "-w",      "-Xclang",
        "-ast-dump=json",      "-Xclang", hd_text_format("-ast-dump-filter=%s", b->function),
        b->sources.at[source], NULL};
    for (size_t n = 0; n < sizeof more / sizeof *more; n++)
        hd_vec_push(&arguments, more[n]);
    bool ok = hd_process_wait(hd_process_start(arguments.at, "clang-19", fileno(out)));
    hd_vec_release(&arguments);
    if (!ok)
        exit(2); /* clang has said why */
    rewind(out);
}

static bool has_body(json_t *declaration) {
    size_t n;
    json_t *inner;
    json_array_foreach(json_object_get(declaration, "inner"), n, inner) {
        const char *kind = json_string_value(json_object_get(inner, "kind"));
        if (kind && strcmp(kind, "CompoundStmt") == 0)
            return true;
    }
    return false;
}

static bool is_wanted(json_t *declaration, const char *function) {
    const char *kind = json_string_value(json_object_get(declaration, "kind"));
    const char *name = json_string_value(json_object_get(declaration, "name"));
    return kind && name && strcmp(kind, "FunctionDecl") == 0 && strcmp(name, function) == 0 &&
           has_body(declaration);
}

/* The definition of the function in this source, or NULL.  The filter matches parts of names,
 * and clang prints one JSON object after the other. */
static json_t *find_definition(const hd_build *b, size_t source) {
    char *path = hd_text_format("%s/declarations", b->output);
    FILE *out = fopen(path, "w+");
    json_t *found = NULL, *next;
    if (!out)
        hd_fail(NULL, "cannot make a temporary file: %s", strerror(errno));
    unlink(path);
    free(path);
    run_clang(b, source, out);
    while (!found && (next = json_loadf(out, JSON_DISABLE_EOF_CHECK, NULL))) {
        if (is_wanted(next, b->function))
            found = next;
        else
            json_decref(next);
    }
    fclose(out);
    return found;
}

static void check_parameter(const hd_build *b, const char *name, const char *type,
                            const char *plain) {
    if (strstr(plain, "(*)(") || strstr(plain, "(**)("))
        hd_fail("write a main() that calls it with functions of your choice",
                "argument '%s' of '%s' cannot be an input: it is a pointer to a function", name,
                b->function);
    if (strcmp(plain, "void *") == 0 || strcmp(plain, "const void *") == 0)
        hd_fail("write a main() that calls it with an object of a known type",
                "argument '%s' of '%s' cannot be an input: nothing is known of what a 'void *' "
                "points to",
                name, b->function);
    if (strchr(plain, '(') && (strstr(plain, "unnamed") || strstr(plain, "anonymous")))
        hd_fail("give the type a name",
                "argument '%s' of '%s' cannot be an input: '%s' has no name", name, b->function,
                type);
}

typedef struct driver_call {
    hd_text declarations, arguments;
    unsigned n;
    const char *file; /* where the function is: what the driver does is said to be there */
    long long line;
} driver_call;

/* clang leaves out what is as in the place before. */
static void set_place(driver_call *c, json_t *definition, const char *source) {
    json_t *place = json_object_get(definition, "loc");
    const char *file = json_string_value(json_object_get(place, "file"));
    c->file = file ? file : source;
    c->line = json_integer_value(json_object_get(place, "line"));
    c->line = c->line ? c->line : 1;
}

/* A quoted name in C. */
static char *quoted(const char *name) {
    hd_text text = {0};
    for (; *name; name++)
        hd_text_add(&text, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
    return text.at;
}

static void add_parameter(const hd_build *b, driver_call *c, json_t *parameter) {
    json_t *type = json_object_get(parameter, "type");
    const char *written = json_string_value(json_object_get(type, "qualType"));
    const char *plain = json_string_value(json_object_get(type, "desugaredQualType"));
    const char *name = json_string_value(json_object_get(parameter, "name"));
    char number[32];
    snprintf(number, sizeof number, "argument%u", ++c->n);
    name = name && strcmp(name, b->function) != 0 ? name : number;
    check_parameter(b, name, written, plain ? plain : written);
    hd_text_add(&c->declarations, " __typeof_unqual__(__typeof__(%s)) %s; heddle_input(%s);",
                written, name, name);
    hd_text_add(&c->arguments, "%s%s", c->n > 1 ? ", " : "", name);
}

static void add_parameters(const hd_build *b, driver_call *c, json_t *definition) {
    size_t n;
    json_t *inner;
    json_array_foreach(json_object_get(definition, "inner"), n, inner) {
        const char *kind = json_string_value(json_object_get(inner, "kind"));
        if (kind && strcmp(kind, "ParmVarDecl") == 0)
            add_parameter(b, c, inner);
    }
}

/* -- Targets of fuzzers --------------------------------------------------------------------------
 */

static bool is_fuzz_target(const hd_build *b) {
    return strcmp(b->function, "LLVMFuzzerTestOneInput") == 0;
}

/* What a fuzzer does: a block of exactly `size` bytes, so that a read behind them is seen and one
 * of them is not.  How many there can be has a bound, which is said. */
static void make_fuzz_call(const hd_build *b, driver_call *c) {
    if (c->n != 2)
        hd_fail("it must be int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)",
                "'%s' takes %u arguments, not two", b->function, c->n);
    hd_text_clear(&c->declarations);
    hd_text_clear(&c->arguments);
    hd_text_add(&c->declarations,
                " __heddle_bound(\"inputs of at most \" HEDDLE_TEXT(HEDDLE_FUZZ_SIZE)"
                " \" bytes (-DHEDDLE_FUZZ_SIZE=N sets that)\");"
                " unsigned long size = (unsigned long)heddle_choose(0, HEDDLE_FUZZ_SIZE);"
                " unsigned char *data = malloc(size);"
                " heddle_bytes(data, size, \"data\");"
                " volatile int result; result =");
    hd_text_add(&c->arguments, "data, size");
}

static const char fuzz_prelude[] = "#include <stdlib.h>\n"
                                   "#ifndef HEDDLE_FUZZ_SIZE\n"
                                   "#define HEDDLE_FUZZ_SIZE 64\n"
                                   "#endif\n"
                                   "#define HEDDLE_TEXT_OF(x) #x\n"
                                   "#define HEDDLE_TEXT(x) HEDDLE_TEXT_OF(x)\n";

/* #include knows no escapes: a name with a quote goes between the other brackets. */
static void include_source(FILE *out, const char *source) {
    char absolute[PATH_MAX];
    const char *path = realpath(source, absolute) ? absolute : source;
    bool has_quote = strchr(path, '"') != NULL;
    fprintf(out, "#define main heddle_program_main\n#include %c%s%c\n#undef main\n",
            has_quote ? '<' : '"', path, has_quote ? '>' : '"');
}

/* main is one line, and that line is the function's. */
static void write_driver(const hd_build *b, const char *path, const char *source,
                         const driver_call *c) {
    FILE *out = fopen(path, "w");
    if (!out)
        hd_fail(NULL, "cannot write '%s': %s", path, strerror(errno));
    bool is_main = strcmp(b->function, "main") == 0;
    include_source(out, source);
    fprintf(out, "#include <heddle.h>\n%s#line %lld \"%s\"\n",
            is_fuzz_target(b) ? fuzz_prelude : "", c->line, quoted(c->file));
    fprintf(out, "int main(void) {%s %s(%s);%s return 0; }\n", hd_text_string(&c->declarations),
            is_main ? "heddle_program_main" : b->function, hd_text_string(&c->arguments),
            is_fuzz_target(b) ? " free(data);" : "");
    if (fclose(out) != 0)
        hd_fail(NULL, "cannot write '%s': %s", path, strerror(errno));
}

void hd_driver_make(hd_build *b) {
    for (size_t n = 0; n < b->sources.n; n++) {
        json_t *definition = find_definition(b, n);
        if (!definition)
            continue;
        driver_call c = {0};
        set_place(&c, definition, b->sources.at[n]);
        add_parameters(b, &c, definition);
        if (is_fuzz_target(b))
            make_fuzz_call(b, &c);
        char *path = hd_text_format("%s/driver.c", b->output);
        write_driver(b, path, b->sources.at[n], &c);
        b->sources.at[n] = path;
        json_decref(definition);
        hd_text_release(&c.declarations);
        hd_text_release(&c.arguments);
        return;
    }
    hd_fail("check the name; it must be defined in one of the sources",
            "no function '%s' in '%s'%s", b->function, b->sources.at[0],
            b->sources.n > 1 ? " and the other sources" : "");
}

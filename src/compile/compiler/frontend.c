/* frontend.c -- clang: C sources to bitcode, linked into one module for each program, and these
 * into one.
 *
 * clang runs as at -O1 but with all passes off: it then leaves optimisation to us and still
 * says what it knows (aliasing, expected branches).  Its checks for undefined behaviour are
 * compiled in as branches to handlers that the machine implements (docs/design.md D8). */
#include "base/hash.h"
#include "compile/checks.h"
#include "compile/compiler/build.h"

#include <errno.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* User word -> clang's names. */
static const struct {
    const char *word, *sanitizers;
} checks[] = {
#define X(word, sanitizers, text) {word, sanitizers},
    HD_CHECKS(X)
#undef X
};

static bool is_word(const char *word, size_t n, const char *wanted) {
    return strlen(wanted) == n && strncmp(wanted, word, n) == 0;
}

static void add_sanitizers(hd_text *option, const char *word, size_t n) {
    bool is_known = false, is_all = is_word(word, n, "all");
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        if (!is_all && !is_word(word, n, checks[k].word))
            continue;
        is_known = true;
        hd_text_add(option, "%s%s", *checks[k].sanitizers ? "," : "", checks[k].sanitizers);
    }
    if (!is_known)
        hd_fail("the checks are " HD_CHECK_WORDS, "there is no check '%.*s'", (int)n, word);
}

/* "-fsanitize=...", or NULL for no checks. */
static char *sanitizer_option(const char *words) {
    if (strcmp(words, "none") == 0)
        return NULL;
    hd_text option = {0};
    hd_text_add(&option, "-fsanitize=unreachable,return,builtin");
    while (*words) {
        size_t n = strcspn(words, ",");
        add_sanitizers(&option, words, n);
        words += n + (words[n] == ',');
    }
    return option.at;
}

static bool has_word(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ',') && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

bool hd_frontend_checks(const hd_build *b, const char *word) {
    return has_word(b->checks, word) || has_word(b->checks, "all");
}

static bool has_option(const hd_strings *given, const char *option) {
    for (size_t n = 0; n < given->n; n++)
        if (strcmp(given->at[n], option) == 0)
            return true;
    return false;
}

bool hd_frontend_hurries(const hd_build *b) {
    bool hurries = has_option(&b->options, "-O0");
    for (size_t n = 0; n < b->programs.n; n++)
        hurries |= has_option(&b->programs.at[n].options, "-O0");
    return hurries;
}

static void add_given_options(const hd_strings *given, hd_strings *arguments) {
    for (size_t n = 0; n < given->n; n++)
        if (strncmp(given->at[n], "-O", 2) != 0)
            hd_vec_push(arguments, given->at[n]);
}

static size_t program_of_source(const hd_build *b, size_t n) {
    size_t program = 0;
    while (n >= b->programs.at[program].first + b->programs.at[program].n)
        program++;
    return program;
}

/* Before those of the command line, which have the last word. */
static void add_own_options(const hd_build *b, size_t source, hd_strings *arguments) {
    for (size_t k = 0; k < b->own.n; k++)
        if (b->own.at[k].source == source)
            hd_vec_push(arguments, b->own.at[k].option);
}

void hd_frontend_options(const hd_build *b, size_t source, hd_strings *arguments) {
    const char *include = hd_text_string(&b->include);
    hd_vec_push(arguments, "-ffp-contract=off");
    add_own_options(b, source, arguments);
    add_given_options(&b->options, arguments);
    add_given_options(&b->programs.at[program_of_source(b, source)].options, arguments);
    hd_vec_push(arguments, hd_text_format("-I%s", include));
    hd_vec_push(arguments, hd_text_format("-I%s/compat", include));
}

static void add_all(const char *const *words, size_t n, hd_strings *arguments) {
    for (size_t k = 0; k < n; k++)
        hd_vec_push(arguments, words[k]);
}

/* Old C: said, as gcc long did, but not refused, whatever clang is to make of it. */
static void allow_old_c(hd_strings *arguments) {
    static const char *const old[] = {"-Wno-error=implicit-function-declaration",
                                      "-Wno-error=implicit-int", "-Wno-error=int-conversion",
                                      "-Wno-error=incompatible-function-pointer-types",
                                      "-Wno-error=return-mismatch"};
    add_all(old, sizeof old / sizeof *old, arguments);
}

static void add_fixed_options(const hd_build *b, hd_strings *arguments) {
    static const char *const fixed[] = {"-c",
                                        "-emit-llvm",
                                        "-gdwarf-4",
                                        "-O1",
                                        "-U__OPTIMIZE__",
                                        "-D__HEDDLE__=1",
                                        "-D__NO_CTYPE",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-fno-omit-frame-pointer",
                                        "-ftrivial-auto-var-init=pattern",
                                        "-fno-delete-null-pointer-checks",
                                        "-fno-strict-aliasing",
                                        "-fno-builtin-memcpy", /* overlap.c */
                                        "-fno-stack-protector",
                                        "-fcf-protection=none",
                                        "-fno-discard-value-names", /* literals.c */
                                        "-Wno-unused-command-line-argument"};
    add_all(fixed, sizeof fixed / sizeof *fixed, arguments);
    allow_old_c(arguments);
    char *option = sanitizer_option(b->checks);
    if (option) {
        hd_vec_push(arguments, option);
        hd_vec_push(arguments, "-fsanitize-recover=all");
    }
}

/* typeinfo.c reads the number back from the debug information. */
static void add_program_mark(const hd_build *b, size_t program, hd_strings *arguments) {
    if (b->programs.n == 1)
        return;
    hd_vec_push(arguments, "-grecord-command-line");
    hd_vec_push(arguments, hd_text_format("-D" HD_PROGRAM_MARK "%zu", program));
}

static char *part_path(const hd_build *b, size_t n, const char *suffix) {
    return hd_text_format("%s/part%zu.%s", b->output, n, suffix);
}

static bool has_suffix(const char *text, const char *suffix) {
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

static bool is_bitcode(const char *source) {
    return has_suffix(source, ".bc") || has_suffix(source, ".ll");
}

/* clang writes no dependencies of what is preprocessed already: it has none. */
static bool is_alone(const char *source) {
    return is_bitcode(source) || has_suffix(source, ".i");
}

static void clang_arguments(const hd_build *b, size_t n, hd_strings *arguments) {
    hd_vec_push(arguments, "clang-19");
    hd_frontend_options(b, n, arguments);
    add_fixed_options(b, arguments);
    if (b->function) /* the driver has the main that counts (driver.c), whichever source has another
                      */
        hd_vec_push(arguments, "-Dmain=heddle_program_main");
    add_program_mark(b, program_of_source(b, n), arguments);
    hd_vec_push(arguments, "-MD");
}

static int start_clang(const hd_build *b, size_t n) {
    hd_strings arguments = {0};
    clang_arguments(b, n, &arguments);
    hd_vec_push(&arguments, "-MF");
    hd_vec_push(&arguments, part_path(b, n, "d"));
    hd_vec_push(&arguments, "-o");
    hd_vec_push(&arguments, part_path(b, n, "bc"));
    hd_vec_push(&arguments, b->sources.at[n]);
    hd_vec_push(&arguments, NULL);
    int pid = hd_clang_start(arguments.at);
    hd_vec_release(&arguments);
    return pid;
}

/* What the counters of counts.c mean, as an object file that llvm-cov reads too. */
static int start_mapping(const hd_build *b, size_t n) {
    hd_strings arguments = {0};
    hd_vec_push(&arguments, "clang-19");
    hd_frontend_options(b, n, &arguments);
    static const char *const fixed[] = {"-c",
                                        "-O0",
                                        "-w",
                                        "-U__OPTIMIZE__",
                                        "-D__HEDDLE__=1",
                                        "-D__NO_CTYPE",
                                        "-mllvm",
                                        "-enable-name-compression=false"};
    add_all(fixed, sizeof fixed / sizeof *fixed, &arguments);
    allow_old_c(&arguments);
    hd_vec_push(&arguments, "-o");
    char name[32];
    snprintf(name, sizeof name, "mapping%zu.o", n);
    hd_vec_push(&arguments, hd_text_format("%s/%s", b->output, name));
    hd_vec_push(&arguments, b->sources.at[n]);
    hd_vec_push(&arguments, NULL);
    int pid = hd_clang_start(arguments.at);
    hd_vec_release(&arguments);
    return pid;
}

/* -- Dependencies: clang writes them as a rule of make --------------------------------------- */

static const char *next_dependency(const char *p, hd_text *name) {
    hd_text_clear(name);
    while (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n'))
        p++;
    for (; *p && *p != ' ' && *p != '\n'; p++) {
        if (*p == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\'))
            p++;
        else if (*p == '$' && p[1] == '$')
            p++;
        hd_text_add_bytes(name, p, 1);
    }
    return p;
}

/* -- Sources that have not changed --------------------------------------------------------- */

/* What clang has made of a source is kept by the name of all that it was told and of the text of
 * the source and its headers.  Which headers these are, only the last time says: the list is kept
 * by the name of what clang was told.  (A header that would now be found earlier is not seen, here
 * as in the cache of modules.) */
static hd_kept_name name_of_question(const hd_build *b, size_t n) {
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH"};
    hd_strings arguments = {0};
    const char *source = b->sources.at[n];
    hd_kept_name name = hd_kept_name_of('q', source, strlen(source));
    clang_arguments(b, n, &arguments);
    for (size_t k = 0; k < arguments.n; k++)
        hd_kept_name_add(&name, arguments.at[k]);
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        hd_kept_name_add(&name, getenv(variables[k]) ? getenv(variables[k]) : "");
    hd_vec_release(&arguments);
    return name;
}

/* Pipes can be read once, and clang has. */
static bool read_ordinary(hd_text *text, const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && hd_text_read_file(text, path);
}

/* False if a file of the rule cannot be read. */
static bool add_texts(hd_kept_name *name, const char *rule) {
    hd_text file = {0}, text = {0};
    bool ok = true;
    const char *p = strstr(rule, ": ");
    for (p = p ? p + 2 : ""; ok && (*(p = next_dependency(p, &file)) || file.n);) {
        hd_text_clear(&text);
        ok = file.n == 0 || read_ordinary(&text, hd_text_string(&file));
        hd_kept_name_add(name, hd_text_string(&file));
        hd_kept_name found = hd_kept_name_of('t', hd_text_string(&text), text.n);
        name->words[0] = hd_hash_add(name->words[0], found.words[0]);
        name->words[1] = hd_hash_add(name->words[1], found.words[1]);
    }
    hd_text_release(&file);
    hd_text_release(&text);
    return ok;
}

static bool write_file(const char *path, const hd_text *bytes) {
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(bytes->at, 1, bytes->n, out) == bytes->n;
    if (out && fclose(out) != 0)
        ok = false;
    return ok;
}

/* What is preprocessed has no list of headers; counters have object files beside. */
static bool is_keepable(const hd_build *b, size_t n) {
    return !is_alone(b->sources.at[n]) && !hd_frontend_counts(b);
}

static bool use_kept(const hd_build *b, size_t n) {
    hd_text rule = {0}, code = {0};
    hd_kept_name name = name_of_question(b, n);
    char *rule_path = part_path(b, n, "d"), *code_path = part_path(b, n, "bc");
    bool ok = is_keepable(b, n) && hd_kept_read(b, name, &rule) &&
              add_texts(&name, hd_text_string(&rule)) && hd_kept_read(b, name, &code) &&
              write_file(rule_path, &rule) && write_file(code_path, &code);
    hd_text_release(&rule);
    hd_text_release(&code);
    free(rule_path);
    free(code_path);
    return ok;
}

static void keep(const hd_build *b, size_t n) {
    hd_text rule = {0}, code = {0};
    hd_kept_name name = name_of_question(b, n);
    char *rule_path = part_path(b, n, "d"), *code_path = part_path(b, n, "bc");
    if (is_keepable(b, n) && hd_text_read_file(&rule, rule_path) &&
        hd_text_read_file(&code, code_path)) {
        hd_kept_write(b, name, rule.at, rule.n);
        if (add_texts(&name, hd_text_string(&rule)))
            hd_kept_write(b, name, code.at, code.n);
    }
    hd_text_release(&rule);
    hd_text_release(&code);
    free(rule_path);
    free(code_path);
}

/* One clang per processor at a time. */
static void compile_all(const hd_build *b) {
    hd_vec(int) running = {0};
    hd_vec(size_t) compiled = {0};
    size_t at_once = (size_t)sysconf(_SC_NPROCESSORS_ONLN), done = 0;
    bool ok = true;
    for (size_t n = 0; n < b->sources.n; n++) {
        if (is_bitcode(b->sources.at[n]) || use_kept(b, n))
            continue;
        hd_vec_push(&compiled, n);
        if (running.n - done >= at_once)
            ok &= hd_process_wait(running.at[done++]);
        hd_vec_push(&running, start_clang(b, n));
        if (!hd_frontend_counts(b))
            continue;
        if (running.n - done >= at_once)
            ok &= hd_process_wait(running.at[done++]);
        hd_vec_push(&running, start_mapping(b, n));
    }
    while (done < running.n)
        ok &= hd_process_wait(running.at[done++]);
    if (!ok)
        exit(2); /* clang has said why */
    for (size_t n = 0; n < compiled.n; n++)
        keep(b, compiled.at[n]);
    hd_vec_release(&running);
    hd_vec_release(&compiled);
}

static void write_dependencies_of(const hd_build *b, FILE *out, size_t n) {
    hd_text rule = {0}, name = {0};
    char *path = part_path(b, n, "d");
    if (!hd_text_read_file(&rule, path))
        hd_fail(NULL, "cannot read '%s': %s", path, strerror(errno));
    const char *p = strstr(hd_text_string(&rule), ": ");
    for (p = p ? p + 2 : ""; *(p = next_dependency(p, &name)) || name.n;)
        if (name.n && strncmp(name.at, b->output, strlen(b->output)) != 0)
            fprintf(out, "%s\n", name.at);
    unlink(path);
    free(path);
    hd_text_release(&rule);
    hd_text_release(&name);
}

static void write_dependencies(const hd_build *b) {
    char *path = hd_text_format("%s/dependencies", b->output);
    FILE *out = fopen(path, "w");
    if (!out)
        hd_fail(NULL, "cannot write '%s': %s", path, strerror(errno));
    for (size_t n = 0; n < b->sources.n; n++)
        if (is_alone(b->sources.at[n]))
            fprintf(out, "%s\n", b->sources.at[n]);
        else
            write_dependencies_of(b, out, n);
    if (fclose(out) != 0)
        hd_fail(NULL, "cannot write '%s': %s", path, strerror(errno));
    free(path);
}

/* -- One module ---------------------------------------------------------------------------- */

static LLVMModuleRef read_part(hd_build *b, size_t n) {
    if (is_bitcode(b->sources.at[n]))
        return hd_bitcode_read(b, b->sources.at[n]);
    char *path = part_path(b, n, "bc");
    LLVMModuleRef module = hd_bitcode_read(b, path);
    hd_literals_find(b, module);
    unlink(path);
    free(path);
    return module;
}

static char *last_diagnostic;

static void keep_diagnostic(LLVMDiagnosticInfoRef info, void *unused) {
    (void)unused;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    LLVMDisposeMessage(last_diagnostic);
    last_diagnostic = LLVMGetDiagInfoDescription(info);
}

typedef hd_vec(LLVMModuleRef) modules;

static bool has_definition(LLVMModuleRef module, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    return f && !LLVMIsDeclaration(f);
}

static bool has_startup(LLVMModuleRef module) {
    return LLVMGetNamedGlobal(module, "llvm.global_ctors") ||
           LLVMGetNamedGlobal(module, "llvm.global_dtors");
}

/* Main's source, which is edited most, is linked last, so that all that is numbered stays as it is
 * in the others (code_parts.c); unless what runs before and after main would change its order. */
static void put_main_last(modules *all) {
    size_t at = all->n;
    for (size_t n = 0; n < all->n; n++)
        if (has_startup(all->at[n]))
            return;
    for (size_t n = 0; n < all->n; n++)
        if (has_definition(all->at[n], "main"))
            at = n;
    for (; at + 1 < all->n; at++) {
        LLVMModuleRef main = all->at[at];
        all->at[at] = all->at[at + 1];
        all->at[at + 1] = main;
    }
}

/* The source that cannot be linked is told as the last one that was named. */
static LLVMModuleRef link_program(hd_build *b, const hd_build_program *p) {
    modules all = {0};
    for (size_t n = p->first; n < p->first + p->n; n++)
        hd_vec_push(&all, read_part(b, n));
    put_main_last(&all);
    LLVMModuleRef module = all.at[0];
    for (size_t n = 1; n < all.n; n++)
        if (LLVMLinkModules2(module, all.at[n]))
            hd_fail("a name may be defined in one source only", "cannot link '%s': %s",
                    b->sources.at[p->first + n],
                    last_diagnostic ? last_diagnostic : "unknown reason");
    hd_vec_release(&all);
    return module;
}

static void require_main(const hd_build *b, const hd_build_program *p, LLVMModuleRef module) {
    LLVMValueRef main = LLVMGetNamedFunction(module, "main");
    if (!main || LLVMIsDeclaration(main))
        hd_fail(b->programs.n > 1 ? "every program of a scenario needs one"
                                  : "write one, or name a function to test with --function",
                "no function 'main' in '%s'%s", b->sources.at[p->first],
                p->n > 1 ? " and the other sources" : "");
}

static void link_programs(hd_build *b) {
    LLVMContextSetDiagnosticHandler(b->context, keep_diagnostic, NULL);
    for (size_t n = 0; n < b->programs.n; n++) {
        const hd_build_program *p = &b->programs.at[n];
        LLVMModuleRef module = link_program(b, p);
        require_main(b, p, module);
        hd_program_close(b, module, n);
        if (n == 0)
            b->module = module;
        else if (LLVMLinkModules2(b->module, module))
            hd_fail(NULL, "cannot put the program '%s' beside the others: %s", p->name,
                    last_diagnostic ? last_diagnostic : "unknown reason");
    }
}

/* Allocations stay. Said here and not to clang, which then would not know the types of these
 * functions where a program does not declare them. */
static void keep_allocations(hd_build *b) {
    static const char *const keys[] = {"no-builtin-malloc",        "no-builtin-calloc",
                                       "no-builtin-realloc",       "no-builtin-free",
                                       "no-builtin-aligned_alloc", "no-builtin-posix_memalign"};
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
            LLVMAddAttributeAtIndex(
                f, LLVMAttributeFunctionIndex,
                LLVMCreateStringAttribute(b->context, keys[n], (unsigned)strlen(keys[n]), "", 0));
}

void hd_frontend_run(hd_build *b) {
    for (size_t n = 0; n < b->sources.n; n++)
        if (access(b->sources.at[n], R_OK) != 0)
            hd_fail("check the name", "cannot read '%s': %s", b->sources.at[n], strerror(errno));
    if (b->function)
        hd_driver_make(b);
    compile_all(b);
    write_dependencies(b);
    link_programs(b);
    keep_allocations(b);
}

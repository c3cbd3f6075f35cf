/* The whole table of library functions, against the functions themselves.
 *
 *     property_functions [-v] [NAME...]    (HEDDLE names the tool, default build/heddle)
 *
 * Every row of functions.def has a recipe in a file of tests/walk (walk.h): a call, of which each
 * operand in turn depends on an input of a few values, as a value and in memory.  What comes of it,
 * natively for each value and in one run of Heddle for all, must be the same, in a run that is
 * complete; or in part the same, in a run that is not and lists a place of the recipe.  Runs look
 * at many operands together first; an operand that such a run does not show to be the same has a
 * run of its own.  A row without a recipe, and an operand that its recipe does not change, fail,
 * unless tests/walk/exempt says why; those are printed.  Recipes with names of other_... are about
 * what is no library function.  With SOAK the input has more values. */
#include "base/text.h"
#include "program/functions.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_RECIPES = 2000, MAX_LABELS = 32, MAX_GROUPS = 32, MAX_TOGETHER = 60 };

typedef struct recipe {
    char name[64];
    unsigned group, line, end; /* its lines in the file of the group */
    uint64_t ways;             /* 4 * operand + how: those that it has */
} recipe;

static recipe recipes[MAX_RECIPES];
static unsigned n_recipes, n_groups, n_checked, n_exact, n_listed, n_exempt, n_bad;
static char groups[MAX_GROUPS][64];
static char folder[128], root[PATH_MAX], heddle[PATH_MAX];
static hd_text exemptions;
static bool is_verbose;

__attribute__((format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    n_bad++;
}

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...) {
    char command[3 * PATH_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return system(command);
}

/* ---- recipes ---- */

static recipe *find_recipe(const char *name) {
    for (unsigned i = 0; i < n_recipes; i++)
        if (strcmp(recipes[i].name, name) == 0)
            return &recipes[i];
    return NULL;
}

/* "WALK(name)" or "WALK_SOMETHING(name": a recipe begins. */
static const char *read_head(const char *at, char *name) {
    const char *open = at + 4 + strspn(at + 4, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    size_t n = *open == '(' ? strcspn(open + 1, ",)") : 0;
    if (!n || n > 63)
        return NULL;
    memcpy(name, open + 1, n);
    name[n] = '\0';
    return open + 1 + n;
}

static void add_recipe(const char *name, unsigned group, unsigned line) {
    recipe *r = &recipes[n_recipes];
    if (find_recipe(name))
        fail("%s has two recipes", name);
    if (n_recipes == MAX_RECIPES)
        exit(fprintf(stderr, "too many recipes\n"));
    snprintf(r->name, sizeof r->name, "%s", name);
    r->group = group;
    r->line = line;
    r->end = UINT_MAX;
    for (unsigned i = n_recipes; i-- > 0 && recipes[i].group == group && recipes[i].end > line;)
        recipes[i].end = recipes[i].line == line ? line + 1 : line;
    n_recipes++;
}

static void read_line(const char *text, unsigned group, unsigned line) {
    char name[64];
    if (text[0] == '#' || text[0] == ' ')
        return;
    for (const char *at = strstr(text, "WALK"); at; at = strstr(at, "WALK")) {
        const char *next = at == text || at[-1] == ' ' ? read_head(at, name) : NULL;
        if (next)
            add_recipe(name, group, line);
        at = next ? next : at + 4;
    }
}

static bool read_group(const char *file) {
    char path[PATH_MAX + NAME_MAX + 16], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/tests/walk/%s", root, file);
    FILE *in = fopen(path, "r");
    snprintf(groups[n_groups], sizeof groups[0], "%.*s", (int)(strlen(file) - 2), file);
    for (unsigned n = 1; in && getline(&line, &room, in) >= 0; n++)
        read_line(line, n_groups, n);
    free(line);
    n_groups++;
    return in && fclose(in) == 0;
}

static bool read_recipes(void) {
    char path[PATH_MAX + 16];
    struct dirent **files;
    snprintf(path, sizeof path, "%s/tests/walk", root);
    int n = scandir(path, &files, NULL, alphasort);
    bool ok = n > 0;
    for (int i = 0; i < n; i++) {
        size_t length = strlen(files[i]->d_name);
        if (length > 2 && strcmp(files[i]->d_name + length - 2, ".c") == 0)
            ok &= n_groups < MAX_GROUPS && read_group(files[i]->d_name);
        free(files[i]);
    }
    free(files);
    return ok;
}

/* ---- programs ---- */

/* The file of a group and a table of its recipes. */
static bool write_source(unsigned g) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s.c", folder, groups[g]);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    fprintf(out, "#include \"%s/tests/walk/%s.c\"\n", root, groups[g]);
    fprintf(out, "static const struct recipe *walk_recipes(void) {\n"
                 "    static const struct recipe all[] = {\n");
    for (unsigned i = 0; i < n_recipes; i++)
        if (recipes[i].group == g)
            fprintf(out, "{\"%s\", walk_of_%s},\n", recipes[i].name, recipes[i].name);
    fprintf(out, "{0, 0}};\n    return all;\n}\n");
    return fclose(out) == 0;
}

static const char *domain(void) {
    return getenv("SOAK") ? "-DDOMAIN=16" : "";
}

/* Heddle's options: a recipe runs a few times, and what code of loops does is asked by others
 * (random_programs), so that most of the time would be compiling.  With SOAK all is as users have
 * it. */
static const char *options(void) {
    return getenv("SOAK") ? "-DDOMAIN=16" : "-O0";
}

/* Natively nothing is optimised: then no call is folded, and compiling takes less. */
static bool compile_group(unsigned g) {
    const char *name = groups[g];
    if (!write_source(g))
        return false;
    if (shell(
            "gcc -w -O0 -fmax-errors=5 %s -o '%s/%s.native' '%s/%s.c' -lm -lpthread -lrt -latomic",
            domain(), folder, name, folder, name) != 0 ||
        shell("'%s' build -w -DHEDDLE %s -o '%s/%s.module' '%s/%s.c' >'%s/build' 2>&1 "
              "|| { cat '%s/build'; false; }",
              heddle, options(), folder, name, folder, name, folder, folder) != 0)
        return fail("%s.c cannot be compiled", name), false;
    return true;
}

/* ---- results ---- */

typedef struct labels {
    unsigned n;
    char text[MAX_LABELS][16];
} labels;

static bool has_label(const labels *all, const char *text) {
    for (unsigned i = 0; i < all->n; i++)
        if (strcmp(all->text[i], text) == 0)
            return true;
    return false;
}

static void add_label(labels *to, const char *text) {
    if (!has_label(to, text) && to->n < MAX_LABELS)
        snprintf(to->text[to->n++], sizeof to->text[0], "%s", text);
}

static bool is_subset(const labels *a, const labels *b) {
    for (unsigned i = 0; i < a->n; i++)
        if (!has_label(b, a->text[i]))
            return false;
    return true;
}

/* An operand of a recipe that is made to depend on the input in a way, and what it shows natively.
 */
typedef struct walk {
    recipe *recipe;
    unsigned way;
    labels native;
} walk;

/* Those that one run looks at: all of one group. */
typedef struct walks {
    unsigned n;
    walk at[MAX_TOGETHER];
} walks;

static void become_heddle(const char *output, const char *module, const walk *all, unsigned n) {
    static char numbers[MAX_TOGETHER][4];
    const char *words[2 * MAX_TOGETHER + 16] = {"heddle", "run",  "--json",  "--no-leaks",
                                                "-t",     "300s", "--tests", "findings",
                                                "-o",     output, module,    "--"};
    for (unsigned i = 0; i < n; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%02u", all[i].way % 100);
        words[12 + 2 * i] = all[i].recipe->name;
        words[13 + 2 * i] = numbers[i];
    }
    execv(heddle, (char *const *)words);
}

/* One run, in a directory of its own, which is empty. */
static json_t *run_heddle(const walk *all, unsigned n) {
    char module[256], output[256], summary[256];
    snprintf(module, sizeof module, "%s/%s.module", folder, groups[all->recipe->group]);
    snprintf(output, sizeof output, "%s/out", folder);
    snprintf(summary, sizeof summary, "%s/summary", folder);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char home[256];
        snprintf(home, sizeof home, "%s/home", folder);
        freopen(summary, "w", stdout);
        freopen("/dev/null", "w", stderr);
        freopen("/dev/null", "r", stdin);
        if (chdir(home) == 0)
            become_heddle(output, module, all, n);
        _exit(127);
    }
    waitpid(child, NULL, 0);
    return json_load_file(summary, 0, NULL);
}

static bool is_in_recipe(const recipe *r, const json_t *loss) {
    const char *file = json_string_value(json_object_get(loss, "file"));
    json_int_t line = json_integer_value(json_object_get(loss, "line"));
    const char *base = file ? strrchr(file, '/') : NULL;
    base = base ? base + 1 : file;
    size_t n = strlen(groups[r->group]);
    return base && strncmp(base, groups[r->group], n) == 0 && strcmp(base + n, ".c") == 0 &&
           line >= r->line && line < r->end;
}

/* Is a place of the recipe beside the verdict? */
static bool is_listed(const recipe *r, const json_t *summary) {
    size_t i;
    const json_t *loss;
    json_array_foreach(json_object_get(summary, "losses"), i, loss) {
        if (is_in_recipe(r, loss))
            return true;
    }
    return false;
}

static void print_labels(const char *what, const labels *all) {
    printf("    %s:", what);
    for (unsigned i = 0; i < all->n; i++)
        printf(" %s", all->text[i]);
    printf("\n");
}

static void explain(const labels *native, const labels *found, const json_t *summary) {
    size_t i;
    const json_t *reason;
    print_labels("native", native);
    print_labels("heddle", found);
    json_array_foreach(json_object_get(summary, "reasons"), i, reason)
        printf("    - %s\n", json_string_value(reason));
    json_array_foreach(json_object_get(summary, "findings"), i, reason) {
        const char *what = json_string_value(json_object_get(reason, "message"));
        printf("    finding: %s %s\n", json_string_value(json_object_get(reason, "kind")),
               what ? what : "");
    }
}

/* NULL if all is well. */
static const char *judge(const recipe *r, const labels *native, const labels *found,
                         const json_t *summary) {
    bool is_complete = json_is_true(json_object_get(summary, "complete"));
    bool is_same = is_subset(found, native) && is_subset(native, found);
    if (!summary)
        return "no summary";
    if (json_array_size(json_object_get(summary, "findings")))
        return "a finding";
    if (!is_subset(found, native))
        return "results that there are not";
    if (is_complete)
        return is_same ? NULL : "complete, with too few results";
    return is_listed(r, summary) ? NULL : "not complete, and no place of the recipe is named";
}

/* What the run shows for one of several walks. */
static void find_labels(json_t *summary, unsigned which, labels *found) {
    const char *name;
    json_t *count;
    json_object_foreach(json_object_get(summary, "labels"), name, count) {
        if (strlen(name) > 3 && name[2] == ':' && (unsigned)atoi(name) == which)
            add_label(found, name + 3);
    }
}

static bool is_in_some(const walks *w, const json_t *loss) {
    for (unsigned i = 0; i < w->n; i++)
        if (is_in_recipe(w->at[i].recipe, loss))
            return true;
    return false;
}

/* Is nothing between the run and complete but losses in these recipes? */
static bool is_explained(const walks *w, const json_t *summary) {
    static const char *const numbers[] = {"unknown", "mispredicted", "bounded", "open"};
    const json_t *search = json_object_get(summary, "search"), *loss;
    bool is_complete = json_is_true(json_object_get(summary, "complete"));
    size_t i;
    if (!search || json_array_size(json_object_get(summary, "findings")))
        return false;
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (json_integer_value(json_object_get(search, numbers[i])))
            return false;
    json_array_foreach(json_object_get(summary, "losses"), i, loss) {
        if (!is_in_some(w, loss))
            return false;
    }
    return is_complete || i > 0;
}

/* All in one run; those that show what they show natively are done, the others are left.  One that
 * shows all of it beside losses is not said to be complete. */
static void check_together(walks *w) {
    json_t *summary = run_heddle(w->at, w->n);
    bool is_good = is_explained(w, summary);
    unsigned n = w->n;
    w->n = is_good ? 0 : n;
    for (unsigned i = 0; i < n && is_good; i++) {
        labels found = {0};
        const labels *native = &w->at[i].native;
        find_labels(summary, i, &found);
        bool is_same = is_subset(&found, native) && is_subset(native, &found);
        bool is_exact = is_same && !is_listed(w->at[i].recipe, summary);
        n_checked += is_same;
        n_exact += is_exact;
        n_listed += is_same && !is_exact;
        if (!is_same)
            w->at[w->n++] = w->at[i];
    }
    json_decref(summary);
}

static void check_walk(const walk *w) {
    const recipe *r = w->recipe;
    json_t *summary = run_heddle(w, 1);
    labels found = {0};
    const char *name;
    json_t *count;
    json_object_foreach(json_object_get(summary, "labels"), name, count) add_label(&found, name);
    const char *why = judge(r, &w->native, &found, summary);
    bool is_complete = json_is_true(json_object_get(summary, "complete"));
    n_checked++;
    n_exact += !why && is_complete;
    n_listed += !why && !is_complete;
    if (why)
        fail("%s, operand %u, way %u (%s.c:%u): %s", r->name, w->way / 4, w->way % 4,
             groups[r->group], r->line, why);
    else if (is_verbose)
        printf("%s %u.%u: %s, %u results\n", r->name, w->way / 4, w->way % 4,
               is_complete ? "exact" : "listed", w->native.n);
    if (why || (is_verbose && !is_complete))
        explain(&w->native, &found, summary);
    json_decref(summary);
}

static void check_walks(walks *w) {
    if (w->n > 1 && !is_verbose)
        check_together(w);
    for (unsigned i = 0; i < w->n; i++)
        check_walk(&w->at[i]);
    w->n = 0;
}

/* A line of what a group prints: "NAME WAY LABEL...". */
static void check_line(walks *w, char *line) {
    char *rest, *word = strtok_r(line, " \n", &rest), *number = strtok_r(NULL, " \n", &rest);
    recipe *r = word ? find_recipe(word) : NULL;
    labels native = {0};
    bool is_bad = false;
    if (!r || !number)
        return fail("no recipe: %s", line);
    while ((word = strtok_r(NULL, " \n", &rest))) {
        is_bad |= !(strspn(word, "0123456789abcdef") == 8);
        add_label(&native, word);
    }
    if (is_bad)
        return fail("%s %s: it does not run natively (%s)", r->name, number, native.text[0]);
    if (number[0] == '-')
        return;
    r->ways |= UINT64_C(1) << atoi(number);
    if (w->n == MAX_TOGETHER)
        check_walks(w);
    w->at[w->n++] = (walk){r, (unsigned)atoi(number), native};
}

static void check_group(unsigned g, const char *wanted) {
    static walks w;
    char *line = NULL;
    size_t room = 0;
    w.n = 0;
    if (!compile_group(g))
        return;
    char *command = hd_text_format("cd '%s/native' && env -i '../%s.native' %s </dev/null", folder,
                                   groups[g], wanted);
    FILE *in = popen(command, "r");
    free(command);
    while (in && getline(&line, &room, in) >= 0)
        check_line(&w, line);
    check_walks(&w);
    free(line);
    if (!in || pclose(in) != 0)
        fail("%s.c does not run natively", groups[g]);
}

/* ---- nothing is left out ---- */

/* Why the row, or an operand of it, is in no recipe: "NAME[:OPERAND] WHY", or "PREFIX* WHY". */
static bool is_exempt(const char *name, int operand) {
    char wanted[96];
    const char *text = hd_text_string(&exemptions);
    snprintf(wanted, sizeof wanted, operand < 0 ? "%s" : "%s:%d", name, operand);
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        size_t n = strcspn(at, " \n");
        bool is_prefix = n && at[n - 1] == '*';
        if (is_prefix ? strncmp(at, name, n - 1) == 0
                      : strlen(wanted) == n && strncmp(at, wanted, n) == 0)
            return true;
    }
    return false;
}

static void check_operands(const hd_function *f, const recipe *r) {
    const char *text = f->arguments;
    int n = 0;
    for (hd_role role = hd_role_next(&text); role.letter; role = hd_role_next(&text), n++) {
        unsigned how = strchr("vdphc.a", role.letter) ? 0 : 1;
        if (r->ways >> (4 * n + how) & 1)
            continue;
        if (is_exempt(f->name, n))
            n_exempt++;
        else
            fail("%s: its recipe does not change operand %d ('%c')", f->name, n, role.letter);
    }
}

static void check_row(const hd_function *f) {
    const recipe *r = find_recipe(f->name);
    if (f->kind == HD_FUNCTION_ABI || f->kind == HD_FUNCTION_REFUSED)
        return;
    if (r)
        check_operands(f, r);
    else if (is_exempt(f->name, -1))
        n_exempt++;
    else
        fail("%s has no recipe in tests/walk", f->name);
}

static void check_rows(void) {
    const hd_function *f;
    for (uint32_t i = 0; (f = hd_function_row(i)); i++)
        check_row(f);
    for (unsigned i = 0; i < n_recipes; i++)
        if (!hd_function_find(recipes[i].name) && strncmp(recipes[i].name, "other_", 6) != 0)
            fail("%s has a recipe and no row", recipes[i].name);
}

/* ---- main ---- */

static bool begin(void) {
    const char *temporary = getenv("TMPDIR"), *tool = getenv("HEDDLE");
    char path[PATH_MAX + 32];
    snprintf(folder, sizeof folder, "%s/heddle-walk-XXXXXX", temporary ? temporary : "/tmp");
    snprintf(path, sizeof path, "tests/walk/exempt");
    return mkdtemp(folder) && getcwd(root, sizeof root) && hd_text_read_file(&exemptions, path) &&
           realpath(tool ? tool : "build/heddle", heddle) &&
           shell("mkdir '%s/home' '%s/native'", folder, folder) == 0 && read_recipes();
}

static bool is_in_group(unsigned g, char **names) {
    bool is_any = !*names;
    for (; *names; names++) {
        const recipe *r = find_recipe(*names);
        is_any |= r && r->group == g;
        is_any |= strcmp(*names, groups[g]) == 0;
    }
    return is_any;
}

static void report(void) {
    printf("%u operands of %u functions: %u exact, %u listed, %u bad; exempt are %u "
           "(tests/walk/exempt):\n%s",
           n_checked, n_recipes, n_exact, n_listed, n_bad, n_exempt, hd_text_string(&exemptions));
}

int main(int argc, char **argv) {
    char wanted[2048] = "";
    is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    char **names = argv + 1 + is_verbose;
    (void)argc;
    if (!begin())
        return printf("cannot begin: no scratch directory, no tool or no recipes\n"), 1;
    for (unsigned i = 0; names[i]; i++)
        if (find_recipe(names[i]))
            snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), " %s", names[i]);
    for (unsigned g = 0; g < n_groups; g++)
        if (is_in_group(g, names))
            check_group(g, wanted);
    if (!names[0])
        check_rows();
    shell("rm -rf '%s'", folder);
    report();
    return n_bad ? printf("%u bad\n", n_bad), 1 : 0;
}

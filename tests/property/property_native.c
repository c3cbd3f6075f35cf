/* Instrumented programs do what plain ones do: for every program of native/, the output and
 * the exit status under Heddle (with no inputs, so nothing is symbolic) are those of clang's
 * ordinary program.
 *
 *     property_native [program.c...]     speaks TAP */
#include "base/text.h"
#include "compile/compile.h"
#include "machine/machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAMS "tests/property/native"

static char scratch[] = "/tmp/heddle-native-XXXXXX";

static void ignore_branch(void *context, uint32_t site, hd_expr condition, bool taken,
                          hd_branch_kind kind) {
    (void)context, (void)site, (void)condition, (void)taken, (void)kind;
}

static int complain(const char *message) {
    fprintf(stderr, "%s\n", message);
    return 200;
}

/* In a child of its own: one process loads one module. */
static int run_compiled(const char *source, const char *option) {
    hd_compile_request request = {
        .sources = &source, .n_sources = 1, .options = &option, .n_options = 1};
    hd_compile_result compiled;
    hd_err err = {0};
    hd_module module = {0};
    hd_model model = {0};
    hd_outcome outcome = {0};
    hd_sink sink = {.branch = ignore_branch};
    char *arguments[] = {"program", NULL};
    hd_machine_options options = hd_machine_defaults();
    options.show_output = true;
    options.argc = 1;
    options.argv = arguments;
    if (!hd_compile(&request, &compiled, &err) ||
        !hd_module_load(&module, compiled.directory, &err))
        return complain(err.message);
    hd_graph *graph = hd_graph_new(true);
    hd_variables *variables = hd_variables_new();
    hd_machine *machine = hd_machine_new(&module, graph, variables, &options, &err);
    if (!machine)
        return complain(err.message);
    hd_machine_run(machine, &model, &sink, &outcome);
    fflush(NULL);
    return outcome.end == HD_END_EXIT ? outcome.status & 255 : complain(outcome.finding.message);
}

static int run_instrumented(const char *source) {
    return run_compiled(source, "-O1");
}

/* Code that is made small instead of fast. */
static int run_hurried(const char *source) {
    return run_compiled(source, "-O0");
}

static int run_plain(const char *source) {
    char *program = hd_text_format("%s/plain", scratch);
    const char *compiler[] = {"clang-19", "-w",  "-O1", "-ffp-contract=off", "-o", program,
                              source,     "-lm", NULL};
    pid_t pid = fork();
    int status;
    if (pid == 0)
        execvp(compiler[0], (char *const *)compiler);
    if (waitpid(pid, &status, 0) != pid || status != 0)
        return complain("clang-19 cannot compile the program");
    execl(program, "program", NULL);
    return complain("cannot start the plain program");
}

static int run(int (*how)(const char *), const char *source, const char *output) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, STDOUT_FILENO);
        _exit(how(source));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
}

static bool is_equal(const char *a, const char *b) {
    hd_text x = {0}, y = {0};
    bool same = hd_text_read_file(&x, a) && hd_text_read_file(&y, b) && x.n > 0 && x.n == y.n &&
                memcmp(x.at, y.at, x.n) == 0;
    hd_text_release(&x);
    hd_text_release(&y);
    return same;
}

static bool check(const char *source, bool hurries) {
    char *expected = hd_text_format("%s/expected", scratch);
    char *actual = hd_text_format("%s/actual", scratch);
    int plain = run(run_plain, source, expected),
        ours = run(hurries ? run_hurried : run_instrumented, source, actual);
    bool ok = plain == ours && is_equal(expected, actual);
    printf("%s - %s", ok ? "ok" : "not ok", source);
    if (!ok)
        printf(": status %d, plain %d%s", ours, plain, plain == ours ? ", other output" : "");
    putchar('\n');
    free(expected);
    free(actual);
    return ok;
}

static bool check_all(void) {
    struct dirent **names;
    int n = scandir(PROGRAMS, &names, NULL, alphasort);
    bool ok = n > 0;
    for (int k = 0; k < n; k++) {
        size_t length = strlen(names[k]->d_name);
        char *source = hd_text_format(PROGRAMS "/%s", names[k]->d_name);
        if (length > 2 && strcmp(names[k]->d_name + length - 2, ".c") == 0)
            ok &= check(source, k % 2);
        free(source);
    }
    return ok;
}

int main(int argc, char **argv) {
    bool ok = true;
    if (!mkdtemp(scratch))
        return complain("cannot make a scratch directory");
    if (argc == 1)
        ok = check_all();
    for (int n = 1; n < argc; n++)
        ok &= check(argv[n], n % 2);
    char *command = hd_text_format("rm -rf '%s'", scratch);
    ok &= system(command) == 0;
    free(command);
    return ok ? 0 : 1;
}

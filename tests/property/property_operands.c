/* Heddle against Linux, on random sequences of library calls whose operands depend on an input.
 *
 *     property_operands [COUNT [FIRST_SEED]]    (HEDDLE names the tool, default build/heddle)
 *
 * A sequence ends with a number for each value of the input (operand_program.c).  The set of these
 * numbers must be the set of labels that Heddle reaches, in a run that is complete.  With dates,
 * which are not all followed, the run may say so instead: then it has none of the others, and some.
 */
#include "property/subject/operand_program.c"

#include "tool/tool.h"

enum { MAX_ACTIONS = 9 };

static char folder[128];

static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Dates in one of four: what follows an inexact one is compared less strictly. */
static void write_script(char *out, uint64_t seed) {
    const char *actions = seed % 4 ? OPERAND_ACTIONS : OPERAND_ACTIONS DATE_ACTIONS DATE_ACTIONS;
    uint64_t state = seed;
    unsigned n = 2 + (unsigned)(next_random(&state) % (MAX_ACTIONS - 1));
    for (unsigned i = 0; i < n; i++) {
        *out++ = actions[next_random(&state) % strlen(actions)];
        *out++ = (char)('0' + next_random(&state) % 8);
    }
    *out = '\0';
}

/* In a directory and a process of its own; -1 if that fails. */
static int run_native(const char *script, int x) {
    char home[160], command[256];
    int status = 0;
    snprintf(home, sizeof home, "%s/%d", folder, x);
    snprintf(command, sizeof command, "rm -rf '%s'", home);
    if (mkdir(home, 0700) < 0)
        return -1;
    if (fork() == 0)
        _exit(chdir(home) == 0 ? (int)run_operands(script, x) : 255);
    wait(&status);
    return system(command) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool find_native(const char *script, uint64_t *set) {
    *set = 0;
    for (int x = 0; x < N_OPERAND_INPUTS; x++) {
        int result = run_native(script, x);
        if (result < 0 || result > 63)
            return false;
        *set |= UINT64_C(1) << result;
    }
    return true;
}

/* Does it name a line of the program that is not exact, and call itself not complete? */
static bool is_said(json_t *summary) {
    json_t *losses = json_object_get(summary, "losses");
    return json_is_false(json_object_get(summary, "complete")) && json_array_size(losses) > 0 &&
           json_integer_value(json_object_get(json_array_get(losses, 0), "line")) > 0;
}

static bool find_heddle(const char *script, uint64_t *set, bool *is_exact) {
    json_t *summary =
        tool_run("-DHEDDLE -w tests/property/subject/operand_program.c -- %s", script);
    *is_exact = summary && json_is_true(json_object_get(summary, "complete"));
    bool ok = *is_exact || (strpbrk(script, DATE_ACTIONS) && is_said(summary));
    const char *name;
    json_t *count;
    *set = 0;
    json_object_foreach(json_object_get(summary, "labels"), name, count) *set |=
        name[0] == 'r' ? UINT64_C(1) << atoi(name + 1) : 0;
    json_decref(summary);
    return ok;
}

static bool check_seed(uint64_t seed) {
    char script[2 * MAX_ACTIONS + 1];
    uint64_t native = 0, found = 0;
    write_script(script, seed);
    bool ran = find_native(script, &native), is_exact = false,
         ok = ran && find_heddle(script, &found, &is_exact);
    if (ok && (is_exact ? native == found : found && !(found & ~native)))
        return true;
    printf("seed %llu, script %s: %s (Linux %#llx, Heddle %#llx)\n", (unsigned long long)seed,
           script,
           !ran  ? "it does not run natively"
           : !ok ? "no summary, or not complete"
                 : "other results",
           (unsigned long long)native, (unsigned long long)found);
    return false;
}

static bool begin(void) {
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/heddle-operands-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(folder) && tool_begin();
}

int main(int argc, char **argv) {
    unsigned wanted = argc > 1 ? (unsigned)atoi(argv[1]) : getenv("SOAK") ? 2000 : 60;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    unsigned n_bad = 0;
    if (!begin())
        return printf("cannot make a scratch directory\n"), 1;
    for (unsigned n = 0; n < wanted; n++)
        n_bad += !check_seed(seed + n);
    tool_end();
    if (!n_bad)
        printf("%u sequences: the same results on Linux\n", wanted);
    return rmdir(folder) == 0 && !n_bad ? 0 : 1;
}

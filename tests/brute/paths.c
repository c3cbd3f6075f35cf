/* paths.c -- how many paths does a program have?  Counted without Heddle.
 *
 *     tests/brute/paths FILE.c ELEMENT_SIZE LOW HIGH [-D...]
 *
 * The program is compiled by plain clang with a callback in every block of its control-flow
 * graph, and run once for every assignment of LOW..HIGH to its inputs, taken as elements of
 * ELEMENT_SIZE bytes.  Two runs are on the same path if they pass the same blocks in the same
 * order.  The number of distinct paths is the one that tests/programs states, provided that
 * the range is wide enough to show every path (N different values for a sort of N).
 *
 * "chars" for LOW and a string for HIGH takes the string's characters and NUL instead.
 *
 * The program is loaded as a shared object whose writable memory is copied back before each
 * run.  Assumptions that fail reject the run; a failed assertion or exit ends it. */
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 64 };
static int digits[MAX_DIGITS], low, high, n_digits, at_digit, digit_high[MAX_DIGITS];
static const char *alphabet; /* or NULL: the values are low..high themselves */
static size_t element;
static uint64_t path;
static jmp_buf end_of_run;
enum { RUN_ENDED = 1, RUN_REJECTED };

/* ---- What the program calls ----------------------------------------------------------- */

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    for (uint32_t n = 0; start < stop; start++)
        *start = ++n;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    path = (path ^ *guard) * UINT64_C(0x9e3779b97f4a7c15);
    path ^= path >> 29;
}

/* The next digit of the odometer, from lo to hi. */
static int next_digit(int lo, int hi) {
    if (at_digit == MAX_DIGITS)
        abort();
    if (at_digit == n_digits)
        digits[n_digits++] = lo;
    digit_high[at_digit] = hi;
    return digits[at_digit++];
}

void heddle_bytes(void *buffer, size_t n, const char *name) {
    (void)name;
    for (size_t i = 0; i + element <= n; i += element) {
        int digit = next_digit(low, high);
        int64_t value = alphabet ? alphabet[digit] : digit;
        memcpy((char *)buffer + i, &value, element);
    }
}

void __heddle_input(void *address, size_t size, const char *name, const void *type) {
    (void)type;
    heddle_bytes(address, size, name);
}

void __heddle_input_array(void *address, size_t size, size_t n, const char *name,
                          const void *type) {
    (void)type;
    heddle_bytes(address, size * n, name);
}

long heddle_choose(long lo, long hi) {
    return next_digit((int)lo, (int)hi);
}

void __heddle_assume(int condition) {
    if (!condition)
        longjmp(end_of_run, RUN_REJECTED);
}

void heddle_reach(const char *label) {
    (void)label;
}

static _Noreturn void end_run(void) {
    longjmp(end_of_run, RUN_ENDED);
}

_Noreturn void __heddle_assert_failed(const char *t, const char *f, int l, const char *fn) {
    (void)t, (void)f, (void)l, (void)fn;
    end_run();
}

_Noreturn void __assert_fail(const char *t, const char *f, unsigned l, const char *fn) {
    (void)t, (void)f, (void)l, (void)fn;
    end_run();
}

_Noreturn void program_exit(int status) {
    (void)status;
    end_run();
}

/* ---- The set of paths ------------------------------------------------------------------- */

static uint64_t *table;
static size_t table_size = 1 << 20, n_paths;

static void add_path(uint64_t key) {
    for (size_t i = key & (table_size - 1);; i = (i + 1) & (table_size - 1)) {
        if (table[i] == key)
            return;
        if (table[i] == 0) {
            table[i] = key, n_paths++;
            return;
        }
    }
}

/* ---- Memory of the program ---------------------------------------------------------------- */

static void *data_start, *data_copy;
static size_t data_size;

static int find_data(struct dl_phdr_info *info, size_t size, void *name) {
    (void)size;
    if (!strstr(info->dlpi_name, name))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_W) {
            data_start = (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
            data_size = info->dlpi_phdr[i].p_memsz;
        }
    for (int i = 0; i < info->dlpi_phnum; i++) /* the loader protects this part again */
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            size_t skip = info->dlpi_phdr[i].p_memsz;
            data_start = (char *)data_start + skip, data_size -= skip;
        }
    return 1;
}

/* ---- All runs ------------------------------------------------------------------------------- */

static bool advance(void) {
    n_digits = at_digit;
    while (n_digits > 0 && digits[n_digits - 1] == digit_high[n_digits - 1])
        n_digits--;
    if (n_digits > 0)
        digits[n_digits - 1]++;
    return n_digits > 0;
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    element = strtoul(argv[2], NULL, 10), low = atoi(argv[3]), high = atoi(argv[4]);
    if (strcmp(argv[3], "chars") == 0)
        alphabet = argv[4], low = 0, high = (int)strlen(alphabet);
    table = calloc(table_size, sizeof *table);
    void *program = dlopen(argv[1], RTLD_NOW);
    int (*program_main)(void) = program ? (int (*)(void))dlsym(program, "program_main") : NULL;
    if (!program_main || (dl_iterate_phdr(find_data, argv[1]), !data_start))
        return fprintf(stderr, "%s\n", dlerror()), 2;
    data_copy = memcpy(malloc(data_size), data_start, data_size);
    volatile unsigned long runs = 0, rejected = 0;
    do {
        memcpy(data_start, data_copy, data_size);
        at_digit = 0, path = UINT64_C(0x243f6a8885a308d3), runs++;
        int how = setjmp(end_of_run);
        if (how == 0)
            program_main();
        if (how == RUN_REJECTED)
            rejected++;
        else
            add_path(path);
    } while (advance());
    printf("%zu paths in %lu runs (%lu rejected)\n", n_paths, runs, rejected);
    return 0;
}

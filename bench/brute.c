/* Brute force: run a program on every input and count its paths.
 *
 * Compiled together with a bench program whose main was renamed and whose edges report here
 * (clang's edge coverage), it tries all values of all inputs by counting: the values used are
 * digits, the last one that can still grow does, those behind it are forgotten.  A path is the
 * sequence of edges; two inputs with the same hash took the same path.  Nothing of Heddle is
 * used, so the counts check it.  bench/check-counts builds and runs this. */
#include <heddle.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_DIGITS = 256, MAX_VALUES = 1 << 16 };

/* All our state lives outside the program's data, which is put back before every run. */
struct state {
    uint32_t digit[MAX_DIGITS], radix[MAX_DIGITS];
    unsigned n_digits, next;
    unsigned width; /* bytes per input */
    uint32_t n_values;
    int64_t values[MAX_VALUES];
    uint64_t hash;
    uint64_t runs, rejected, failed;
    uint64_t *seen; /* open addressing, 0 is free */
    size_t n_seen, capacity;
    unsigned char *data_copy;
    size_t data_size;
    jmp_buf stop;
};
static struct state *s;

enum { FINISHED, REJECTED, FAILED };

extern char __data_start[], _end[];
int program_main(void);

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    static uint32_t n;
    for (uint32_t *guard = start; guard < stop; guard++)
        *guard = ++n;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    uint64_t h = (s->hash ^ *guard) * UINT64_C(0x9E3779B97F4A7C15);
    s->hash = h ^ h >> 29;
}

static uint32_t next_digit(uint32_t radix) {
    if (s->next == s->n_digits) {
        if (s->n_digits == MAX_DIGITS) {
            fprintf(stderr, "brute: more than %d inputs\n", MAX_DIGITS);
            exit(2);
        }
        s->digit[s->n_digits] = 0;
        s->radix[s->n_digits++] = radix;
    }
    return s->digit[s->next++];
}

/* The next combination; false after the last. */
static int advance(void) {
    s->n_digits = s->next;
    while (s->n_digits && s->digit[s->n_digits - 1] + 1 == s->radix[s->n_digits - 1])
        s->n_digits--;
    if (!s->n_digits)
        return 0;
    s->digit[s->n_digits - 1]++;
    return 1;
}

static void fill(void *address, size_t size) {
    for (size_t i = 0; i < size; i += s->width)
        memcpy((char *)address + i, &s->values[next_digit(s->n_values)], s->width);
}

void heddle_bytes(void *buffer, size_t n, const char *name) {
    (void)name;
    fill(buffer, n);
}

void __heddle_input(void *address, size_t size, const char *name, const void *type) {
    (void)name, (void)type;
    fill(address, size);
}

void __heddle_input_array(void *address, size_t size, size_t n, const char *name,
                          const void *type) {
    (void)name, (void)type;
    fill(address, size * n);
}

long heddle_choose(long lo, long hi) {
    return lo + (long)next_digit((uint32_t)(hi - lo + 1));
}

void heddle_reach(const char *label) {
    (void)label;
}

void __heddle_assume(int condition) {
    if (!condition)
        longjmp(s->stop, REJECTED);
}

void __heddle_assert_failed(const char *text, const char *file, int line, const char *function) {
    (void)text, (void)file, (void)line, (void)function;
    longjmp(s->stop, FAILED);
}

static void remember(uint64_t hash);

static void grow(void) {
    uint64_t *old = s->seen;
    size_t n = s->capacity;
    s->capacity = n ? 2 * n : 1024;
    s->seen = calloc(s->capacity, sizeof *s->seen);
    s->n_seen = 0;
    for (size_t i = 0; i < n; i++) {
        if (old[i])
            remember(old[i]);
    }
    free(old);
}

static void remember(uint64_t hash) {
    if (2 * (s->n_seen + 1) > s->capacity)
        grow();
    size_t i = hash & (s->capacity - 1);
    while (s->seen[i] && s->seen[i] != hash)
        i = (i + 1) & (s->capacity - 1);
    if (!s->seen[i]) {
        s->seen[i] = hash;
        s->n_seen++;
    }
}

static void run_once(void) {
    memcpy(__data_start, s->data_copy, s->data_size);
    s->next = 0;
    s->hash = 1;
    int end = setjmp(s->stop);
    if (end == FINISHED)
        program_main();
    s->runs++;
    s->rejected += end == REJECTED;
    s->failed += end == FAILED;
    if (end != REJECTED)
        remember(s->hash | 1);
}

/* "0,7,48-57" */
static void read_values(const char *text) {
    while (*text) {
        char *rest;
        int64_t low = strtoll(text, &rest, 0), high = low;
        if (*rest == '-')
            high = strtoll(rest + 1, &rest, 0);
        for (int64_t v = low; v <= high && s->n_values < MAX_VALUES; v++)
            s->values[s->n_values++] = v;
        text = *rest == ',' ? rest + 1 : "";
    }
}

int main(int n, char **args) {
    if (n != 3) {
        fprintf(stderr, "usage: %s WIDTH VALUES (bytes per input; values as in 0,7,48-57)\n",
                args[0]);
        return 2;
    }
    struct state *all =
        mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return 2;
    s = all;
    s->width = (unsigned)strtoul(args[1], NULL, 0);
    read_values(args[2]);
    s->data_size = (size_t)(_end - __data_start);
    s->data_copy = malloc(s->data_size);
    memcpy(s->data_copy, __data_start, s->data_size);
    do
        run_once();
    while (advance());
    printf("%zu paths, %llu runs, %llu rejected, %llu failed\n", s->n_seen,
           (unsigned long long)s->runs, (unsigned long long)s->rejected,
           (unsigned long long)s->failed);
    return 0;
}

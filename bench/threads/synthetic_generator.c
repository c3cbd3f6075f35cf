/* synthetic_generator.c -- random programs of three threads, as paper 001 (Table 1) used two of.
 *
 *     synthetic_generator SEED OPERATIONS VARIABLES WRITES BRANCHES [PATHS] >PROGRAM.c
 *
 * Each thread does OPERATIONS operations on VARIABLES shared atomic variables; an operation is a
 * write with a probability of WRITES percent, else a read, and with a probability of BRANCHES
 * percent it is done only if an input of its own is positive.  PATHS, if given, is written into the
 * header as the number of paths to expect.  The same arguments give the same program everywhere.
 * Programs can be made larger: with -DROUNDS=N each thread does its operations N times, and with
 * -DLONGER=M the first M threads do them once more. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3 };

static uint64_t state;

/* SplitMix64: small, and the same on every machine. */
static unsigned random_below(unsigned limit) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ z >> 31) >> 32) % limit;
}

static void print_head(char **arguments, int n) {
    printf("/* Made by: synthetic_generator");
    for (int i = 1; i <= 5; i++)
        printf(" %s", arguments[i]);
    printf("\n *\n * Three threads, random reads and writes of few shared variables, branches on "
           "inputs.\n");
    if (n > 6)
        printf(" *\n * paths: -> %s", arguments[6]);
    printf(" */\n#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\n");
}

static void print_operation(unsigned variables, unsigned writes, unsigned branches) {
    unsigned variable = random_below(variables), value = 1 + random_below(9);
    int is_write = random_below(100) < writes, is_branch = random_below(100) < branches;
    if (is_branch)
        printf("    if (heddle_choose(0, 1) > 0)\n    ");
    if (is_write)
        printf("    atomic_store(&shared[%u], %u);\n", variable, value);
    else
        printf("    (void)atomic_load(&shared[%u]);\n", variable);
}

static void print_main(void) {
    printf("int main(void) {\n"
           "    void *(*const work[%d])(void *) = {thread_0, thread_1, thread_2};\n"
           "    pthread_t threads[%d];\n"
           "    for (int i = 0; i < %d; i++)\n"
           "        pthread_create(&threads[i], NULL, work[i], NULL);\n"
           "    for (int i = 0; i < %d; i++)\n"
           "        pthread_join(threads[i], NULL);\n"
           "    return 0;\n}\n",
           THREADS, THREADS, THREADS, THREADS);
}

int main(int n, char **arguments) {
    if (n < 6) {
        fprintf(stderr, "usage: %s SEED OPERATIONS VARIABLES WRITES BRANCHES [PATHS]\n",
                arguments[0]);
        return 2;
    }
    state = strtoull(arguments[1], NULL, 10);
    unsigned operations = (unsigned)atoi(arguments[2]), variables = (unsigned)atoi(arguments[3]);
    unsigned writes = (unsigned)atoi(arguments[4]), branches = (unsigned)atoi(arguments[5]);
    if (variables == 0) {
        fprintf(stderr, "%s: there must be a variable to access\n", arguments[0]);
        return 2;
    }
    print_head(arguments, n);
    printf(
        "#ifndef ROUNDS\n#define ROUNDS 1\n#endif\n#ifndef LONGER\n#define LONGER 0\n#endif\n\n");
    printf("static atomic_int shared[%u];\n\n", variables);
    for (int t = 0; t < THREADS; t++) {
        printf("static void *thread_%d(void *unused) {\n"
               "    for (int round = 0; round < ROUNDS + (%d < LONGER); round++) {\n",
               t, t);
        for (unsigned i = 0; i < operations; i++)
            print_operation(variables, writes, branches);
        printf("    }\n    return unused;\n}\n\n");
    }
    print_main();
    return 0;
}

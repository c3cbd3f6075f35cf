/* Checkpoints (checkpoint.h): an execution that goes on from one is the same as one that ran all of
 * it.  What the machine is told beforehand is what it may keep states for. */
#include "tool/every_schedule.h"

static const char head[] =
    "#include <heddle.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int x, y, z;\n"
    "static int plain, many[200]; static sem_t sem; static _Thread_local int mine = 3;\n";

/* Bodies of two threads; main joins both and says what is left. */
typedef struct body {
    const char *first, *second, *result;
} body;

static const body bodies[] = {
    /* few orders: who waits for whom */
    {"sem_wait(&sem); x++; sem_wait(&sem); y = x;", "x = 2; sem_post(&sem); x++; sem_post(&sem);",
     "x + 8 * y"},
    /* memory and stacks */
    {"int k = x; x = k + 1; y = y + k; x = x + y;", "int k = x; x = k + 2; y = y + 1; x = x + 1;",
     "x + 4 * y"},
    /* big locals, and pages of globals that are written late */
    {"volatile int l[100]; for (int i = 0; i < 100; i++) l[i] = i; x++; y += l[50]; x += l[99] == "
     "99;",
     "many[150] = 7; x += 2; many[199] = x; y++; z = many[199];", "(x + y + z + many[150]) % 60"},
    /* locks, who holds them and who waits */
    {"pthread_mutex_lock(&m); plain++; x = plain; pthread_mutex_unlock(&m); y = x; x = 3;",
     "pthread_mutex_lock(&m); plain += 2; x = plain; pthread_mutex_unlock(&m); z = x;",
     "(x + 4 * y + 16 * z) % 60"},
    /* what is of threads */
    {"mine++; x = mine; mine++; y = mine; x++;", "mine += 3; x = mine; y = y + mine; z = mine;",
     "(x + y + z) % 60"},
    /* blocks of the heap: not kept, and yet the same */
    {"int *q = malloc(4); *q = x; x = *q + 1; y = *q; free(q); x++;", "x = 2; y++; x = y; z = x;",
     "(x + 4 * y + 16 * z) % 60"},
};

/* With the sanitizers an execution takes a hundred times as long. */
#ifdef __SANITIZE_ADDRESS__
#define N_BODIES 1
#else
#define N_BODIES (sizeof bodies / sizeof *bodies)
#endif

static char *text_of(const body *b) {
    return hd_text_format("%sstatic void *first(void *p) { %s\nreturn p; }\n"
                          "static void *second(void *p) { %s\nreturn p; }\n"
                          "int main(void) { pthread_t t, u; sem_init(&sem, 0, 0);\n"
                          "pthread_create(&t, 0, first, 0); pthread_create(&u, 0, second, 0);\n"
                          "pthread_join(t, 0); pthread_join(u, 0); return %s; }\n",
                          head, b->first, b->second, b->result);
}

static void executions_are_the_same(void **state) {
    (void)state;
    for (size_t i = 0; i < N_BODIES; i++) {
        char *text = text_of(&bodies[i]);
        program *p = open_program(text, NULL);
        seen all = run_every_way(p, false, 0), told = run_every_way(p, true, 0),
             again = run_every_way(p, true, 0), between = run_every_way(p, true, 5);
        if (all.n_runs <= 5)
            fail_msg("%zu: %u runs, findings %#lx: %s", i, all.n_runs, all.findings, all.message);
        assert_int_equal(told.n_runs, all.n_runs);
        assert_true(told.statuses == all.statuses && told.findings == all.findings);
        assert_true(told.hash == all.hash);
        assert_true(again.hash == all.hash);
        assert_true(between.hash == all.hash);   /* C3 */
        assert_true(told.n_asked < all.n_asked); /* it has gone some way by itself */
        close_program(p);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executions_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* kept_tests: executions that are kept, each with its inputs and its order of threads.  Which ones
 * those are is decided on workers (gather.c), and again in the ledger, which knows what others have
 * found meanwhile; what the ledger keeps waits in the sum until it is written. */
#include "fleet/observer.h"

#include "base/panic.h"
#include "fleet/wire.h"
#include "record/stored.h"

#include <stdlib.h>
#include <string.h>

static size_t length_of(const char *text) {
    return text ? strlen(text) : 0;
}

static size_t bytes_of(const hd_test *t) {
    return sizeof *t + length_of(t->path) + length_of(t->map) + length_of(t->schedule) +
           length_of(t->threads) + t->n_inputs * (sizeof *t->inputs + 16);
}

static void kept(void *self, hd_test *test) {
    hd_kept_tests *k = self;
    HD_ASSERT(test->inputs || !test->n_inputs);
    k->bytes += bytes_of(test);
    hd_vec_push(&k->list, *test);
}

void hd_kept_tests_clear(hd_kept_tests *k) {
    for (size_t i = 0; i < k->list.n; i++)
        hd_test_release(&k->list.at[i]);
    hd_vec_clear(&k->list);
    k->bytes = 0;
}

static void take(void *self, hd_text *out) {
    hd_kept_tests *k = self;
    if (k->list.n)
        hd_wire_pack_tests(out, k->list.at, (uint32_t)k->list.n);
    hd_kept_tests_clear(k);
}

/* All or none. */
static bool add(void *sum, const void *bytes, size_t n) {
    hd_unpack u = hd_unpack_from(bytes, n);
    uint32_t n_tests;
    hd_test *tests = hd_wire_unpack_tests(&u, &n_tests);
    bool is_right = hd_unpack_ok(&u) && u.at == u.end;
    for (uint32_t i = 0; i < n_tests; i++)
        if (is_right)
            kept(sum, &tests[i]);
        else
            hd_test_release(&tests[i]);
    free(tests);
    return is_right;
}

/* The record has a table for them. */
static void save(const void *sum, hd_text *out) {
    (void)sum, (void)out;
}

static void release(void *self) {
    hd_kept_tests *k = self;
    hd_kept_tests_clear(k);
    hd_vec_release(&k->list);
}

hd_kept_tests *hd_observers_tests(hd_observers *o) {
    return (hd_kept_tests *)hd_observers_sum(o, &hd_observer_kept_tests);
}

const hd_observer hd_observer_kept_tests = {.name = "kept_tests",
                                            .size = sizeof(hd_kept_tests),
                                            .kept = kept,
                                            .take = take,
                                            .add = add,
                                            .save = save,
                                            .release = release};

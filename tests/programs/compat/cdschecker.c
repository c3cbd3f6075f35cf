/* A program as it is written for CDSChecker: user_main, threads without results, plain accesses as
 * calls, joins with one argument.  By hand: the reader comes before both, between them, or after.
 *
 * run:
 * verdict: complete
 * paths: 3
 *
 * run: -DBUG
 * verdict: complete
 * finding: assertion
 *
 * run: -DRACE
 * verdict: complete
 * finding: data-race */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

#include "librace.h"
#include "model-assert.h"

static atomic_int data, is_ready;
static uint32_t plain;

static void write_both(void *unused) {
    (void)unused;
#ifdef RACE
    store_32(&plain, 5); // BUG data-race
#endif
#ifdef BUG
    atomic_store_explicit(&is_ready, 1, memory_order_release);
    atomic_store_explicit(&data, 7, memory_order_relaxed);
#else
    atomic_store_explicit(&data, 7, memory_order_relaxed);
    atomic_store_explicit(&is_ready, 1, memory_order_release);
#endif
}

static void read_both(void *unused) {
    (void)unused;
    int ready = atomic_load_explicit(&is_ready, memory_order_acquire);
    int value = atomic_load_explicit(&data, memory_order_relaxed);
#ifdef RACE
    value = load_32(&plain) ? value : 7; // BUG data-race
#endif
    MODEL_ASSERT(!ready || value == 7); // BUG assertion
}

int user_main(int argc, char **argv) {
    thrd_t writer, reader;
    (void)argc, (void)argv;
    thrd_create(&writer, (thrd_start_t)&write_both, NULL);
    thrd_create(&reader, (thrd_start_t)&read_both, NULL);
    thrd_join(writer);
    thrd_join(reader, NULL);
    printf("done\n");
    return 0;
}

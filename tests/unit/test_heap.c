/* The program's heap: addresses, poison, quarantine, reset. */
#include "base/reserve.h"
#include "machine/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define LIMIT UINT64_C(0x100000000)

static int map_shadow(void **state) {
    (void)state;
    return hd_reserve_at(HD_SHADOW_OF(HD_REGION), 4 * HD_REGION_SIZE) ? 0 : -1;
}

static hd_heap new_heap(void) {
    hd_heap h = {0};
    hd_heap_init(&h, HD_HEAP_BASE, HD_HEAP_LIMIT, LIMIT);
    return h;
}

static hd_word word_at(const void *p, int64_t offset) {
    return *HD_SHADOW_OF((uint64_t)p + (uint64_t)offset);
}

static void assert_block(const uint8_t *p, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        assert_int_equal(word_at(p, (int64_t)i), 0);
    for (int64_t i = 1; i <= 16; i++)
        assert_int_equal(word_at(p, -i), HD_POISON_HEAP);
    for (int64_t i = 0; i < 16; i++)
        assert_int_equal(word_at(p, (int64_t)size + i), HD_POISON_HEAP);
}

static void test_blocks_are_apart(void **state) {
    (void)state;
    hd_heap h = new_heap();
    static const uint64_t sizes[] = {1, 0, 16, 17, 1000, 65536, 65537, 3000000, 5};
    uint8_t *blocks[9];
    for (size_t i = 0; i < 9; i++) {
        blocks[i] = hd_heap_alloc(&h, sizes[i], 16, i);
        assert_non_null(blocks[i]);
        assert_int_equal((uint64_t)blocks[i] % 16, 0);
    }
    for (size_t i = 0; i < 9; i++) {
        assert_block(blocks[i], sizes[i]);
        if (sizes[i])
            memset(blocks[i], 1, sizes[i]);
        assert_int_equal(hd_heap_block(&h, (uint64_t)blocks[i])->size, sizes[i]);
    }
    assert_int_equal(blocks[7][2999999], 1);
    hd_heap_release(&h);
}

static void test_contents_of_fresh_blocks(void **state) {
    (void)state;
    hd_heap h = new_heap();
    for (int round = 0; round < 2; round++) {
        uint8_t *small = hd_heap_alloc(&h, 100, 16, 0);
        assert_int_equal(small[0], 0xaa);
        assert_int_equal(small[99], 0xaa);
        uint8_t *zeros = hd_heap_calloc(&h, 100, 0);
        assert_int_equal(zeros[0] | zeros[99], 0);
        uint8_t *big = hd_heap_alloc(&h, 200000, 16, 0);
        for (size_t i = 0; i < 200000; i++)
            assert_int_equal(big[i], 0);
        memset(small, 7, 100);
        memset(zeros, 7, 100);
        memset(big, 7, 200000);
        hd_heap_reset(&h);
    }
    hd_heap_release(&h);
}

static void test_reset_repeats_addresses(void **state) {
    (void)state;
    hd_heap h = new_heap();
    void *a = hd_heap_alloc(&h, 10, 16, 0), *b = hd_heap_alloc(&h, 5000000, 64, 0);
    hd_heap_free_block(&h, hd_heap_block(&h, (uint64_t)a), 1, false);
    hd_heap_reset(&h);
    assert_int_equal(h.in_use, 0);
    assert_ptr_equal(hd_heap_alloc(&h, 10, 16, 0), a);
    assert_ptr_equal(hd_heap_alloc(&h, 5000000, 64, 0), b);
    assert_block(a, 10);
    assert_block(b, 5000000);
    hd_heap_release(&h);
}

static void test_freed_blocks_rest(void **state) {
    (void)state;
    hd_heap h = new_heap();
    void *first = hd_heap_alloc(&h, 100, 16, 0);
    hd_heap_free_block(&h, hd_heap_block(&h, (uint64_t)first), 42, false);
    assert_int_equal(word_at(first, 0), HD_POISON_FREED);
    assert_int_equal(word_at(first, 99), HD_POISON_FREED);
    assert_true(hd_heap_block(&h, (uint64_t)first)->is_free);
    assert_int_equal(hd_heap_block(&h, (uint64_t)first)->freed_at, 42);
    for (int i = 0; i < 1000; i++)
        assert_ptr_not_equal(hd_heap_alloc(&h, 100, 16, 0), first);
    hd_heap_release(&h);
}

/* A program that allocates and frees for ever must not eat memory for ever. */
static void test_quarantine_ends(void **state) {
    (void)state;
    hd_heap h = new_heap();
    for (int i = 0; i < 400; i++) {
        void *p = hd_heap_alloc(&h, 1 << 20, 16, 0);
        assert_non_null(p);
        assert_int_equal(*(uint8_t *)p, 0);
        memset(p, 1, 64);
        hd_heap_free_block(&h, hd_heap_block(&h, (uint64_t)p), 0, false);
    }
    assert_true(h.top - HD_HEAP_BASE < UINT64_C(200) << 20);
    hd_heap_release(&h);
}

static void test_big_freed_blocks_are_poisoned_whole(void **state) {
    (void)state;
    hd_heap h = new_heap();
    uint64_t size = UINT64_C(70000003);
    for (int round = 0; round < 2; round++) {
        uint8_t *p = hd_heap_alloc(&h, size, 16, 0);
        p[size / 2] = 1;
        hd_heap_free_block(&h, hd_heap_block(&h, (uint64_t)p), 0, false);
        for (uint64_t i = 0; i < size; i++)
            if (word_at(p, (int64_t)i) != HD_POISON_FREED)
                fail_msg("byte %lu is not poisoned", i);
        /* It is more than the quarantine holds, so its place is used again. */
        assert_ptr_equal(hd_heap_alloc(&h, size - 5000000, 16, 0), p);
        assert_int_equal(p[size / 2], 0);
        assert_block(p, size - 5000000);
        assert_int_equal(word_at(p, (int64_t)size - 1), HD_POISON_HEAP);
        hd_heap_reset(&h);
    }
    hd_heap_release(&h);
}

static void test_limit(void **state) {
    (void)state;
    hd_heap h = {0};
    hd_heap_init(&h, HD_HEAP_BASE, HD_HEAP_LIMIT, 1000);
    assert_null(hd_heap_alloc(&h, 1001, 16, 0));
    assert_null(hd_heap_alloc(&h, UINT64_MAX, 16, 0));
    void *p = hd_heap_alloc(&h, 1000, 16, 0);
    assert_non_null(p);
    assert_null(hd_heap_alloc(&h, 1, 16, 0));
    hd_heap_free_block(&h, hd_heap_block(&h, (uint64_t)p), 0, false);
    assert_non_null(hd_heap_alloc(&h, 1000, 16, 0));
    hd_heap_release(&h);
}

static void test_alignment(void **state) {
    (void)state;
    hd_heap h = new_heap();
    for (uint64_t alignment = 1; alignment <= 65536; alignment *= 2) {
        uint64_t p = (uint64_t)hd_heap_alloc(&h, 24, alignment, 0);
        assert_int_equal(p % alignment, 0);
        assert_block((void *)p, 24);
    }
    hd_heap_release(&h);
}

static void test_near(void **state) {
    (void)state;
    hd_heap h = new_heap();
    assert_null(hd_heap_near(&h, HD_HEAP_BASE));
    uint64_t a = (uint64_t)hd_heap_alloc(&h, 10, 16, 0);
    uint64_t b = (uint64_t)hd_heap_alloc(&h, 10, 16, 0);
    assert_int_equal(hd_heap_near(&h, a + 3)->address, a);
    assert_int_equal(hd_heap_near(&h, a + 10)->address, a);
    assert_int_equal(hd_heap_near(&h, b - 1)->address, b);
    assert_int_equal(hd_heap_near(&h, b + 100)->address, b);
    assert_null(hd_heap_block(&h, a + 1));
    hd_heap_release(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_apart),
        cmocka_unit_test(test_contents_of_fresh_blocks),
        cmocka_unit_test(test_reset_repeats_addresses),
        cmocka_unit_test(test_freed_blocks_rest),
        cmocka_unit_test(test_quarantine_ends),
        cmocka_unit_test(test_big_freed_blocks_are_poisoned_whole),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_near),
    };
    return cmocka_run_group_tests(tests, map_shadow, NULL);
}

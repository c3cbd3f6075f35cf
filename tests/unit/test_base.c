/* Maps, text and packing: small, but everything stands on them. */
#include "base/hash.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void map_finds_what_was_put(void **state) {
    (void)state;
    hd_map m = {0};
    assert_null(hd_map_find(&m, 5));
    for (uint64_t i = 0; i < 1000; i++)
        hd_map_put(&m, i * 64, i);
    hd_map_put(&m, 64, 77);
    assert_int_equal(m.n, 1000);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(*hd_map_find(&m, i * 64), i == 1 ? 77 : i);
    assert_null(hd_map_find(&m, 63));
    hd_map_clear(&m);
    assert_null(hd_map_find(&m, 64));
    hd_map_release(&m);
}

static void vectors_grow(void **state) {
    (void)state;
    hd_vec(int) v = {0};
    for (int i = 0; i < 1000; i++)
        hd_vec_push(&v, i);
    assert_int_equal(v.n, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(v.at[i], i);
    hd_vec_release(&v);
    assert_null(v.at);
}

static void text_grows_and_stays_terminated(void **state) {
    (void)state;
    hd_text t = {0};
    assert_string_equal(hd_text_string(&t), "");
    for (int i = 0; i < 100; i++)
        hd_text_add(&t, "%d,", i % 10);
    assert_int_equal(t.n, 200);
    assert_int_equal(strlen(t.at), 200);
    hd_text_clear(&t);
    hd_text_add_bytes(&t, "ab", 2);
    assert_string_equal(hd_text_string(&t), "ab");
    hd_text_release(&t);
}

static void packed_values_come_back(void **state) {
    (void)state;
    hd_text t = {0};
    hd_pack_u8(&t, 200);
    hd_pack_u32(&t, 0xdeadbeef);
    hd_pack_u64(&t, UINT64_MAX - 1);
    hd_pack_double(&t, -0.125);
    hd_pack_string(&t, "path");
    hd_pack_string(&t, NULL);
    hd_unpack u = hd_unpack_from(t.at, t.n);
    assert_int_equal(hd_unpack_u8(&u), 200);
    assert_int_equal(hd_unpack_u32(&u), 0xdeadbeef);
    assert_true(hd_unpack_u64(&u) == UINT64_MAX - 1);
    assert_true(hd_unpack_double(&u) == -0.125);
    char *path = hd_unpack_string(&u), *empty = hd_unpack_string(&u);
    assert_string_equal(path, "path");
    assert_string_equal(empty, "");
    assert_true(hd_unpack_ok(&u));
    hd_unpack_u8(&u);
    assert_false(hd_unpack_ok(&u));
    free(path);
    free(empty);
    hd_text_release(&t);
}

static void a_count_that_cannot_be_there_is_refused(void **state) {
    (void)state;
    hd_text t = {0};
    hd_pack_u32(&t, 1000000);
    hd_pack_u64(&t, 1);
    hd_unpack u = hd_unpack_from(t.at, t.n);
    assert_int_equal(hd_unpack_count(&u, 8), 0);
    assert_false(hd_unpack_ok(&u));
    hd_text_release(&t);
}

static void short_numbers_come_back(void **state) {
    (void)state;
    static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT64_MAX >> 1, UINT64_MAX};
    static const size_t lengths[] = {1, 1, 1, 2, 2, 3, 9, 10};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hd_text t = {0};
        hd_pack_short(&t, numbers[i]);
        assert_int_equal(t.n, lengths[i]);
        hd_unpack u = hd_unpack_from(t.at, t.n), cut = hd_unpack_from(t.at, t.n - 1);
        assert_true(hd_unpack_short(&u) == numbers[i]);
        assert_true(hd_unpack_ok(&u) && u.at == u.end);
        assert_int_equal(hd_unpack_short(&cut), 0);
        assert_false(hd_unpack_ok(&cut));
        hd_text_release(&t);
    }
}

static void short_numbers_end(void **state) {
    (void)state;
    unsigned char bytes[11] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 2};
    hd_unpack u = hd_unpack_from(bytes, 10); /* 65 bits */
    assert_int_equal(hd_unpack_short(&u), 0);
    assert_false(hd_unpack_ok(&u));
    bytes[9] = 129; /* eleven bytes */
    u = hd_unpack_from(bytes, 11);
    assert_int_equal(hd_unpack_short(&u), 0);
    assert_false(hd_unpack_ok(&u));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_finds_what_was_put),
        cmocka_unit_test(vectors_grow),
        cmocka_unit_test(text_grows_and_stays_terminated),
        cmocka_unit_test(packed_values_come_back),
        cmocka_unit_test(short_numbers_come_back),
        cmocka_unit_test(short_numbers_end),
        cmocka_unit_test(a_count_that_cannot_be_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

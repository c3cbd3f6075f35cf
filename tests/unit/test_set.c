/* Sets of any size, against arrays of bool (base/set.h). */
#include "base/set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define MOST 4200

typedef struct plain {
    bool has[MOST];
} plain;

static const uint32_t sizes[] = {2, 3, 4, 62, 63, 64, 65, 127, 128, 129, 1000, 4096, MOST};
#define N_SIZES (sizeof sizes / sizeof *sizes)

static uint32_t count_of(const plain *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < MOST; i++)
        n += p->has[i];
    return n;
}

static void check_walk(hd_set s, const plain *p) {
    uint32_t t, next = 0;
    HD_SET_EACH(t, s) {
        for (; next < t; next++)
            assert_false(p->has[next]);
        assert_true(p->has[t]);
        next = t + 1;
    }
    for (; next < MOST; next++)
        assert_false(p->has[next]);
}

static void check_same(hd_set s, const plain *p) {
    uint32_t n = count_of(p), lower = 0;
    check_walk(s, p);
    assert_true(hd_set_is_valid(s));
    assert_int_equal(hd_set_count(s), n);
    assert_int_equal(hd_set_is_empty(s), n == 0);
    for (uint32_t i = 0; i < MOST; i += 1 + i / 150) {
        lower = 0;
        for (uint32_t k = 0; k < i; k++)
            lower += p->has[k];
        assert_int_equal(hd_set_has(s, i), p->has[i]);
        assert_int_equal(hd_set_rank(s, i), lower);
    }
    if (n) {
        assert_true(p->has[hd_set_first(s)] && hd_set_rank(s, hd_set_first(s)) == 0);
        assert_true(p->has[hd_set_last(s)] && hd_set_rank(s, hd_set_last(s)) == n - 1);
    }
}

static hd_set random_set(uint64_t *random, uint32_t size, plain *p) {
    hd_set_maker k = {0};
    uint64_t odds = 1 + hd_random_next(random) % size;
    memset(p, 0, sizeof *p);
    for (uint32_t i = 0; i < size; i++)
        if (hd_random_next(random) % odds == 0) {
            p->has[i] = true;
            hd_set_maker_add(&k, i);
        }
    return hd_set_made(&k);
}

/* The same member by member, from the highest down. */
static hd_set rebuilt(const plain *p) {
    hd_set s = HD_SET_EMPTY;
    for (uint32_t i = MOST; i-- > 0;)
        if (p->has[i])
            s = hd_set_with(s, i);
    return s;
}

static void check_pair(hd_set a, const plain *x, hd_set b, const plain *y) {
    plain both, either, minus;
    bool meets = false;
    for (uint32_t i = 0; i < MOST; i++) {
        both.has[i] = x->has[i] && y->has[i];
        either.has[i] = x->has[i] || y->has[i];
        minus.has[i] = x->has[i] && !y->has[i];
        meets |= both.has[i];
    }
    check_walk(hd_set_both(a, b), &both);
    check_walk(hd_set_either(a, b), &either);
    check_walk(hd_set_minus(a, b), &minus);
    assert_int_equal(hd_set_meets(a, b), meets);
    assert_true(hd_set_equal(hd_set_both(a, b), rebuilt(&both))); /* Z1 */
    assert_true(hd_set_equal(hd_set_minus(a, b), rebuilt(&minus)));
}

static void operations_agree_with_arrays(void **state) {
    (void)state;
    uint64_t random = 1;
    for (uint32_t round = 0; round < 120; round++) {
        plain x, y;
        hd_set a = random_set(&random, sizes[round % N_SIZES], &x);
        hd_set b = random_set(&random, sizes[hd_random_next(&random) % N_SIZES], &y);
        check_same(a, &x);
        assert_true(hd_set_equal(a, rebuilt(&x)));
        check_pair(a, &x, b, &y);
    }
}

static void members_come_and_go(void **state) {
    (void)state;
    uint64_t random = 2;
    for (uint32_t i = 0; i < N_SIZES; i++) {
        plain x;
        hd_set s = random_set(&random, sizes[i], &x);
        for (uint32_t step = 0; step < 200; step++) {
            uint32_t t = (uint32_t)(hd_random_next(&random) % sizes[i]);
            x.has[t] = hd_random_next(&random) & 1;
            s = x.has[t] ? hd_set_with(s, t) : hd_set_without(s, t);
        }
        check_same(s, &x);
        uint32_t t;
        HD_SET_EACH(t, s) s = hd_set_without(s, t); /* the walk is over what it was */
        assert_true(hd_set_is_empty(s));
    }
}

static void bytes_lead_back(void **state) {
    (void)state;
    uint64_t random = 3;
    for (uint32_t i = 0; i < N_SIZES; i++) {
        plain x;
        hd_text bytes = {0};
        hd_set s = random_set(&random, sizes[i], &x);
        hd_set_pack(&bytes, s);
        hd_unpack u = hd_unpack_from(bytes.at, bytes.n);
        assert_true(hd_set_equal(hd_set_unpack(&u, sizes[i]), s));
        assert_true(hd_unpack_ok(&u));
        u = hd_unpack_from(bytes.at, bytes.n);
        if (!hd_set_is_empty(s)) {
            hd_set_unpack(&u, hd_set_last(s)); /* one too high */
            assert_false(hd_unpack_ok(&u));
        }
        u = hd_unpack_from(bytes.at, bytes.n - 1);
        hd_set_unpack(&u, MOST);
        assert_true(!hd_unpack_ok(&u) || hd_set_is_empty(s));
        hd_text_release(&bytes);
    }
}

static void mark_some(void *context) {
    hd_set *kept = context;
    for (uint32_t i = 0; i < 20; i++)
        hd_set_mark(kept[i]);
}

static void what_is_marked_stays(void **state) {
    (void)state;
    uint64_t random = 4;
    static plain x[20];
    hd_set kept[20], gone = HD_SET_EMPTY;
    hd_sets_add_marker(mark_some, kept);
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < 20; i++)
            kept[i] = random_set(&random, sizes[i % N_SIZES], &x[i]);
        plain other;
        for (uint32_t i = 0; i < 100; i++)
            gone = hd_set_with(random_set(&random, 1000, &other), 4000 + i);
        uint32_t before = hd_sets_count();
        hd_sets_collect();
        assert_true(hd_sets_count() <= 20 && before > 100);
        assert_false(hd_set_is_valid(gone));
        for (uint32_t i = 0; i < 20; i++) {
            check_walk(kept[i], &x[i]);
            assert_true(hd_set_equal(kept[i], rebuilt(&x[i])));
        }
    }
    hd_sets_remove_marker(mark_some, kept);
}

static void garbage_is_no_set(void **state) {
    (void)state;
    assert_false(hd_set_is_valid((hd_set){UINT64_MAX}));
    assert_false(hd_set_is_valid((hd_set){HD_SET_LISTED | 1u << 25}));
    assert_true(hd_set_is_valid(hd_set_of(100)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_agree_with_arrays),
        cmocka_unit_test(members_come_and_go),
        cmocka_unit_test(bytes_lead_back),
        cmocka_unit_test(what_is_marked_stays),
        cmocka_unit_test(garbage_is_no_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How much is behind an open way: what was taken says it, by depth. */
#include "explore/inputs/subtrees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Depth first through a tree in which every path has so many decisions with two ways each. */
static void walk(hd_subtrees *b, uint32_t depth, uint32_t deepest) {
    double n = 1;
    for (uint32_t d = deepest; d-- > depth + 1;) {
        walk(b, d, deepest);
        n += hd_subtrees_behind(b, d, 1);
    }
    hd_subtrees_note(b, depth, n);
}

static void a_full_tree_doubles_with_each_depth(void **state) {
    (void)state;
    hd_subtrees b = {0};
    walk(&b, 0, 10);
    for (uint32_t d = 0; d < 10; d++)
        assert_int_equal(hd_subtrees_behind(&b, d, 0), 1 << (9 - d));
    hd_subtrees_release(&b);
}

static void ways_that_nobody_can_go_have_nothing_behind(void **state) {
    (void)state;
    hd_subtrees b = {0};
    for (int i = 0; i < 8; i++)
        hd_subtrees_note(&b, 3, i % 2 ? 0 : 2);
    assert_int_equal(hd_subtrees_behind(&b, 3, 9), 1);
    hd_subtrees_release(&b);
}

static void what_is_not_known_is_as_what_is_deeper(void **state) {
    (void)state;
    hd_subtrees b = {0};
    assert_int_equal(hd_subtrees_behind(&b, 5, 77), 77);
    hd_subtrees_note(&b, 7, 4);
    assert_int_equal(hd_subtrees_behind(&b, 5, 77), 4);
    assert_int_equal(hd_subtrees_behind(&b, 8, 77), 77);
    hd_subtrees_note(&b, 1000, 1);
    assert_int_equal(hd_subtrees_behind(&b, 8, 77), 77); /* too far away to say something */
    hd_subtrees_release(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_tree_doubles_with_each_depth),
        cmocka_unit_test(ways_that_nobody_can_go_have_nothing_behind),
        cmocka_unit_test(what_is_not_known_is_as_what_is_deeper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The table of input variables: names, objects, and a child's additions. */
#include "symbolic/variables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static hd_variables *vs;

static int set_up(void **state) {
    (void)state;
    vs = hd_variables_new();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hd_variables_free(vs);
    return 0;
}

static hd_var root(uint32_t number, hd_var_kind kind, unsigned width, const char *name) {
    return hd_variables_root(vs, number, kind, width, 0, name);
}

static void test_one_name_is_one_variable(void **state) {
    (void)state;
    hd_var x = root(0, HD_VAR_INTEGER, 32, "x"), p = root(1, HD_VAR_POINTER, 64, "p");
    hd_var next = hd_variables_cell(vs, p, 0, HD_VAR_POINTER, 64, 3, "p->next");
    assert_int_equal(root(0, HD_VAR_INTEGER, 32, "other"), x);
    assert_int_equal(hd_variables_cell(vs, p, 0, HD_VAR_POINTER, 64, 3, ""), next);
    assert_int_not_equal(hd_variables_cell(vs, next, 0, HD_VAR_POINTER, 64, 3, "p->next->next"),
                         next);
    assert_int_not_equal(root(0, HD_VAR_INTEGER, 8, "c"), x); /* another width, another input */
    assert_int_equal(hd_variables_n(vs), 5);
    assert_string_equal(hd_variables_info(vs, x)->name, "x");
    assert_true(hd_variables_info(vs, x)->is_root);
    const hd_var_info *info = hd_variables_info(vs, next);
    assert_false(info->is_root);
    assert_int_equal(info->owner, p);
    assert_int_equal(info->type, 3);
    assert_string_equal(info->name, "p->next");
}

static void test_many_variables_stay_where_they_are(void **state) {
    (void)state;
    char name[32];
    const hd_var_info *first = NULL;
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "a[%u]", i);
        hd_var v = root(i, HD_VAR_INTEGER, 8, name);
        assert_int_equal(v, i);
        first = first ? first : hd_variables_info(vs, v);
    }
    assert_ptr_equal(first, hd_variables_info(vs, 0));
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(root(i, HD_VAR_INTEGER, 8, ""), i);
    assert_string_equal(hd_variables_info(vs, 4321)->name, "a[4321]");
}

static void test_objects_are_found_by_address(void **state) {
    (void)state;
    hd_var p[200];
    for (uint32_t i = 0; i < 200; i++) {
        p[i] = root(i, HD_VAR_POINTER, 64, "p");
        assert_int_equal(hd_variables_info(vs, p[i])->object, 0);
        hd_variables_set_object(vs, p[i], 0x10000 + i * 64);
    }
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(hd_variables_owner_of(vs, 0x10000 + i * 64), p[i]);
    assert_int_equal(hd_variables_owner_of(vs, 0x10001), UINT32_MAX);
    assert_int_equal(hd_variables_owner_of(vs, 0), UINT32_MAX);
    hd_variables_set_object(vs, p[5], 0x777000);
    assert_int_equal(hd_variables_owner_of(vs, 0x777000), p[5]);
    assert_int_equal(hd_variables_owner_of(vs, 0x10000 + 5 * 64), UINT32_MAX);
    assert_int_equal(hd_variables_owner_of(vs, 0x10000 + 6 * 64), p[6]);
}

static void test_fresh_pointers_are_told_apart(void **state) {
    (void)state;
    assert_true(HD_POINTER_IS_FRESH(HD_POINTER_FRESH(0)));
    assert_true(HD_POINTER_IS_FRESH(HD_POINTER_FRESH(1000000)));
    assert_false(HD_POINTER_IS_FRESH(UINT64_C(0x7fff00000000)));
    assert_true(HD_POINTER_FRESH(1) != HD_POINTER_FRESH(2));
}

static void test_parent_sees_what_a_child_named(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        for (uint32_t i = 0; i < 500; i++)
            hd_variables_set_object(vs, root(i, HD_VAR_POINTER, 64, "p"), 4096 + i * 64);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(hd_variables_n(vs), 500);
    assert_int_equal(root(77, HD_VAR_POINTER, 64, ""), 77);
    assert_string_equal(hd_variables_info(vs, 499)->name, "p");
    assert_int_equal(hd_variables_owner_of(vs, 4096 + 64), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_name_is_one_variable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_variables_stay_where_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_objects_are_found_by_address, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fresh_pointers_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parent_sees_what_a_child_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

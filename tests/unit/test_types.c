/* Reading the types file: what it says, and what is damaged. */
#include "program/types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static hd_types *load(const char *text, hd_err *err) {
    char path[] = "/tmp/heddle-types-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    hd_types *ts = hd_types_load(path, err);
    unlink(path);
    return ts;
}

static void test_all_kinds(void **state) {
    (void)state;
    hd_err err;
    hd_types *ts = load("type 1 integer 4 1 int\n"
                        "type 2 pointer 3 struct cell *\n"
                        "type 3 struct 16 cell\n"
                        "field 0 1 0 0 v\n"
                        "field 8 2 0 0 next\n"
                        "field 4 1 3 5 bits\n"
                        "type 4 array 1 10 -\n"
                        "type 5 union 8 u\n"
                        "type 6 float 8 double\n"
                        "type 7 function -\n"
                        "type 8 integer 1 0 unsigned char\n"
                        "key 120000001230 2\n",
                        &err);
    assert_non_null(ts);
    const hd_type *t = hd_types_get(ts, 1);
    assert_int_equal(t->kind, HD_TYPE_INTEGER);
    assert_true(t->is_signed);
    assert_int_equal(t->size, 4);
    assert_string_equal(t->name, "int");
    assert_int_equal(hd_types_get(ts, 2)->kind, HD_TYPE_POINTER);
    assert_int_equal(hd_types_get(ts, 2)->target, 3);
    assert_string_equal(hd_types_get(ts, 2)->name, "struct cell *");
    t = hd_types_get(ts, 3);
    assert_int_equal(t->n_fields, 3);
    assert_string_equal(t->fields[1].name, "next");
    assert_int_equal(t->fields[1].offset, 8);
    assert_int_equal(t->fields[2].bit_offset, 3);
    assert_int_equal(t->fields[2].bit_size, 5);
    assert_int_equal(hd_types_get(ts, 4)->size, 40);
    assert_string_equal(hd_types_get(ts, 4)->name, "");
    assert_int_equal(hd_types_get(ts, 5)->kind, HD_TYPE_UNION);
    assert_int_equal(hd_types_get(ts, 6)->kind, HD_TYPE_FLOAT);
    assert_int_equal(hd_types_get(ts, 7)->kind, HD_TYPE_FUNCTION);
    assert_string_equal(hd_types_get(ts, 8)->name, "unsigned char");
    assert_int_equal(hd_types_key(ts, UINT64_C(0x120000001230)), 2);
    assert_int_equal(hd_types_key(ts, 77), 0);
    hd_types_free(ts);
}

/* The element may come after the array, and an array may be of arrays. */
static void test_sizes_of_arrays(void **state) {
    (void)state;
    hd_err err;
    hd_types *ts = load("type 1 array 2 3 -\ntype 2 array 3 4 -\ntype 3 integer 2 1 short\n", &err);
    assert_non_null(ts);
    assert_int_equal(hd_types_get(ts, 1)->size, 24);
    hd_types_free(ts);
    ts = load("type 1 array 1 3 -\n", &err); /* of itself: no size, no endless loop */
    assert_non_null(ts);
    assert_int_equal(hd_types_get(ts, 1)->size, 0);
    hd_types_free(ts);
}

static void test_unknown_types(void **state) {
    (void)state;
    hd_err err;
    hd_types *ts = load("", &err);
    assert_non_null(ts);
    assert_int_equal(hd_types_get(ts, 0)->kind, HD_TYPE_UNKNOWN);
    assert_int_equal(hd_types_get(ts, 12345)->kind, HD_TYPE_UNKNOWN);
    hd_types_free(ts);
    ts = hd_types_load("/nonexistent/types", &err);
    assert_non_null(ts); /* a missing file is no types */
    hd_types_free(ts);
}

static void test_damage_is_said(void **state) {
    static const char *const damaged[] = {
        "nonsense\n",
        "type 1\n",
        "type 0 integer 4 1 int\n",
        "type 99999999999 integer 4 1 int\n",
        "type 1 integer x 1 int\n",
        "type 1 wonder 4 int\n",
        "field 0 1 0 0 v\n",
        "type 1 integer 4 1 int\nfield 0 1 0 0 v\n",
        "type 1 integer 4 1 int\ntype 1 integer 8 1 long\n",
        "type 1 struct 4 s\nfield 0 1 0 99 v\n",
        "key zzz 1\n",
        "key ffffffffffffffff 1\n",    /* no address: tables use it for nothing */
        "type 4000 integer 4 1 far\n", /* more types than bytes */
    };
    (void)state;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        hd_err err = {0};
        assert_null(load(damaged[i], &err));
        assert_non_null(strstr(err.message, "damaged"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_sizes_of_arrays),
        cmocka_unit_test(test_unknown_types),
        cmocka_unit_test(test_damage_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Coverage mappings: what one says, and what is damaged in a way that only who wants to harm
 * writes. */
#include "cover/source_map.h"
#include "tool/mapping_example.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The example with `n` bytes of its record changed; without its files, if there are to be none. */
static bool parse(hd_mapped *m, size_t at, const char *bytes, size_t n, bool has_files) {
    uint8_t all[sizeof mapping_example];
    char counted[16] = "";
    memcpy(all, mapping_example, sizeof all);
    memcpy(all + MAPPING_RECORD + at, bytes, n);
    memcpy(counted, all + MAPPING_COUNTED, sizeof all - MAPPING_COUNTED);
    hd_mapped_bytes b = {all + MAPPING_FILES, all + MAPPING_FUNCTIONS,
                         has_files ? MAPPING_N_FILES : 0, MAPPING_N_FUNCTIONS, counted};
    return hd_mapped_parse(m, &b);
}

static void an_example_is_read(void **state) {
    hd_mapped m;
    const uint64_t counters[] = {5, 3};
    (void)state;
    assert_true(parse(&m, 0, "", 0, true));
    assert_int_equal(m.functions.n, 1);
    const hd_mapped_function *f = &m.functions.at[0];
    assert_string_equal(f->words, "a");
    assert_string_equal(m.files.at[f->file], "/d/a");
    assert_int_equal(f->branches.n, 2);
    assert_int_equal(hd_tally_value(f, f->branches.at[0].taken[1], counters), 2); /* 5 - 3 */
    assert_int_equal(hd_tally_value(f, f->branches.at[0].taken[0], counters), 3);
    hd_mapped_release(&m);
}

static void damage_is_refused(void **state) {
    hd_mapped m;
    (void)state;
    assert_false(parse(&m, 0, "", 0, false));                /* functions of no file */
    assert_false(parse(&m, 2, "\xff\xff\xff\x07", 4, true)); /* 16 million expressions */
    assert_false(parse(&m, 3, "\2", 1, true));               /* an expression that needs itself */
    assert_false(parse(&m, 3, "\x9", 1, true));              /* a counter that is not there */
    assert_false(parse(&m, 1, "\7", 1, true));               /* a file that is not there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_example_is_read),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

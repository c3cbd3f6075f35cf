/* The table of library functions is whole: rows have roles for all they touch, and every function of the
 * machine and every model has a row. */
#include "base/text.h"
#include "machine/libc/libc.h"
#include "program/functions.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_one_of(char letter, const char *letters) {
    return letter && strchr(letters, letter);
}

/* Letters of functions that are run as they are: all that they touch is known beforehand. */
static bool is_known_beforehand(const hd_role *r) {
    return is_one_of(r->letter, "vdphcsSm") || (is_one_of(r->letter, "rwx") && r->n_factors);
}

static void check_factors(const hd_function *f, const hd_role *r, unsigned n) {
    for (unsigned k = 0; k < r->n_factors; k++)
        if (r->factors[k].kind != '0' && r->factors[k].value >= n)
            fail_msg("%s: a length names an argument that there is not", f->name);
}

static unsigned count_arguments(const hd_function *f) {
    const char *text = f->arguments;
    unsigned n = 0;
    while (hd_role_next(&text).letter)
        n++;
    return n;
}

static void check_row(const hd_function *f) {
    const char *text = f->arguments;
    bool is_real = f->kind == HD_FUNCTION_REAL || f->kind == HD_FUNCTION_PLAIN;
    unsigned n = count_arguments(f);
    for (hd_role r = hd_role_next(&text); r.letter; r = hd_role_next(&text)) {
        if (!is_one_of(r.letter, "vdsSmtTrwxphcfFioa.") || (*text && *text != ' '))
            fail_msg("%s: '%s' cannot be read", f->name, f->arguments);
        if (is_real && !is_known_beforehand(&r))
            fail_msg("%s: how much '%c' is?", f->name, r.letter);
        check_factors(f, &r, n);
    }
    if (!is_one_of(f->result[0], "vdp=h-n"))
        fail_msg("%s: result '%s'", f->name, f->result);
}

static void rows_can_be_read(void **state) {
    (void)state;
    const hd_function *f;
    for (uint32_t i = 0; (f = hd_function_row(i)); i++)
        if (f->kind != HD_FUNCTION_ABI && f->kind != HD_FUNCTION_REFUSED)
            check_row(f);
}

static void names_are_found_once(void **state) {
    (void)state;
    const hd_function *f;
    for (uint32_t i = 0; (f = hd_function_row(i)); i++)
        if (hd_function_find(f->name) != f)
            fail_msg("%s has two rows", f->name);
    assert_null(hd_function_find("frobnicate"));
    assert_null(hd_function_find(""));
}

static void roles_are_read(void **state) {
    (void)state;
    const char *text = "v r#1*8? s";
    hd_role r = hd_role_next(&text);
    assert_true(r.letter == 'v' && r.is_general && !r.n_factors);
    r = hd_role_next(&text);
    assert_true(r.letter == 'r' && r.may_be_null && r.n_factors == 2);
    assert_true(r.factors[0].kind == '#' && r.factors[0].value == 1);
    assert_true(r.factors[1].kind == '0' && r.factors[1].value == 8);
    assert_int_equal(hd_role_next(&text).letter, 's');
    assert_int_equal(hd_role_next(&text).letter, 0);
}

/* ---- nothing is without a row ---- */

static bool has_function(const char *name) {
    const hd_function *f;
    for (uint32_t i = 0; (f = hd_function_row(i)); i++)
        if (f->function && f->result[0] && strcmp(f->name, name) == 0)
            return true;
    return false;
}

/* What a command prints, word by word. */
static void for_each_word(const char *command, void (*check)(const char *)) {
    FILE *in = popen(command, "r");
    char word[256];
    unsigned n = 0;
    assert_non_null(in);
    for (; fscanf(in, "%255s", word) == 1; n++)
        check(word);
    pclose(in);
    assert_true(n > 0);
}

static void check_model(const char *name) {
    const hd_function *f = hd_function_find(name);
    bool is_known = f && (f->kind == HD_FUNCTION_MODEL || f->kind == HD_FUNCTION_OWN);
    if (!is_known && strncmp(name, "__hd_model_", 11) != 0)
        fail_msg("the model of '%s' has no row", name);
}

static void models_have_rows(void **state) {
    (void)state;
    for_each_word("for f in src/models/*.c; do clang-19 -w -Iinclude -Isrc -S -emit-llvm -o - $f; done |"
                  " sed -nE '/^define internal/d; s/^define .*@([A-Za-z_0-9]+)\\(.*/\\1/p'",
                  check_model);
}

/* By the declarations: hd_libc_frob is in some row. */
static void check_own(const char *declared) {
    static hd_text table;
    char wanted[300];
    if (!table.n)
        assert_true(hd_text_read_file(&table, "src/program/functions.def"));
    snprintf(wanted, sizeof wanted, ", %s, ", declared + strlen("hd_libc_"));
    if (!strstr(hd_text_string(&table), wanted))
        fail_msg("'%s' is in no row", declared);
}

static void own_functions_have_rows(void **state) {
    (void)state;
    assert_true(has_function("malloc"));
    for_each_word("grep -hoE '\\bhd_libc_[a-z0-9_]+\\(' src/machine/libc/libc.h src/machine/libc/libc_ipc.h "
                  "src/machine/sync/libc_sync.h | tr -d '(' | grep -vE '_hidden$' | sort -u",
                  check_own);
}

/* How much address space this process has. */
static unsigned long count_pages(void) {
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long n;
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lu", &n), 1);
    fclose(f);
    return n;
}

/* Ways into external code are given back, and can be closed when there are none. */
static void gateways_are_closed(void **state) {
    (void)state;
    enum { ROUNDS = 40, IMPORTS = 1000, LEAST = IMPORTS * 8 };
    hd_gateway_open(IMPORTS);
    hd_gateway_close();
    unsigned long pages = count_pages();
    size_t bytes = mallinfo2().uordblks;
    for (int i = 0; i < ROUNDS; i++) {
        hd_gateway_open(IMPORTS);
        hd_gateway_seal();
        assert_true(count_pages() > pages);
        hd_gateway_close();
        hd_gateway_close();
    }
    assert_true(count_pages() < pages + ROUNDS);
    assert_true(mallinfo2().uordblks < bytes + LEAST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_can_be_read),      cmocka_unit_test(names_are_found_once),
        cmocka_unit_test(roles_are_read),        cmocka_unit_test(models_have_rows),
        cmocka_unit_test(own_functions_have_rows), cmocka_unit_test(gateways_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

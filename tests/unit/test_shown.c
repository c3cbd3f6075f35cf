/* What is printed of hostile text, formats as C has them, kept sources, and text in pages
 * (base/shown.h, program/sources.h, report/html.h). */
#include "base/shown.h"
#include "program/sources.h"
#include "report/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void is_shown(const char *bytes, const char *wanted) {
    hd_text shown = {0};
    hd_text_add_shown(&shown, bytes, strlen(bytes));
    assert_string_equal(hd_text_string(&shown), wanted);
    hd_text_release(&shown);
}

static void test_shown(void **state) {
    (void)state;
    is_shown("plain 'text' \\ stays", "plain 'text' \\ stays");
    is_shown("\033[31mred\007", "\\x1b[31mred\\a");
    is_shown("a\nb\tc\r", "a\\nb\\tc\\r");
    is_shown("\x7f\xc2\x9b"
             "31m",
             "\\x7f\\xc2\\x9b31m"); /* CSI in one character */
    is_shown("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9b",
             "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9b");
    is_shown("\xc3(\xff\xe2\x82", "\\xc3(\\xff\\xe2\\x82");        /* no UTF-8 */
    is_shown("\xc0\x9b\xed\xa0\x80", "\\xc0\\x9b\\xed\\xa0\\x80"); /* too long, half of a pair */
    is_shown("a\xe2\x80\xae"
             "b",
             "a\\u202eb"); /* from right to left */
}

/* No byte, wherever it stands, reaches a terminal as a control character. */
static void test_no_control(void **state) {
    (void)state;
    for (unsigned a = 1; a < 256; a++)
        for (unsigned b = 0; b < 256; b++) {
            char bytes[] = {(char)a, (char)b, 'x', '\0'};
            hd_text shown = {0};
            hd_text_add_shown(&shown, bytes, b ? 3 : 1);
            for (size_t i = 0; i < shown.n; i++) {
                unsigned char c = (unsigned char)shown.at[i];
                assert_true(c >= 32 && c != 127);
                assert_false(c == 0xc2 && (unsigned char)shown.at[i + 1] < 0xa0);
            }
            hd_text_release(&shown);
        }
}

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char wanted[256], *got = NULL;                                                             \
        size_t n = 0;                                                                              \
        FILE *out = open_memstream(&got, &n);                                                      \
        hd_print(out, __VA_ARGS__);                                                                \
        fclose(out);                                                                               \
        snprintf(wanted, sizeof wanted, __VA_ARGS__);                                              \
        assert_string_equal(got, wanted);                                                          \
        free(got);                                                                                 \
    } while (0)

static void test_formats(void **state) {
    (void)state;
    SAME("nothing\n");
    SAME("100 %%, %d %i %u", -3, 4, 5u);
    SAME("%5d|%-5d|%05d|%+d", 42, 42, 42, 42);
    SAME("%" PRIu64 " %" PRId64 " %016" PRIx64 " %zu", UINT64_MAX, INT64_MIN, UINT64_C(0xabc),
         (size_t)7);
    SAME("%.3g %9.0f %.2f %g", 1234.5, 2.5, 3.14159, 1e100);
    SAME("%s|%10s|%-10s|%.2s|%.*s|%*s", "a", "right", "left", "cut", 3, "cutting", 6, "wide");
    SAME("%c%c", 'a', '>');
    SAME("%u", UINT32_MAX);
}

static void test_arguments(void **state) {
    (void)state;
    char *got = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&got, &n);
    hd_print(out, "finding: %s\n%c%6s|\n", "\033]0;owned\007\ncomplete", '\033', "\xc3\xbc");
    hd_print_lines(out, "one\033\ntwo\n");
    hd_print_colour(out, HD_COLOUR_BAD); /* no terminal: nothing */
    fclose(out);
    assert_string_equal(
        got, "finding: \\x1b]0;owned\\a\\ncomplete\n\\x1b     \xc3\xbc|\none\\x1b\ntwo\n");
    free(got);
}

static void test_html(void **state) {
    (void)state;
    hd_text page = {0};
    hd_html_add(&page, "</script><b a='1' c=\"2\">&\033");
    assert_string_equal(page.at,
                        "&lt;/script&gt;&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;\\x1b");
    hd_text_release(&page);
}

static void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

static void test_sources(void **state) {
    (void)state;
    char directory[] = "/tmp/heddle-sources-XXXXXX";
    assert_non_null(mkdtemp(directory));
    char *a = hd_text_format("%s/a.c", directory), *b = hd_text_format("%s/b.h", directory);
    char *kept = hd_text_format("%s/sources", directory);
    char *const paths[] = {a, b, (char *)"/usr/include/stdio.h", (char *)"/nonexistent"};
    hd_sources all = {0};
    write_file(a, "int x;\n7 8 nine\n");
    write_file(b, "");
    assert_true(hd_sources_write(directory, paths, 4));
    hd_sources_read(&all, directory);
    assert_int_equal(all.n, 2);
    assert_string_equal(all.at[0].text, "int x;\n7 8 nine\n");
    assert_string_equal(all.at[1].text, "");
    assert_ptr_equal(hd_sources_find(&all, a), &all.at[0]);
    assert_ptr_equal(hd_sources_find(&all, "a.c"), &all.at[0]);
    assert_ptr_equal(hd_sources_find(&all, "./b.h"), &all.at[1]);
    assert_null(hd_sources_find(&all, "c.c"));
    assert_null(hd_sources_find(&all, "la.c"));
    hd_sources_release(&all);

    /* Y1: one byte is another, and the text is not there. */
    hd_text bytes = {0};
    assert_true(hd_text_read_file(&bytes, kept));
    for (size_t i = 0; i < bytes.n; i++) {
        bytes.at[i] ^= 1;
        FILE *out = fopen(kept, "wb");
        fwrite(bytes.at, 1, bytes.n, out);
        fclose(out);
        hd_sources_read(&all, directory);
        for (size_t k = 0; k < all.n; k++)
            assert_true(strcmp(all.at[k].text, "int x;\n7 8 nine\n") == 0 || !all.at[k].n);
        hd_sources_release(&all);
        bytes.at[i] ^= 1;
    }
    hd_text_release(&bytes);
    unlink(a), unlink(b), unlink(kept), rmdir(directory);
    free(a), free(b), free(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown),   cmocka_unit_test(test_no_control),
        cmocka_unit_test(test_formats), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_html),    cmocka_unit_test(test_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Options of recorded commands: what decides about the meaning of a source is kept, nothing else.
 */
#include "base/text.h"
#include "compile/recorded_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Joined by '|'. */
static void assert_options(const char *command, const char *wanted) {
    hd_option_list options = {0};
    hd_text joined = {0};
    hd_recorded_options(command, "/the folder", &options);
    for (size_t i = 0; i < options.n; i++)
        hd_text_add(&joined, "%s%s", i ? "|" : "", options.at[i]);
    assert_string_equal(hd_text_string(&joined), wanted);
    hd_text_release(&joined);
    hd_option_list_release(&options);
}

static void meaning_is_kept(void **state) {
    (void)state;
    assert_options("clang version 19 (a) /bin/clang -D X=1 -DY -U Z -std=c99 -m32 -c a.c -o a.o",
                   "-DX=1|-DY|-UZ|-std=c99|-m32|-w");
    assert_options("-fwrapv -fno-builtin -ansi -pthread", "-fwrapv|-fno-builtin|-ansi|-pthread|-w");
    assert_options("-Wno-error=int-conversion -Wall -Werror -Wl,-z,now",
                   "-Wno-error=int-conversion|-w");
}

static void words_are_as_they_were(void **state) {
    (void)state;
    assert_options("-D NAME=\"x\\ y\\\\\"", "-DNAME=\"x y\\\"|-w");
    assert_options("-DEMPTY= -D", "-DEMPTY=|-w");
    assert_options("-D a\\", "-Da\\|-w");
    assert_options("", "-w");
}

static void paths_are_absolute(void **state) {
    (void)state;
    assert_options("-I ../inc -I/usr/x -isystem y", "-I/the folder/../inc|-I/usr/x|"
                                                    "-isystem/the folder/y|-w");
    assert_options("-include nowhere.h", "-include|nowhere.h|-w");
}

static void ways_of_compiling_are_not(void **state) {
    (void)state;
    assert_options("-O2 -g -ggdb3 -grecord-command-line -fsanitize=address -flto=thin "
                   "-fprofile-instr-generate -fcoverage-mapping -D_FORTIFY_SOURCE=2 -D "
                   "_FORTIFY_SOURCE=3 -pedantic-errors -MD -MF x.d -L/lib -lm -s -shared",
                   "-w");
}

/* Whoever made the file does not run code here. */
static void plugins_are_never(void **state) {
    (void)state;
    assert_options("-fplugin=evil.so -fpass-plugin=evil.so -Xclang -load -Xclang -fplugin=x "
                   "-mllvm -load -B /evil -fplugin-arg-x-y",
                   "-w");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meaning_is_kept),    cmocka_unit_test(words_are_as_they_were),
        cmocka_unit_test(paths_are_absolute), cmocka_unit_test(ways_of_compiling_are_not),
        cmocka_unit_test(plugins_are_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* From a recorded command to options. */
#include "compile/recorded_options.h"

#include "base/text.h"
#include "compile/flag.h"

#include <string.h>
#include <unistd.h>

/* The next word; blanks and backslashes in it stand behind backslashes. */
static char *next_word(const char **at) {
    hd_text word = {0};
    while (**at == ' ')
        ++*at;
    if (!**at)
        return NULL;
    for (; **at && **at != ' '; ++*at) {
        if (**at == '\\' && (*at)[1])
            ++*at;
        hd_text_add_bytes(&word, *at, 1);
    }
    char *made = hd_text_format("%s", hd_text_string(&word));
    hd_text_release(&word);
    return made;
}

static void split(const char *command, hd_option_list *words) {
    for (char *word; (word = next_word(&command));)
        hd_vec_push(words, word);
}

static bool begins_with_one_of(const char *word, const char *const *beginnings) {
    for (; *beginnings; beginnings++)
        if (strncmp(word, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

/* Options whose next word is a value and not an option, whatever it looks like. */
static bool takes_next(const char *word) {
    static const char *const taking[] = {"-Xclang",     "-Xpreprocessor",
                                         "-Xassembler", "-Xlinker",
                                         "-mllvm",      "-target",
                                         "-arch",       "-o",
                                         "-MF",         "-MT",
                                         "-MQ",         "-x",
                                         "-L",          "-l",
                                         "-z",          "-u",
                                         "-T",          "-B",
                                         "-isysroot",   "--sysroot",
                                         "--param",     "-dumpbase",
                                         "-Xarch_host", "-rpath",
                                         "-framework",  NULL};
    for (const char *const *t = taking; *t; t++)
        if (strcmp(word, *t) == 0)
            return true;
    return false;
}

static bool is_about_meaning(const char *word) {
    static const char *const others[] = {"-O",
                                         "-g",
                                         "-pedantic",
                                         "-fsanitize",
                                         "-fno-sanitize",
                                         "-flto",
                                         "-fno-lto",
                                         "-fprofile",
                                         "-fcoverage",
                                         "-ftest-coverage",
                                         "-fplugin",
                                         "-fpass-plugin",
                                         "-fuse-ld",
                                         "-fdebug",
                                         "-ffile-prefix-map",
                                         "-fdiagnostics",
                                         "-fcolor-diagnostics",
                                         "-fno-color-diagnostics",
                                         "-fstack-protector",
                                         "-fstack-clash-protection",
                                         "-fcf-protection",
                                         "-ftime",
                                         "-fsave-optimization-record",
                                         "-fmodule",
                                         "-fembed-bitcode",
                                         "-foptimization-record",
                                         "-fcrash-diagnostics",
                                         "-D_FORTIFY_SOURCE",
                                         "-U_FORTIFY_SOURCE",
                                         NULL};
    if (strncmp(word, "-W", 2) == 0)
        return strncmp(word, "-Wno-", 5) == 0;
    return !begins_with_one_of(word, others);
}

/* "-include config.h" may mean a file of a folder of headers. */
static char *absolute(const char *value, const char *directory, bool is_file) {
    char *path = hd_text_format("%s/%s", directory, value);
    if (*value != '/' && (!is_file || access(path, R_OK) == 0))
        return path;
    free(path);
    return hd_text_format("%s", value);
}

static bool names_file(const hd_compiler_flag *flag) {
    return strcmp(flag->prefix, "-include") == 0 || strcmp(flag->prefix, "-imacros") == 0;
}

/* The option in one word, or its value in the one behind it: how many words these were. */
static size_t take_option(const hd_option_list *words, size_t n, const hd_compiler_flag *flag,
                          const char *directory, hd_option_list *options) {
    const char *rest = words->at[n] + strlen(flag->prefix);
    bool is_apart = flag->separate && !*rest && n + 1 < words->n;
    const char *value = is_apart ? words->at[n + 1] : rest;
    char *whole = hd_text_format("%s%s", flag->prefix, value);
    char *path = flag->is_path ? absolute(value, directory, names_file(flag)) : NULL;
    if (*value && names_file(flag)) {
        hd_vec_push(options, hd_text_format("%s", flag->prefix));
        hd_vec_push(options, hd_text_format("%s", path));
    } else if (*value || !flag->separate) {
        if (is_about_meaning(whole))
            hd_vec_push(options, hd_text_format("%s%s", flag->prefix, path ? path : value));
    }
    free(whole);
    free(path);
    return is_apart ? 2 : 1;
}

void hd_recorded_options(const char *command, const char *directory, hd_option_list *options) {
    hd_option_list words = {0};
    split(command, &words);
    for (size_t n = 0; n < words.n;) {
        const hd_compiler_flag *flag = hd_compiler_flag_find(words.at[n]);
        if (takes_next(words.at[n]))
            n += 2;
        else
            n += flag ? take_option(&words, n, flag, directory, options) : 1;
    }
    hd_option_list_release(&words);
    hd_vec_push(options, hd_text_format("-w"));
}

void hd_option_list_release(hd_option_list *words) {
    for (size_t n = 0; n < words->n; n++)
        free(words->at[n]);
    hd_vec_release(words);
}

/* Executions ended at ordinary functions of ISO C and POSIX: copies of wide text, characters one by
 * one, places in files, tables and trees of search.h; and the parts of a path became constants.
 *
 * run:
 * verdict: complete
 * paths: 7
 * label: file 1
 * label: tree 1
 *
 * run: -DWALKED
 * verdict: incomplete
 * reason: trees are not balanced
 *
 * run: -DLATE
 * verdict: complete
 * finding: use-after-free 1 */
#define _GNU_SOURCE
#include <heddle.h>
#include <libgen.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int order(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

static void look(const void *node, VISIT when, int depth) {
    (void)node, (void)when, (void)depth;
}

static int in_tree(char key) {
    static char keys[] = "bac";
    void *root = NULL;
    for (int i = 0; i < 3; i++)
        tsearch(&keys[i], &root, order);
#ifdef WALKED
    twalk(root, look);
#endif
    char **found = tfind(&key, &root, order);
    int is_there = found != NULL;
    for (int i = 0; i < 3; i++)
        tdelete(&keys[i], &root, order);
#ifdef LATE
    return is_there && **found; // BUG use-after-free
#endif
    return is_there + (root != NULL) + (look == NULL);
}

static int in_file(unsigned n) {
    FILE *f = tmpfile();
    fpos_t at;
    fputs("abc", f);
    fseek(f, n, SEEK_SET);
    fgetpos(f, &at);
    rewind(f);
    fsetpos(f, &at);
    int c = fgetc(f);
    fclose(f);
    return c;
}

static size_t in_wide(unsigned n) {
    wchar_t text[16] = L"x", one;
    wcsncat(text, L"abc", n);
    wcscat(text, L"!");
    return wcslen(text) + mbrtowc(&one, "q", 1, NULL);
}

int main(void) {
    unsigned char n, c;
    heddle_input(n);
    heddle_input(c);
    heddle_assume(n < 3 && c >= 'a' && c <= 'd');
    char path[] = "/a/b";
    if (in_wide(n) == 4 && in_file(n) == 'b' && in_tree((char)c) && c == 'c')
        heddle_reach("file");
    path[3] = (char)c;
    if (n == 2 && strcmp(basename(path), "d") == 0 && !in_tree((char)c))
        heddle_reach("tree");
    return 0;
}

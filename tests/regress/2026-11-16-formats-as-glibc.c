/* Formats with stars, positions, long doubles, %n and %m, of which the arguments are now taken apart
 * and put together again; and what scanf says about the end of its input, infinities, hexadecimal
 * numbers and wide text.  All answers are those of glibc.
 *
 * run:
 * verdict: complete
 * paths: 1 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void print(void) {
    char out[256], *made;
    int n = -1;
    snprintf(out, sizeof out, "%s|%.3s|%*d|%-*.*s|%5.2f|%Lf|%c", "abc", "defgh", 5, 42, 8, 2, "xyz",
             3.14159, 2.5L, 'c');
    assert(strcmp(out, "abc|def|   42|xy      | 3.14|2.500000|c") == 0);
    snprintf(out, sizeof out, "%2$s %1$d %3$.*4$s %5$Lg", 7, "two", "three!", 3, 1.5L);
    assert(strcmp(out, "two 7 thr 1.5") == 0);
    snprintf(out, sizeof out, "%Lf %f %d %Lf %s %g %g %g %g %g %g %g %g %g", 1.0L, 2.0, 3, 4.0L, "s",
             1., 2., 3., 4., 5., 6., 7., 8., 9.);
    assert(strcmp(out, "1.000000 2.000000 3 4.000000 s 1 2 3 4 5 6 7 8 9") == 0);
    assert(snprintf(out, sizeof out, "ab%n%ls%%", &n, L"wide") == 7 && n == 2);
    assert(strcmp(out, "abwide%") == 0);
    errno = ENOENT;
    snprintf(out, sizeof out, "%m");
    assert(strcmp(out, "No such file or directory") == 0);
    assert(asprintf(&made, "%s-%d", "as", 5) == 4 && strcmp(made, "as-5") == 0);
    free(made);
    assert(fwrite("", 0, 4, stdout) == 0);
}

static void scan(void) {
    int a = -1, b = -1;
    double x = 0, y = 0;
    char text[8] = "";
    wchar_t wide[8];
    assert(sscanf("", "%d", &a) == EOF && sscanf("-", "%d", &a) == 0);
    assert(sscanf("12345", "%2d%2d", &a, &b) == 2 && a == 12 && b == 34);
    assert(sscanf("0x1f 017", "%i%i", &a, &b) == 2 && a == 31 && b == 15);
    assert(sscanf("ab", "%3c", text) == 1 && text[1] == 'b');
    assert(sscanf("inf nan", "%lf%lf", &x, &y) == 2 && isinf(x) && isnan(y));
    assert(sscanf("0x1.8p1 1e", "%lf%lf", &x, &y) == 2 && x == 3 && y == 1);
    assert(sscanf(".", "%lf", &x) == 0 && sscanf("infi", "%lf", &x) == 0);
    assert(sscanf("abc]", "%[^]]%n", text, &a) == 1 && a == 3);
    assert(sscanf("wide", "%ls", wide) == 1 && wcscmp(wide, L"wide") == 0);
}

int main(void) {
    print();
    scan();
    return 0;
}

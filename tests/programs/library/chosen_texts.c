/* Which text formatted output is given may depend on inputs: it is decided, and nothing is treated as a constant.
 *
 * run: -DWAY=1
 * verdict: complete
 * label: ab 1
 * label: cd 1
 *
 * run: -DWAY=2
 * verdict: complete
 * label: ab 1
 * label: cd 1
 *
 * run: -DWAY=3
 * verdict: complete
 * label: ab 1
 * label: cd 1
 *
 * run: -DWAY=4
 * verdict: complete
 * label: ab 1
 * label: cd 1
 *
 * run: -DWAY=5
 * verdict: complete
 * label: ab 1
 * label: cd 1 */
#define _GNU_SOURCE
#include <heddle.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char texts[2][4] = {"ab", "cd"}, formats[2][8] = {"ab%.0s", "cd%.0s"};

static int list(char *b, size_t n, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int made = vsnprintf(b, n, format, arguments);
    va_end(arguments);
    return made;
}

int main(void) {
    unsigned char x;
    char b[8] = "";
    int n = 0, p[2];
    heddle_input(x);
    heddle_assume(x < 2);
    if (WAY == 1)
        n = snprintf(b, sizeof b, "%s", texts[x]);
    if (WAY == 2)
        n = sprintf(b, formats[x], "");
    if (WAY == 3)
        n = list(b, sizeof b, "%s%s", "", texts[x]);
    if (WAY == 4 && pipe(p) == 0 && dprintf(p[1], "%s", texts[x]) == 2)
        n = (int)read(p[0], b, sizeof b);
    if (WAY == 5) {
        char *made = NULL;
        n = asprintf(&made, "%d%s%s", 7, "", texts[x]) - 1;
        memcpy(b, made + 1, 3);
        free(made);
    }
    if (n == 2 && memcmp(b, "ab", 2) == 0)
        heddle_reach("ab");
    if (n == 2 && memcmp(b, "cd", 2) == 0)
        heddle_reach("cd");
    return 0;
}

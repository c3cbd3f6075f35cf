/* A list of too few arguments for vprintf and its like was read on, and text that was printed over
 * itself was no finding.
 *
 * run: -DONE
 * verdict: complete
 * finding: missing-argument 1
 *
 * run: -DMANY
 * verdict: complete
 * finding: missing-argument 1
 *
 * run: -DREAL
 * verdict: complete
 * finding: missing-argument 1
 *
 * run: -DENOUGH
 * verdict: complete
 *
 * run: -DOVER
 * verdict: complete
 * finding: overlap 1
 *
 * run: -DBEHIND
 * verdict: complete
 * finding: overlap 1
 *
 * run: -DBESIDE
 * verdict: complete
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[64] = "0123456789";

static int print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return n;
}

int main(void) {
#ifdef ONE
    print("%d %d", 1);
#elif defined MANY
    print("%d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7);
#elif defined REAL
    print("%d %f", 1);
#elif defined ENOUGH
    print("%d %d %d %d %d %d %d %s %.1f", 1, 2, 3, 4, 5, 6, 7, "eight", 9.0);
    return strcmp(text, "1 2 3 4 5 6 7 eight 9.0") != 0;
#elif defined OVER
    sprintf(text, "%s!", text);
#elif defined BEHIND
    snprintf(text, 8, "%.4s", text + 3);
#else
    snprintf(text, 8, "%.4s%s", text + 8, text + 32);
#endif
}

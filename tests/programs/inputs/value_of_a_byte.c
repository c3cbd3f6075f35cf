/* A byte becomes a floating-point number, an integer of 128 bits, a number that is read, and the argument of a function
 * that runs as it is: one value of it is run, which is said; or with --values each is a path.  What
 * depends on more bits than that is still one value.
 *
 * run: --strategy dfs
 * verdict: incomplete
 * exit: 0
 * reason: floating-point conversion
 *
 * run: --strategy dfs --values 8
 * verdict: complete
 * paths: 256
 * label: twelve 2
 * label: sevenths 3
 * label: printed 1
 * label: read 1
 *
 * run: --strategy dfs --values 8 -DTWO
 * verdict: incomplete
 * exit: 0
 * reason: floating-point conversion
 *
 * run: --strategy dfs --values 16 -DTWO
 * verdict: complete
 * paths: 511
 * label: sum 1 */
#include <heddle.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void use(signed char a) {
    double d = a;
    if (sqrt(d * d) == 12.0)
        heddle_reach("twelve");
    if (floor(d / 3) == -7)
        heddle_reach("sevenths");
    char text[8];
    snprintf(text, sizeof text, "%d", a * 2);
    if (strcmp(text, "-250") == 0)
        heddle_reach("printed");
    text[0] = a, text[1] = '\0';
    if (strtod(text, NULL) == 7.0)
        heddle_reach("read");
}

int main(void) {
    unsigned char a, b;
    heddle_input(a);
#ifdef TWO
    heddle_input(b);
    if (sqrt(a + b) == 3.0)
        heddle_reach("sum");
#else
    (void)b;
    use((signed char)a);
#endif
    return 0;
}

/* What printf reads behind %s was not looked at: a text without an end was not found, and text that
 * depends on inputs became a constant in snprintf without a word.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds
 *
 * run: -DTERMINATED
 * verdict: complete
 *
 * run: -DINTO
 * verdict: complete
 * label: x */
#include <heddle.h>
#include <stdio.h>

int main(void) {
    char text[4], out[8];
    heddle_bytes(text, sizeof text, "text");
#ifdef TERMINATED
    text[3] = '\0';
#endif
#ifdef INTO
    text[3] = '\0';
    snprintf(out, sizeof out, "%s", text);
    if (out[0] == 'x')
        heddle_reach("x");
    return 0;
#endif
    (void)out;
    printf("%.3s\n", text);
    printf("%s\n", text); // BUG out-of-bounds
    return 0;
}

/* What output functions return depends on what they print, and they read what they are given:
 * either that is followed, or the run says that it was not.
 *
 * run:
 * verdict: incomplete
 * reason: result of 'printf'
 * label: seven
 * finding: null-pointer */
#include <heddle.h>
#include <stdio.h>

int main(void) {
    unsigned char a;
    heddle_input(a);
    const char *names[] = {"a", "b", "c", NULL};
    if (printf("%d\n", a) == 3)
        heddle_reach("two-digits");
    if (putchar(a) == 7)
        heddle_reach("seven");
    puts(names[a & 3]); // BUG null-pointer
    return 0;
}

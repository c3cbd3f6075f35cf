/* Enumerations and _Bool as inputs: a _Bool is 0 or 1, whatever its byte could hold.
 *
 * run:
 * verdict: complete
 * label: green
 * label: yes
 * label: no
 * no-label: neither */
#include <heddle.h>
#include <stdbool.h>

enum colour { RED, GREEN = 5, BLUE };

int main(void) {
    enum colour c;
    bool b;
    heddle_input(c);
    heddle_input(b);
    if (c == GREEN)
        heddle_reach("green");
    if (b)
        heddle_reach("yes");
    else
        heddle_reach("no");
    unsigned char raw = *(unsigned char *)&b;
    if (raw > 1)
        heddle_reach("neither");
    return 0;
}

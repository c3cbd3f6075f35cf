/* Numbers in text: atoi and strtol with a base and an end.
 *
 * run:
 * label: decimal
 * label: hexadecimal
 * label: rest */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    char s[4], *end;
    heddle_input(s);
    s[3] = 0;
    if (atoi(s) == -42)
        heddle_reach("decimal");
    long v = strtol(s, &end, 16);
    if (v == 0xbee)
        heddle_reach("hexadecimal");
    else if (v == 0xb && *end == '!')
        heddle_reach("rest");
    return 0;
}

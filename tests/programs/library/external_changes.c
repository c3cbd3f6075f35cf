/* What a library function without a model has changed is concrete afterwards, byte by byte, behind each of its arguments; what it has
 * left alone still depends on inputs.
 *
 * run: -DALL --external memfrob
 * verdict: incomplete
 * reason: call of 'memfrob', which has no model
 * paths: 1
 * no-label: symbolic
 *
 * run: -DFIRST --external memfrob
 * verdict: incomplete
 * paths: 3
 * label: behind 1
 * label: last 1
 * no-label: symbolic
 *
 * run: -DARGUMENTS --external fcvt_r
 * verdict: incomplete
 * reason: call of 'fcvt_r', which has no model
 * paths: 1
 * no-label: symbolic */
#define _GNU_SOURCE
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
#ifdef ARGUMENTS
    int point, sign;
    unsigned char text[8];
    heddle_input(point);
    heddle_input(sign);
    heddle_bytes(text, sizeof text, "text");
    heddle_assume(point == 77 && sign == 78); /* other than what comes */
    point = (point & 1) * 3 + 79, sign = (sign & 1) * 3 + 79;
    if (fcvt_r(-12.5, 1, &point, &sign, (char *)text, sizeof text) != 0)
        return 0;
    if (point != 2 || sign == 0 || text[0] != '1' || text[1] != '2' || text[2] != '5')
        heddle_reach("symbolic");
#else
    unsigned char *b = malloc(4);
    heddle_bytes(b, 4, "b");
#ifdef FIRST
    memfrob(b, 1);
    if (b[1] == 7)
        heddle_reach("behind");
    else if (b[3] == 7)
        heddle_reach("last");
    for (int i = 0; i < 1; i++)
#else
    memfrob(b, 4);
    for (int i = 0; i < 4; i++)
#endif
        if (b[i] == (7 ^ 42))
            heddle_reach("symbolic");
    free(b);
#endif
    return 0;
}

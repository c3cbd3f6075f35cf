/* Numbers of few bits of inputs that are printed into memory: with --values a path for each of their values, and nothing is lost.  Printed for the user they are
 * no reason for paths.
 *
 * run: --values 8
 * verdict: complete
 * paths: 4
 * label: right 4
 *
 * run: --values 8 -DNEW
 * verdict: complete
 * paths: 4
 * label: right 4
 *
 * run: --values 8 -DROOM
 * verdict: complete
 * paths: 4
 * label: right 4
 *
 * run: --values 8 -DUSER
 * verdict: complete
 * paths: 1
 *
 * run: --values 7 -DLOST
 * verdict: incomplete
 * reason: call of 'sprintf' with a symbolic argument
 * label: right
 *
 * run: --values 7 -DLOST -DNEW
 * verdict: incomplete
 * reason: call of 'asprintf' with a symbolic argument
 * label: right
 *
 * run: --values 7 -DLOST -DROOM
 * verdict: incomplete
 * reason: call of 'snprintf' with a symbolic argument
 * label: right */
#define _GNU_SOURCE
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char x;
    char room[16], *text = room;
    heddle_input(x);
    heddle_assume(x < 4);
#ifdef USER
    printf("<%d>", x);
    return 0;
#elif defined NEW
    asprintf(&text, "<%d>", x);
#elif defined ROOM
    snprintf(room, sizeof room, "<%d>", x);
#else
    sprintf(room, "<%d>", x);
#endif
#ifdef LOST
    x = (unsigned char)(text[1] - '0');
#endif
    if (text[0] == '<' && text[1] == '0' + x && text[2] == '>' && !text[3])
        heddle_reach("right");
#ifdef NEW
    free(text);
#endif
    return 0;
}

/* A number that depends on inputs and can have one value only is printed into memory as that: nothing is lost.  One that can have several is made a constant, and said.
 *
 * run: -DDECIDED
 * verdict: complete
 * paths: 2
 * label: right 1
 *
 * run: -DDECIDED -DNEW
 * verdict: complete
 * paths: 2
 * label: right 1
 *
 * run: -DDECIDED -DROOM
 * verdict: complete
 * paths: 2
 * label: right 1
 *
 * run:
 * verdict: incomplete
 * label: right
 *
 * run: -DNEW
 * verdict: incomplete
 * label: right
 *
 * run: -DROOM
 * verdict: incomplete
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
#ifdef DECIDED
    if (x != 42)
        return 0;
#else
    if (x < 42)
        return 0;
    heddle_assume(x < 44);
#endif
#ifdef NEW
    asprintf(&text, "<%d>", x);
#elif defined ROOM
    snprintf(room, sizeof room, "<%d>", x);
#else
    sprintf(room, "<%d>", x);
#endif
    if (strcmp(text, "<42>") == 0 || strcmp(text, "<43>") == 0)
        heddle_reach("right");
#ifdef NEW
    free(text);
#endif
    return 0;
}

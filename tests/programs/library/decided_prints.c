/* A width that depends on inputs becomes a constant where something is printed into memory, or into a file: with --values there is a path for each of its values, and nothing is lost.  Printed for the user it is
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
 * run: --values 8 -DFILED
 * verdict: complete
 * paths: 4
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
 * label: right
 *
 * run: --values 7 -DFILED
 * verdict: incomplete
 * reason: printing of a symbolic value into a file, pipe or socket */
#define _GNU_SOURCE
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char x;
    char room[16], *text = room;
    heddle_input(x);
    heddle_assume(x >= 1 && x < 5);
#ifdef USER
    printf("<%*d>", x, 7);
    return 0;
#elif defined FILED
    FILE *f = tmpfile();
    fprintf(f, "<%*d>", x, 7);
    return 0;
#elif defined NEW
    asprintf(&text, "<%*d>", x, 7);
#elif defined ROOM
    snprintf(room, sizeof room, "<%*d>", x, 7);
#else
    sprintf(room, "<%*d>", x, 7);
#endif
#ifdef LOST
    x = (unsigned char)(strlen(text) - 2);
#endif
    if (text[0] == '<' && text[x] == '7' && text[x + 1] == '>' && !text[x + 2])
        heddle_reach("right");
#ifdef NEW
    free(text);
#endif
    return 0;
}

/* Paper 002, 4.3.2: a library function without source changes memory that holds inputs.
 * What it wrote is seen by the program, and the call is named.
 *
 * Three paths as in cast_memset.c: memfrob turns the 1 into 43, whatever Heddle believes.
 *
 * run: --external memfrob
 * paths: 3
 * label: changed
 * reason: memfrob */
#define _GNU_SOURCE
#include <heddle.h>
#include <string.h>

struct record {
    int i;
    char c;
};

int main(void) {
    struct record *a;
    heddle_input(a);
    if (a && a->c == 1) {
        memfrob(a, sizeof *a);
        heddle_assert(a->c == 43);
        if (a->c != 1)
            heddle_reach("changed");
    }
    return 0;
}

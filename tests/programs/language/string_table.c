/* A table of strings, one chosen by a symbolic index, then compared: the index is solved for.
 *
 * run:
 * label: green */
#include <heddle.h>

static const char *const names[] = {"red", "green", "blue", "black"};

int main(void) {
    unsigned char i;
    heddle_input(i);
    const char *name = names[i & 3];
    if (name[0] == 'g' && name[1] == 'r') {
        heddle_reach("green");
        heddle_assert((i & 3) == 1);
    }
    return 0;
}

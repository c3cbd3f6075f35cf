/* A jump through a table of labels by a symbolic index: one path per label.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: add 1
 * label: stop 1 */
#include <heddle.h>

int main(void) {
    static void *const table[] = {&&add, &&subtract, &&nothing, &&stop};
    unsigned char op;
    heddle_input(op);
    goto *table[op & 3];
add:
    heddle_reach("add");
    return 0;
subtract:
    heddle_reach("subtract");
    return 0;
nothing:
    heddle_reach("nothing");
    return 0;
stop:
    heddle_reach("stop");
    return 0;
}

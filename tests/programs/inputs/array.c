/* heddle_input_array over memory from malloc, elements of a struct.
 *
 * run:
 * verdict: complete
 * paths: 8
 * label: all 1 */
#include <heddle.h>
#include <stdlib.h>

struct item {
    char tag;
    int value;
};

int main(void) {
    struct item *items = malloc(3 * sizeof *items);
    int hits = 0;
    heddle_input_array(items, 3);
    for (int i = 0; i < 3; i++)
        if (items[i].value == i * 1000)
            hits++;
    if (hits == 3)
        heddle_reach("all");
    free(items);
    return 0;
}

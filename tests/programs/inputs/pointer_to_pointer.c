/* int **: NULL, pointing to NULL, pointing to a value that is or is not 9.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: nine 1 */
#include <heddle.h>

int main(void) {
    int **p;
    heddle_input(p);
    if (p && *p && **p == 9)
        heddle_reach("nine");
    return 0;
}

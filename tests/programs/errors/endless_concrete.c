/* An empty loop without any input in it.
 *
 * run: --max-steps 100000
 * paths: 2
 * finding: non-termination 1 */
#include <heddle.h>

int main(void) {
    int x;
    heddle_input(x);
    if (x == 42)
        for (;;) // BUG non-termination
            ;
    return 0;
}

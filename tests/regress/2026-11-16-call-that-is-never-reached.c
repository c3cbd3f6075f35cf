/* A program was refused for a call that no execution reaches.
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: -DREACHED
 * verdict: incomplete
 * paths: 2
 * reason: (executions end there)
 * reason-at: LOSS */
#include <heddle.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int x;
    heddle_input(x);
#ifdef REACHED
    argc += x == 7 ? 9 : 0;
#endif
    if (argc > 5)
        sbrk(argc); // LOSS
    if (x == 3)
        return 1;
    return 0;
}

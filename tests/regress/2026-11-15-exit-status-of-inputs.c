/* With --fail-on-exit an exit status that depends on inputs is aimed at; without it, it decides
 * nothing and makes no path.
 *
 * run: --fail-on-exit
 * verdict: complete
 * paths: 2
 * finding: exit-status 1
 *
 * run: --fail-on-exit -DCALL
 * verdict: complete
 * paths: 2
 * finding: exit-status 1
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    unsigned char a;
    heddle_input(a);
#ifdef CALL
    exit(a == 77);
#endif
    return a == 77;
}

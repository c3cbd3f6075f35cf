/* A program that has other processes by daemon() only was compiled as one that has none: the child
 * ended Heddle with an assertion.
 *
 * run:
 * verdict: complete
 * paths: 1
 * label: in-the-background */
#include <heddle.h>
#include <unistd.h>

int main(void) {
    if (daemon(1, 1) == 0)
        heddle_reach("in-the-background");
    return 0;
}

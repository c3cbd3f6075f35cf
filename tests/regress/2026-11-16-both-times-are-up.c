/* The time of two waits is up, and the first of them to end does what the other has waited for: the
 * other may end by its time all the same.
 *
 * run:
 * verdict: incomplete
 * label: came
 * label: late
 *
 * run: --por dpor
 * verdict: incomplete
 * label: came
 * label: late
 *
 * run: --por none
 * verdict: incomplete
 * label: came
 * label: late */
#include <heddle.h>
#include <poll.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    if (fork() == 0) {
        heddle_reach(poll(&p, 1, 3) ? "came" : "late");
        _exit(0);
    }
    poll(&p, 1, 3);
    return write(ends[1], "x", 1) != 1;
}

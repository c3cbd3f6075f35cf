/* Lists of epoll that have each other: the second is refused, as Linux does.  It was taken, and the
 * worker died when it looked at them.
 *
 * run:
 * verdict: complete
 * label: refused
 * label: chain */
#include <errno.h>
#include <heddle.h>
#include <sys/epoll.h>

static int add(int list, int other) {
    struct epoll_event e = {.events = EPOLLIN};
    return epoll_ctl(list, EPOLL_CTL_ADD, other, &e);
}

int main(void) {
    int a = epoll_create1(0), b = epoll_create1(0), c = epoll_create1(0);
    struct epoll_event found;
    if (add(a, b) == 0 && add(b, c) == 0)
        heddle_reach("chain");
    if (add(c, a) == -1 && errno == ELOOP && add(b, a) == -1 && errno == ELOOP)
        heddle_reach("refused");
    return epoll_wait(a, &found, 1, 0);
}

/* Lists of epoll may lie in each other four steps deep, counted upwards and downwards; Heddle allowed any
 * number.
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

static int add(int above, int below) {
    struct epoll_event e = {EPOLLIN, {0}};
    return epoll_ctl(above, EPOLL_CTL_ADD, below, &e) ? errno : 0;
}

int main(void) {
    int list[16];
    for (int i = 0; i < 16; i++)
        list[i] = epoll_create1(0);
    for (int i = 0; i < 4; i++) /* upwards */
        assert(add(list[i + 1], list[i]) == 0);
    assert(add(list[5], list[4]) == ELOOP && add(list[0], list[5]) == ELOOP && add(list[0], list[4]) == ELOOP);
    assert(epoll_ctl(list[1], EPOLL_CTL_DEL, list[0], NULL) == 0 && add(list[5], list[4]) == 0);
    for (int i = 10; i > 6; i--) /* downwards */
        assert(add(list[i], list[i - 1]) == 0);
    assert(add(list[6], list[15]) == ELOOP);
    assert(add(list[12], list[11]) == 0 && add(list[14], list[13]) == 0 && add(list[15], list[14]) == 0);
    assert(add(list[13], list[12]) == 0); /* both: one below, two above */
    close(list[12]);
    return 0;
}

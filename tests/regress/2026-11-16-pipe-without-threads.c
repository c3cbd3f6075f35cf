/* A pipe, a pair of sockets or an event counter in a single process is not a program with threads:
 * "programs with threads are explored depth first" was said of it.
 *
 * run: --strategy coverage
 * verdict: complete
 * paths: 2
 * finding: assertion
 *
 * run: --strategy bfs
 * verdict: complete
 * paths: 2
 * finding: assertion
 *
 * run: --strategy random -DPAIR
 * verdict: complete
 * paths: 2
 * finding: assertion
 *
 * run: -DWAITS
 * verdict: complete
 * finding: deadlock
 *
 * run: -DLIMIT
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <heddle.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    char c, b = 0;
    int p[2];
    heddle_input(c);
#ifdef PAIR
    int failed = socketpair(AF_UNIX, SOCK_STREAM, 0, p);
#else
    int failed = pipe(p);
#endif
    if (failed)
        return 1;
#if defined WAITS
    return (int)read(p[0], &b, 1);
#elif defined LIMIT
    struct pollfd in = {.fd = p[0], .events = POLLIN};
    assert(poll(&in, 1, 100) == 0);
    return 0;
#else
    if (write(p[1], &c, 1) != 1 || read(p[0], &b, 1) != 1)
        return 1;
    assert(b != 'x'); // BUG assertion
    return 0;
#endif
}

/* A count larger than the buffer was reported, although fewer bytes came: only what is really
 * transferred must be accessible.  What comes and does not fit is still found.
 *
 * run: -DBYTES=2
 * verdict: complete
 * paths: 1
 *
 * run: -DBYTES=4
 * verdict: complete
 * finding: out-of-bounds
 *
 * run: -DBYTES=2 -DRECV
 * verdict: complete
 * paths: 1
 *
 * run: -DBYTES=2 -DREADV
 * verdict: complete
 * paths: 1 */
#include <heddle.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int receive(int from, char *to) {
#ifdef RECV
    return (int)recv(from, to, 2, 0);
#elif defined READV
    struct iovec v[2] = {{to, 1}, {to + 1, 1}};
    return (int)readv(from, v, 2);
#else
    return (int)read(from, to, 2); // BUG out-of-bounds
#endif
}

int main(void) {
    int p[2], n = 0, k;
    char b[3];
    socketpair(AF_UNIX, SOCK_STREAM, 0, p);
    write(p[1], "abcd", BYTES);
    shutdown(p[1], SHUT_WR);
    while ((k = receive(p[0], b + n)) > 0)
        n += k;
    heddle_assert(n == 2);
    return 0;
}

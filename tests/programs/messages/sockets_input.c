/* An input travels through a socket, is changed by another process, and comes back: its values are
 * still all explored.
 *
 * run:
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <heddle.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    unsigned char x, y;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    if (fork() == 0) {
        unsigned char z;
        assert(read(ends[1], &z, 1) == 1);
        z = z > 100 ? (unsigned char)(z ^ 0x55) : 0;
        assert(write(ends[1], &z, 1) == 1);
        _exit(0);
    }
    heddle_input(x);
    assert(write(ends[0], &x, 1) == 1);
    assert(read(ends[0], &y, 1) == 1);
    assert(y != 0xe1); // BUG assertion
    return 0;
}

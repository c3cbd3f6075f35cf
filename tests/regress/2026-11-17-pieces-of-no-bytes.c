/* Reading nothing from a socket (read, readv) neither waits nor takes a datagram, and writing
 * nothing in pieces sends none; recv and write do.  All of them took and sent, so that a program
 * was told to be in a deadlock that is none.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: empty
 * label: byte
 *
 * run: -DCLOSED
 * verdict: incomplete
 * reason: of no bytes does not look */
#include <errno.h>
#include <heddle.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void write_nothing(int ends[2]) {
    char byte;
    struct iovec pieces[2] = {{&byte, 0}, {&byte, 0}};
    heddle_assert(writev(ends[1], pieces, 2) == 0);
    heddle_assert(recv(ends[0], &byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    heddle_assert(write(ends[1], &byte, 0) == 0);
    heddle_assert(recv(ends[0], &byte, 1, MSG_DONTWAIT) == 0);
}

static void read_nothing(int ends[2]) {
    char byte;
    struct iovec piece = {&byte, 0};
    heddle_assert(read(ends[0], &byte, 0) == 0);
    heddle_assert(write(ends[1], "x", 1) == 1);
    heddle_assert(read(ends[0], &byte, 0) == 0 && readv(ends[0], &piece, 1) == 0);
    heddle_assert(recv(ends[0], &byte, 0, MSG_DONTWAIT) == 0);
    heddle_assert(recv(ends[0], &byte, 1, MSG_DONTWAIT) == -1);
}

/* How many bytes there are is an input. */
static void write_perhaps(int ends[2]) {
    char byte = 'x';
    struct iovec piece = {&byte, (size_t)heddle_choose(0, 1)};
    writev(ends[1], &piece, 1);
    heddle_reach(recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1 ? "byte" : "empty");
}

int main(void) {
    int ends[2];
#ifdef CLOSED
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    close(ends[0]);
    return write(ends[1], "", 0) > 0;
#endif
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
        return 1;
    write_nothing(ends);
    read_nothing(ends);
    write_perhaps(ends);
    return 0;
}

/* What processes have by fork they share with its flags, options and names.  Asking for these was
 * no event: whether another process had changed them before was decided by chance.
 *
 * run: -DFLAGS
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DFLAGS --por dpor
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DFLAGS --por none
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DAPPEND
 * verdict: complete
 * label: over
 * label: behind
 *
 * run: -DAPPEND --por dpor
 * verdict: complete
 * label: over
 * label: behind
 *
 * run: -DAPPEND --por none
 * verdict: complete
 * label: over
 * label: behind
 *
 * run: -DOPTION
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DOPTION --por dpor
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DOPTION --por none
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DNAME
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DNAME --por dpor
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DNAME --por none
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DLISTEN
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DLISTEN --por dpor
 * verdict: complete
 * label: before
 * label: after
 *
 * run: -DLISTEN --por none
 * verdict: complete
 * label: before
 * label: after */
#include <arpa/inet.h>
#include <fcntl.h>
#include <heddle.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int file;

#ifdef FLAGS
static void prepare(void) {
    int ends[2];
    if (pipe(ends) != 0)
        exit(1);
    file = ends[0];
}

static void change(void) {
    fcntl(file, F_SETFL, O_NONBLOCK);
}

static int ask(void) {
    return (fcntl(file, F_GETFL) & O_NONBLOCK) != 0;
}
#elif defined APPEND
static void prepare(void) {
    file = open("/tmp/heddle-flags-of-a-file", O_CREAT | O_TRUNC | O_RDWR, 0600);
    if (write(file, "abc", 3) != 3)
        exit(1);
}

static void change(void) {
    fcntl(file, F_SETFL, O_APPEND);
}

/* Where does it write to? */
static int ask(void) {
    lseek(file, 0, SEEK_SET);
    if (write(file, "x", 1) != 1)
        exit(1);
    heddle_reach(lseek(file, 0, SEEK_END) == 4 ? "behind" : "over");
    return -1;
}
#else
static void prepare(void) {
    file = socket(AF_INET, SOCK_STREAM, 0);
}

#ifdef OPTION
#define WHICH SO_KEEPALIVE
static void change(void) {
    int one = 1;
    setsockopt(file, SOL_SOCKET, WHICH, &one, sizeof one);
}
#elif defined LISTEN
#define WHICH SO_ACCEPTCONN
static void change(void) {
    listen(file, 1);
}
#endif

#ifdef WHICH
static int ask(void) {
    int value = 0;
    socklen_t size = sizeof value;
    getsockopt(file, SOL_SOCKET, WHICH, &value, &size);
    return value;
}
#else
static void change(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    bind(file, (struct sockaddr *)&at, sizeof at);
}

static int ask(void) {
    struct sockaddr_in at = {0};
    socklen_t size = sizeof at;
    getsockname(file, (struct sockaddr *)&at, &size);
    return at.sin_port != 0;
}
#endif
#endif

int main(void) {
    prepare();
    if (fork() == 0) {
        change();
        _exit(0);
    }
    int found = ask();
    if (found >= 0)
        heddle_reach(found ? "after" : "before");
    wait(NULL);
    return 0;
}

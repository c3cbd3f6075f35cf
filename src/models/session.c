/* session.c -- how a daemon leaves its session.  Nobody here has a terminal to lose. */
#include <fcntl.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

static int close_standard_streams(void) {
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0)
        return -1;
    for (int i = 0; i < 3; i++)
        if (dup2(nothing, i) < 0)
            return -1;
    if (nothing > 2)
        close(nothing);
    return 0;
}

WEAK int daemon(int stays, int keeps_streams) {
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child > 0)
        _exit(0);
    if (setsid() < 0)
        return -1;
    if (!stays)
        (void)!chdir("/");
    return keeps_streams ? 0 : close_standard_streams();
}

/* lock.c -- lockf: records of fcntl that begin where the file is read next. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

static int test(int descriptor, struct flock *l) {
    l->l_type = F_RDLCK;
    if (fcntl(descriptor, F_GETLK, l) < 0)
        return -1;
    if (l->l_type == F_UNLCK || l->l_pid == getpid())
        return 0;
    errno = EACCES;
    return -1;
}

WEAK int lockf(int descriptor, int command, off_t length) {
    struct flock l = {.l_whence = SEEK_CUR, .l_len = length};
    if (command == F_TEST)
        return test(descriptor, &l);
    if (command != F_ULOCK && command != F_LOCK && command != F_TLOCK) {
        errno = EINVAL;
        return -1;
    }
    l.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
    return fcntl(descriptor, command == F_LOCK ? F_SETLKW : F_SETLK, &l);
}

WEAK int lockf64(int descriptor, int command, off_t length) {
    return lockf(descriptor, command, length);
}

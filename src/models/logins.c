/* logins.c -- who is logged in: the records of /var/run/utmp, where there is such a file. */
#include <fcntl.h>
#include <unistd.h>
#include <utmp.h>

#define WEAK __attribute__((weak))

static int file = -1;
static struct utmp record;

WEAK void setutent(void) {
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    else
        file = open(_PATH_UTMP, O_RDONLY | O_CLOEXEC);
}

WEAK struct utmp *getutent(void) {
    if (file < 0)
        setutent();
    if (file < 0 || read(file, &record, sizeof record) != (ssize_t)sizeof record)
        return NULL;
    return &record;
}

WEAK void endutent(void) {
    if (file >= 0)
        close(file);
    file = -1;
}

/* Two nodes want the same lock of a file, and do not wait for it; who has it keeps it for a moment, until it ends, or until
 * it closes the file. 
 *
 *     locks BY (flock or fcntl) UNTIL (end, close or unlock). */
#include <fcntl.h>
#include <heddle.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int take(int fd, int by_record, int type) {
    struct flock l = {.l_type = (short)(type == LOCK_UN ? F_UNLCK : F_WRLCK)};
    return by_record ? fcntl(fd, F_SETLK, &l) : flock(fd, type | LOCK_NB);
}

int main(int argc, char **argv) {
    int fd = open("lock", O_RDWR | O_CREAT, 0600), by_record = argc > 1 && strcmp(argv[1], "fcntl") == 0;
    const char *until = argc > 2 ? argv[2] : "end";
    if (take(fd, by_record, LOCK_EX) != 0) {
        heddle_reach("refused");
        return 0;
    }
    heddle_reach("taken");
    if (strcmp(until, "unlock") == 0)
        take(fd, by_record, LOCK_UN);
    else if (strcmp(until, "close") == 0)
        close(fd);
    return 0;
}

/* fstat of memory with a name was not ordered with ftruncate by another process; and FIONREAD of a
 * file said that it is no terminal.
 *
 * run: -DSIZE
 * verdict: complete
 * label: empty
 * label: big
 *
 * run: -DSIZE --por dpor
 * verdict: complete
 * label: empty
 * label: big
 *
 * run: -DSIZE --por none
 * verdict: complete
 * label: empty
 * label: big
 *
 * run: -DREST
 * verdict: complete
 * label: three
 * label: two
 *
 * run: -DREST --por dpor
 * verdict: complete
 * label: three
 * label: two
 *
 * run: -DREST --por none
 * verdict: complete
 * label: three
 * label: two */
#include <fcntl.h>
#include <heddle.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
#ifdef SIZE
    int file = shm_open("/size", O_CREAT | O_RDWR, 0600);
#else
    int file = open("/tmp/heddle-rest-of-a-file", O_CREAT | O_TRUNC | O_RDWR, 0600);
    if (write(file, "abc", 3) != 3 || lseek(file, 0, SEEK_SET) != 0)
        return 1;
#endif
    if (fork() == 0) {
#ifdef SIZE
        int again = shm_open("/size", O_RDWR, 0);
        if (ftruncate(again, 100) != 0)
            _exit(1);
#else
        char byte;
        if (read(file, &byte, 1) != 1)
            _exit(1);
#endif
        _exit(0);
    }
#ifdef SIZE
    struct stat now;
    fstat(file, &now);
    heddle_reach(now.st_size ? "big" : "empty");
#else
    int n = 0;
    ioctl(file, FIONREAD, &n);
    heddle_reach(n == 3 ? "three" : n == 2 ? "two" : "?");
#endif
    wait(NULL);
    return 0;
}

/* An empty path is no file whatever it would begin at (it was said that a file is no directory), and
 * the name of a descriptor that is not open is no file (it was said to be a bad descriptor).
 *
 * run:
 * verdict: complete
 * paths: 1
 * label: done 1 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat s;
    int f = open("file", O_RDWR | O_CREAT, 0600);
    assert(fstatat(f, "", &s, 0) < 0 && errno == ENOENT);
    assert(openat(99, "", O_RDONLY) < 0 && errno == ENOENT);
    assert(open("/dev/fd/99", O_RDONLY) < 0 && errno == ENOENT);
    close(0);
    assert(open("/dev/stdin", O_RDONLY) < 0 && errno == ENOENT);
    heddle_reach("done");
    return 0;
}

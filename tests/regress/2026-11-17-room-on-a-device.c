/* posix_fallocate gave a device a size, and counted beyond the largest number.
 *
 * run:
 * verdict: complete
 * paths: 1
 * label: done */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int device = open("/dev/null", O_WRONLY);
    assert(device >= 0);
    assert(posix_fallocate(device, 0, 10) == ENODEV);
    int file = fileno(tmpfile());
    assert(posix_fallocate(file, INT64_MAX, 10) == EFBIG);
    assert(posix_fallocate(file, 5, 10) == 0);
    assert(lseek(file, 0, SEEK_END) == 15);
    heddle_reach("done");
    _exit(0);
}

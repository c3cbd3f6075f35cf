/* A file is copied when it is mapped: what is written to it later is not in a mapping that is shared,
 * which is said; one that is private need not have it.
 *
 * run: -DHOW=MAP_SHARED
 * verdict: incomplete
 * reason: write to a file that is mapped, which the mapping does not show
 * reason-at: // LOSS
 *
 * run: -DHOW=MAP_PRIVATE
 * verdict: complete
 *
 * run: -DHOW=MAP_PRIVATE -DFIRST
 * verdict: complete */
#include <fcntl.h>
#include <heddle.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int w = open("mapped.txt", O_RDWR | O_CREAT, 0600), r = open("mapped.txt", O_RDONLY);
    heddle_assert(write(w, "abc", 3) == 3);
#ifdef FIRST
    heddle_assert(pwrite(w, "x", 1, 0) == 1);
#endif
    const char *p = mmap(NULL, 3, PROT_READ, HOW, r, 0);
    heddle_assert(p != MAP_FAILED && p[2] == 'c');
#ifndef FIRST
    heddle_assert(pwrite(w, "x", 1, 0) == 1); // LOSS
#endif
    return 0;
}

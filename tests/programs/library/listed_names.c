/* Lists of names are taken when they are opened; names that are gone meanwhile are skipped.  Devices of
 * random bytes give others each time, which are always the same.
 *
 * run:
 * verdict: incomplete
 * reason: bytes of /dev/urandom, which are always the same
 * reason-at: // LOSS
 * label: done 1 */
#include <dirent.h>
#include <fcntl.h>
#include <heddle.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int count(DIR *all) {
    int n = 0;
    while (readdir(all))
        n++;
    return n;
}

int main(void) {
    unsigned char first[64] = {0}, second[64] = {0};
    mkdir("listed", 0700);
    for (char c = 'a'; c < 'e'; c++)
        close(creat((char[]){'l', 'i', 's', 't', 'e', 'd', '/', c, 0}, 0600));
    DIR *all = opendir("listed");
    unlink("listed/b");
    unlink("listed/c");
    close(creat("listed/x", 0600));
    heddle_assert(count(all) == 4); /* with "." and ".." */
    rewinddir(all);
    heddle_assert(count(all) == 5);
    seekdir(all, 2);
    heddle_assert(count(all) == 3 && telldir(all) == 5);
    seekdir(all, 99);
    heddle_assert(!readdir(all));
    seekdir(all, -1);
    heddle_assert(!readdir(all));
    closedir(all);
    int d = open("/dev/urandom", O_RDONLY);
    heddle_assert(read(d, first, 64) == 64 && read(d, second, 64) == 64); // LOSS
    heddle_assert(memcmp(first, second, 64) != 0 && first[0] != second[0]);
    int n = 0;
    for (int i = 0; i < 64; i++)
        n += first[i] == 0;
    heddle_assert(n < 8);
    heddle_reach("done");
    return 0;
}

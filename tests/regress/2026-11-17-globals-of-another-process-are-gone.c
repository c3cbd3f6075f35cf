/* When a process calls code from outside, Heddle ceases to watch which pages are written, and copies all
 * of them.  The copies that other processes had of theirs were of the written pages only, and the rest of
 * their globals was 0 from then on.
 *
 * run: --external get_phys_pages
 * verdict: incomplete
 * reason: call of 'get_phys_pages', which has no model */
#include <heddle.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 1024 }; /* ints */

static int big[20 * PAGE] = {[12 * PAGE] = 7, [19 * PAGE] = 9};

int main(void) {
    int ends[2];
    char c;
    for (int i = 0; i < 3; i++)
        big[PAGE * i] = 1;
    heddle_assert(pipe(ends) == 0);
    if (fork() == 0) {
        big[13 * PAGE] = get_phys_pages() != 0;
        heddle_assert(big[12 * PAGE] == 7 && big[PAGE] == 1);
        heddle_assert(write(ends[1], "x", 1) == 1);
        _exit(0);
    }
    heddle_assert(read(ends[0], &c, 1) == 1);
    heddle_assert(big[12 * PAGE] == 7 && big[13 * PAGE] == 0 && big[19 * PAGE] == 9 && big[PAGE] == 1);
    wait(NULL);
    return 0;
}

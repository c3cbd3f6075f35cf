/* The errno of the program was printed without what it depends on, by "%m" and by perror into a file: one path, and complete.
 *
 * run:
 * verdict: incomplete
 * reason: call of 'snprintf' with a symbolic argument
 * reason-at: LOSS
 *
 * run: -DFILED
 * verdict: incomplete
 * reason: printing of a symbolic value into a file, pipe or socket
 * reason-at: LOSS
 *
 * run: -DWARNED
 * verdict: incomplete
 * reason: printing of a symbolic value into a file, pipe or socket
 * reason-at: LOSS
 *
 * run: --values 8
 * verdict: complete
 * paths: 2
 * label: file 1 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    _Bool x;
    char text[64];
    heddle_input(x);
#if defined FILED || defined WARNED
    dup2(open("errors", O_CREAT | O_RDWR, 0600), 2);
#endif
    errno = x ? ENOENT : EINVAL;
#ifdef FILED
    perror("it"); // LOSS
#elif defined WARNED
    warn("it"); // LOSS
#else
    snprintf(text, sizeof text, "%m"); // LOSS
    if (text[0] == 'N')
        heddle_reach("file");
#endif
    return 0;
}

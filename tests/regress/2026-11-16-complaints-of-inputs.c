/* What err() and error() print of inputs was fixed without a word, if it went into a file and was read
 * again: the arguments were taken for the status alone.
 *
 * run:
 * verdict: incomplete
 * reason: printing of a symbolic value into a file, pipe or socket
 * reason-at: LOSS
 *
 * run: -DNUMBER
 * verdict: complete
 * paths: 3 */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <heddle.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    FILE *f = tmpfile();
    char text[128] = "";
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 3);
    dup2(fileno(f), 2);
#ifdef NUMBER
    error(0, x, "text");
#else
    if (fork() == 0)
        errx(1, "%d", x); // LOSS
    wait(NULL);
#endif
    lseek(2, 0, SEEK_SET);
    read(2, text, sizeof text - 1);
    heddle_reach(strchr(text, ' '));
    return 0;
}

/* Three processes in a pipeline, as a shell would start them: numbers | squares | sum.
 *
 * -DBUG: the last process keeps the writing end of its own pipe open, and so never sees the end.
 *
 * run:
 * verdict: complete
 *
 * run: -DBUG
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUMBERS = 3 };

static int read_number(int fd, int *number) {
    size_t have = 0;
    while (have < sizeof *number) {
        ssize_t n = read(fd, (char *)number + have, sizeof *number - have);
        if (n <= 0)
            return 0;
        have += (size_t)n;
    }
    return 1;
}

static void write_number(int fd, int number) {
    ssize_t n = write(fd, &number, sizeof number);
    assert(n == sizeof number);
}

static void produce(int out) {
    for (int i = 1; i <= NUMBERS; i++)
        write_number(out, i);
}

static void square(int in, int out) {
    int number;
    while (read_number(in, &number))
        write_number(out, number * number);
}

static int sum(int in) {
    int number, total = 0;
    while (read_number(in, &number))
        total += number;
    return total;
}

int main(void) {
    int first[2], second[2], status;
    if (pipe(first) != 0 || pipe(second) != 0) {
        perror("pipe");
        return 1;
    }
    if (fork() == 0) {
        close(first[0]);
        close(second[0]);
        close(second[1]);
        produce(first[1]);
        exit(0);
    }
    if (fork() == 0) {
        close(first[1]);
        close(second[0]);
        square(first[0], second[1]);
        exit(0);
    }
    close(first[0]);
    close(first[1]);
#ifndef BUG
    close(second[1]);
#endif
    assert(sum(second[0]) == 1 + 4 + 9);
    for (int i = 0; i < 2; i++) {
        wait(&status);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return 0;
}

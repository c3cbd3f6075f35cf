/* Standard input: tests/calls/input.in, through a pipe. */
#include "calls.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

static void descriptors(void) {
    char b[64] = "", c[4] = "";
    struct iovec pieces[2] = {{b, 3}, {c, 2}};
    struct pollfd one = {0, POLLIN, 0};
    T(poll(&one, 1, 1000));
    T(one.revents & POLLIN);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    T(select(1, &set, NULL, NULL, NULL));
    T(FD_ISSET(0, &set) != 0);
    T(read(0, b, 0));
    T(read(0, b, 5));
    show("bytes", b, 6);
    T(readv(0, pieces, 2));
    show("first", b, 4);
    show("second", c, 4);
    T(dup(0));
    T(read(3, b, 4)); /* they share their place */
    show("bytes", b, 5);
    T(close(3));
    T(lseek(0, 0, SEEK_CUR));
    T(write(0, "x", 1) == 1);
}

/* A child reads what is next, and its parent what comes behind that. */
static void processes(void) {
    char b[8] = "";
    int status;
    if (fork() == 0) {
        read(0, b, 3);
        show("child", b, 4);
        fflush(stdout);
        _exit(0);
    }
    wait(&status);
    T(read(0, b, 2));
    show("parent", b, 3);
}

static void streams(void) {
    char b[64] = "";
    int n = 0;
    T(getchar());
    T(ungetc('!', stdin));
    T(getchar());
    TP(fgets(b, 4, stdin));
    show_text("line", b);
    TP(fgets(b, sizeof b, stdin));
    show_text("line", b);
    T(fprintf(stderr, "beside it\n"));
    T(scanf("%d", &n));
    T(n);
    T(scanf("%s", b));
    show_text("word", b);
    T(scanf("%d", &n));
    T(getchar());
    T(fread(b, 1, 4, stdin));
    show("bytes", b, 4);
    char *line = NULL;
    size_t room = 0;
    T(getline(&line, &room, stdin));
    show_text("line", line);
    free(line);
    while ((n = getchar()) != EOF)
        ;
    T(feof(stdin) != 0);
    T(ferror(stdin));
    T(read(0, b, 1));
    T(getchar());
    clearerr(stdin);
    T(feof(stdin));
    T(getchar());
}

/* The three standard streams are three, also when they go elsewhere. */
static void elsewhere(void) {
    int c, kept = dup(2);
    TP(freopen("err.txt", "w+", stderr));
    T(fputs("complaint", stderr) >= 0);
    T(fileno(stderr) * 100 + fileno(stdout) * 10 + fileno(stdin));
    T(feof(stdin) != 0);
    T(feof(stderr) != 0);
    rewind(stderr);
    T(fgetc(stderr));
    T(getchar());
    T(feof(stdin) != 0);
    TP(freopen("err.txt", "r", stdin));
    T(c = getchar());
    T(ungetc('u', stdin));
    T(fgetc(stderr));
    T(getchar());
    T(getchar());
    T(fputc('x', stdin));
    T(ferror(stdin) != 0);
    T(ferror(stderr) != 0);
    T(ferror(stdout) != 0);
    T(fclose(stderr));
    T(dup2(kept, 2));
    T(unlink("err.txt"));
}

int main(void) {
    descriptors();
    processes();
    streams();
    elsewhere();
    return 0;
}

/* Attacks that need neither system calls by hand nor a worker that was taken over: names that lead elsewhere, handlers, limits,
 * code that is data, and Heddle's own functions.  A line that is marked is told as what the mark says. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before main, and not yet with an input. */
__attribute__((constructor)) static void begin(void) {
    int f = open(VICTIM "/file", O_WRONLY | O_TRUNC);
    if (f >= 0 && write(f, "gone", 4) == 4)
        close(f);
}

static void look(const char *path) {
    char word[8] = "";
    int f = open(path, O_RDONLY);
    if (f >= 0 && read(f, word, 7) > 0)
        heddle_reach(strncmp(word, "word", 4) == 0 ? "SECRET" : "something");
}

static void look_around(unsigned which) {
    char path[64];
    switch (which) {
    case 0: symlink("../secret/key", "link"), look("link"); break;
    case 1: symlink("..", "up"), look("up/secret/key"); break;
    case 2: look("/proc/self/cwd/../secret/key"); break;
    case 3: look("/proc/self/root" VICTIM "/../secret/key"); break;
    case 4: look("../given/.//../secret/./key"); break;
    case 5: rename("../secret/key", "key"), look("key"); break;
    case 6: link("../secret/key", "other"), look("other"); break;
    case 7: chdir(".."), look("secret/key"); break;
    case 8: snprintf(path, sizeof path, "/proc/%d/environ", getppid()), look(path); break;
    case 9: look("/proc/self/mem"), look("/proc/self/environ"), look("/proc/self/maps"), look("/proc/self/fd/900"); break;
    }
}

static void harm(unsigned which) {
    char place[] = VICTIM "/newXXXXXX";
    unsigned char fork_call[] = {0xb8, 57, 0, 0, 0, 0x0f, 0x05, 0xc3}, *copy = malloc(sizeof fork_call);
    switch (which) {
    case 0: remove(VICTIM "/file"), chmod(VICTIM "/file", 0), truncate(VICTIM "/file", 0); break;
    case 1: mkstemp(place); break;
    case 2: kill(-1, SIGKILL); break;
    case 3: kill(getppid(), SIGKILL); break;
    case 4: ((void (*)(void))fork_call)(); break;                                           // BAD
    case 5: memcpy(copy, fork_call, sizeof fork_call), ((void (*)(void))copy)(); break;     // BAD
    case 6: signal(SIGSYS, SIG_IGN), signal(SIGSEGV, SIG_IGN), *(volatile int *)8 = 1; break; // BAD
    case 7: for (int i = 0; i < 2000; i++) close(i); break;
    case 8: dup2(0, 900), dup2(1, 901); break;
    case 9: daemon(0, 0); break;
    }
    free(copy);
}

static void mislead(unsigned which) {
    char *label = malloc(1 << 16);
    memset(label, '\x1b', 1 << 16);
    label[(1 << 16) - 1] = '\0';
    switch (which) {
    case 0: heddle_reach((const char *)16); break;                                          // BAD
    case 1: heddle_reach(label); break;
    case 2: memset(label, 'a', 1 << 16), heddle_reach(label); break;                        // BAD
    case 3: for (int i = 0; i < 500; i++) snprintf(label, 32, "label %d", i), heddle_reach(label); break;
    case 4: heddle_reach("the end"); break;
    }
    free(label);
}

int main(void) {
    unsigned char which;
    heddle_input(which);
    heddle_assume(which < 25);
    if (which < 10)
        look_around(which);
    else if (which < 20)
        harm(which - 10u);
    else
        mislead(which - 20u);
    return 0;
}

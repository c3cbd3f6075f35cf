/* What an option makes clang load (tests/confined.sh): it tries what a program would try, and says what it could do. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, int could) {
    if (could)
        fprintf(stderr, "the plugin could %s\n", what);
}

__attribute__((constructor)) static void attack(void) {
    char word[8] = "";
    int prey = atoi(PREY), f = open(VICTIM "/../secret/key", O_RDONLY);
    fprintf(stderr, "the plugin was here\n");
    say("read", f >= 0 && read(f, word, 4) > 0);
    say("write", open(VICTIM "/file", O_WRONLY | O_TRUNC) >= 0);
    say("make a file", open(VICTIM "/new", O_WRONLY | O_CREAT, 0600) >= 0);
    say("unlink", unlink(VICTIM "/file") == 0);
    say("rename", rename(VICTIM "/file", VICTIM "/new") == 0);
    say("change modes", chmod(VICTIM "/file", 0) == 0);
    say("kill", prey > 1 && kill(prey, SIGKILL) == 0);
    say("open a socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    if (fork() == 0)
        _exit(execl("/bin/touch", "touch", VICTIM "/new", (char *)NULL));
    wait(NULL);
}

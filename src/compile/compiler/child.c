/* child.c -- clang and ld as child processes. */
#include "compile/compiler/build.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int hd_process_start(const char *const *argv, const char *package, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t pid;
    int failure = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure == ENOENT) {
        char hint[256];
        snprintf(hint, sizeof hint, "install it with 'apt install %s'", package);
        hd_fail(hint, "cannot find '%s'", argv[0]);
    }
    if (failure)
        hd_fail(NULL, "cannot start '%s': %s", argv[0], strerror(failure));
    return pid;
}

bool hd_process_wait(int pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

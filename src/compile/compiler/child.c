/* child.c -- clang and ld as child processes. */
#include "compile/compiler/build.h"
#include "compile/compiler/own_clang.h"

#include <errno.h>
#include <limits.h>
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

/* Where PATH has a program, with links followed. */
static bool find_program(const char *name, char real[PATH_MAX]) {
    char candidate[PATH_MAX];
    const char *path = getenv("PATH");
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        int length = (int)strcspn(path, ":");
        if (snprintf(candidate, sizeof candidate, "%.*s/%s", length, path, name) < PATH_MAX &&
            access(candidate, X_OK) == 0)
            return realpath(candidate, real);
    }
    return false;
}

/* Is the clang that a user has the one that is linked in?  Who puts another one first is served by
 * that one. */
static bool is_own_clang(const char *name) {
    char real[PATH_MAX];
    return hd_own_clang_run && find_program(name, real) && strcmp(real, hd_own_clang) == 0;
}

int hd_clang_start(const char *const *argv) {
    if (!is_own_clang(argv[0]))
        return hd_process_start(argv, argv[0], -1);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(hd_own_clang_run(argv));
    if (pid < 0)
        hd_fail(NULL, "cannot start '%s': %s", argv[0], strerror(errno));
    return pid;
}

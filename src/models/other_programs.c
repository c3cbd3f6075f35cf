/* other_programs.c -- other programs, of which there are none: nothing is ever run beside the
 * program.
 *
 * Whoever wants to run one meets what there is on a machine without it: the file is not found, and
 * of a shell only that it could not be run (status 127).  Each place is said. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK      __attribute__((weak))
#define NOT_FOUND (127 << 8) /* as wait() tells it */

void __heddle_bound(const char *words);

static void say(void) {
    __heddle_bound("no other program is run: it is not found");
}

static int miss(void) {
    say();
    errno = ENOENT;
    return -1;
}

WEAK int system(const char *command) {
    say();
    return command ? NOT_FOUND : 0;
}

WEAK int execve(const char *path, char *const *arguments, char *const *environment) {
    (void)path, (void)arguments, (void)environment;
    return miss();
}

WEAK int execv(const char *path, char *const *arguments) {
    (void)path, (void)arguments;
    return miss();
}

WEAK int execvp(const char *file, char *const *arguments) {
    (void)file, (void)arguments;
    return miss();
}

WEAK int execvpe(const char *file, char *const *arguments, char *const *environment) {
    (void)file, (void)arguments, (void)environment;
    return miss();
}

WEAK int execl(const char *path, const char *first, ...) {
    (void)path, (void)first;
    return miss();
}

WEAK int execlp(const char *file, const char *first, ...) {
    (void)file, (void)first;
    return miss();
}

WEAK int execle(const char *path, const char *first, ...) {
    (void)path, (void)first;
    return miss();
}

WEAK int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                     const posix_spawnattr_t *attributes, char *const *arguments,
                     char *const *environment) {
    (void)child, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
    say();
    return ENOENT;
}

WEAK int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                      const posix_spawnattr_t *attributes, char *const *arguments,
                      char *const *environment) {
    return posix_spawn(child, file, actions, attributes, arguments, environment);
}

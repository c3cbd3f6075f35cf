/* A private NATS server (server.h).  It chooses a free port itself, and says which in a file. */
#include "fleet/cluster/server.h"

#include "base/clock.h"
#include "base/panic.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM    "nats-server"
#define LONG       20.0 /* seconds until it must have started */
#define NOT_THERE  127
#define MOST_WORDS 32

/* ---- in the child ---- */

static _Noreturn void become_server(const hd_server *s, const char *const *more, pid_t parent) {
    char port[16];
    const char *words[MOST_WORDS] = {PROGRAM, "-a",         "127.0.0.1",        "-p",        port,
                                     "-sd",   s->directory, "--ports_file_dir", s->directory};
    size_t n = 0;
    while (words[n])
        n++;
    if (!more)
        words[n++] = "-js";
    for (; more && *more && n < MOST_WORDS - 1; more++)
        words[n++] = *more;
    snprintf(port, sizeof port, "%d", s->port ? s->port : -1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* ^C is for others: they have something to tell it first */
    int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && nothing >= 0; fd++)
        dup2(nothing, fd);
    close_range(3, ~0u, 0);
    if (getppid() == parent)
        execvp(PROGRAM, (char *const *)words);
    _exit(NOT_THERE);
}

/* ---- waiting for it ---- */

/* "nats": ["nats://127.0.0.1:40123"] */
static int read_port(const hd_server *s) {
    char *path = hd_text_format("%s/%s_%d.ports", s->directory, PROGRAM, (int)s->pid);
    hd_text text = {0};
    bool was_read = hd_text_read_file(&text, path);
    const char *at = was_read && text.n ? strstr(text.at, "127.0.0.1:") : NULL;
    int port = at ? atoi(at + strlen("127.0.0.1:")) : 0;
    hd_text_release(&text);
    free(path);
    return port;
}

static bool has_ended(hd_server *s, int *status) {
    if (waitpid(s->pid, status, WNOHANG) != s->pid)
        return false;
    s->pid = 0;
    return true;
}

static bool tell_end(int status, hd_err *err) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE) {
        hd_err_set(err, "cannot start a server: " PROGRAM " is not installed");
        return hd_err_hint(err, "install the Debian package nats-server");
    }
    return hd_err_set(err, "cannot start a server: " PROGRAM " ended at once");
}

static bool await_server(hd_server *s, hd_err *err) {
    int status = 0;
    for (double until = hd_clock_now() + LONG; hd_clock_now() < until; usleep(5000)) {
        if (has_ended(s, &status))
            return tell_end(status, err);
        if ((s->port = read_port(s))) {
            snprintf(s->url, sizeof s->url, "nats://127.0.0.1:%d", s->port);
            return true;
        }
    }
    hd_server_end(s, SIGKILL);
    return hd_err_set(err, "cannot start a server: " PROGRAM " does not say that it is ready");
}

bool hd_server_restart(hd_server *s, const char *const *more, hd_err *err) {
    HD_ASSERT(!s->pid && s->directory[0]);
    int port = s->port;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become_server(s, more, parent);
    if (pid < 0)
        return hd_err_set(err, "cannot start a server: %s", strerror(errno));
    s->pid = pid;
    bool ok = await_server(s, err);
    s->port = ok ? s->port : port;
    return ok;
}

bool hd_server_start(hd_server *s, const char *const *more, hd_err *err) {
    *s = (hd_server){0};
    if (!hd_scratch_make(s->directory, "heddle-nats", err))
        return false;
    if (hd_server_restart(s, more, err))
        return true;
    hd_server_stop(s);
    return false;
}

void hd_server_end(hd_server *s, int signal) {
    if (!s->pid)
        return;
    kill(s->pid, signal);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    s->pid = 0;
}

void hd_server_stop(hd_server *s) {
    hd_server_end(s, SIGKILL);
    hd_scratch_remove(s->directory);
}

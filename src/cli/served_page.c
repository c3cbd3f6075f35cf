/* The maker has a group of its own, with the processes that run tests for it: ^C of the terminal is
 * for the server, and the group ends with it. */
#include "cli/served_page.h"

#include "cli/cli.h"
#include "cli/report_page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAPER 3 /* the one descriptor that the maker has beside the usual ones */

/* ---- the maker ---- */

static bool make(const char *directory, double replay_time, hd_text *html, hd_err *err) {
    hd_report report = {.version = HD_VERSION, .directory = directory};
    hd_record *record = hd_record_open(directory, false, err);
    return record && hd_report_read(&report, record, err) &&
           hd_report_page(record, &report, &(hd_page_wishes){.replay_time = replay_time}, html,
                          err);
}

static bool write_all(const char *bytes, size_t n) {
    for (ssize_t done; n; bytes += done, n -= (size_t)done)
        if ((done = write(PAPER, bytes, n)) < 0)
            return false;
    return true;
}

static void be_maker(int paper, const char *directory, double replay_time) {
    hd_text html = {0};
    hd_err err;
    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (dup2(paper, PAPER) != PAPER)
        _exit(2);
    fcntl(PAPER, F_SETFD, FD_CLOEXEC);
    close_range(PAPER + 1, ~0u, 0);
    bool ok = make(directory, replay_time, &html, &err);
    bool is_written = ok ? write_all(html.at, html.n) : write_all(err.message, strlen(err.message));
    _exit(!is_written ? 2 : !ok);
}

/* ---- who waits for it ---- */

void hd_served_page_begin(hd_served_page *p, const char *directory, double replay_time) {
    hd_served_page_clear(p);
    p->paper = memfd_create("report", MFD_CLOEXEC);
    fflush(NULL);
    p->maker = p->paper >= 0 ? fork() : -1;
    if (p->maker == 0)
        be_maker(p->paper, directory, replay_time);
    if (p->maker > 0) {
        setpgid(p->maker, p->maker);
        return;
    }
    p->failure = hd_text_format("no process could be started: %s", strerror(errno));
    p->maker = 0;
    if (p->paper >= 0)
        close(p->paper);
}

static void read_paper(hd_served_page *p) {
    char piece[65536];
    ssize_t n = lseek(p->paper, 0, SEEK_SET);
    while (n >= 0 && (n = read(p->paper, piece, sizeof piece)) > 0)
        hd_text_add_bytes(&p->page, piece, (size_t)n);
}

void hd_served_page_look(hd_served_page *p) {
    int status;
    if (!p->maker || waitpid(p->maker, &status, WNOHANG) != p->maker)
        return;
    p->maker = 0;
    read_paper(p);
    close(p->paper);
    p->is_ready = WIFEXITED(status) && WEXITSTATUS(status) == 0 && p->page.n;
    if (p->is_ready)
        return;
    bool is_told = WIFEXITED(status) && WEXITSTATUS(status) == 1;
    p->failure =
        hd_text_format("%s", is_told ? hd_text_string(&p->page) : "who wrote it was ended");
    hd_text_clear(&p->page);
}

void hd_served_page_clear(hd_served_page *p) {
    if (p->maker) {
        kill(-p->maker, SIGKILL);
        kill(p->maker, SIGKILL); /* it may not have its group yet */
        waitpid(p->maker, NULL, 0);
        close(p->paper);
    }
    hd_text_release(&p->page);
    free(p->failure);
    *p = (hd_served_page){0};
}

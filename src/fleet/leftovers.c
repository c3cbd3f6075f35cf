/* Ending what workers leave behind (leftovers.h). */
#include "fleet/leftovers.h"

#include "base/clock.h"
#include "base/panic.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Children of one that was ended come next; one that forks faster than this is left. */
#define MOST_ROUNDS 64

static bool contains(const hd_pids *all, pid_t pid) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i] == pid)
            return true;
    return false;
}

static void add_children_of(const char *threads, const char *thread, hd_pids *all) {
    hd_text path = {0}, list = {0};
    hd_text_add(&path, "%s/%s/children", threads, thread);
    if (hd_text_read_file(&list, hd_text_string(&path)))
        for (char *at = (char *)hd_text_string(&list), *end; *at; at = end) {
            long pid = strtol(at, &end, 10);
            if (end == at)
                break;
            hd_vec_push(all, (pid_t)pid);
        }
    hd_text_release(&path);
    hd_text_release(&list);
}

/* The kernel keeps children by the thread that has them. */
static void find_children_of(pid_t parent, hd_pids *all) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
    DIR *threads = opendir(path);
    for (struct dirent *e; threads && (e = readdir(threads));)
        if (e->d_name[0] != '.')
            add_children_of(path, e->d_name, all);
    if (threads)
        closedir(threads);
}

static void find_children(hd_pids *all) {
    find_children_of(getpid(), all);
}

void hd_leftovers_begin(hd_leftovers *o) {
    *o = (hd_leftovers){0};
    find_children(&o->before);
    prctl(PR_GET_CHILD_SUBREAPER, &o->was_reaper, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static bool is_gone(pid_t pid, int options) {
    pid_t ended;
    while ((ended = waitpid(pid, NULL, options)) < 0 && errno == EINTR)
        ;
    return ended != 0;
}

/* Who is not gone in time is nobody's business from then on. */
static void await_end(hd_leftovers *o, pid_t pid) {
    static const struct timespec moment = {.tv_nsec = 2000000};
    while (!is_gone(pid, o->hurry > 0 ? WNOHANG : 0)) {
        if (hd_clock_now() >= o->hurry) {
            hd_vec_push(&o->before, pid);
            return;
        }
        nanosleep(&moment, NULL);
    }
}

static void end_one(pid_t pid) {
    HD_INVARIANT(E1, pid > 1 && pid != getpid());
    kill(pid, SIGKILL);
}

static unsigned sweep_once(hd_leftovers *o, const hd_pids *workers, unsigned *n_left) {
    hd_pids now = {0};
    unsigned n = 0;
    find_children(&now);
    for (size_t i = 0; i < now.n; i++)
        if (!contains(&o->before, now.at[i]) && !contains(workers, now.at[i])) {
            end_one(now.at[i]);
            await_end(o, now.at[i]);
            *n_left += !contains(&o->ended, now.at[i]);
            n++;
        }
    hd_vec_release(&now);
    return n;
}

/* Whoever was ended starts nobody any more, and has its children until it is gone. */
void hd_leftovers_end_all_of(hd_leftovers *o, pid_t worker) {
    size_t from = o->ended.n;
    hd_vec_push(&o->ended, worker);
    for (size_t i = from; i < o->ended.n; i++) {
        end_one(o->ended.at[i]);
        find_children_of(o->ended.at[i], &o->ended);
    }
    await_end(o, worker);
}

unsigned hd_leftovers_sweep(hd_leftovers *o, const hd_pids *workers) {
    unsigned n = 0, round = 0;
    while (round++ < MOST_ROUNDS && sweep_once(o, workers, &n))
        ;
    return n;
}

void hd_leftovers_end(hd_leftovers *o) {
    prctl(PR_SET_CHILD_SUBREAPER, o->was_reaper, 0, 0, 0);
    hd_vec_release(&o->before);
    hd_vec_release(&o->ended);
}

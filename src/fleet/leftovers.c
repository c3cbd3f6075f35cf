/* Ending what workers leave behind (leftovers.h). */
#include "fleet/leftovers.h"

#include "base/panic.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Children of one that was ended come next; one that forks faster than this is left. */
#define MOST_ROUNDS 64

static bool contains(const hd_pids *all, pid_t pid) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i] == pid)
            return true;
    return false;
}

static void add_children_of(const char *thread, hd_pids *all) {
    hd_text path = {0}, list = {0};
    hd_text_add(&path, "/proc/self/task/%s/children", thread);
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
static void find_children(hd_pids *all) {
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *e; threads && (e = readdir(threads));)
        if (e->d_name[0] != '.')
            add_children_of(e->d_name, all);
    if (threads)
        closedir(threads);
}

void hd_leftovers_begin(hd_leftovers *o) {
    *o = (hd_leftovers){0};
    find_children(&o->before);
    prctl(PR_GET_CHILD_SUBREAPER, &o->was_reaper, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static void end_one(pid_t pid) {
    HD_INVARIANT(E1, pid > 1 && pid != getpid());
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static unsigned sweep_once(const hd_leftovers *o, const hd_pids *workers) {
    hd_pids now = {0};
    unsigned n = 0;
    find_children(&now);
    for (size_t i = 0; i < now.n; i++)
        if (!contains(&o->before, now.at[i]) && !contains(workers, now.at[i])) {
            end_one(now.at[i]);
            n++;
        }
    hd_vec_release(&now);
    return n;
}

unsigned hd_leftovers_sweep(const hd_leftovers *o, const hd_pids *workers) {
    unsigned n = 0, round = 0;
    for (unsigned found = 1; found && round < MOST_ROUNDS; round++)
        n += found = sweep_once(o, workers);
    return n;
}

void hd_leftovers_end(hd_leftovers *o) {
    prctl(PR_SET_CHILD_SUBREAPER, o->was_reaper, 0, 0, 0);
    hd_vec_release(&o->before);
}

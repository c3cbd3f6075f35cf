/* Children, and smaller programs (see trial.h). */
#include "property/model/trial.h"
#include "base/panic.h"
#include "tool/patience.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

progress *progress_new(uint64_t limit, unsigned variants) {
    progress *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HD_ASSERT(shared != MAP_FAILED);
    shared->comparison = (comparison){.limit = limit, .variants = variants};
    return shared;
}

/* Of a build that looks for leaks (the hostile one): has nobody forgotten what it took? */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
static bool is_leaking(comparison *to) {
    bool is_it = __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check();
    return is_it && !wrong(to, "memory is not given back");
}

bool in_child(progress *shared, bool (*work)(progress *shared, const void *argument),
              const void *argument, unsigned seconds) {
    char *why = shared->comparison.why;
    int status;
    fflush(NULL);
    why[0] = '\0';
    pid_t pid = fork();
    HD_ASSERT(pid >= 0);
    if (pid == 0) {
        limit_seconds(seconds);
        _exit(work(shared, argument) && !is_leaking(&shared->comparison) ? 0 : 1);
    }
    HD_ASSERT(waitpid(pid, &status, 0) == pid);
    if (WIFSIGNALED(status))
        snprintf(why, sizeof shared->comparison.why, "ended by signal %d", WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- Smaller programs -------------------------------------------------------------------------
 */

typedef struct suspect {
    const machine *machine;
    const code *code;
} suspect;

static bool is_not_wrong(progress *shared, const void *argument) {
    const suspect *s = argument;
    return compare_program(&shared->comparison, s->machine, s->code) != WRONG;
}

static bool fails(progress *shared, const machine *m, const code *c) {
    return !in_child(shared, is_not_wrong, &(suspect){.machine = m, .code = c}, 20);
}

static bool shrink_once(progress *shared, const machine *m, code *c) {
    for (unsigned t = 0; t < c->n_threads; t++)
        for (unsigned i = 0; i < c->n[t]; i++) {
            code larger = *c;
            code_remove(c, t, i);
            if (fails(shared, m, c))
                return true;
            *c = larger;
        }
    return false;
}

/* The program is the one that was made last: it can be changed in place.  AS_IT_IS=1 does not make
 * it smaller, for those who only ask whether something is wrong. */
static void report_failure(progress *shared, const machine *m, code *c) {
    char *reason = strdup(shared->comparison.why);
    hd_text text = {0};
    if (!getenv("AS_IT_IS")) {
        while (fails(shared, m, c) && shrink_once(shared, m, c))
            ;
        fails(shared, m, c);
    }
    m->print(c, &text);
    printf("%sseed %llu: %s; made smaller: %s\n", hd_text_string(&text),
           (unsigned long long)shared->seed, reason, shared->comparison.why);
    hd_text_release(&text);
    free(reason);
}

/* ---- Many programs ----------------------------------------------------------------------------
 */

static bool is_as_tallied(comparison *to, const trial *all) {
    return !all->tally || tally_compare(to->tallies, all->tally, to->why, sizeof to->why);
}

static bool check_random(progress *shared, const void *argument) {
    const trial *all = argument;
    uint64_t first = shared->n_checked;
    memset(shared->comparison.tallies, 0, sizeof shared->comparison.tallies);
    for (uint64_t seed = all->seed; shared->n_checked < first + all->count; seed++) {
        shared->seed = seed;
        answer result =
            compare_program(&shared->comparison, all->machine, all->make(seed, all->features));
        if (result == WRONG)
            return false;
        shared->n_checked += result == RIGHT;
        if (result == RIGHT && shared->n_checked == first + all->n_tallied &&
            !is_as_tallied(&shared->comparison, all))
            return false;
    }
    return true;
}

bool trial_run(progress *shared, const trial *all) {
    if (in_child(shared, check_random, all, 0))
        return true;
    report_failure(shared, all->machine, all->make(shared->seed, all->features));
    return false;
}

bool progress_is_good(const progress *shared) {
    return 10 * shared->comparison.n_extra <= shared->comparison.n_classes + 100;
}

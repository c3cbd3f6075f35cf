/* The supervisor: start a worker, commit what it sends, start another when it dies.
 *
 * A worker's death says nothing yet: it may have been killed by hand or by the kernel.  The next
 * worker goes on from the last commit and runs the executions around the lethal one in forked
 * children (hd_care), where dying is an outcome like others; so only deaths that happen again
 * are reported.  The more deaths without a commit between them, the more executions are run
 * that way. */
#include "base/clock.h"
#include "base/hostile.h"
#include "base/panic.h"
#include "fleet/fleet_int.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE              5.0 /* seconds a worker gets to answer a request to stop */
#define DEATHS_BEFORE_CARE 8   /* without a commit: then every execution is isolated */
#define DEATHS_IN_ALL      HD_HOSTILE(32, 1000000) /* the same, over the whole sitting */
#define DEATHS_TO_GIVE_UP  20                      /* without a commit */
#define PATIENCE           120.0 /* seconds of processor time that one execution may take, or wait */
#define LEAST_SHARE        0.001 /* of a processor: who gets less does not want it */
#define SOON               0.02  /* seconds until the first batch of a worker that replaces one */

typedef enum verdict { GOES_ON, ENDED, DIED, FAILED } verdict;

typedef struct supervisor {
    hd_record *record;
    const hd_run_options *options;
    const hd_watcher *watcher;
    hd_channel *channel;
    char *why; /* of 128 bytes; empty until the run ends */
    hd_err *err;
    double started, deadline, next_progress;
    double asked_to_stop; /* when; 0 = not */
    uint64_t max_executions;
    hd_progress progress; /* as last heard */
    uint64_t n_findings;  /* committed */
    pid_t worker;
    int socket;
    hd_inbox inbox;
    hd_care care;
    unsigned deaths, deaths_since_commit;
    bool has_committed;
    uint64_t last_execution;      /* as last seen in the channel, */
    double last_cpu;              /* and the processor time of the worker then */
    double looked_at, looked_cpu; /* when it was last seen whether the worker waits */
} supervisor;

static volatile sig_atomic_t n_signals; /* SIGINT and SIGTERM so far */

static void note_signal(int number) {
    (void)number;
    n_signals++;
}

static void say(supervisor *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(supervisor *s, const char *format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (s->watcher && s->watcher->note)
        s->watcher->note(s->watcher->context, sentence);
}

static void end_with(supervisor *s, const char *why) {
    HD_ASSERT(why[0]);
    snprintf(s->why, 128, "%s", why);
}

/* ---- starting ---- */

static bool open_socket(int pair[2], hd_err *err) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return hd_err_set(err, "cannot start a worker: %s", strerror(errno));
    int size = 1 << 20;
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    return true;
}

static void reset_channel(supervisor *s) {
    atomic_store(&s->channel->is_asked_to_stop, s->asked_to_stop > 0);
    atomic_store(&s->channel->execution, 0);
    atomic_store(&s->channel->is_rebuilding, false);
}

static bool start_worker(supervisor *s, const hd_batch *state) {
    HD_ASSERT(s->care.n_windows <= HD_MAX_WINDOWS && !s->inbox.bytes.n);
    int pair[2];
    if (!open_socket(pair, s->err))
        return false;
    reset_channel(s);
    hd_orders orders = {.options = s->options,
                        .module_directory = hd_record_info(s->record)->module_directory,
                        .state = state,
                        .channel = s->channel,
                        .socket = pair[1],
                        .supervisor = getpid(),
                        .deadline = s->deadline,
                        .max_executions = s->max_executions,
                        .care = s->care,
                        .first_batch = s->deaths ? SOON : HD_BATCH_INTERVAL,
                        .is_first = s->deaths == 0};
    s->worker = fork();
    if (s->worker == 0)
        hd_worker_main(&orders);
    close(pair[1]);
    s->socket = pair[0];
    if (s->worker > 0)
        return true;
    close(pair[0]);
    return hd_err_set(s->err, "cannot start a worker: %s", strerror(errno));
}

/* ---- what it says ---- */

static void tell_found(supervisor *s, const hd_batch *b) {
    for (uint32_t i = 0; i < b->n_findings; i++) {
        if (!b->findings[i].is_new)
            continue;
        s->n_findings++;
        if (s->watcher && s->watcher->found)
            s->watcher->found(s->watcher->context, &b->findings[i]);
    }
    s->progress.findings = s->n_findings;
}

static verdict take_batch(supervisor *s, const void *payload, size_t n) {
    hd_batch b;
    if (!hd_wire_unpack_batch(payload, n, &b))
        return DIED; /* what it wrote makes no sense: it is not to be trusted any longer */
    bool ok = hd_record_commit(s->record, &b, s->err);
    if (ok) {
        s->has_committed = true;
        s->deaths_since_commit = 0;
        s->care.n_windows = 0; /* they count from the frontier before this one */
        s->progress.counters = b.counters;
        tell_found(s, &b);
        if (b.stop_reason)
            end_with(s, b.stop_reason);
    }
    bool is_last = b.stop_reason != NULL;
    hd_batch_release(&b);
    return !ok ? FAILED : is_last ? ENDED : GOES_ON;
}

static verdict take_stopped(supervisor *s, const void *payload, size_t n) {
    snprintf(s->why, 128, "%.*s", (int)(n < 127 ? n : 127), (const char *)payload);
    return hd_record_stop(s->record, s->why, s->err) ? ENDED : FAILED;
}

static verdict take_frame(supervisor *s, hd_frame_type type, const void *payload, size_t n) {
    switch (type) {
    case HD_FRAME_BATCH:
        return take_batch(s, payload, n);
    case HD_FRAME_PROGRESS:
        return hd_wire_unpack_progress(payload, n, &s->progress) ? GOES_ON : DIED;
    case HD_FRAME_NOTE:
        say(s, "%.*s", (int)(n < 255 ? n : 255), (const char *)payload);
        return GOES_ON;
    case HD_FRAME_REFUSED:
        return hd_wire_unpack_error(payload, n, s->err) ? FAILED : DIED;
    case HD_FRAME_STOPPED:
        return take_stopped(s, payload, n);
    default:
        return DIED;
    }
}

/* Read what has come; DIED at the end of the stream. */
static verdict listen_to(supervisor *s) {
    bool is_open = hd_inbox_fill(&s->inbox, s->socket);
    hd_frame_type type;
    const void *payload;
    size_t n;
    bool is_damaged;
    while (hd_inbox_next(&s->inbox, &type, &payload, &n, &is_damaged)) {
        verdict v = take_frame(s, type, payload, n);
        if (v != GOES_ON)
            return v;
    }
    return is_open && !is_damaged ? GOES_ON : DIED;
}

/* ---- watching over it ---- */

static void tell_progress(supervisor *s, double now) {
    if (now < s->next_progress)
        return;
    s->next_progress = now + HD_PROGRESS_INTERVAL;
    if (s->watcher && s->watcher->progress)
        s->watcher->progress(s->watcher->context, &s->progress.counters, s->progress.findings,
                             now - s->started);
}

static void heed_signals(supervisor *s, double now) {
    if (n_signals == 0 || s->asked_to_stop > 0)
        return;
    s->asked_to_stop = now;
    atomic_store(&s->channel->is_asked_to_stop, true);
}

/* The worker looks at limits between executions only.  One that is stuck inside one is ended
 * from here; the last batch stays. */
static bool is_overdue(supervisor *s, double now) {
    if (s->asked_to_stop > 0 && (n_signals > 1 || now > s->asked_to_stop + GRACE)) {
        end_with(s, HD_STOP_INTERRUPTED);
        return true;
    }
    if (s->deadline > 0 && now > s->deadline + GRACE) {
        end_with(s, HD_STOP_TIME);
        return true;
    }
    return false;
}

/* Has the worker had next to no processor time since the last look, and so did not want any?  One
 * whose executions are children waits for them; they have limits of their own. */
static bool has_waited(supervisor *s, double now, double cpu) {
    bool has_children = s->care.always || s->care.n_windows > 0 || s->care.when_rebuilding;
    if (now - s->looked_at < PATIENCE)
        return false;
    bool has = !has_children && cpu - s->looked_cpu < PATIENCE * LEAST_SHARE;
    s->looked_at = now;
    s->looked_cpu = cpu;
    return has;
}

static void note_execution(supervisor *s, uint64_t execution, double now, double cpu) {
    s->last_execution = execution;
    s->looked_at = now;
    s->last_cpu = s->looked_cpu = cpu;
}

/* An execution that hangs where no step is counted, in external code or assembly.  The worker is
 * ended; in a forked child the same execution gets a time limit, and is a finding if it meets
 * it. */
static void end_stuck(supervisor *s, double now) {
    uint64_t execution = atomic_load(&s->channel->execution);
    double cpu = hd_clock_cpu_of(s->worker);
    if (execution == 0 || execution != s->last_execution || s->care.always) {
        note_execution(s, execution, now, cpu);
        return;
    }
    bool waits = has_waited(s, now, cpu);
    if (!waits && cpu - s->last_cpu < PATIENCE)
        return;
    say(s, "an execution %s for more than %.0f seconds", waits ? "has waited" : "has been running",
        PATIENCE);
    HD_ASSERT(s->worker > 0);
    kill(s->worker, SIGKILL);
    note_execution(s, execution, now, cpu);
}

static verdict watch(supervisor *s) {
    verdict v = GOES_ON;
    while (v == GOES_ON) {
        struct pollfd p = {.fd = s->socket, .events = POLLIN};
        int ready = poll(&p, 1, (int)(HD_PROGRESS_INTERVAL * 1000));
        double now = hd_clock_now();
        heed_signals(s, now);
        if (ready > 0)
            v = listen_to(s);
        tell_progress(s, now);
        end_stuck(s, now);
        if (v == GOES_ON && is_overdue(s, now)) {
            kill(s->worker, SIGKILL);
            v = hd_record_stop(s->record, s->why, s->err) ? ENDED : FAILED;
        }
    }
    return v;
}

/* The worker has ended or is not wanted any more; its exit status. */
static int end_worker(supervisor *s, verdict v) {
    HD_INVARIANT(F1, s->worker > 0 && s->worker != getpid());
    int status = 0;
    if (v == FAILED || v == DIED)
        kill(s->worker, SIGKILL);
    while (waitpid(s->worker, &status, 0) < 0 && errno == EINTR)
        ;
    close(s->socket);
    hd_inbox_release(&s->inbox);
    return status;
}

/* ---- after a death ---- */

static void add_window(hd_care *care, uint64_t execution, unsigned deaths) {
    HD_ASSERT(execution > 0 && deaths < 32);
    uint64_t margin = UINT64_C(2) << 2 * deaths;
    if (care->n_windows < HD_MAX_WINDOWS)
        care->windows[care->n_windows++] =
            (struct hd_window){execution > margin ? execution - margin : 1, execution + margin};
}

static void take_care(supervisor *s) {
    uint64_t execution = atomic_load(&s->channel->execution);
    unsigned n = s->deaths_since_commit;
    if (atomic_load(&s->channel->is_rebuilding))
        s->care.when_rebuilding = true;
    else if (execution > 0)
        add_window(&s->care, execution, n);
    if (s->care.always || (n < DEATHS_BEFORE_CARE && s->deaths < DEATHS_IN_ALL))
        return;
    s->care.always = true;
    say(s, "running each execution in a child process: the worker died %u times", s->deaths);
}

static bool survive(supervisor *s, int status) {
    s->deaths++;
    s->deaths_since_commit++;
    HD_ASSERT(s->deaths_since_commit <= s->deaths && s->deaths_since_commit <= DEATHS_TO_GIVE_UP);
    take_care(s);
    if (s->deaths_since_commit < DEATHS_TO_GIVE_UP) {
        if (WIFSIGNALED(status))
            say(s, "a worker was ended by signal %d; going on from the last commit",
                WTERMSIG(status));
        else
            say(s, "a worker ended with status %d; going on from the last commit",
                WEXITSTATUS(status));
        return true;
    }
    if (!s->has_committed) {
        hd_err_set(s->err, "cannot run the program: its worker process died %u times",
                   s->deaths_since_commit);
        return hd_err_hint(s->err, "this should not happen: please report it with the program");
    }
    end_with(s, "the worker process keeps dying");
    return hd_record_stop(s->record, s->why, s->err);
}

/* One worker, from start to end.  GOES_ON: another is needed. */
static verdict run_worker(supervisor *s) {
    hd_batch state;
    if (!hd_record_state(s->record, &state, s->err))
        return FAILED;
    if (s->max_executions == 0 && s->options->max_executions > 0)
        s->max_executions = state.counters.explore.executions + s->options->max_executions;
    s->n_findings = state.n_findings;
    s->progress = (hd_progress){state.counters, state.n_findings};
    bool ok = start_worker(s, &state);
    hd_batch_release(&state);
    if (!ok)
        return FAILED;
    verdict v = watch(s);
    HD_ASSERT(v != GOES_ON);
    int status = end_worker(s, v);
    if (v != DIED)
        return v;
    if (s->asked_to_stop > 0) {
        end_with(s, HD_STOP_INTERRUPTED);
        return hd_record_stop(s->record, s->why, s->err) ? ENDED : FAILED;
    }
    return !survive(s, status) ? FAILED : s->why[0] ? ENDED : GOES_ON;
}

static verdict run_workers(supervisor *s) {
    verdict v;
    do
        v = run_worker(s);
    while (v == GOES_ON);
    return v;
}

bool hd_fleet_run(hd_record *record, const hd_run_options *options, const hd_watcher *watcher,
                  char why[128], hd_err *err) {
    double now = hd_clock_now();
    supervisor s = {.record = record,
                    .options = options,
                    .watcher = watcher,
                    .why = why,
                    .err = err,
                    .started = now,
                    .deadline = options->max_seconds > 0 ? now + options->max_seconds : 0,
                    .next_progress = now + HD_PROGRESS_INTERVAL};
    why[0] = '\0';
    s.channel =
        mmap(NULL, sizeof *s.channel, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s.channel == MAP_FAILED)
        return hd_err_set(err, "cannot start a worker: %s", strerror(errno));
    struct sigaction action = {.sa_handler = note_signal}, old_int, old_term;
    n_signals = 0;
    sigaction(SIGINT, &action, &old_int);
    sigaction(SIGTERM, &action, &old_term);
    verdict v = run_workers(&s);
    HD_ASSERT(v == ENDED || v == FAILED);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    munmap(s.channel, sizeof *s.channel);
    return v == ENDED;
}

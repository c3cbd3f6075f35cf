/* Listening to a run (lookout.h). */
#include "fleet/cluster/lookout.h"

#include "base/clock.h"
#include "base/panic.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATE   6.0 /* seconds without a word: it is not there any more */
#define WINDOW 5.0 /* seconds over which rates are measured */

/* Executions a second: those of the window before, until the running one has lasted a while. */
typedef struct speed {
    double since, rate;
    uint64_t before;
} speed;

typedef struct heard_machine {
    uint64_t number;
    hd_seen_machine seen;
    speed speed;
    double heard;
} heard_machine;

struct hd_lookout {
    hd_post *post;
    pthread_mutex_t lock;
    hd_notice notice;
    double heard; /* the coordinator, last */
    speed speed;
    hd_vec(heard_machine) machines;
};

static void measure(speed *s, uint64_t executions, double now) {
    double seconds = now - s->since;
    if (!s->since || executions < s->before) {
        *s = (speed){.since = now, .before = executions};
        return;
    }
    if (seconds > 0.2 && (seconds >= WINDOW || !s->rate || seconds > WINDOW / 4))
        s->rate = (double)(executions - s->before) / seconds;
    if (seconds >= WINDOW) {
        s->since = now;
        s->before = executions;
    }
}

static void hear_coordinator(void *lookout, const void *bytes, size_t n) {
    hd_lookout *w = lookout;
    hd_notice notice;
    double now = hd_clock_now();
    if (!hd_notice_unpack(bytes, n, &notice))
        return;
    pthread_mutex_lock(&w->lock);
    w->heard = now;
    if (!notice.has_order) {
        w->notice = notice;
        measure(&w->speed, notice.overview.counters.explore.executions, now);
    }
    pthread_mutex_unlock(&w->lock);
}

static heard_machine *find_machine(hd_lookout *w, uint64_t number) {
    for (size_t i = 0; i < w->machines.n; i++)
        if (w->machines.at[i].number == number)
            return &w->machines.at[i];
    hd_vec_push(&w->machines, ((heard_machine){.number = number}));
    return &w->machines.at[w->machines.n - 1];
}

static void note_machine(heard_machine *m, const hd_news *news, double now) {
    measure(&m->speed, news->executions, now);
    m->heard = news->is_leaving ? 0 : now;
    m->seen = (hd_seen_machine){.n_workers = news->shift.n_workers,
                                .n_idle = news->shift.n_idle,
                                .n_units = (uint32_t)news->held.n,
                                .executions = news->executions,
                                .rate = m->speed.rate};
    snprintf(m->seen.host, sizeof m->seen.host, "%s", news->host);
}

static void hear_machine(void *lookout, const void *bytes, size_t n) {
    hd_lookout *w = lookout;
    hd_news news;
    if (!hd_news_unpack(bytes, n, &news))
        return;
    pthread_mutex_lock(&w->lock);
    note_machine(find_machine(w, news.machine), &news, hd_clock_now());
    pthread_mutex_unlock(&w->lock);
    hd_news_release(&news);
}

hd_lookout *hd_lookout_open(hd_post *post, hd_err *err) {
    hd_lookout *w = calloc(1, sizeof *w);
    if (!w)
        hd_out_of_memory();
    w->post = post;
    pthread_mutex_init(&w->lock, NULL);
    if (hd_post_listen(post, HD_TALK_ORDERS, hear_coordinator, w, err) &&
        hd_post_listen(post, HD_TALK_NEWS, hear_machine, w, err))
        return w;
    hd_lookout_close(w);
    return NULL;
}

void hd_lookout_close(hd_lookout *w) {
    hd_post_stop_listening(w->post);
    hd_vec_release(&w->machines);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

static int by_host(const void *a, const void *b) {
    return strcmp(((const hd_seen_machine *)a)->host, ((const hd_seen_machine *)b)->host);
}

hd_picture hd_lookout_look(hd_lookout *w) {
    double now = hd_clock_now();
    pthread_mutex_lock(&w->lock);
    hd_picture p = {.has_coordinator = w->heard && now - w->heard < LATE,
                    .overview = w->notice.overview,
                    .rate = w->speed.rate};
    snprintf(p.host, sizeof p.host, "%s", w->notice.host);
    for (size_t i = 0; i < w->machines.n; i++) {
        heard_machine *m = &w->machines.at[i];
        m->seen.quiet = now - m->heard;
        if (m->heard && m->seen.quiet < LATE)
            hd_vec_push(&p.machines, m->seen);
    }
    pthread_mutex_unlock(&w->lock);
    if (p.machines.n)
        qsort(p.machines.at, p.machines.n, sizeof *p.machines.at, by_host);
    return p;
}

void hd_picture_release(hd_picture *p) {
    hd_vec_release(&p->machines);
}

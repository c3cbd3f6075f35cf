/* Units of one machine (desk.h).
 *
 * Two other threads bring things: one fetches units while somebody here is idle, one hears what the
 * coordinator says.  They leave them under a lock and ring a bell, which the supervisor polls. */
#include "fleet/cluster/desk.h"

#include "base/clock.h"
#include "base/panic.h"
#include "fleet/cluster/log_entry.h"
#include "fleet/cluster/talk.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define FETCH  1.0   /* seconds that one request for a unit lasts */
#define NEWS   0.5   /* seconds between two news when nothing changes, */
#define SOON   0.003 /* and when something does */
#define SILENT 3.0   /* seconds without a word from the coordinator: is there still a run? */

/* A unit as it came. */
typedef struct arrival {
    hd_work work;
    hd_delivery delivery;
} arrival;

/* One that is ours: what is left of it after its last bundle. */
typedef struct held {
    hd_work work;
    hd_delivery delivery;
    bool waits; /* no worker has it */
} held;

struct hd_desk {
    hd_source source;
    hd_post *post;
    uint64_t machine;
    char host[64];
    double patience;
    void (*note)(void *context, const char *sentence);
    void *context;
    hd_batch state; /* counters of what was done here */
    hd_vec(held) units;
    bool has_failed, is_told;
    hd_err err; /* if it has failed */
    double next_news, next_hold, next_look;
    uint32_t n_idle, n_units; /* as last told */
    /* Of both threads and us. */
    pthread_mutex_t lock;
    pthread_cond_t is_wanted;
    hd_vec(arrival) arrivals;
    hd_vec(hd_order) orders;
    uint32_t n_wanted;
    double heard; /* when the coordinator last said something */
    bool is_closing;
    int bell;
    bool has_thread;
    pthread_t fetcher;
};

static hd_desk *desk_of(hd_source *s) {
    return (hd_desk *)s;
}

/* ---- the other threads ---- */

static void ring(hd_desk *d) {
    uint64_t one = 1;
    if (write(d->bell, &one, sizeof one) < 0 && errno != EAGAIN)
        HD_BUG("the bell of the desk is broken");
}

static void silence(hd_desk *d) {
    uint64_t n;
    if (read(d->bell, &n, sizeof n) < 0 && errno != EAGAIN)
        HD_BUG("the bell of the desk is broken");
}

static bool await_wish(hd_desk *d) {
    pthread_mutex_lock(&d->lock);
    while (!d->is_closing && d->arrivals.n >= d->n_wanted)
        pthread_cond_wait(&d->is_wanted, &d->lock);
    bool goes_on = !d->is_closing;
    pthread_mutex_unlock(&d->lock);
    return goes_on;
}

static void add_arrival(hd_desk *d, const hd_text *bytes, hd_delivery *delivery) {
    arrival a = {.delivery = *delivery};
    if (!hd_wire_unpack_work(bytes->at, bytes->n, &a.work)) {
        hd_delivery_end(delivery);
        return;
    }
    pthread_mutex_lock(&d->lock);
    hd_vec_push(&d->arrivals, a);
    pthread_mutex_unlock(&d->lock);
    ring(d);
}

static void *fetch(void *desk) {
    hd_desk *d = desk;
    hd_text bytes = {0};
    hd_delivery delivery;
    while (await_wish(d))
        if (hd_post_take(d->post, FETCH, &delivery, &bytes) == HD_READ)
            add_arrival(d, &bytes, &delivery);
    hd_text_release(&bytes);
    return NULL;
}

static void hear(void *desk, const void *bytes, size_t n) {
    hd_desk *d = desk;
    hd_notice call;
    if (!hd_notice_unpack(bytes, n, &call))
        return;
    pthread_mutex_lock(&d->lock);
    d->heard = hd_clock_now();
    if (call.has_order)
        hd_vec_push(&d->orders, call.order);
    pthread_mutex_unlock(&d->lock);
    if (call.has_order)
        ring(d);
}

/* ---- the log ---- */

static void fail(hd_desk *d) {
    d->has_failed = true;
}

/* The end of a unit on this machine, for whatever reason. */
static void append_end(hd_desk *d, const hd_log_entry *e) {
    char id[96];
    hd_text bytes = {0};
    snprintf(id, sizeof id, "b%llx.%llu.%llu", (unsigned long long)d->machine,
             (unsigned long long)e->unit, (unsigned long long)e->epoch);
    hd_log_entry_pack(&bytes, e);
    if (!d->has_failed && !hd_post_append(d->post, id, &bytes, &d->err))
        fail(d);
    hd_text_release(&bytes);
}

static void give_back(hd_desk *d, uint64_t unit, uint64_t epoch) {
    append_end(d,
               &(hd_log_entry){
                   .kind = HD_ENTRY_GIVE_BACK, .writer = d->machine, .unit = unit, .epoch = epoch});
}

static void append_bundle(hd_desk *d, const hd_commit *c, const void *payload, size_t n) {
    char id[96];
    hd_text bytes = {0};
    hd_log_entry e = {
        .kind = HD_ENTRY_COMMIT, .writer = d->machine, .bundle = payload, .n_bundle = n};
    snprintf(id, sizeof id, "c%llx.%llu.%llu.%llu", (unsigned long long)d->machine,
             (unsigned long long)c->unit, (unsigned long long)c->epoch,
             (unsigned long long)c->number);
    hd_log_entry_pack(&bytes, &e);
    if (!d->has_failed && !hd_post_append(d->post, id, &bytes, &d->err))
        fail(d);
    hd_text_release(&bytes);
}

/* ---- units ---- */

static held *find(hd_desk *d, uint64_t unit, uint64_t epoch) {
    for (size_t i = 0; i < d->units.n; i++)
        if (d->units.at[i].work.unit == unit && d->units.at[i].work.epoch == epoch)
            return &d->units.at[i];
    return NULL;
}

/* The unit is not ours any more, and the queue need not send it again. */
static void clear_away(hd_desk *d, held *h) {
    hd_delivery_end(&h->delivery);
    hd_work_release(&h->work);
    *h = d->units.at[--d->units.n];
}

static void accept(hd_desk *d, arrival *a) {
    held *mine = find(d, a->work.unit, a->work.epoch);
    if (mine) { /* the queue took us for gone */
        hd_delivery_forget(&mine->delivery);
        mine->delivery = a->delivery;
        hd_work_release(&a->work);
    } else if (a->delivery.n_before > 0) {
        give_back(d, a->work.unit, a->work.epoch);
        hd_delivery_end(&a->delivery);
        hd_work_release(&a->work);
    } else {
        HD_INVARIANT(K2, !find(d, a->work.unit, a->work.epoch));
        hd_vec_push(&d->units, ((held){a->work, a->delivery, true}));
    }
}

static bool next_arrival(hd_desk *d, arrival *a) {
    pthread_mutex_lock(&d->lock);
    bool has_one = d->arrivals.n > 0;
    if (has_one)
        *a = d->arrivals.at[--d->arrivals.n];
    pthread_mutex_unlock(&d->lock);
    return has_one;
}

static void collect(hd_desk *d) {
    arrival a;
    while (next_arrival(d, &a))
        accept(d, &a);
}

static held *find_waiting(hd_desk *d) {
    for (size_t i = 0; i < d->units.n; i++)
        if (d->units.at[i].waits)
            return &d->units.at[i];
    return NULL;
}

static uint64_t count_waiting(const hd_desk *d) {
    uint64_t n = 0;
    for (size_t i = 0; i < d->units.n; i++)
        n += d->units.at[i].waits;
    return n;
}

static uint64_t n_waiting(hd_source *s) {
    collect(desk_of(s));
    return count_waiting(desk_of(s));
}

static void copy_text(hd_text *to, const hd_text *from) {
    hd_text_clear(to);
    hd_text_add_bytes(to, from->at, from->n);
}

static hd_work copy_work(const hd_work *w) {
    hd_work copy = *w;
    copy.journal = copy.context = copy.path = (hd_text){0};
    copy.facts = copy.coverage = copy.known = (hd_text){0};
    copy_text(&copy.journal, &w->journal);
    copy_text(&copy.context, &w->context);
    copy_text(&copy.path, &w->path);
    copy_text(&copy.facts, &w->facts);
    copy_text(&copy.coverage, &w->coverage);
    copy_text(&copy.known, &w->known);
    return copy;
}

/* How large it is was decided where it came from, */
static bool is_next_large(hd_source *s) {
    (void)s;
    return true;
}

/* and it is what it is. */
static bool hand_out(hd_source *s, bool is_whole, hd_work *work) {
    (void)is_whole;
    held *h = find_waiting(desk_of(s));
    if (!h)
        return false;
    h->waits = false;
    *work = copy_work(&h->work);
    return true;
}

/* Whose turn is over may have the next one anywhere. */
static void release(hd_source *s, uint64_t unit, uint64_t epoch) {
    hd_desk *d = desk_of(s);
    held *h = find(d, unit, epoch);
    if (h && h->work.turn) {
        give_back(d, unit, epoch);
        clear_away(d, h);
    } else if (h) {
        h->waits = true;
    }
}

/* What a worker had not committed is no cost of the run here. */
static void lose(hd_source *s, uint64_t unit, double seconds) {
    (void)s, (void)unit, (void)seconds;
}

static void set_aside(hd_source *s, uint64_t unit, unsigned deaths, const hd_last_words *words) {
    hd_desk *d = desk_of(s);
    held *h = d->units.at, *end = d->units.at + d->units.n;
    while (h < end && h->work.unit != unit)
        h++;
    if (h == end)
        return;
    hd_text told = {0};
    hd_pack_u32(&told, deaths);
    hd_last_words_pack(&told, words);
    append_end(d, &(hd_log_entry){.kind = HD_ENTRY_ASIDE,
                                  .writer = d->machine,
                                  .unit = unit,
                                  .epoch = h->work.epoch,
                                  .bundle = told.at,
                                  .n_bundle = told.n});
    hd_text_release(&told);
    clear_away(d, h);
}

/* Whoever takes it over here goes on from this bundle (U1: only one has it). */
static void note_bundle(held *h, const hd_bundle *p) {
    HD_INVARIANT(K1, p->commit.number == h->work.n_commits);
    copy_text(&h->work.journal, &p->commit.journal);
    hd_text_clear(&h->work.facts);
    hd_text_add(&h->work.facts, "%s", p->results.threads ? p->results.threads : "");
    h->work.n_commits = p->commit.number + 1;
    h->work.is_shared |= p->commit.lifted.n || p->commit.split.n;
    if (h->work.max_executions != UINT64_MAX) {
        uint64_t n = p->results.counters.explore.executions;
        h->work.max_executions -= n < h->work.max_executions ? n : h->work.max_executions;
    }
}

static hd_commit_answer take(hd_source *s, hd_bundle *p, const void *payload, size_t n) {
    hd_desk *d = desk_of(s);
    held *h = find(d, p->commit.unit, p->commit.epoch);
    if (!h)
        return HD_COMMIT_REFUSED;
    if (p->commit.number != h->work.n_commits) /* it is not to be trusted any longer (K1) */
        return HD_COMMIT_EARLY;
    append_bundle(d, &p->commit, payload, n);
    hd_counters_add(&d->state.counters, &p->results.counters);
    if (p->commit.is_done) {
        clear_away(d, h);
    } else if (p->results.stop_reason) {
        give_back(d, p->commit.unit, p->commit.epoch);
        clear_away(d, h);
    } else {
        note_bundle(h, p);
    }
    return HD_COMMIT_APPLIED;
}

static const hd_batch *state_of(hd_source *s) {
    return &desk_of(s)->state;
}

/* ---- orders ---- */

static bool next_order(hd_source *s, hd_order *order) {
    hd_desk *d = desk_of(s);
    silence(d);
    pthread_mutex_lock(&d->lock);
    bool has_one = d->orders.n > 0;
    if (has_one) {
        *order = d->orders.at[0];
        d->orders.n--;
        memmove(d->orders.at, d->orders.at + 1, d->orders.n * sizeof *d->orders.at);
    }
    pthread_mutex_unlock(&d->lock);
    held *h = has_one && order->kind == HD_ORDER_DROP ? find(d, order->unit, order->epoch) : NULL;
    if (h)
        clear_away(d, h);
    return has_one;
}

static int descriptor(hd_source *s) {
    return desk_of(s)->bell;
}

/* ---- now and then ---- */

static void wish(hd_desk *d, const hd_shift *shift) {
    uint32_t n_here = (uint32_t)count_waiting(d);
    pthread_mutex_lock(&d->lock);
    d->n_wanted = shift->n_idle > n_here ? shift->n_idle - n_here : 0;
    if (d->arrivals.n < d->n_wanted)
        pthread_cond_signal(&d->is_wanted);
    pthread_mutex_unlock(&d->lock);
}

/* What is said of this machine to those who watch the run: what its workers say, and how it is. */
static void glance(const hd_desk *d, const hd_shift *shift, bool is_leaving, hd_text *out) {
    hd_observers *mine = hd_observers_new();
    hd_machine_sight sight = {.machine = d->machine,
                              .is_leaving = is_leaving,
                              .n_workers = shift->n_workers,
                              .n_idle = shift->n_idle,
                              .n_units = (uint32_t)d->units.n,
                              .executions = d->state.counters.explore.executions};
    snprintf(sight.host, sizeof sight.host, "%s", d->host);
    if (shift->live) {
        hd_observers_glance(shift->live, out);
        sight.executions += hd_observers_progress(shift->live)->counters.explore.executions;
    }
    hd_observers_machine_told(mine, &sight);
    hd_observers_glance(mine, out);
    hd_observers_free(mine);
}

static void tell(hd_desk *d, const hd_shift *shift, bool is_leaving) {
    hd_text bytes = {0};
    hd_news news = {.machine = d->machine,
                    .is_leaving = is_leaving,
                    .n_workers = shift->n_workers,
                    .n_idle = shift->n_idle};
    glance(d, shift, is_leaving, &news.live);
    for (size_t i = 0; i < d->units.n; i++)
        hd_vec_push(&news.held,
                    ((hd_unit_at){d->units.at[i].work.unit, d->units.at[i].work.epoch}));
    hd_news_pack(&bytes, &news);
    hd_post_say(d->post, HD_TALK_NEWS, &bytes);
    hd_text_release(&bytes);
    hd_news_release(&news);
}

static void tell_in_time(hd_desk *d, const hd_shift *shift, double now) {
    bool has_changed = shift->n_idle != d->n_idle || d->units.n != d->n_units;
    if (now < d->next_news && !(has_changed && now > d->next_news - NEWS + SOON))
        return;
    d->next_news = now + NEWS;
    d->n_idle = shift->n_idle;
    d->n_units = (uint32_t)d->units.n;
    tell(d, shift, false);
}

static void hold_all(hd_desk *d, double now) {
    if (now < d->next_hold)
        return;
    d->next_hold = now + d->patience / 4;
    for (size_t i = 0; i < d->units.n; i++)
        hd_delivery_hold(&d->units.at[i].delivery);
}

static double last_heard(hd_desk *d) {
    pthread_mutex_lock(&d->lock);
    double heard = d->heard;
    pthread_mutex_unlock(&d->lock);
    return heard;
}

static void order_stop(hd_desk *d, const char *why) {
    hd_order stop = {.kind = HD_ORDER_STOP};
    snprintf(stop.why, sizeof stop.why, "%s", why);
    pthread_mutex_lock(&d->lock);
    hd_vec_push(&d->orders, stop);
    pthread_mutex_unlock(&d->lock);
}

/* Without a coordinator there is something to do for a while; without a run there is not. */
static bool look_for_run(hd_desk *d, double now) {
    bool is_there, is_silent = now - last_heard(d) > SILENT;
    if (!is_silent)
        d->is_told = false;
    if (!is_silent || now < d->next_look)
        return true;
    d->next_look = now + SILENT;
    if (!hd_post_is_there(d->post, &is_there, &d->err))
        return false;
    if (!is_there)
        order_stop(d, "the run has ended");
    else if (!d->is_told && d->note)
        d->note(d->context, "nobody coordinates the run; going on with the units that are here");
    d->is_told = true;
    return true;
}

static bool tend(hd_source *s, const hd_shift *shift, double now, hd_err *err) {
    hd_desk *d = desk_of(s);
    collect(d);
    wish(d, shift);
    hold_all(d, now);
    tell_in_time(d, shift, now);
    if (!d->has_failed && look_for_run(d, now))
        return true;
    *err = d->err;
    return false;
}

/* ---- opening and closing ---- */

static void stop_fetching(hd_desk *d) {
    pthread_mutex_lock(&d->lock);
    d->is_closing = true;
    pthread_cond_signal(&d->is_wanted);
    pthread_mutex_unlock(&d->lock);
    if (d->has_thread)
        pthread_join(d->fetcher, NULL);
    d->has_thread = false;
}

static bool end(hd_source *s, char why[128], hd_err *err) {
    hd_desk *d = desk_of(s);
    (void)why;
    stop_fetching(d);
    collect(d);
    while (d->units.n) {
        give_back(d, d->units.at[0].work.unit, d->units.at[0].work.epoch);
        clear_away(d, &d->units.at[0]);
    }
    tell(d, &(hd_shift){0}, true);
    if (d->has_failed)
        *err = d->err;
    return !d->has_failed;
}

hd_desk *hd_desk_open(hd_post *post, double patience,
                      void (*note)(void *context, const char *sentence), void *context,
                      hd_err *err) {
    static const hd_source_calls calls = {.n_waiting = n_waiting,
                                          .is_next_large = is_next_large,
                                          .hand_out = hand_out,
                                          .take = take,
                                          .release = release,
                                          .lose = lose,
                                          .set_aside = set_aside,
                                          .state = state_of,
                                          .tend = tend,
                                          .end = end,
                                          .next_order = next_order,
                                          .descriptor = descriptor};
    hd_desk *d = calloc(1, sizeof *d);
    if (!d)
        hd_out_of_memory();
    *d = (hd_desk){.source = {&calls},
                   .post = post,
                   .machine = hd_number_make(),
                   .patience = patience,
                   .note = note,
                   .context = context,
                   .heard = hd_clock_now(),
                   .bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    hd_host_name(d->host);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->is_wanted, NULL);
    bool ok = (d->bell >= 0 || hd_err_set(err, "cannot make an event: %s", strerror(errno))) &&
              hd_post_open_queue(post, patience, err) &&
              hd_post_listen(post, HD_TALK_ORDERS, hear, d, err);
    d->has_thread = ok && pthread_create(&d->fetcher, NULL, fetch, d) == 0;
    if (ok && !d->has_thread)
        hd_err_set(err, "cannot make a thread");
    if (d->has_thread)
        return d;
    hd_desk_close(d);
    return NULL;
}

hd_source *hd_desk_source(hd_desk *d) {
    return &d->source;
}

void hd_desk_close(hd_desk *d) {
    stop_fetching(d);
    hd_post_stop_listening(d->post);
    for (size_t i = 0; i < d->units.n; i++) {
        hd_delivery_forget(&d->units.at[i].delivery);
        hd_work_release(&d->units.at[i].work);
    }
    for (size_t i = 0; i < d->arrivals.n; i++) {
        hd_delivery_forget(&d->arrivals.at[i].delivery);
        hd_work_release(&d->arrivals.at[i].work);
    }
    hd_vec_release(&d->units);
    hd_vec_release(&d->arrivals);
    hd_vec_release(&d->orders);
    hd_batch_release(&d->state);
    pthread_mutex_destroy(&d->lock);
    pthread_cond_destroy(&d->is_wanted);
    if (d->bell >= 0)
        close(d->bell);
    free(d);
}

/* A seeded scheduler of real workers (rehearsal.h). */
#include "tool/rehearsal.h"

#include "base/hash.h"
#include "base/panic.h"
#include "fleet/cluster/fold.h"
#include "fleet/crew.h"

#include <stdio.h>
#include <string.h>

#define NEVER 1e9 /* seconds */

/* One in so many steps, as long as harms are left. */
enum {
    DIE = 12,
    DOUBT = 16,
    REBUILD = 40,
    TWICE = 10,
    OUT_OF_ORDER = 12,
    LEAVE = 25,
    GIVE = 2,
    MORE = 3,
    FORGET = 6,
    SNAPSHOT = 50
};
/* What parts of `dpor` and `flip` do twice becomes more with every split. */
enum { MOST_STEPS = 200000, MOST_UNITS = 40, MOST_WORKS = 6 };

/* A bundle under way. */
typedef struct letter {
    unsigned player;
    uint64_t unit, epoch;
    hd_text entry;
} letter;

typedef struct player {
    hd_seat seat;
    hd_works works;   /* its units, as their last bundles left them */
    size_t n_awaited; /* units of its step that it has not answered for */
} player;

typedef struct stage {
    rehearsal *r;
    const char *above; /* the directory of all records */
    unsigned n_directories;
    const hd_run_info *info;
    hd_run_options options;
    hd_err *err;
    hd_record *record;
    hd_fold fold;
    hd_vec(hd_text) log;
    hd_text snapshot;    /* the last one; empty: none */
    size_t n_before;     /* entries that are in it */
    uint64_t me, random; /* me: number of the coordinator */
    player players[MOST_PLAYERS];
    hd_vec(letter) post;
    bool has_failed;
} stage;

static uint64_t draw(stage *s, uint64_t n) {
    return hd_random_next(&s->random) % n;
}

static bool is_harmed(stage *s, unsigned one_in) {
    if (!s->r->n_harms || draw(s, one_in))
        return false;
    s->r->n_harms--;
    return true;
}

static void fail(stage *s) {
    s->has_failed = true;
}

static hd_coordinator *coordinator_of(const stage *s) {
    return hd_ledger_coordinator(s->fold.ledger);
}

/* ---- the coordinator and its log ---- */

static bool create_record(stage *s) {
    /* Each coordinator has a directory of its own, as on another machine. */
    snprintf(s->r->directory, sizeof s->r->directory, "%s/%u", s->above, ++s->n_directories);
    s->record = hd_record_create(s->r->directory, s->info, s->err);
    return s->record;
}

static bool open_ledger(stage *s) {
    s->fold = (hd_fold){0};
    if (create_record(s))
        s->fold.ledger = hd_ledger_open(s->record, &s->options, NULL, s->err);
    return s->fold.ledger;
}

static bool open_snapshot(stage *s) {
    s->fold = (hd_fold){0};
    return create_record(s) && hd_fold_restore(&s->fold, s->record, &s->options, NULL,
                                               s->snapshot.at, s->snapshot.n, s->err);
}

static bool take_snapshot(stage *s) {
    hd_text_clear(&s->snapshot);
    s->n_before = s->log.n;
    s->r->n_snapshots++;
    return hd_fold_save(&s->fold, &s->snapshot, s->err);
}

static void close_ledger(stage *s) {
    hd_fold_release(&s->fold);
    if (s->record)
        hd_record_close(s->record);
    s->record = NULL;
}

/* Written, and read at once. */
static hd_effect append(stage *s, hd_text entry) {
    hd_vec_push(&s->log, entry);
    return hd_fold_apply(&s->fold, entry.at, entry.n);
}

static hd_effect append_entry(stage *s, const hd_log_entry *e) {
    hd_text bytes = {0};
    hd_log_entry_pack(&bytes, e);
    return append(s, bytes);
}

static void begin_to_coordinate(stage *s) {
    append_entry(s, &(hd_log_entry){.kind = HD_ENTRY_BEGIN, .writer = ++s->me});
}

static void read_log(stage *s, size_t from) {
    for (size_t i = from; i < s->log.n; i++) {
        hd_effect effect = hd_fold_apply(&s->fold, s->log.at[i].at, s->log.at[i].n);
        if (effect.kind == HD_EFFECT_HANDED_OUT)
            hd_work_release(&effect.work);
    }
}

/* What fleet/cluster/fold.h promises: whoever reads the log knows what the one knew who is gone. */
static bool knows_the_same(stage *s, const hd_text *before) {
    hd_text now = {0};
    hd_ledger_save_owners(s->fold.ledger, &now);
    bool is_same = now.n == before->n && memcmp(now.at, before->at, now.n) == 0;
    hd_text_release(&now);
    return is_same || hd_err_set(s->err, "a coordinator that reads %s knows something else",
                                 s->snapshot.n ? "a snapshot" : "the log");
}

/* The coordinator is gone; another one reads what is there. */
static bool rebuild(stage *s) {
    hd_text before = {0};
    bool has_snapshot = s->snapshot.n;
    hd_ledger_save_owners(s->fold.ledger, &before);
    s->r->n_rebuilt++;
    close_ledger(s);
    bool ok = has_snapshot ? open_snapshot(s) : open_ledger(s);
    if (ok) {
        read_log(s, has_snapshot ? s->n_before : 0);
        ok = knows_the_same(s, &before);
        begin_to_coordinate(s);
    }
    hd_text_release(&before);
    return ok;
}

/* ---- workers ---- */

static void stop_playing(player *p) {
    if (p->seat.pid)
        hd_seat_end(&p->seat);
    hd_works_release(&p->works);
}

static hd_work *find_work(const player *p, uint64_t unit, uint64_t epoch) {
    for (size_t i = 0; i < p->works.n; i++)
        if (p->works.at[i].unit == unit && p->works.at[i].epoch == epoch)
            return &p->works.at[i];
    return NULL;
}

static void drop_work(player *p, hd_work *w) {
    hd_work_release(w);
    for (p->works.n--; w < p->works.at + p->works.n; w++)
        *w = w[1];
}

/* Bundles are sent when they are asked for only: no clock decides anything. */
static bool start_playing(stage *s, player *p) {
    hd_orders orders = {.options = &s->options,
                        .module_directory = s->info->module_directory,
                        .state = hd_ledger_state(s->fold.ledger),
                        .first_bundle = NEVER,
                        .interval = NEVER};
    return p->seat.pid || hd_seat_start(&p->seat, orders, s->err);
}

static bool is_owned(const stage *s, uint64_t unit, uint64_t epoch) {
    for (const player *p = s->players; p < s->players + MOST_PLAYERS; p++)
        if (find_work(p, unit, epoch))
            return true;
    for (size_t i = 0; i < s->post.n; i++)
        if (s->post.at[i].unit == unit && s->post.at[i].epoch == epoch)
            return true;
    return false;
}

static void give_back(stage *s, uint64_t unit, uint64_t epoch) {
    append_entry(s, &(hd_log_entry){.kind = HD_ENTRY_GIVE_BACK, .unit = unit, .epoch = epoch});
}

static bool find_dead(const stage *s, uint64_t *unit, uint64_t *epoch) {
    for (size_t at = 0; hd_coordinator_next_out(coordinator_of(s), &at, unit, epoch);)
        if (!is_owned(s, *unit, *epoch))
            return true;
    return false;
}

/* Nothing waits: units whose owners are gone are free again. */
static void look_for_the_dead(stage *s) {
    uint64_t unit, epoch;
    while (find_dead(s, &unit, &epoch))
        give_back(s, unit, epoch);
}

static hd_work copy_work(const hd_work *w) {
    hd_work copy;
    hd_text bytes = {0};
    hd_wire_pack_work(&bytes, w);
    HD_ASSERT(hd_wire_unpack_work(bytes.at, bytes.n, &copy));
    hd_text_release(&bytes);
    return copy;
}

static void start_unit(stage *s, player *p, hd_work work) {
    hd_vec_push(&p->works, work);
    if (!start_playing(s, p))
        fail(s);
}

static void take_unit(stage *s, player *p) {
    hd_effect e = append_entry(
        s, &(hd_log_entry){.kind = HD_ENTRY_HAND_OUT, .writer = s->me, .is_whole = draw(s, 2)});
    if (e.kind != HD_EFFECT_HANDED_OUT) {
        look_for_the_dead(s);
        return;
    }
    player *other = &s->players[draw(s, s->r->n_players)];
    if (other != p && !other->works.n && is_harmed(s, FORGET)) /* the queue forgets that p has it */
        start_unit(s, other, copy_work(&e.work));
    start_unit(s, p, e.work);
}

/* ---- bundles ---- */

static void throw_away(stage *s, size_t i) {
    hd_text_release(&s->post.at[i].entry);
    for (s->post.n--; i < s->post.n; i++)
        s->post.at[i] = s->post.at[i + 1];
}

/* Who has the unit in this epoch learns that it is somebody else's. */
static void tell_refused(stage *s, uint64_t unit, uint64_t epoch) {
    for (player *p = s->players; p < s->players + MOST_PLAYERS; p++)
        if (find_work(p, unit, epoch))
            stop_playing(p);
}

/* Usually those of one worker come in their order, as through one connection. */
static void deliver(stage *s) {
    size_t i = draw(s, s->post.n);
    if (!is_harmed(s, OUT_OF_ORDER))
        for (size_t k = 0; k < i; k++)
            if (s->post.at[k].unit == s->post.at[i].unit &&
                s->post.at[k].epoch == s->post.at[i].epoch)
                i = k;
    hd_text copy = {0};
    hd_text_add_bytes(&copy, s->post.at[i].entry.at, s->post.at[i].entry.n);
    hd_effect e = append(s, copy);
    if (e.kind == HD_EFFECT_REFUSED)
        tell_refused(s, e.unit, e.epoch);
    if (!is_harmed(s, TWICE))
        throw_away(s, i);
}

static void replace_text(hd_text *to, const char *bytes, size_t n) {
    hd_text_clear(to);
    hd_text_add_bytes(to, bytes, n);
}

/* As the desk of a machine does it (fleet/cluster/desk.c). */
static void note_bundle(hd_work *w, const hd_bundle *b) {
    const char *facts = b->results.threads ? b->results.threads : "";
    replace_text(&w->journal, b->commit.journal.at, b->commit.journal.n);
    replace_text(&w->facts, facts, strlen(facts));
    w->n_commits = b->commit.number + 1;
    w->is_shared |= b->commit.lifted.n || b->commit.split.n;
}

static void post_bundle(stage *s, const player *p, const hd_work *w, const void *payload,
                        size_t n) {
    letter l = {.player = (unsigned)(p - s->players), .unit = w->unit, .epoch = w->epoch};
    hd_log_entry e = {
        .kind = HD_ENTRY_COMMIT, .writer = 1000 + l.player, .bundle = payload, .n_bundle = n};
    hd_log_entry_pack(&l.entry, &e);
    hd_vec_push(&s->post, l);
}

static void fail_saying(stage *s, const char *what) {
    hd_err_set(s->err, "%s", what);
    fail(s);
}

static void take_bundle(stage *s, player *p, const void *payload, size_t n) {
    hd_bundle b;
    if (!hd_wire_unpack_bundle(payload, n, &b)) {
        fail_saying(s, "a bundle is damaged");
        return;
    }
    hd_work *w = find_work(p, b.commit.unit, b.commit.epoch);
    p->n_awaited -= b.commit.is_done || b.results.stop_reason;
    if (!w) {
        fail_saying(s, "a bundle of a unit that the worker does not have");
    } else {
        post_bundle(s, p, w, payload, n);
        if (b.commit.is_done)
            drop_work(p, w);
        else
            note_bundle(w, &b);
    }
    hd_bundle_release(&b);
}

/* Units that were not begun: others have them next. */
static void take_returned(stage *s, player *p, const void *payload, size_t n) {
    hd_unit_numbers units;
    if (!hd_wire_unpack_numbers(payload, n, &units) || !units.n)
        fail_saying(s, "what a worker gives back is damaged");
    for (size_t i = 0; i < units.n && !s->has_failed; i++) {
        hd_work *w = find_work(p, units.at[i].unit, units.at[i].epoch);
        if (!w || !p->n_awaited) {
            fail_saying(s, "a worker gives back what it does not have");
            break;
        }
        drop_work(p, w);
        p->n_awaited--;
        s->r->n_returned++;
        give_back(s, units.at[i].unit, units.at[i].epoch);
    }
    hd_vec_release(&units);
}

static void take_frame(stage *s, player *p, hd_frame_type type, const void *payload, size_t n) {
    switch (type) {
    case HD_FRAME_BUNDLE:
        take_bundle(s, p, payload, n);
        return;
    case HD_FRAME_RETURNED:
        take_returned(s, p, payload, n);
        return;
    case HD_FRAME_STOPPED:
        p->n_awaited--;
        return;
    case HD_FRAME_REFUSED:
        if (!hd_wire_unpack_error(payload, n, s->err))
            hd_err_set(s->err, "a worker refused its unit");
        fail(s);
        return;
    default:
        return;
    }
}

static void listen_to(stage *s, player *p) {
    hd_frame_type type;
    const void *payload;
    size_t n;
    bool is_damaged, is_open = true;
    while (p->n_awaited && !s->has_failed) {
        if (hd_inbox_next(&p->seat.inbox, &type, &payload, &n, &is_damaged)) {
            take_frame(s, p, type, payload, n);
        } else if (is_open) {
            hd_inbox_wait(p->seat.socket);
            is_open = hd_inbox_fill(&p->seat.inbox, p->seat.socket);
        } else {
            fail_saying(s, "a worker died");
        }
    }
}

/* Some of its units, each for so many executions. */
static hd_works plan_step(stage *s, player *p) {
    hd_works some = {0};
    for (size_t n = 1 + draw(s, p->works.n); some.n < n;) {
        hd_work w = p->works.at[some.n]; /* its texts stay the player's */
        w.max_executions = 1 + (draw(s, 4) ? draw(s, 4) : draw(s, 40));
        hd_vec_push(&some, w);
    }
    return some;
}

/* A step of one worker; it hears what it is asked before it begins. */
static void step(stage *s, player *p) {
    hd_text payload = {0};
    hd_works some = plan_step(s, p);
    atomic_store(&p->seat.channel->is_asked_to_stop, false);
    bool gives = hd_coordinator_n_units(coordinator_of(s)) < MOST_UNITS && draw(s, GIVE) == 0;
    atomic_store(&p->seat.channel->is_asked_to_give, gives);
    atomic_store(&p->seat.channel->is_somebody_idle, draw(s, 2));
    hd_wire_pack_works(&payload, &some);
    p->n_awaited = some.n;
    s->r->n_steps++;
    if (hd_wire_send(p->seat.socket, HD_FRAME_WORK, payload.at, payload.n))
        listen_to(s, p);
    else
        fail_saying(s, "a worker is gone");
    hd_text_release(&payload);
    hd_vec_release(&some);
}

/* Bundles of a worker that dies before they have come. */
static void lose_letters(stage *s, const player *p) {
    for (size_t i = s->post.n; i-- > 0;)
        if (s->post.at[i].player == p - s->players)
            throw_away(s, i);
}

static void leave(stage *s, player *p) {
    hd_unit_numbers units = {0};
    for (size_t i = 0; i < p->works.n; i++)
        hd_vec_push(&units, ((hd_unit_at){p->works.at[i].unit, p->works.at[i].epoch}));
    stop_playing(p);
    while (s->post.n)
        deliver(s);
    for (size_t i = 0; i < units.n; i++)
        give_back(s, units.at[i].unit, units.at[i].epoch);
    hd_vec_release(&units);
}

static void disturb(stage *s, player *p) {
    if (is_harmed(s, DIE)) {
        if (draw(s, 2))
            lose_letters(s, p);
        stop_playing(p);
        s->r->n_died++;
    } else if (p->works.n && is_harmed(s, DOUBT)) {
        const hd_work *w = &p->works.at[draw(s, p->works.n)];
        give_back(s, w->unit, w->epoch); /* and it goes on */
    } else if (p->works.n && (is_harmed(s, LEAVE) || p->works.at[0].turn)) {
        leave(s, p);
    }
}

static void set_one_aside(stage *s, player *p) {
    hd_text told = {0};
    hd_last_words words = {.n_decisions = 3, .line = 7};
    hd_pack_u32(&told, 11);
    hd_last_words_pack(&told, &words);
    append_entry(s, &(hd_log_entry){.kind = HD_ENTRY_ASIDE,
                                    .unit = p->works.at[0].unit,
                                    .epoch = p->works.at[0].epoch,
                                    .bundle = told.at,
                                    .n_bundle = told.n});
    hd_text_release(&told);
    s->r->sets_aside =
        !hd_coordinator_n_aside(coordinator_of(s)); /* it may not be its own any more */
    stop_playing(p);
}

static void take_turn(stage *s) {
    player *p = &s->players[draw(s, s->r->n_players)];
    bool ok = draw(s, SNAPSHOT) || take_snapshot(s);
    if (!ok || (is_harmed(s, REBUILD) && !rebuild(s))) {
        fail(s);
        return;
    }
    if (s->post.n && draw(s, 3) == 0) {
        deliver(s);
    } else if (!p->works.n || (p->works.n < MOST_WORKS && draw(s, MORE) == 0)) {
        take_unit(s, p);
    } else if (s->r->sets_aside && s->r->n_steps > 3) {
        set_one_aside(s, p);
    } else {
        step(s, p);
        disturb(s, p);
    }
}

/* Nobody works, and nothing is under way or could be handed out. */
static bool is_over(stage *s) {
    for (player *p = s->players; p < s->players + s->r->n_players; p++)
        if (p->works.n)
            return false;
    if (s->post.n)
        return false;
    look_for_the_dead(s);
    return !hd_coordinator_has_waiting(coordinator_of(s));
}

static bool play(stage *s) {
    begin_to_coordinate(s);
    for (unsigned n = 0; !s->has_failed && !is_over(s); n++) {
        if (n > MOST_STEPS)
            return hd_err_set(s->err, "the search does not end");
        take_turn(s);
    }
    return !s->has_failed;
}

static bool end(stage *s) {
    char why[128];
    const hd_coordinator *c = coordinator_of(s);
    snprintf(why, sizeof why, "%s",
             hd_ledger_is_complete(s->fold.ledger) ? HD_STOP_COMPLETE : HD_STOP_EXHAUSTED);
    s->r->n_units = hd_coordinator_n_units(c);
    s->r->n_commits = s->fold.n_commits;
    s->r->n_refused = s->fold.n_refused;
    return hd_ledger_write(s->fold.ledger, why, s->err);
}

bool rehearse(rehearsal *r, const char *above, const hd_run_info *info,
              const hd_run_options *options, hd_err *err) {
    stage s = {.r = r,
               .above = above,
               .info = info,
               .options = *options,
               .err = err,
               .random = r->seed * 2 + 1};
    HD_ASSERT(r->n_players >= 1 && r->n_players <= MOST_PLAYERS);
    bool ok = open_ledger(&s);
    for (player *p = s.players; p < s.players + MOST_PLAYERS; p++)
        ok = hd_seat_open(&p->seat, err) && ok;
    ok = ok && play(&s) && end(&s);
    for (player *p = s.players; p < s.players + MOST_PLAYERS; p++) {
        stop_playing(p);
        hd_seat_close(&p->seat);
    }
    while (s.post.n)
        throw_away(&s, s.post.n - 1);
    hd_vec_release(&s.post);
    for (size_t i = 0; i < s.log.n; i++)
        hd_text_release(&s.log.at[i]);
    hd_vec_release(&s.log);
    hd_text_release(&s.snapshot);
    close_ledger(&s);
    return ok;
}

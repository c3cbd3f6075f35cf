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
    FORGET = 6,
    SNAPSHOT = 50
};
/* What parts of `dpor` and `flip` do twice becomes more with every split. */
enum { MOST_STEPS = 200000, MOST_UNITS = 40 };

/* A bundle under way. */
typedef struct letter {
    unsigned player;
    uint64_t unit, epoch;
    hd_text entry;
} letter;

typedef struct player {
    hd_seat seat;
    bool is_busy;
    hd_work work; /* its unit, as its last bundle left it */
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

/* C1 of fleet/cluster/fold.h: whoever reads the log knows what the one knew who is gone. */
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
    if (p->is_busy)
        hd_work_release(&p->work);
    p->is_busy = false;
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
        if (p->is_busy && p->work.unit == unit && p->work.epoch == epoch)
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
    p->work = work;
    p->is_busy = true;
    if (!start_playing(s, p))
        fail(s);
}

static void take_unit(stage *s, player *p) {
    hd_effect e = append_entry(s, &(hd_log_entry){.kind = HD_ENTRY_HAND_OUT, .writer = s->me});
    if (e.kind != HD_EFFECT_HANDED_OUT) {
        look_for_the_dead(s);
        return;
    }
    player *other = &s->players[draw(s, s->r->n_players)];
    if (other != p && !other->is_busy && is_harmed(s, FORGET)) /* the queue forgets that p has it */
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
        if (p->is_busy && p->work.unit == unit && p->work.epoch == epoch)
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
static void note_bundle(player *p, const hd_bundle *b) {
    const char *facts = b->results.threads ? b->results.threads : "";
    replace_text(&p->work.journal, b->commit.journal.at, b->commit.journal.n);
    replace_text(&p->work.facts, facts, strlen(facts));
    p->work.n_commits = b->commit.number + 1;
    p->work.is_shared |= b->commit.lifted.n || b->commit.split.n;
}

static void post_bundle(stage *s, player *p, const void *payload, size_t n) {
    letter l = {.player = (unsigned)(p - s->players), .unit = p->work.unit, .epoch = p->work.epoch};
    hd_log_entry e = {
        .kind = HD_ENTRY_COMMIT, .writer = 1000 + l.player, .bundle = payload, .n_bundle = n};
    hd_log_entry_pack(&l.entry, &e);
    hd_vec_push(&s->post, l);
}

/* True if the worker waits for its next step now. */
static bool take_bundle(stage *s, player *p, const void *payload, size_t n) {
    hd_bundle b;
    if (!hd_wire_unpack_bundle(payload, n, &b)) {
        hd_err_set(s->err, "a bundle is damaged");
        fail(s);
        return true;
    }
    post_bundle(s, p, payload, n);
    bool has_ended = b.commit.is_done || b.results.stop_reason;
    if (!b.commit.is_done)
        note_bundle(p, &b);
    else {
        hd_work_release(&p->work);
        p->is_busy = false;
    }
    hd_bundle_release(&b);
    return has_ended;
}

/* True if the worker waits, or is gone. */
static bool take_frame(stage *s, player *p, hd_frame_type type, const void *payload, size_t n) {
    switch (type) {
    case HD_FRAME_BUNDLE:
        return take_bundle(s, p, payload, n);
    case HD_FRAME_STOPPED:
        return true;
    case HD_FRAME_REFUSED:
        if (!hd_wire_unpack_error(payload, n, s->err))
            hd_err_set(s->err, "a worker refused its unit");
        fail(s);
        return true;
    default:
        return false;
    }
}

static void listen_to(stage *s, player *p) {
    hd_frame_type type;
    const void *payload;
    size_t n;
    bool is_damaged, is_open = true;
    while (true) {
        while (hd_inbox_next(&p->seat.inbox, &type, &payload, &n, &is_damaged))
            if (take_frame(s, p, type, payload, n))
                return;
        if (!is_open) {
            hd_err_set(s->err, "a worker died");
            fail(s);
            return;
        }
        hd_inbox_wait(p->seat.socket);
        is_open = hd_inbox_fill(&p->seat.inbox, p->seat.socket);
    }
}

/* So many executions of one worker; it hears what it is asked before it begins. */
static void step(stage *s, player *p) {
    hd_text payload = {0};
    uint64_t given = p->work.max_executions;
    p->work.max_executions = 1 + (draw(s, 4) ? draw(s, 4) : draw(s, 40));
    atomic_store(&p->seat.channel->is_asked_to_stop, false);
    bool gives = hd_coordinator_n_units(coordinator_of(s)) < MOST_UNITS && draw(s, GIVE) == 0;
    atomic_store(&p->seat.channel->is_asked_to_give, gives);
    hd_wire_pack_work(&payload, &p->work);
    p->work.max_executions = given;
    s->r->n_steps++;
    if (hd_wire_send(p->seat.socket, HD_FRAME_WORK, payload.at, payload.n)) {
        listen_to(s, p);
    } else {
        hd_err_set(s->err, "a worker is gone");
        fail(s);
    }
    hd_text_release(&payload);
}

/* Bundles of a worker that dies before they have come. */
static void lose_letters(stage *s, const player *p) {
    for (size_t i = s->post.n; i-- > 0;)
        if (s->post.at[i].player == p - s->players)
            throw_away(s, i);
}

static void disturb(stage *s, player *p) {
    if (is_harmed(s, DIE)) {
        if (draw(s, 2))
            lose_letters(s, p);
        stop_playing(p);
        s->r->n_died++;
    } else if (p->is_busy && is_harmed(s, DOUBT)) {
        give_back(s, p->work.unit, p->work.epoch); /* and it goes on */
    } else if (p->is_busy && (is_harmed(s, LEAVE) || p->work.turn)) {
        uint64_t unit = p->work.unit, epoch = p->work.epoch;
        stop_playing(p);
        while (s->post.n)
            deliver(s);
        give_back(s, unit, epoch);
    }
}

static void set_one_aside(stage *s, player *p) {
    hd_text told = {0};
    hd_last_words words = {.n_decisions = 3, .line = 7};
    hd_pack_u32(&told, 11);
    hd_last_words_pack(&told, &words);
    append_entry(s, &(hd_log_entry){.kind = HD_ENTRY_ASIDE,
                                    .unit = p->work.unit,
                                    .epoch = p->work.epoch,
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
    } else if (!p->is_busy) {
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
        if (p->is_busy)
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

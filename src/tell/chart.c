/* What of an execution is worth a row, and in which words.
 *
 * Messages of actors are one event, the arrival.  What goes through a queue (pipes, sockets) is put
 * there by one event and taken by another; it is drawn when it is taken, and where it was put if
 * nobody takes it. */
#include "tell/chart.h"

#include "base/map.h"
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_END 0xffffffd0u /* addresses of a queue from here on are no items */

typedef struct telling {
    const hd_storyteller *s;
    const hd_tale *tale;
    hd_chart chart;
    size_t *last; /* by process: 1 + the last event that a process has to do with */
    hd_map put;   /* address of an item -> 1 + the event that put it there */
    hd_map taken; /* address of an item -> 1 */
    bool *matters;
} telling;

/* ---- who and what ---- */

static uint32_t process_of(const telling *t, uint32_t thread) {
    return t->s->process_of(t->s->context, thread);
}

static bool is_by_courier(const telling *t, const hd_action *a) {
    return t->s->is_courier(t->s->context, a->thread);
}

static bool is_token(const hd_action *a, uint64_t low, uint64_t high) {
    return a->n_accesses && a->access[0].address >= low && a->access[0].address < high;
}

static bool is_about_children(const hd_action *a) {
    return is_token(a, HD_TOKEN_ENDED(0, 0), HD_TOKEN_ENDED(HD_MAX_THREADS, 0));
}

static bool is_about_queues(const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (a->access[i].address >= HD_QUEUE(0))
            return true;
    return false;
}

/* The item that is put or taken; 0 = none. */
static uint64_t item_of(const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++) {
        const hd_access *x = &a->access[i];
        if (x->address >= HD_QUEUE(0) && (uint32_t)x->address < FIRST_END &&
            x->mode == HD_MODE_WRITE)
            return x->address;
    }
    return 0;
}

static uint32_t sender_of(const telling *t, const hd_action *a) {
    bool is_told = hd_kind_is(a->kind, HD_KIND_DELIVERS) || is_by_courier(t, a);
    uint32_t process = is_told ? (uint32_t)(a->value >> 32) : process_of(t, a->thread);
    return process < t->chart.n_processes ? process : 0;
}

static uint32_t site_of_send(const telling *t, const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_DELIVERS) || is_by_courier(t, a) ? (uint32_t)a->value
                                                                        : a->site;
}

static uint32_t receiver_of(const telling *t, const hd_action *a) {
    return process_of(t, hd_kind_is(a->kind, HD_KIND_DELIVERS) ? a->detail : a->thread);
}

/* ---- lives ---- */

static void note_part(telling *t, uint32_t process, size_t event) {
    if (t->last[process] < event + 1)
        t->last[process] = event + 1;
}

static void note_event(telling *t, size_t i) {
    const hd_action *a = &t->tale->events[i];
    uint64_t item = item_of(a);
    if (hd_kind_is(a->kind, HD_KIND_DELIVERS) || !is_by_courier(t, a))
        note_part(t, receiver_of(t, a), i);
    if (hd_kind_is(a->kind, HD_KIND_DELIVERS | HD_KIND_PUTS))
        note_part(t, sender_of(t, a), i);
    if (hd_kind_is(a->kind, HD_KIND_PUTS) && item)
        hd_map_put(&t->put, item, i + 1);
    if (hd_kind_is(a->kind, HD_KIND_TAKES) && item) {
        const uint64_t *put = hd_map_find(&t->put, item);
        if (put)
            note_part(t, sender_of(t, &t->tale->events[*put - 1]), i);
        if (i < t->tale->n_told)
            hd_map_put(&t->taken, item, 1);
    }
}

/* When event `i` comes; at the end those who have not ended, and those who still do something. */
static hd_thread_set alive_at(const telling *t, size_t i) {
    hd_set_maker alive = {0};
    for (uint32_t p = 0; p < t->chart.n_processes; p++) {
        const hd_participant *who = &t->chart.column[p].who;
        if (who->name[0] && who->born <= i && (!who->has_ended || i < t->last[p]))
            hd_set_maker_add(&alive, p);
    }
    return hd_set_made(&alive);
}

/* ---- words ---- */

static void add_place(const telling *t, const char *before, uint32_t site, hd_text *out) {
    hd_text place = {0};
    hd_story_place(t->s, site, &place);
    if (place.n)
        hd_text_add(out, "%s%s", before, hd_text_string(&place));
    hd_text_release(&place);
}

/* "a.c:3" without " at "; "" if it is not known. */
static const char *place_of(const telling *t, uint32_t site, hd_text *out) {
    hd_story_place(t->s, site, out);
    return out->n > 4 ? out->at + 4 : "";
}

/* "a.c:3" and "a.c:4" become "a.c:3" and ":4". */
static const char *shorten(const char *place, const char *after) {
    const char *colon = strrchr(place, ':');
    bool is_same = colon && strncmp(place, after, (size_t)(colon - place) + 1) == 0;
    return is_same ? colon : place;
}

/* "sent at a.c:3, received at b.c:4"; brief: "a.c:3 -> b.c:4". */
static void add_places(const telling *t, uint32_t sent, uint32_t received, bool is_brief,
                       hd_text *out) {
    hd_text first = {0}, second = {0};
    const char *from = place_of(t, sent, &first), *to = place_of(t, received, &second);
    if (!*from)
        hd_text_add(out, *to ? "received at %s" : "received", to);
    else if (is_brief)
        hd_text_add(out, "%s -> %s", from, shorten(to, from));
    else
        hd_text_add(out, "sent at %s, received at %s", from, shorten(to, from));
    hd_text_release(&first);
    hd_text_release(&second);
}

static hd_row *add_row(telling *t, size_t event, hd_row_kind kind, uint32_t from, uint32_t to) {
    hd_row r = {.kind = kind,
                .from = (uint16_t)from,
                .to = (uint16_t)to,
                .event = (uint32_t)event,
                .alive = alive_at(t, event)};
    if (kind != HD_ROW_TIME && kind != HD_ROW_NOTE)
        r.alive = hd_set_with(r.alive, from);
    if (kind == HD_ROW_MESSAGE)
        r.alive = hd_set_with(r.alive, to);
    hd_vec_push(&t->chart.rows, r);
    return &t->chart.rows.at[t->chart.rows.n - 1];
}

static hd_row *add_mark(telling *t, size_t event, uint32_t process, char mark, uint32_t site,
                        hd_text *text) {
    hd_row *r = add_row(t, event, HD_ROW_MARK, process, process);
    r->mark = mark;
    r->site = site;
    r->text = text->at ? text->at : hd_text_format("%s", "");
    *text = (hd_text){0};
    return r;
}

/* Other threads than the first of a process are named. */
static void begin_words(const telling *t, const hd_action *a, hd_text *out) {
    const hd_participant *who = &t->chart.column[process_of(t, a->thread)].who;
    if (a->thread != who->main_thread)
        hd_text_add(out, "thread %u ", a->thread);
}

static void mark_event(telling *t, size_t i, const hd_action *a, char mark, const char *what) {
    hd_text text = {0};
    begin_words(t, a, &text);
    hd_text_add(&text, "%s", what);
    hd_story_place(t->s, a->site, &text);
    add_mark(t, i, process_of(t, a->thread), mark, a->site, &text);
}

/* ---- messages ---- */

static void add_channel(const hd_action *a, hd_text *out) {
    if (hd_kind_is(a->kind, HD_KIND_DELIVERS) && a->state)
        hd_text_add(out, "channel %u, ", a->state);
}

static char *words_of_message(const telling *t, const hd_action *sent, const hd_action *got,
                              bool is_brief) {
    hd_text text = {0};
    if (sender_of(t, sent) == receiver_of(t, got))
        hd_text_add(&text, "from itself, ");
    add_channel(sent, &text);
    add_places(t, site_of_send(t, sent), got->site, is_brief, &text);
    return text.at;
}

/* `sent` is the event in which it was sent or put, `got` where it was taken from the queue. */
static void add_message(telling *t, size_t i, const hd_action *sent, const hd_action *got) {
    uint32_t from = sender_of(t, sent), to = receiver_of(t, got);
    hd_row *r = add_row(t, i, from == to ? HD_ROW_MARK : HD_ROW_MESSAGE, from, to);
    r->mark = '*';
    r->text = words_of_message(t, sent, got, false);
    r->brief = words_of_message(t, sent, got, true);
    r->sent = site_of_send(t, sent);
    r->site = got->site;
}

static bool is_final(const telling *t) {
    return t->tale->is_over && !t->tale->failed_thread;
}

/* `what` became of it: NULL if it is still under way, or waits to be received. */
static void add_unreceived(telling *t, size_t i, const hd_action *a, const char *what) {
    uint32_t from = sender_of(t, a), to = receiver_of(t, a);
    hd_text text = {0};
    char mark = what || is_final(t) ? 'x' : '>';
    if (!what)
        what = is_final(t) ? "never received" : "not received yet";
    add_channel(a, &text);
    add_place(t, "sent", site_of_send(t, a), &text);
    hd_text_add(&text, "%s%s", text.n ? ", " : "", what);
    if (from == to) {
        add_mark(t, i, from, '*', site_of_send(t, a), &text);
        return;
    }
    hd_row *r = add_row(t, i, HD_ROW_LOST, from, to);
    r->text = text.at;
    r->mark = mark;
    r->site = r->sent = site_of_send(t, a);
}

static void tell_put(telling *t, size_t i, const hd_action *a) {
    uint64_t item = item_of(a);
    bool is_by_thread = !is_by_courier(t, a);
    if (a->flags & HD_ACTION_FAILED && is_by_thread)
        mark_event(t, i, a, '*', "finds nobody who receives");
    else if (a->flags & HD_ACTION_FAILED)
        add_unreceived(t, i, a, "lost: nobody receives there");
    else if (item && !hd_map_find(&t->taken, item) && is_by_thread)
        mark_event(t, i, a, '*',
                   is_final(t) ? "sends what is never received" : "sends what is not received yet");
    else if (item && !hd_map_find(&t->taken, item))
        add_unreceived(t, i, a, NULL);
}

/* A stream is read item by item; that there is no more of it is no news. */
static bool ends_a_read(const telling *t, size_t i) {
    const hd_action *a = &t->tale->events[i];
    while (i > 0 && t->tale->events[i - 1].thread != a->thread)
        i--;
    const hd_action *before = i ? &t->tale->events[i - 1] : NULL;
    return before && hd_kind_is(before->kind, HD_KIND_TAKES) && before->site == a->site &&
           !(before->flags & HD_ACTION_FAILED);
}

static void tell_failed_wait(telling *t, size_t i, const hd_action *a) {
    if (a->flags & HD_ACTION_TIMEOUT)
        mark_event(t, i, a, '*', "its time is up");
    else if (!ends_a_read(t, i))
        mark_event(t, i, a, '*', "finds nothing");
}

static void tell_take(telling *t, size_t i, const hd_action *a) {
    uint64_t item = item_of(a);
    const uint64_t *put = item ? hd_map_find(&t->put, item) : NULL;
    if (a->flags & HD_ACTION_FAILED)
        tell_failed_wait(t, i, a);
    else if (put)
        add_message(t, i, &t->tale->events[*put - 1], a);
    else if (!item && !ends_a_read(t, i))
        mark_event(t, i, a, '*', "sees the end of file");
}

static void tell_poll(telling *t, size_t i, const hd_action *a) {
    if (a->flags & HD_ACTION_FAILED)
        tell_failed_wait(t, i, a);
    else if (is_about_children(a))
        mark_event(t, i, a, '*', "sees that a child has ended");
}

/* ---- the rest ---- */

/* Objects that are tokens only are between processes. */
static bool is_between_threads(const hd_action *a) {
    bool is_token_only = hd_kind_is(a->kind, HD_KIND_SETS) && is_token(a, 0, HD_TOKEN_LIMIT);
    return !hd_kind_is(a->kind, HD_KIND_WORLD) && !is_token_only && !is_about_queues(a);
}

/* What threads of one process do to each other: events in a row of one thread. */
static size_t tell_turn(telling *t, size_t i) {
    const hd_action *a = &t->tale->events[i];
    hd_vec(const hd_action *) turn = {0};
    hd_text text = {0};
    size_t end = i;
    for (; end < t->tale->n_told && t->tale->events[end].thread == a->thread &&
           is_between_threads(&t->tale->events[end]);
         end++)
        if (t->matters[end])
            hd_vec_push(&turn, &t->tale->events[end]);
    begin_words(t, a, &text);
    hd_story_turn(t->s, turn.at, turn.n, &text);
    add_mark(t, i, process_of(t, a->thread), '*', turn.n ? turn.at[0]->site : a->site, &text);
    hd_vec_release(&turn);
    return end;
}

/* The receiver deals with the signal itself (machine/tasks/signals.h). */
static bool only_tells(const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (a->access[i].address >= HD_TOKEN_SIGNAL(0) && a->access[i].address < HD_TOKEN_SIGNALS &&
            a->access[i].mode == HD_MODE_WRITE)
            return true;
    return false;
}

static void tell_kill(telling *t, size_t i, const hd_action *a) {
    uint32_t from = process_of(t, a->thread),
             to = (uint32_t)(a->access[0].address - HD_TOKEN_ALIVE(0)) / 16;
    hd_text text = {0};
    if (only_tells(a)) {
        hd_text_add(&text, "sends signal %u", a->nth);
        hd_story_place(t->s, a->site, &text);
        add_mark(t, i, from, '*', a->site, &text);
        return;
    }
    hd_text_add(&text, "killed");
    hd_story_place(t->s, a->site, &text);
    if (to == from || to >= t->chart.n_processes) {
        add_mark(t, i, from, '*', a->site, &text);
        return;
    }
    hd_row *r = add_row(t, i, HD_ROW_KILL, from, to);
    r->text = text.at;
    r->site = a->site;
}

static void tell_message(telling *t, size_t i, const hd_action *a) {
    add_message(t, i, a, a);
}

static void tell_time(telling *t, size_t i, const hd_action *a) {
    (void)a;
    add_row(t, i, HD_ROW_TIME, 0, 0)->text = hd_text_format("time passes");
}

static void tell_sleep(telling *t, size_t i, const hd_action *a) {
    mark_event(t, i, a, '*', "wakes up");
}

/* ---- faults ---- */

static void name_fault(const telling *t, const hd_fault_event *f, hd_text *out) {
    char name[160];
    const struct hd_column *c = t->chart.column;
    hd_fault_name(f->kind, c[f->from].who.name, c[f->to].who.name, f->nth, name, sizeof name);
    hd_text_add(out, "%s", name);
    hd_story_place(t->s, f->site, out);
}

static void tell_fault(telling *t, const hd_fault_event *f) {
    hd_text text = {0};
    if (f->from >= t->chart.n_processes || f->to >= t->chart.n_processes)
        return;
    name_fault(t, f, &text);
    if (hd_fault_subject_of(f->kind) == HD_FAULT_OF_NODES) {
        add_mark(t, f->event, f->from, 'X', f->site, &text);
    } else if ((f->kind == HD_FAULT_DROP || f->kind == HD_FAULT_PARTITION) && f->from != f->to) {
        hd_row *r = add_row(t, f->event, HD_ROW_LOST, f->from, f->to);
        r->text = text.at;
        r->mark = 'x';
        r->site = r->sent = f->site;
    } else {
        add_mark(t, f->event, f->from, '*', f->site, &text);
    }
}

/* Faults that came before event `i` and after the one before it. */
static void tell_faults(telling *t, size_t i) {
    const hd_tale *tale = t->tale;
    for (size_t k = 0; k < tale->n_faults; k++)
        if (tale->faults[k].event == i)
            tell_fault(t, &tale->faults[k]);
}

/* ---- by kind ---- */

/* How a kind is drawn: the last column of the table of kinds (machine/action/action_kinds.h). */
typedef struct drawing {
    /* Add rows for event `i`; NULL: it is one of a turn of its thread, if threads of a process do
     * such things to each other. */
    void (*tell)(telling *t, size_t i, const hd_action *a);
    const char *waits; /* who cannot go on before it; NULL: as stories say it */
    bool is_silent;    /* nobody who stands before it in the end is worth a word */
} drawing;

static const drawing hd_drawn_turn = {0};
static const drawing hd_drawn_nothing = {.is_silent = true};
static const drawing hd_drawn_message = {.tell = tell_message};
static const drawing hd_drawn_await = {.waits = "waits for a message"};
static const drawing hd_drawn_put = {.tell = tell_put, .waits = "waits to send"};
static const drawing hd_drawn_take = {.tell = tell_take, .waits = "waits to receive"};
static const drawing hd_drawn_poll = {.tell = tell_poll, .waits = "waits for input"};
static const drawing hd_drawn_time = {.tell = tell_time, .is_silent = true};
static const drawing hd_drawn_sleep = {.tell = tell_sleep};
static const drawing hd_drawn_kill = {.tell = tell_kill};

static const drawing *const drawings[HD_N_ACTIONS] = {
#define X(name, words, traits, enabled, settle, describe, round, predict, race, blockers, drawn)   \
    [HD_DO_##name] = &drawn,
    HD_ACTIONS(X)
#undef X
};

static size_t tell_event(telling *t, size_t i) {
    const hd_action *a = &t->tale->events[i];
    const drawing *d = drawings[a->kind];
    if (!d->tell)
        return t->matters[i] && is_between_threads(a) ? tell_turn(t, i) : i + 1;
    d->tell(t, i, a);
    return i + 1;
}

/* Processes that are there from the beginning need no row. */
static void tell_births(telling *t, size_t i) {
    for (uint32_t p = 1; p < t->chart.n_processes && i > 0; p++) {
        const hd_participant *who = &t->chart.column[p].who;
        if (!who->name[0] || who->born != i || who->parent >= t->chart.n_processes)
            continue;
        hd_row *r = add_row(t, i, HD_ROW_BIRTH, who->parent, p);
        r->text = hd_text_format("creates %s", who->name);
        r->site = who->site;
    }
}

/* ---- the end ---- */

static void add_wait(const telling *t, const hd_action *a, hd_text *out) {
    const char *waits = drawings[a->kind]->waits;
    if (!waits) {
        hd_text_add(out, "cannot go on: ");
        hd_story_turn(t->s, &a, 1, out);
        return;
    }
    hd_text_add(out, "%s", is_about_children(a) ? "waits for a child to end" : waits);
    hd_story_place(t->s, a->site, out);
}

static void tell_waiting(telling *t, const hd_action *a) {
    uint32_t process = process_of(t, a->thread);
    const hd_participant *who = &t->chart.column[process].who;
    hd_text text = {0};
    if (drawings[a->kind]->is_silent)
        return;
    if (is_by_courier(t, a)) {
        add_unreceived(t, t->tale->n, a, NULL);
        return;
    }
    if (who->has_ended || who->may_idle || t->tale->failed_thread)
        return;
    begin_words(t, a, &text);
    add_wait(t, a, &text);
    add_mark(t, t->tale->n, process, '#', a->site, &text);
}

static void tell_failure(telling *t) {
    const hd_tale *tale = t->tale;
    hd_text text = {0};
    if (!tale->failure)
        return;
    hd_text_add(&text, "%s", tale->failure);
    if (tale->failed_thread)
        add_mark(t, tale->n_told, process_of(t, tale->failed_thread - 1), 'X', 0, &text);
    else
        add_row(t, tale->n_told, HD_ROW_NOTE, 0, 0)->text = text.at;
}

static void begin(telling *t) {
    hd_chart *c = &t->chart;
    c->n_processes = t->s->n_processes;
    c->column = calloc(c->n_processes ? c->n_processes : 1, sizeof *c->column);
    t->last = calloc(c->n_processes ? c->n_processes : 1, sizeof *t->last);
    if (!c->column || !t->last)
        hd_out_of_memory();
    for (uint32_t p = 0; p < c->n_processes; p++) {
        struct hd_column *column = &c->column[p];
        hd_text place = {0};
        if (!t->s->participant(t->s->context, p, &column->who))
            column->who = (hd_participant){0};
        hd_story_place(t->s, column->who.site, &place);
        snprintf(column->place, sizeof column->place, "%s", place.n > 4 ? place.at + 4 : "");
        hd_text_release(&place);
    }
    for (size_t i = 0; i < t->tale->n; i++)
        note_event(t, i);
}

static void finish(telling *t) {
    free(t->last);
    hd_map_release(&t->put);
    hd_map_release(&t->taken);
    free(t->matters);
}

static void tell_all(telling *t) {
    const hd_tale *tale = t->tale;
    for (size_t i = 0, next; t->matters && i < tale->n_told; i = next) {
        tell_births(t, i);
        tell_faults(t, i);
        next = tell_event(t, i);
        for (size_t k = i + 1; k < next; k++) {
            tell_births(t, k);
            tell_faults(t, k);
        }
    }
    tell_births(t, tale->n_told);
    tell_faults(t, tale->n_told);
    for (size_t i = 0; i < tale->n_waiting; i++)
        tell_waiting(t, &tale->waiting[i]);
    tell_failure(t);
}

void hd_chart_make(const hd_storyteller *s, const hd_tale *tale, hd_chart *chart) {
    telling t = {.s = s, .tale = tale, .matters = hd_story_what_matters(tale->events, tale->n)};
    begin(&t);
    tell_all(&t);
    finish(&t);
    *chart = t.chart;
}

void hd_chart_release(hd_chart *c) {
    for (size_t i = 0; i < c->rows.n; i++) {
        free(c->rows.at[i].text);
        free(c->rows.at[i].brief);
    }
    hd_vec_release(&c->rows);
    free(c->column);
    *c = (hd_chart){0};
}

void hd_chart_tell(const hd_storyteller *s, const hd_tale *tale, hd_text *out) {
    hd_chart chart = {0};
    hd_chart_make(s, tale, &chart);
    if (chart.rows.n)
        hd_chart_draw(&chart, out);
    hd_chart_release(&chart);
}

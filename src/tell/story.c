/* Telling: which events matter, their words, and turns of one thread on one line. */
#include "tell/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES   20
#define FIRST_LINES  8 /* of a story that is too long; the end matters more than the beginning */
#define MOST_CLAUSES 5 /* of one line */

typedef struct range {
    uint64_t from, to;
    uint32_t event;
    uint32_t thread;
    uint8_t mode;
} range;
typedef hd_vec(range) ranges;

typedef hd_vec(char *) lines;

static int by_address(const void *a, const void *b) {
    const range *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void collect(ranges *all, const hd_action *events, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < events[i].n_accesses; k++) {
            const hd_access *x = &events[i].access[k];
            hd_vec_push(all, ((range){x->address, x->address + x->size, (uint32_t)i,
                                      events[i].thread, x->mode}));
        }
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_address);
}

/* Ranges that overlap, directly or through others, are one thing: shared if several threads
 * touch it and one of them changes it. */
static void mark_shared(const ranges *all, bool *matters) {
    for (size_t i = 0, end; i < all->n; i = end) {
        uint64_t limit = all->at[i].to;
        hd_thread_set threads = HD_SET_EMPTY;
        bool is_changed = false;
        for (end = i; end < all->n && (end == i || all->at[end].from < limit); end++) {
            const range *r = &all->at[end];
            limit = r->to > limit ? r->to : limit;
            threads = hd_set_with(threads, r->thread);
            is_changed |= r->mode != HD_MODE_READ;
        }
        if (is_changed && hd_set_count(threads) > 1)
            for (size_t k = i; k < end; k++)
                matters[all->at[k].event] = true;
    }
}

static bool is_about_threads(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_LIFE);
}

bool *hd_story_what_matters(const hd_action *events, size_t n) {
    bool *matters = calloc(n + 1, sizeof *matters);
    ranges all = {0};
    if (!matters)
        return NULL;
    collect(&all, events, n);
    mark_shared(&all, matters);
    for (size_t i = 0; i < n; i++)
        matters[i] = (matters[i] || is_about_threads(&events[i])) &&
                     !hd_kind_is(events[i].kind, HD_KIND_UNTOLD);
    hd_vec_release(&all);
    return matters;
}

/* ---- words ---- */

const char *hd_story_thread(uint32_t thread, char buffer[32]) {
    snprintf(buffer, 32, thread ? "thread %u" : "thread %u (main)", thread);
    return buffer;
}

void hd_story_object(const hd_storyteller *s, uint64_t address, hd_text *out) {
    char name[128] = "";
    bool is_queue = address >= HD_QUEUE(0);
    address = is_queue ? address : address & HD_SPACE_MASK;
    size_t length = s->describe(s->context, address, name, sizeof name);
    if (length > 0)
        hd_text_add(out, "'%.*s'%s", (int)length, name, name + length);
    else if (name[0])
        hd_text_add(out, "%s", name);
    else if (is_queue)
        hd_text_add(out, "a queue");
    else
        hd_text_add(out, "memory at 0x%llx", (unsigned long long)address);
}

void hd_story_place(const hd_storyteller *s, uint32_t site, hd_text *out) {
    if (site >= s->n_sites || !s->sites[site].file || !s->sites[site].line)
        return;
    const char *slash = strrchr(s->sites[site].file, '/');
    hd_text_add(out, " at %s:%u", slash ? slash + 1 : s->sites[site].file, s->sites[site].line);
}

const hd_access *hd_story_object_of(const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (a->access[i].address >= HD_TOKEN_LIMIT)
            return &a->access[i];
    return NULL;
}

static bool is_of_condition(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_ENTERS | HD_KIND_WAKES);
}

/* What is waited for is the condition; its mutex, if it comes first, is known from the lock before.
 * Who wakes up when the condition does not matter any more just takes the mutex. */
static void add_condition(const hd_storyteller *s, const hd_action *a, hd_text *out) {
    bool is_first = hd_kind_is(a->kind, HD_KIND_TRIES);
    bool is_second = !is_first && a->n_accesses > 1 && a->access[1].address >= HD_TOKEN_LIMIT;
    hd_text_add(out, "%s ",
                is_first || is_second ? hd_action_words((hd_action_kind)a->kind)
                                      : "wakes up and locks");
    hd_story_object(s, a->access[is_second].address, out);
}

void hd_story_clause(const hd_storyteller *s, const hd_action *a, hd_text *out) {
    const hd_access *object = hd_story_object_of(a);
    char buffer[32];
    if (is_of_condition(a) && object)
        add_condition(s, a, out);
    else
        hd_text_add(out, "%s", hd_action_words((hd_action_kind)a->kind));
    if (is_of_condition(a)) {
        ; /* is told */
    } else if (is_about_threads(a)) {
        hd_text_add(out, " %s", hd_story_thread(a->detail, buffer));
    } else if (object) {
        hd_text_add(out, " ");
        hd_story_object(s, object->address, out);
    } else if (hd_kind_is(a->kind, HD_KIND_SETS) && a->n_accesses &&
               hd_token_words(a->access[0].address)) {
        hd_text_add(out, " the %s", hd_token_words(a->access[0].address));
    }
    if (a->flags & HD_ACTION_TIMEOUT)
        hd_text_add(out, " by its timeout");
    else if (a->flags & HD_ACTION_FAILED)
        hd_text_add(out, " in vain");
}

/* ---- lines ---- */

void hd_story_add(hd_text *out, const char *who, const char *what) {
    hd_text_add(out, "%-17s %s\n", who, what);
}

/* Clauses of one turn; the same one several times in a row is told once. */
void hd_story_turn(const hd_storyteller *s, const hd_action *const *events, size_t n,
                   hd_text *out) {
    lines clauses = {0};
    hd_vec(unsigned) times = {0};
    for (size_t i = 0; i < n; i++) {
        hd_text clause = {0};
        hd_story_clause(s, events[i], &clause);
        hd_story_place(s, events[i]->site, &clause);
        if (clauses.n && strcmp(clauses.at[clauses.n - 1], clause.at) == 0) {
            times.at[times.n - 1]++;
            hd_text_release(&clause);
            continue;
        }
        hd_vec_push(&clauses, clause.at);
        hd_vec_push(&times, 1);
    }
    for (size_t i = 0; i < clauses.n; i++) {
        bool is_told = clauses.n <= MOST_CLAUSES || i < 2 || i + 3 > clauses.n;
        if (is_told)
            hd_text_add(out, "%s%s", i ? ", " : "", clauses.at[i]);
        else if (i == 2)
            hd_text_add(out, ", ...");
        if (is_told && times.at[i] > 1)
            hd_text_add(out, " (%u times)", times.at[i]);
    }
    for (size_t i = 0; i < clauses.n; i++)
        free(clauses.at[i]);
    hd_vec_release(&clauses);
    hd_vec_release(&times);
}

static void add_line(const hd_storyteller *s, const hd_action *const *events, size_t n,
                     bool is_waiting, lines *all) {
    hd_text turn = {0}, line = {0};
    char buffer[32];
    if (is_waiting)
        hd_text_add(&turn, "cannot go on: ");
    hd_story_turn(s, events, n, &turn);
    hd_story_add(&line, hd_story_thread(events[0]->thread, buffer), hd_text_string(&turn));
    hd_text_release(&turn);
    hd_vec_push(all, line.at);
}

hd_telling hd_story_is_told(size_t i, size_t n) {
    if (n <= MOST_LINES || i < FIRST_LINES || i + MOST_LINES - FIRST_LINES > n)
        return HD_TOLD;
    return i == FIRST_LINES ? HD_FIRST_LEFT_OUT : HD_LEFT_OUT;
}

static void put_lines(lines *all, hd_text *out) {
    for (size_t i = 0; i < all->n; i++) {
        hd_telling telling = hd_story_is_told(i, all->n);
        if (telling == HD_TOLD)
            hd_text_add(out, "%s", all->at[i]);
        else if (telling == HD_FIRST_LEFT_OUT)
            hd_text_add(out, "...\n");
        free(all->at[i]);
    }
    hd_vec_release(all);
}

/* Where the turn that begins at `i` ends: with its thread, and before what it cannot do. */
static size_t end_of_turn(const hd_action *const *told, size_t n, size_t i,
                          const hd_action *waiting) {
    size_t end = i + 1;
    while (end < n && told[end]->thread == told[i]->thread && told[end] < waiting)
        end++;
    return end;
}

void hd_story_tell(const hd_storyteller *s, const hd_action *events, size_t n, size_t n_waiting,
                   hd_text *out) {
    const hd_action *waiting = events + n - n_waiting;
    bool *matters = hd_story_what_matters(events, n);
    hd_vec(const hd_action *) told = {0};
    lines all = {0};
    for (size_t i = 0; matters && i < n; i++)
        if (matters[i])
            hd_vec_push(&told, &events[i]);
    for (size_t i = 0, end; i < told.n; i = end) {
        end = end_of_turn(told.at, told.n, i, waiting);
        add_line(s, told.at + i, end - i, told.at[i] >= waiting, &all);
    }
    put_lines(&all, out);
    hd_vec_release(&told);
    free(matters);
}

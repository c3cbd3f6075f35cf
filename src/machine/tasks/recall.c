/* What is known of threads, and following those that run (see recall.h). */
#include "machine/tasks/recall_int.h"

#include "machine/core/kinds.h"

#define WORD       8
#define MOST_STOPS (1u << 16)
#define MOST_WAYS  (1u << 18)
#define FEW_WAYS   8 /* from one stop: more of them are found by a map */

/* ---- life ---- */

static void mark_sets(void *recall) {
    const hd_recall *r = recall;
    for (size_t i = 0; i < r->stops.n; i++)
        if (r->stops.at[i].role == HD_ROLE_EXITS)
            hd_set_mark((hd_set){r->stops.at[i].action.expected});
}

/* Functions that enter the machine without counting it (K3), or that are not called for their
 * effect on one execution only. */
static bool is_known_function(const char *name) {
    static const char *const names[] = {"pthread_create",
                                        "pthread_join",
                                        "pthread_mutex_lock",
                                        "pthread_mutex_unlock",
                                        "pthread_mutex_init",
                                        "pthread_mutex_destroy",
                                        "pthread_self",
                                        "pthread_equal",
                                        "sched_yield",
                                        "__assert_fail",
                                        "abort",
                                        "exit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return strncmp(name, "__hd_", 5) == 0 || strncmp(name, "__ubsan_handle_", 15) == 0;
}

static bool calls_known_functions(const hd_image *image) {
    for (uint64_t i = 0; i < image->n_imports; i++)
        if (image->imports[i].is_data || !is_known_function(image->imports[i].name))
            return false;
    return true;
}

/* Thread-local objects are globals too, and begin and end without events. */
static bool has_thread_objects(const hd_image *image) {
    for (uint64_t i = 0; i < image->n_globals; i++)
        if (image->globals[i].begins_copies)
            return true;
    return false;
}

static bool is_for(const hd_machine *m) {
    const hd_machine_options *o = &m->options;
    const hd_may *may = &m->may;
    return o->orders == HD_ORDERS_ALL && !o->n_nodes && !o->n_faults && !o->stdin_bytes &&
           !o->check_thread_leaks && !o->spurious && !may->handle_end && !may->tell_ends &&
           !may->have_sections && !may->signal && !may->kill && !may->watch && !may->judge &&
           !may->cancel && !m->image->n_vectors && !m->image->n_counters &&
           m->image->n_programs == 1 && calls_known_functions(m->image) &&
           !has_thread_objects(m->image);
}

static void begin_trail(hd_recall *r) {
    r->n_threads = r->n_unjoined = 1;
}

static hd_recall *make(hd_machine *m) {
    hd_recall *r = calloc(1, sizeof *r);
    if (!r)
        hd_out_of_memory();
    r->is_off = !is_for(m);
    hd_vec_push(&r->stops, ((hd_stop){.role = HD_ROLE_BEARS}));
    begin_trail(r);
    hd_sets_add_marker(mark_sets, r);
    m->recall = r;
    return r;
}

void hd_recall_free(hd_recall *r) {
    if (!r)
        return;
    hd_sets_remove_marker(mark_sets, r);
    hd_vec_release(&r->stops);
    hd_vec_release(&r->ways);
    hd_vec_release(&r->places);
    hd_map_release(&r->place_of);
    hd_map_release(&r->way_of);
    hd_map_release(&r->born);
    hd_map_release(&r->endings);
    hd_vec_release(&r->trail);
    hd_vec_release(&r->lines);
    free(r);
}

/* ---- places ---- */

static uint64_t name_value(uint32_t place, uint64_t value) {
    return hd_mix(hd_hash_add(place, value));
}

static void set_place(hd_recall *r, uint32_t place, uint64_t value) {
    HD_ASSERT(place < r->places.n);
    r->sum += name_value(place, value) - name_value(place, r->places.at[place].value);
    r->places.at[place].value = value;
}

/* What is there when it is used for the first time was there at the start (K4). */
static uint32_t add_place(hd_recall *r, uint64_t word, bool is_lock) {
    uint64_t value = is_lock ? 0 : hd_value_at(word * WORD, WORD);
    hd_vec_push(&r->places, ((hd_recall_place){word, value, is_lock}));
    r->sum += name_value((uint32_t)r->places.n - 1, value);
    return (uint32_t)r->places.n - 1;
}

/* The place of an access, UINT32_MAX if it is not followed: a lock that is also accessed as
 * memory. */
static uint32_t place_of(hd_recall *r, uint64_t address, uint32_t size, bool is_lock) {
    uint32_t found = UINT32_MAX;
    uint64_t first = address / WORD, end = (address + size + WORD - 1) / WORD;
    for (uint64_t word = first; word < end; word++) {
        const uint64_t *known = hd_map_find(&r->place_of, word);
        if (known &&
            (r->places.at[*known].is_lock != is_lock || r->places.at[*known].word != first))
            return UINT32_MAX;
        if (known)
            found = (uint32_t)*known;
    }
    if (found != UINT32_MAX)
        return found;
    found = add_place(r, first, is_lock);
    for (uint64_t word = first; word < end; word++)
        hd_map_put(&r->place_of, word, found);
    return found;
}

/* ---- stops ---- */

static bool is_global(const hd_machine *m, const hd_access *x) {
    return x->address >= m->module->data_start && x->address + x->size <= m->module->data_end;
}

static bool is_in_word(const hd_access *x) {
    return x->address / WORD == (x->address + x->size - 1) / WORD;
}

/* The role of an action; false if it has none. */
static bool find_role(const hd_machine *m, const hd_action *a, hd_recall_role *role) {
    const hd_access *x = &a->access[0];
    if (a->n_accesses != 1)
        return false;
    if (hd_kind_is(a->kind, HD_KIND_MEMORY)) {
        *role = HD_ROLE_ACCESS;
        return is_global(m, x) && is_in_word(x) && !(a->flags & HD_ACTION_WAITS);
    }
    *role = hd_kind_is(a->kind, HD_KIND_JOINS)   ? HD_ROLE_JOINS
            : hd_kind_is(a->kind, HD_KIND_ENDS)  ? HD_ROLE_EXITS
            : hd_kind_is(a->kind, HD_KIND_BEARS) ? HD_ROLE_BEARS
            : a->flags & HD_ACTION_ACQUIRES      ? HD_ROLE_TAKES
                                                 : HD_ROLE_GIVES;
    if (*role != HD_ROLE_TAKES && *role != HD_ROLE_GIVES)
        return !(a->flags & HD_ACTION_SETTLES) && (a->thread == 0 || *role == HD_ROLE_JOINS);
    bool is_lock =
        hd_kind_is(a->kind, HD_KIND_OBJECT) && a->flags & (HD_ACTION_ACQUIRES | HD_ACTION_RELEASES);
    return is_lock && is_global(m, x) && !(a->flags & HD_ACTION_SETTLES);
}

/* A stop of the running thread, which stands before its action. */
static bool describe_stop(hd_machine *m, hd_stop *s) {
    hd_recall *r = m->recall;
    const hd_action *a = &m->threads.action[m->threads.current];
    const hd_access *x = &a->access[0];
    hd_recall_role role;
    if (a->n_accesses != 1 || m->thread[m->threads.current].n_spins || !find_role(m, a, &role))
        return false;
    hd_action_copy(&s->action, a);
    s->role = (uint8_t)role;
    s->steps = m->execution.fuel - m->registers->fuel;
    if (role == HD_ROLE_ACCESS || role == HD_ROLE_TAKES || role == HD_ROLE_GIVES)
        s->location = place_of(r, x->address, x->size, role != HD_ROLE_ACCESS);
    s->shift = (uint8_t)(x->address % WORD * 8);
    s->mask = x->size >= WORD ? UINT64_MAX : (UINT64_C(1) << 8 * x->size) - 1;
    return s->location != UINT32_MAX;
}

static uint32_t add_stop(hd_recall *r, const hd_stop *s) {
    HD_ASSERT(r->stops.n && r->stops.n <= MOST_STOPS);
    hd_vec_push(&r->stops, *s);
    return (uint32_t)r->stops.n - 1;
}

static uint64_t name_way(uint32_t from, uint64_t met) {
    return hd_hash_add(from, met) & INT64_MAX;
}

static const hd_recall_way *find_by_name(const hd_recall *r, uint32_t from, uint64_t met) {
    const uint64_t *known = hd_map_find(&r->way_of, name_way(from, met));
    const hd_recall_way *way = known ? &r->ways.at[*known] : NULL;
    return way && way->from == from && way->met == met ? way : NULL;
}

const hd_recall_way *hd_recall_find_way(const hd_recall *r, uint32_t from, uint64_t met) {
    const hd_stop *s = &r->stops.at[from];
    if (s->n_ways > FEW_WAYS)
        return find_by_name(r, from, met);
    for (uint32_t i = s->ways; i; i = r->ways.at[i - 1].next)
        if (r->ways.at[i - 1].met == met)
            return &r->ways.at[i - 1];
    return NULL;
}

static bool has_room(const hd_recall *r) {
    return r->stops.n < MOST_STOPS && r->ways.n < MOST_WAYS;
}

static void name_ways(hd_recall *r, uint32_t from) {
    for (uint32_t i = r->stops.at[from].ways; i; i = r->ways.at[i - 1].next)
        hd_map_put(&r->way_of, name_way(from, r->ways.at[i - 1].met), i - 1);
}

/* ---- the trail ---- */

void hd_recall_push(hd_recall *r, const hd_action *a, uint64_t left) {
    const hd_stop *s = hd_recall_stop(r, a->thread);
    hd_vec_push(&r->trail,
                ((hd_trail_entry){.value = r->places.n ? r->places.at[s->location].value : 0,
                                  .hash = r->hash,
                                  .thread = a->thread,
                                  .stop = r->stop_of[a->thread],
                                  .location = s->location,
                                  .role = s->role}));
    hd_vec_push(&r->lines, hd_script_line(a));
    r->hash = hd_event_hash(r->hash, a);
    if (s->role == HD_ROLE_ACCESS) {
        uint64_t rest = r->places.at[s->location].value & ~(s->mask << s->shift);
        if (left != hd_recall_value(r, s))
            set_place(r, s->location, rest | left << s->shift);
    } else if (s->role == HD_ROLE_TAKES)
        set_place(r, s->location, 1 + a->thread);
    else if (s->role == HD_ROLE_GIVES)
        set_place(r, s->location, 0);
    else if (s->role == HD_ROLE_JOINS) {
        r->joined |= hd_recall_bit(a->detail);
        r->n_unjoined--;
    }
}

static void take_back(hd_recall *r) {
    const hd_trail_entry *t = &r->trail.at[--r->trail.n];
    r->lines.n = r->trail.n;
    r->hash = t->hash;
    r->stop_of[t->thread] = t->stop;
    const hd_action *a = &r->stops.at[t->stop].action;
    if (t->role <= HD_ROLE_GIVES && r->places.at[t->location].value != t->value)
        set_place(r, t->location, t->value);
    else if (t->role == HD_ROLE_JOINS) {
        r->joined &= ~hd_recall_bit(a->detail);
        r->n_unjoined++;
    } else if (t->role == HD_ROLE_BEARS) {
        r->stop_of[a->detail] = HD_NOWHERE;
        r->n_unjoined--;
        r->n_threads = a->detail;
    }
}

void hd_recall_cut(hd_recall *r, uint32_t n) {
    while (r->trail.n > n)
        take_back(r);
    HD_INVARIANT(K6, n || (r->n_threads == 1 && r->n_unjoined == 1 && !r->joined));
}

bool hd_recall_is_on_trail(const hd_recall *r, const hd_script *script) {
    return script->n <= r->trail.n &&
           memcmp(script->at, r->lines.at, script->n * sizeof *script->at) == 0;
}

uint64_t hd_recall_name_ending(const hd_recall *r, bool has_words) {
    HD_ASSERT(r->trail.n);
    uint64_t h = hd_hash_add(r->trail.at[r->trail.n - 1].stop, has_words);
    return (has_words ? hd_hash_add(h, r->sum) : h) & INT64_MAX;
}

/* ---- following ---- */

/* Where the traveller comes to is not known: its event is no part of the trail. */
static void leave_way(hd_recall *r) {
    if (r->is_under_way && r->trail.n)
        hd_recall_cut(r, (uint32_t)r->trail.n - 1);
    r->is_under_way = false;
}

/* From now on the execution is not followed. */
static void lose(hd_machine *m) {
    leave_way(m->recall);
    m->registers->is_threaded &= ~(uint64_t)HD_IS_WATCHED;
    m->call.is_followed = false;
}

static uint32_t common(const hd_recall *r, const hd_script *script) {
    uint32_t n = 0;
    while (n < script->n && n < r->trail.n && script->at[n] == r->lines.at[n])
        n++;
    return n;
}

void hd_recall_begin(hd_machine *m) {
    const hd_sink *sink = m->call.sink;
    m->call.is_followed = false;
    if (!sink->again || !sink->script || m->call.n_watches || m->isolation.forks)
        return;
    hd_recall *r = m->recall ? m->recall : make(m);
    if (r->is_off || r->n_resting)
        return;
    r->starts_anew = false;
    hd_recall_cut(r, common(r, sink->script));
    if (r->trail.n < m->execution.n_events) /* a checkpoint is behind what is known */
        return;
    m->call.is_followed = true;
    m->call.n_entries = m->call.n_looks = 0;
    r->is_under_way = r->trail.n == 0;
    r->traveller = 0;
    r->from = HD_NOWHERE;
    r->met = 0;
    r->n_entries = 0;
    hd_follow_script(m);
}

/* Has nothing happened that is told of an execution, besides events? */
static bool is_plain(const hd_machine *m) {
    return !m->system.is_concurrent && !m->failing.has_kept && !m->failing.has_stopped &&
           !m->failing.failures.n && !m->failing.noted.n && !m->failing.failed_checks.n &&
           !m->input.used.n && !m->execution.n_decisions && !m->execution.reached.n &&
           !m->execution.has_approximated && !m->threads.content && !m->calls.n_pending;
}

static void enter_stop(hd_recall *r, uint32_t thread, uint32_t stop) {
    HD_ASSERT(thread < HD_RECALL_THREADS && stop < r->stops.n && stop);
    r->stop_of[thread] = stop;
}

/* The value that the traveller's access has left. */
static uint64_t left_by(const hd_stop *from) {
    const hd_access *x = &from->action.access[0];
    return from->role == HD_ROLE_ACCESS ? hd_value_at(x->address, x->size) : 0;
}

static uint32_t add_way(hd_recall *r, const hd_stop *to, uint64_t left, bool is_clean) {
    uint32_t stop = add_stop(r, to);
    hd_stop *from = &r->stops.at[r->from];
    hd_vec_push(&r->ways, ((hd_recall_way){.met = r->met,
                                           .left = left,
                                           .from = r->from,
                                           .to = stop,
                                           .next = from->ways,
                                           .is_clean = is_clean}));
    from->ways = (uint32_t)r->ways.n;
    if (++from->n_ways == FEW_WAYS + 1)
        name_ways(r, r->from);
    else if (from->n_ways > FEW_WAYS)
        hd_map_put(&r->way_of, name_way(r->from, r->met), r->ways.n - 1);
    return stop;
}

/* Where the traveller has come to; HD_NOWHERE if there is no room for it. */
static uint32_t find_stop(hd_machine *m, const hd_stop *to) {
    hd_recall *r = m->recall;
    const hd_stop *from = &r->stops.at[r->from];
    bool is_clean = m->call.n_entries == r->n_entries;
    HD_INVARIANT(K3, m->call.n_entries >= r->n_entries);
    const hd_recall_way *way = hd_recall_find_way(r, r->from, r->met);
    if (way) {
        const hd_stop *known = &r->stops.at[way->to];
        HD_INVARIANT(E1, known->role == to->role && known->location == to->location &&
                             known->steps == to->steps && known->action.site == to->action.site &&
                             left_by(from) == way->left);
        return way->to;
    }
    return has_room(r) ? add_way(r, to, left_by(from), is_clean) : HD_NOWHERE;
}

/* The first stop of a thread that the traveller has just created. */
static uint32_t find_first_stop(hd_recall *r, uint32_t thread, const hd_stop *to) {
    uint64_t key = (uint64_t)r->from << 32 | thread;
    const uint64_t *known = hd_map_find(&r->born, key);
    if (known)
        return (uint32_t)*known;
    if (r->stops.n >= MOST_STOPS)
        return HD_NOWHERE;
    hd_map_put(&r->born, key, r->stops.n);
    return add_stop(r, to);
}

/* The value that the last event of the trail, an access, has left. */
static void settle_last(hd_recall *r) {
    const hd_stop *from = &r->stops.at[r->from];
    if (from->role != HD_ROLE_ACCESS)
        return;
    uint64_t left = left_by(from), rest = ~(from->mask << from->shift);
    uint64_t value = (r->places.at[from->location].value & rest) | left << from->shift;
    if (value != r->places.at[from->location].value)
        set_place(r, from->location, value);
}

/* Main was alone at last, or had asked for the end. */
static bool is_last(const hd_recall *r) {
    uint8_t role = r->stops.at[r->from].role;
    return role == HD_ROLE_EXITS || (role == HD_ROLE_JOINS && hd_recall_is_alone(r));
}

static void come_to(hd_machine *m, const hd_stop *to) {
    hd_recall *r = m->recall;
    uint32_t me = m->threads.current;
    bool is_new = m->thread[me].is_starting;
    uint32_t stop = HD_NOWHERE;
    if (is_new)
        stop = find_first_stop(r, me, to);
    else if (me == r->traveller && !is_last(r)) {
        settle_last(r);
        stop = find_stop(m, to);
    }
    if (stop == HD_NOWHERE) {
        lose(m);
        return;
    }
    enter_stop(r, me, stop);
    r->is_under_way = is_new;
}

/* On the host's stack, as all that may leave more behind than is looked for (memory/region.c). */
static uint32_t arrive(void *machine, hd_threads *threads) {
    hd_machine *m = machine;
    hd_stop to = {0};
    if (!is_plain(m) || threads->n > HD_RECALL_THREADS || !describe_stop(m, &to))
        lose(m);
    else
        come_to(m, &to);
    return 0;
}

void hd_recall_arrive(hd_machine *m) {
    if (m->recall->is_under_way)
        hd_fiber_call(m->call.host_stack, arrive, m, &m->threads);
}

static uint32_t end_thread(void *machine, hd_threads *threads) {
    hd_machine *m = machine;
    hd_stop to = {.role = HD_ROLE_ENDED, .steps = m->execution.fuel - m->registers->fuel};
    if (!is_plain(m) || threads->n > HD_RECALL_THREADS)
        lose(m);
    else
        come_to(m, &to);
    return 0;
}

void hd_recall_end_thread(hd_machine *m) {
    if (m->recall->is_under_way)
        hd_fiber_call(m->call.host_stack, end_thread, m, &m->threads);
}

/* The thread that is created has the next number, so that taking back is simple. */
static bool note_birth(hd_recall *r, const hd_action *a) {
    if (a->detail != r->n_threads || a->detail >= HD_RECALL_THREADS)
        return false;
    r->n_threads++;
    r->n_unjoined++;
    return true;
}

static uint32_t note_event(void *machine, hd_threads *threads) {
    hd_machine *m = machine;
    hd_recall *r = m->recall;
    const hd_action *a = &threads->action[threads->current];
    HD_ASSERT(m->execution.n_events == r->trail.n);
    const hd_stop *s = a->thread < HD_RECALL_THREADS ? hd_recall_stop(r, a->thread) : NULL;
    if (!s || r->is_under_way || r->stop_of[a->thread] == HD_NOWHERE ||
        (s->role == HD_ROLE_BEARS && !note_birth(r, a))) {
        lose(m);
        return 0;
    }
    const hd_access *x = &a->access[0];
    r->met = s->role == HD_ROLE_ACCESS ? hd_value_at(x->address, x->size) : 0;
    HD_INVARIANT(K4, s->role != HD_ROLE_ACCESS || r->met == hd_recall_value(r, s));
    r->from = r->stop_of[a->thread];
    r->traveller = a->thread;
    hd_recall_push(r, a, r->met);
    r->is_under_way = true;
    r->n_entries = m->call.n_entries;
    return 0;
}

void hd_recall_event(hd_machine *m) {
    if (m->execution.n_events >= m->recall->trail.n)
        hd_fiber_call(m->call.host_stack, note_event, m, &m->threads);
}

void hd_recall_watch(hd_machine *m) {
    if (m->recall->is_under_way)
        m->registers->is_threaded |= HD_IS_WATCHED;
}

uint64_t hd_recall_length(const hd_machine *m) {
    return m->recall->trail.n;
}

static bool can_end_so(const hd_machine *m) {
    const hd_recall *r = m->recall;
    const hd_outcome *o = m->call.outcome;
    return r->trail.n && r->traveller == 0 && is_plain(m) && is_last(r) && o->end == HD_END_EXIT &&
           !o->status && o->finding.kind == HD_FINDING_NONE && m->call.n_entries == r->n_entries &&
           m->execution.n_events == r->trail.n && r->endings.n < MOST_WAYS;
}

static void note_ending(hd_machine *m) {
    hd_recall *r = m->recall;
    uint64_t steps = m->execution.fuel - m->thread[0].fuel;
    bool looks = m->call.n_looks != 0;
    HD_INVARIANT(K5, !looks || r->stops.at[r->from].role == HD_ROLE_JOINS);
    HD_ASSERT(m->threads.current == 0 && steps <= m->execution.fuel);
    hd_map_put(&r->endings, hd_recall_name_ending(r, false), looks ? HD_ENDING_LOOKS : steps);
    if (looks)
        hd_map_put(&r->endings, hd_recall_name_ending(r, true), steps);
}

void hd_recall_end(hd_machine *m) {
    hd_recall *r = m->recall;
    bool is_followed = m->call.is_followed;
    m->call.is_followed = false;
    if (!is_followed || !r->is_under_way)
        return;
    HD_CHECK_INVARIANT(K6, r->trail.n != m->execution.n_events || r->hash == m->execution.hash);
    if (can_end_so(m))
        note_ending(m);
    leave_way(r);
}

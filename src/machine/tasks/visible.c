/* Visible operations: a thread stops before each, and the sink says whose is next.
 *
 * This is the hottest part of a run with threads: an access fills the thread's action in place,
 * asks the sink with one call, and goes on.  The sink runs on the host's stack, so that what it
 * leaves behind is never seen by the program. */

#include "base/panic.h"
#include "machine/core/kinds.h"
#include "machine/tasks/process.h"
#include "machine/tasks/recall.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <stdio.h>

/* ---- whose turn it is ---- */

/* Without a sink that cares: go on as long as possible. */
static uint32_t choose_simply(hd_threads *t) {
    hd_thread_set enabled = hd_threads_enabled(t);
    if (hd_set_is_empty(enabled))
        return HD_SCHEDULE_STUCK;
    uint32_t next = hd_set_has(enabled, t->current) ? t->current : hd_set_first(enabled);
    hd_threads_settle(t, next);
    return next;
}

static _Noreturn void end_stopped(hd_machine *m) {
    hd_failures_forget(m);
    m->call.outcome->end = HD_END_STOPPED;
    hd_threads_leave(m);
}

/* Like an assumption that does not hold: what other threads found stays. */
static _Noreturn void end_in_vain(hd_machine *m) {
    m->call.outcome->end = HD_END_REJECTED;
    hd_threads_leave(m);
}

/* As many events fit into memory. */
#define MAX_EVENTS UINT64_C(500000)

/* The thread that the script names, if everything is as it says; else HD_MAX_THREADS. */
static inline uint32_t follow_script(hd_machine *m, hd_script *script) {
    hd_threads *t = &m->threads;
    uint64_t line = script->at[m->execution.n_events];
    uint32_t next = hd_script_thread(line);
    HD_CHECK(next < HD_MAX_THREADS);
    const hd_action *a = &t->action[next];
    if (!hd_set_has(t->alive, next))
        return HD_MAX_THREADS;
    if (a->flags & HD_ACTION_WAITS && !hd_thread_is_enabled(m, next))
        return HD_MAX_THREADS;
    /* Values are looked at by waiting loops only: the sink knows them. */
    if (a->flags & HD_ACTION_SETTLES || m->system.is_concurrent || m->thread[next].n_spins)
        hd_threads_settle(t, next);
    if (hd_script_line(a) != line)
        return HD_MAX_THREADS;
    script->n_done = (uint32_t)m->execution.n_events + 1;
    return next;
}

/* The others may not come to an end either. */
static void check_number_of_events(hd_machine *m) {
    if (__builtin_expect(m->execution.n_events < MAX_EVENTS, 1) || hd_time_orders(m))
        return; /* events that time orders are not kept */
    m->threads.alive = HD_SET_EMPTY;
    hd_end_at_limit(m, m->threads.action[m->threads.current].site,
                    "more than %lu visible operations", (unsigned long)m->execution.n_events);
}

/* With several processes, on the host's stack: to look at what another process stands before, its
 * memory may have to come in place of the running one's, stack included.  Couriers go at once. */
static uint32_t schedule_processes(void *machine, hd_threads *threads) {
    hd_machine *m = machine;
    const hd_sink *sink = m->call.sink;
    for (;;) {
        uint32_t next = HD_MAX_THREADS;
        check_number_of_events(m);
        if (m->may.signal)
            hd_signals_note_deaf(m, hd_time_orders(m));
        if (sink->script && m->execution.n_events < sink->script->n)
            next = follow_script(m, sink->script);
        if (next == HD_MAX_THREADS)
            next = hd_time_orders(m) ? hd_time_choose(m)
                   : sink->schedule  ? sink->schedule(sink->context, threads)
                                     : choose_simply(threads);
        HD_INVARIANT(E5, next >= HD_MAX_THREADS || hd_set_has(threads->alive, next));
        if (next == HD_SCHEDULE_STUCK && hd_clock_is_over(m)) {
            hd_machine_end_time(m);
            next = HD_SCHEDULE_OVER;
        }
        if (next < HD_MAX_THREADS && m->thread[next].is_courier)
            next = hd_courier_go(m, next);
        if (next == HD_NOBODY)
            continue;
        hd_space_enter(m, hd_process_current(m));
        return next;
    }
}

static uint32_t ask_processes(hd_machine *m) {
    if (__builtin_expect(m->system.rows != NULL, 0))
        hd_send_rows_end(m);
    m->thread[m->threads.current].saved = (char *)__builtin_frame_address(0) - HD_FRAME_ROOM;
    return hd_fiber_call(m->call.host_stack, schedule_processes, m, &m->threads);
}

static inline uint32_t ask(hd_machine *m) {
    const hd_sink *sink = m->call.sink;
    if (__builtin_expect(m->call.is_answered, 0)) {
        m->call.is_answered = false;
        return m->call.answer;
    }
    return m->system.is_concurrent ? ask_processes(m)
           : sink->schedule
               ? hd_fiber_call(m->call.host_stack, sink->schedule, sink->context, &m->threads)
               : choose_simply(&m->threads);
}

static __attribute__((noinline)) uint32_t ask_keeping_flags(hd_machine *m) {
    unsigned flags = __builtin_ia32_stmxcsr();
    uint32_t next = ask(m);
    HD_CHECK(m->system.is_concurrent || m->threads.content || __builtin_ia32_stmxcsr() == flags);
    hd_keep_flags(flags);
    return next;
}

/* Where there are no inputs a sink computes nothing in floating point, so that the program's flags
 * stay as they are; to look at them takes longer than to choose.  Nor need they stay for a program
 * that never looks. */
static inline bool may_change_flags(const hd_machine *m) {
    return m->may.read_flags &&
           (m->system.is_concurrent || m->threads.content || HD_HOSTILE(false, true));
}

static __attribute__((noinline)) uint32_t ask_sink(hd_machine *m) {
    if (m->execution.n_events == m->call.checkpoint_at) {
        hd_checkpoint_take(m);
        return hd_schedule(m);
    }
    check_number_of_events(m);
    uint32_t next = __builtin_expect(may_change_flags(m), 0) ? ask_keeping_flags(m) : ask(m);
    if (__builtin_expect(next < HD_MAX_THREADS, 1))
        return next;
    if (next == HD_SCHEDULE_STOP)
        end_stopped(m);
    if (next == HD_SCHEDULE_VAIN)
        end_in_vain(m);
    if (next == HD_SCHEDULE_OVER)
        hd_threads_leave(m);
    if (m->failing.has_stopped)
        hd_threads_leave(m);
    if (m->system.is_concurrent)
        hd_end_quiet(m);
    hd_end_stuck(m);
}

static inline uint32_t schedule(hd_machine *m) {
    if (m->execution.n_events < m->call.n_followed && !m->system.is_concurrent) {
        uint32_t scripted = follow_script(m, m->call.sink->script);
        if (__builtin_expect(scripted < HD_MAX_THREADS, 1))
            return scripted;
    }
    return ask_sink(m);
}

uint32_t hd_schedule(hd_machine *m) {
    return schedule(m);
}

/* ---- events ---- */

static void fill_watch(hd_machine *m, hd_watch *w, const hd_action *a) {
    hd_text locks = {0};
    hd_finding kept = m->call.outcome->finding;
    hd_end end = m->call.outcome->end;
    hd_finding_fill(m, HD_FINDING_NONE, a->site);
    w->at = m->call.outcome->finding;
    m->call.outcome->finding = kept;
    m->call.outcome->end = end;
    hd_stack_walk(m, &w->at, __builtin_frame_address(0));
    hd_sync_describe_held(m, m->threads.current, &locks);
    snprintf(w->locks, sizeof w->locks, "%s", locks.n ? hd_text_string(&locks) : "");
    hd_text_release(&locks);
    w->in_section =
        hd_kind_is(a->kind, HD_KIND_SECTION) || m->thread[m->threads.current].section_depth;
}

/* A finding is as large as all that stacks are looked through for (HOST_FRAMES of memory/region.c):
 * not in the frame of those who stand. */
static __attribute__((noinline)) void look_at_watches(hd_machine *m, const hd_action *a) {
    for (uint32_t i = 0; i < m->call.n_watches; i++)
        if (m->call.watches[i].event == m->execution.n_events)
            fill_watch(m, &m->call.watches[i], a);
}

static inline void add_to_hash(hd_machine *m, const hd_action *a) {
    m->execution.hash = hd_event_hash(m->execution.hash, a);
}

void hd_note_event(hd_machine *m, uint32_t thread, const hd_action *a) {
    add_to_hash(m, a);
    m->execution.n_events++;
    m->thread[thread].n_events++;
}

/* The running thread's turn: `a` is what it does now. */
static inline void execute(hd_machine *m, hd_thread *t, const hd_action *a) {
    if (m->call.is_followed)
        hd_recall_event(m);
    add_to_hash(m, a);
    if (__builtin_expect(m->call.n_watches != 0, 0))
        look_at_watches(m, a);
    if (__builtin_expect(!hd_set_is_empty(m->lessons.changing), 0))
        hd_spin_note_looks(m, a);
    m->execution.n_events++;
    t->n_events++;
    if (__builtin_expect(t->n_spins != 0, 0))
        hd_kinds[a->kind].round(t, a);
}

/* A program with one thread: nothing to choose, and nobody who sees it. */
static void do_alone(hd_machine *m, const hd_action *a) {
    if (hd_set_is_empty(hd_threads_enabled(&m->threads)))
        hd_end_stuck(m);
    hd_threads_settle(&m->threads, a->thread);
}

/* The running thread stands before `a`, its slot in m->threads. */
static inline void stand_before(hd_machine *m, hd_thread *t, const hd_action *a) {
    if (__builtin_expect(hd_is_unseen(m), 0) && !m->system.is_concurrent) {
        do_alone(m, a);
        return;
    }
    if (__builtin_expect(t->is_writing, 0))
        hd_spin_settle(t);
    if (m->call.is_followed)
        hd_recall_arrive(m);
    if (__builtin_expect(t->is_starting, 0)) {
        t->is_starting = false;
        hd_thread_switch(m, t->creator);
    } else {
        uint32_t next = schedule(m);
        if (next != m->threads.current)
            hd_thread_switch(m, next);
    }
    execute(m, t, a);
}

/* Inside a big atomic section nothing is a data race; outside, everything is ordered with it. */
static void place_in_section(hd_machine *m, hd_action *a) {
    if (m->thread[m->threads.current].section_depth) {
        if (a->flags & HD_ACTION_WAITS)
            hd_bound(m, a->site, "not every order of what waits in an atomic section");
        a->flags |= HD_ACTION_INSIDE;
        for (unsigned i = 0; i < a->n_accesses; i++)
            a->access[i].is_atomic = true;
    } else if (m->facts.has_big_sections && a->n_accesses < HD_MAX_ACCESSES &&
               !hd_kind_is(a->kind, HD_KIND_BEARS | HD_KIND_JOINS | HD_KIND_ENDS))
        hd_action_also(a, HD_TOKEN_ATOMIC, 1, HD_MODE_READ, true);
}

/* Others start when this process waits. */
static void tell_waiting(hd_machine *m, const hd_action *a) {
    bool waits = a->flags & HD_ACTION_WAITS && !hd_kind_is(a->kind, HD_KIND_STARTS);
    if (__builtin_expect(!hd_set_is_empty(m->system.wanted_up), 0) && waits &&
        hd_set_has(m->system.wanted_up, hd_process_current(m)))
        hd_node_is_up(m);
}

void hd_await(hd_machine *m, const hd_action *a) {
    if (m->atomic.is_inside)
        hd_section_visible(m, a); /* is big then */
    tell_waiting(m, a);
    uint32_t me = m->threads.current;
    hd_thread *t = &m->thread[me];
    hd_action *slot = &m->threads.action[me];
    *slot = *a;
    slot->thread = me;
    m->system.is_concurrent = true;
    if (t->is_starting) {
        t->is_starting = false;
        hd_thread_switch(m, t->creator);
        return;
    }
    uint32_t next = hd_schedule(m);
    if (next != me)
        hd_thread_switch(m, next);
}

/* The children that the parent waits for are not the child's: it looks once, and asks anew. */
static bool leave_children(hd_action *a, hd_access *x, uint32_t parent, uint32_t child) {
    if (x->address < HD_TOKEN_ENDED(parent, 0) || x->address >= HD_TOKEN_ENDED(parent + 1, 0))
        return false;
    x->address += HD_TOKEN_ENDED(child, 0) - HD_TOKEN_ENDED(parent, 0);
    a->flags &= (uint8_t)~HD_ACTION_WAITS;
    return true;
}

/* What the process that forked in a handler stood before, as its child comes to it. */
static void move_to_child(hd_machine *m, hd_action *a, uint32_t parent) {
    uint32_t child = m->threads.process[m->threads.current];
    a->thread = m->threads.current;
    for (unsigned i = 0; i < a->n_accesses; i++) {
        hd_access *x = &a->access[i];
        uint64_t plain = x->address & HD_SPACE_MASK;
        if (leave_children(a, x, parent, child) || plain < HD_TOKEN_LIMIT || hd_is_shared(plain))
            continue;
        if ((x->address & ~HD_SPACE_MASK) == HD_SPACE(parent))
            x->address = plain | HD_SPACE(child);
    }
}

/* Handlers may use the thread's slot, and fork: what it stands before is kept elsewhere. */
static void take_signals(hd_machine *m, hd_action *kept) {
    uint32_t parent = m->threads.process[m->threads.current];
    hd_signals_before(m, kept);
    if (m->threads.process[m->threads.current] != parent)
        move_to_child(m, kept, parent);
}

/* What the process exported and has changed since is shown first: an event of its own. */
static const hd_action *show_before(hd_machine *m, const hd_action *a) {
    hd_action kept;
    hd_action_copy(&kept, a);
    hd_globals_show(m);
    return hd_visible(m, &kept);
}

const hd_action *hd_visible(hd_machine *m, const hd_action *a) {
    if (__builtin_expect(m->atomic.is_inside, 0))
        return hd_section_visible(m, a);
    if (__builtin_expect(m->may.watch | m->may.judge, 0) && hd_globals_have_changed(m))
        return show_before(m, a);
    tell_waiting(m, a);
    if (__builtin_expect(m->calls.n_pending != 0,
                         0)) /* another thread would say it for its own call */
        hd_approximate_pending(m, a->site ? a->site : hd_caller_site(m, __builtin_frame_address(0)),
                               NULL);
    hd_action kept;
    if (__builtin_expect(m->may.signal, 0)) {
        hd_action_copy(&kept, a);
        take_signals(m, &kept);
        a = &kept;
    }
    uint32_t me = m->threads.current;
    hd_action *slot = &m->threads.action[me];
    if (a != slot) {
        uint32_t born = slot->after[0];
        hd_action_copy(slot, a);
        slot->thread = me;
        slot->after[0] = born;
    }
    if (m->may.have_sections && !hd_kind_is(a->kind, HD_KIND_SECTION))
        place_in_section(m, slot);
    HD_CHECK(slot->kind < HD_N_ACTIONS && slot->n_accesses <= HD_MAX_ACCESSES);
    if (m->may.kill && slot->n_accesses < HD_MAX_ACCESSES)
        hd_action_also(slot, HD_TOKEN_ALIVE(m->threads.process[me]), 1, HD_MODE_READ, true);
    if (__builtin_expect(m->may.signal, 0))
        hd_signals_mark(m, slot);
    stand_before(m, &m->thread[me], slot);
    return slot;
}

/* Memory, not a token or a queue: in the process of the thread. */
static uint64_t tagged(const hd_machine *m, uint32_t thread, uint64_t address) {
    bool is_memory = address >= HD_TOKEN_LIMIT && address < HD_SPACE(1) && !hd_is_shared(address);
    return is_memory ? address | HD_SPACE(m->threads.process[thread]) : address;
}

/* All but `after`; what is behind its first access is not in use. */
static inline void begin_action(hd_machine *m, hd_action *a, hd_action_kind kind, unsigned flags,
                                const hd_access *access, uint32_t site) {
    a->kind = (uint8_t)kind;
    a->unused = 0;
    a->thread = m->threads.current;
    a->n_accesses = 1;
    a->flags = (uint8_t)flags;
    a->site = site;
    a->detail = a->nth = a->state = 0;
    a->value = a->expected = 0;
    a->access[0] = *access;
    a->access[0].address = tagged(m, m->threads.current, access->address);
}

hd_action hd_action_on(hd_machine *m, hd_action_kind kind, unsigned flags, const void *object,
                       uint32_t size, hd_access_mode mode) {
    hd_action a;
    hd_access access = {(uint64_t)object, size, (uint8_t)mode, true, 0};
    begin_action(m, &a, kind, flags, &access, hd_caller_site(m, __builtin_frame_address(0)));
    a.after[0] = a.after[1] = 0;
    return a;
}

hd_action *hd_action_here(hd_machine *m, hd_action_kind kind, unsigned flags, const void *object,
                          uint32_t size, hd_access_mode mode) {
    hd_action *a = &m->threads.action[m->threads.current];
    hd_access access = {(uint64_t)object, size, (uint8_t)mode, true, 0};
    begin_action(m, a, kind, flags, &access, hd_caller_site(m, __builtin_frame_address(0)));
    a->after[1] = 0; /* the first one stays: when the thread was born */
    return a;
}

void hd_action_also(hd_action *a, uint64_t address, uint32_t size, hd_access_mode mode,
                    bool is_atomic) {
    HD_ASSERT(a->n_accesses < HD_MAX_ACCESSES);
    a->access[a->n_accesses++] =
        (hd_access){tagged(hd_now, a->thread, address), size, (uint8_t)mode, is_atomic, 0};
}

/* ---- what instrumented code calls ---- */

/* Begin the running thread's next action: one access.  Others may be added. */
#define SEQUENTIALLY_CONSISTENT 5 /* of stdatomic.h's memory_order */

/* An order that is weaker than it is run: what more it allows nobody sees. */
static void note_weak_order(hd_machine *m, uint32_t site) {
    for (size_t i = 0; i < m->told.weak_orders.n; i++)
        if (m->told.weak_orders.at[i] == site)
            return;
    hd_vec_push(&m->told.weak_orders, site);
}

static inline hd_action *begin_access(hd_machine *m, hd_action_kind kind, uint64_t address,
                                      uint32_t size, uint32_t how, uint32_t site) {
    uint32_t me = m->threads.current;
    hd_action *a = &m->threads.action[me];
    bool writes = kind != HD_DO_READ;
    a->kind = (uint8_t)kind;
    a->thread = me;
    a->n_accesses = 1;
    a->flags = 0;
    a->site = site;
    a->detail = how >> 8;
    a->nth = a->state = 0;
    uint64_t tag = hd_is_shared(address) ? 0 : m->system.space_tag;
    a->access[0] = (hd_access){address | tag, size, writes ? HD_MODE_WRITE : HD_MODE_READ,
                               (how & HD_SHARED_ATOMIC) != 0, 0};
    if (__builtin_expect(m->may.have_sections, 0))
        place_in_section(m, a);
    if (how & HD_SHARED_ATOMIC && how >> 8 != SEQUENTIALLY_CONSISTENT)
        note_weak_order(m, site);
    return a;
}

/* Is there memory at all?  If not, the access itself says what is wrong. */
static inline bool is_backed(const hd_machine *m, uint64_t at) {
    if (at < HD_STACK_BASE)
        return at >= HD_IMAGE_BASE && at < m->module->data_end;
    if (at < HD_WORLD_BASE)
        return hd_stack_of(m, at) < HD_MAX_THREADS;
    if (at < HD_HEAP_BASE)
        return at < m->surroundings.top;
    if (at < HD_HEAP_BASE + HD_HEAP_LIMIT)
        return at < hd_heap_of(m, at)->area.mapped;
    if (hd_is_shared(at))
        return at < m->region.shared_area.mapped;
    return at >= HD_INPUT_BASE && (at < m->region.inputs_small.mapped ||
                                   (at >= HD_INPUT_BIG && at < m->region.inputs_big.mapped));
}

/* By another thread, another process, or a handler of a signal. */
static inline bool is_seen(hd_machine *m, uint64_t at, uint32_t size, bool writes, uint32_t site) {
    return hd_is_threaded(m) || hd_is_shared(at) ||
           (m->registers->is_threaded & HD_HAS_HANDLERS &&
            hd_signals_see(m, at, size, writes, site));
}

/* The frame pointer of the code that called the hook with this frame. */
#define CALLERS_FRAME (*(void *const *)__builtin_frame_address(0))

/* The script says that the running thread does this next, so that nobody will look at its action:
 * most events of a search are repeated, and most of these go on with the same thread. */
static inline bool is_repeated(hd_machine *m, hd_thread *t, hd_action_kind kind, uint64_t at,
                               uint32_t site) {
    uint32_t me = m->threads.current;
    if (m->execution.n_events >= m->call.n_repeated || m->system.is_concurrent || t->is_starting ||
        t->n_spins || !hd_set_is_empty(m->lessons.changing))
        return false;
    hd_script *script = m->call.sink->script;
    uint64_t line = script->at[m->execution.n_events];
    if (hd_script_thread(line) != me || line != hd_script_line_of(kind, me, 0, site, at))
        return false;
    m->execution.hash = hd_event_hash_of(m->execution.hash, kind, me, site, at - HD_REGION);
    script->n_done = (uint32_t)++m->execution.n_events;
    t->n_events++;
    return true;
}

void __hd_slow_shared(const void *p, uint32_t size, uint32_t how, uint32_t site) {
    hd_machine *m = hd_enter_uncounted();
    hd_thread *t = &m->thread[m->threads.current];
    uint64_t at = (uint64_t)p;
    HD_CHECK_INVARIANT(M2, m->registers->is_threaded || !m->system.is_concurrent ||
                               !hd_is_shared(at)); /* shared.h */
    hd_action_kind kind = how & HD_SHARED_UPDATE  ? HD_DO_UPDATE
                          : how & HD_SHARED_WRITE ? HD_DO_WRITE
                                                  : HD_DO_READ;
    if (__builtin_expect(m->atomic.is_inside, 0)) {
        if (is_backed(m, at))
            hd_section_note(m, at, size, kind == HD_DO_READ ? HD_MODE_READ : HD_MODE_WRITE,
                            how & HD_SHARED_ATOMIC, site);
        return;
    }
    if (is_repeated(m, t, kind, at, site))
        return;
    if (!is_backed(m, at) || !is_seen(m, at, size, kind != HD_DO_READ, site)) {
        hd_note_look(m);
        return;
    }
    hd_action *a = begin_access(m, kind, at, size, how, site);
    if (__builtin_expect(m->may.signal | m->may.kill, 0) && m->system.is_concurrent) {
        hd_visible(m, a);
        return;
    }
    if (__builtin_expect(t->n_spins != 0, 0))
        hd_spin_begin(t, a, CALLERS_FRAME);
    stand_before(m, t, a);
}

void __hd_slow_shared_compare(const void *p, uint32_t size, uint64_t expected, uint32_t how,
                              uint32_t site) {
    hd_machine *m = hd_enter_uncounted();
    hd_thread *t = &m->thread[m->threads.current];
    uint64_t at = (uint64_t)p;
    if (!is_backed(m, at) || !is_seen(m, at, size, true, site)) {
        hd_note_look(m);
        return;
    }
    if (__builtin_expect(m->atomic.is_inside, 0)) {
        hd_section_note(m, at, size, HD_MODE_WRITE, true, site);
        return;
    }
    hd_action *a = begin_access(m, HD_DO_COMPARE, at, size, how | HD_SHARED_ATOMIC, site);
    a->flags |= HD_ACTION_SETTLES;
    a->expected = expected;
    if (__builtin_expect(m->may.signal | m->may.kill, 0) && m->system.is_concurrent) {
        hd_visible(m, a);
        return;
    }
    if (__builtin_expect(t->n_spins != 0, 0))
        hd_spin_begin(t, a, CALLERS_FRAME);
    stand_before(m, t, a);
}

void __hd_slow_fix(const void *p, hd_shadow address, uint64_t n, hd_shadow n_shadow,
                   uint32_t is_store, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t at = (uint64_t)p;
    /* How long it may be depends on where it begins. */
    if (address)
        hd_address_fix(m, at, address, n_shadow ? 1 : n, is_store, site);
    if (n_shadow)
        hd_settle_length(m, n_shadow, n, at, 0, site);
    if (address)
        m->running.pinned = address;
}

/* ---- afterwards ---- */

void hd_machine_watch(hd_machine *m, hd_watch *watches, uint32_t n) {
    m->call.watches = watches;
    m->call.n_watches = n;
}

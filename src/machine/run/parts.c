/* The table of parts (core/parts.h). */
#include "machine/core/parts.h"
#include "machine/core/layout.h"

extern const hd_part hd_part_execution, hd_part_directories, hd_part_orphans, hd_part_actors,
    hd_part_globals, hd_part_streams, hd_part_channels, hd_part_sync, hd_part_processes, hd_part_names,
    hd_part_sections, hd_part_facts, hd_part_threads, hd_part_failures, hd_part_inputs,
    hd_part_told, hd_part_places, hd_part_memory;

/* The last room first (P2). */
static const hd_part *const parts[] = {
    &hd_part_execution, &hd_part_directories, &hd_part_orphans, &hd_part_actors,
    &hd_part_globals,
    &hd_part_streams,   &hd_part_channels,    &hd_part_sync,    &hd_part_processes,
    &hd_part_names,     &hd_part_sections,    &hd_part_facts,   &hd_part_threads,
    &hd_part_failures,  &hd_part_inputs,      &hd_part_told,    &hd_part_places,
    &hd_part_memory,
};
#define N_PARTS (sizeof parts / sizeof *parts)

/* Most rows have nothing in most columns, and threads end all the time: those that have something
 * are found once. */
typedef struct column {
    bool is_known;
    const hd_part *has[N_PARTS + 1]; /* then NULL */
} column;

static bool has_column(const hd_part *part, size_t offset) {
    void (*function)(void);
    memcpy(&function, (const char *)part + offset, sizeof function);
    return function != NULL;
}

static __attribute__((noinline)) void find(column *c, size_t offset, bool is_backward) {
    HD_ASSERT(!c->is_known && offset < sizeof(hd_part));
    size_t n = 0;
    for (size_t i = 0; i < N_PARTS; i++) {
        const hd_part *part = parts[is_backward ? N_PARTS - 1 - i : i];
        if (has_column(part, offset))
            c->has[n++] = part;
    }
    HD_ASSERT(n <= N_PARTS && !c->has[n]);
    c->is_known = true;
}

#define TELL_THOSE(is_backward, name, ...)                                                         \
    do {                                                                                           \
        static column those;                                                                       \
        if (__builtin_expect(!those.is_known, 0))                                                  \
            find(&those, offsetof(hd_part, name), is_backward);                                    \
        for (const hd_part *const *part = those.has; *part; part++)                                \
            (*part)->name(__VA_ARGS__);                                                            \
    } while (0)
#define TELL(name, ...) TELL_THOSE(false, name, __VA_ARGS__)
/* What is used comes back before what uses it. */
#define TELL_BACK(name, ...) TELL_THOSE(true, name, __VA_ARGS__)

/* ---- members of hd_machine ---- */

#define LAYOUT(type, name) HD_LAYOUT(hd_machine, type, name),
static const hd_layout layouts[] = {HD_PARTS_OF_EXECUTION(LAYOUT)};
#define N_LAYOUTS         (sizeof layouts / sizeof *layouts)
#define CHECK(type, name) HD_LAYOUT_IS_GOOD(type);
HD_PARTS_OF_EXECUTION(CHECK)

const hd_layout *hd_parts_layouts(size_t *n) {
    *n = N_LAYOUTS;
    return layouts;
}

static inline size_t *n_of_list(const char *list) {
    return (size_t *)(list + offsetof(hd_any_list, n));
}

/* All sizes are constants where this is called from: an execution is as short as a few thousand
 * instructions. */
static inline __attribute__((always_inline)) void clear(char *part, size_t lists, size_t maps,
                                                        size_t end) {
    for (size_t i = lists; i < maps; i += sizeof(hd_any_list))
        *n_of_list(part + i) = 0;
    for (size_t i = maps; i < end; i += sizeof(hd_map))
        if (((hd_map *)(part + i))->n)
            hd_map_clear((hd_map *)(part + i));
}

#define CLEAR(type, name)                                                                          \
    clear((char *)&m->name, offsetof(type, lists), offsetof(type, maps), sizeof(type));
#define BEGIN(type, name)                                                                          \
    memset(&m->name, 0, offsetof(type, loose));                                                    \
    CLEAR(type, name)

void hd_parts_clear(hd_machine *m) {
    HD_PARTS_OF_EXECUTION(CLEAR)
}

static void release_members(hd_machine *m) {
    for (size_t k = 0; k < N_LAYOUTS; k++) {
        char *part = (char *)m + layouts[k].at;
        for (size_t i = layouts[k].lists; i < layouts[k].maps; i += sizeof(hd_any_list))
            hd_vec_release((hd_any_list *)(part + i));
        for (size_t i = layouts[k].maps; i < layouts[k].end; i += sizeof(hd_map))
            hd_map_release((hd_map *)(part + i));
    }
}

static void visit_members(hd_machine *m, hd_visitor *v) {
    for (size_t k = 0; k < N_LAYOUTS; k++) {
        const hd_layout *l = &layouts[k];
        char *part = (char *)m + l->at;
        hd_visit_part(v, l->name);
        hd_visit_bytes(v, part, l->loose);
        hd_visit_loose(v, part + l->loose, l->lists - l->loose);
        for (size_t i = l->lists; i < l->maps; i += sizeof(hd_any_list))
            hd_visit_any_list(v, part + i, 1);
        for (size_t i = l->maps; i < l->end; i += sizeof(hd_map))
            hd_visit_map(v, (hd_map *)(part + i));
    }
}

static bool are_members_simple(const hd_machine *m) {
    for (size_t k = 0; k < N_LAYOUTS; k++) {
        char *part = (char *)m + layouts[k].at;
        for (size_t i = layouts[k].lists; i < layouts[k].kept_lists; i += sizeof(hd_any_list))
            if (*n_of_list(part + i))
                return false;
        for (size_t i = layouts[k].maps; i < layouts[k].end; i += sizeof(hd_map))
            if (((hd_map *)(part + i))->n)
                return false;
    }
    return true;
}

static bool is_zero(const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

/* As L1 says, all of them. */
static bool are_members_new(const hd_machine *m) {
    for (size_t k = 0; k < N_LAYOUTS; k++) {
        const char *part = (const char *)m + layouts[k].at;
        if (!is_zero(part, layouts[k].loose))
            return false;
        for (size_t i = layouts[k].kept_lists; i < layouts[k].maps; i += sizeof(hd_any_list))
            if (*n_of_list(part + i))
                return false;
    }
    return are_members_simple(m);
}

/* ---- all parts ---- */

void hd_parts_begin(hd_machine *m) {
    HD_PARTS_OF_EXECUTION(BEGIN)
    HD_CHECK_INVARIANT(L1, are_members_new(m));
    TELL(life.begin, m);
}

void hd_parts_reset(hd_machine *m, const struct hd_kept_memory *kept) {
    TELL(life.reset, m, kept);
}

void hd_parts_release(hd_machine *m) {
    TELL(life.release, m);
    release_members(m);
}

void hd_parts_visit(hd_machine *m, hd_visitor *v) {
    visit_members(m, v);
    for (size_t i = 0; i < N_PARTS; i++) {
        hd_visit_part(v, parts[i]->name);
        if (parts[i]->life.visit)
            parts[i]->life.visit(m, v);
    }
}

bool hd_parts_are_simple(const hd_machine *m) {
    for (size_t i = 0; i < N_PARTS; i++)
        if (parts[i]->checkpoint.is_simple && !parts[i]->checkpoint.is_simple(m))
            return false;
    return are_members_simple(m);
}

#define KEEP(type, name)    memcpy(k->members->name, &m->name, sizeof k->members->name);
#define RESTORE(type, name) memcpy(&m->name, k->members->name, sizeof k->members->name);

void hd_parts_keep(hd_machine *m, hd_keeper *k) {
    HD_ASSERT(k->members && k->checkpoint);
    HD_CHECK_INVARIANT(L2, hd_parts_are_simple(m));
    HD_PARTS_OF_EXECUTION(KEEP)
    TELL_BACK(checkpoint.keep, m, k);
}

void hd_parts_restore(hd_machine *m, hd_keeper *k) {
    HD_ASSERT(k->members);
    HD_PARTS_OF_EXECUTION(RESTORE)
    TELL_BACK(checkpoint.restore, m, k);
}

void hd_parts_leave(hd_machine *m, hd_box *b) {
    TELL(isolated.leave, m, b);
}

void hd_parts_take(hd_machine *m, hd_box *b) {
    TELL(isolated.take, m, b);
}

void hd_parts_become_threaded(hd_machine *m) {
    TELL(tasks.become_threaded, m);
}

void hd_parts_end_thread(hd_machine *m, uint32_t thread) {
    HD_ASSERT(thread < m->threads.n);
    TELL(tasks.end_thread, m, thread);
}

void hd_parts_fork(hd_machine *m, uint32_t parent, uint32_t child) {
    HD_ASSERT(parent != child);
    TELL(tasks.fork, m, parent, child);
}

void hd_parts_end_process(hd_machine *m, uint32_t process, bool is_killed) {
    HD_ASSERT(process < HD_MAX_THREADS);
    TELL(tasks.end_process, m, process, is_killed);
}

void hd_parts_interrupt(hd_machine *m, uint32_t thread) {
    HD_ASSERT(thread < m->threads.n);
    TELL(tasks.interrupt, m, thread);
}

void hd_parts_resume(hd_machine *m, uint32_t thread) {
    HD_ASSERT(thread < m->threads.n);
    TELL(tasks.resume, m, thread);
}

/* Thread-local objects (compile/compiler/perthread.c).  Those of the first few threads are globals
 * that lie side by side; those of others are blocks of the heap of their thread that are no part of
 * the program's own, made when their address is asked for the first time.  Both end with their
 * thread. */
#include "machine/tasks/process.h"
#include "machine/tasks/threads.h"

static uint64_t key_of(uint64_t place, uint32_t thread) {
    return place * HD_MAX_THREADS + thread;
}

/* In the image is the copy of main; what it was at the start is kept. */
static void *copy_of(hd_machine *m, uint64_t first) {
    hd_object o;
    bool is_known = hd_global_near(m, first, &o); /* main may have ended */
    HD_ASSERT(is_known && o.base == first);
    void *made =
        hd_heap_hide(m->running.heap, m->region.pristine + (first - m->module->data_start), o.size);
    if (!made)
        hd_end_at_limit(m, 0, "no memory is left for objects of threads");
    return made;
}

char *__hd_slow_thread_object(char *first) {
    hd_machine *m = hd_enter();
    uint64_t place = (uint64_t)first - m->module->data_start;
    HD_ASSERT((uint64_t)first >= m->module->data_start && (uint64_t)first < m->module->data_end);
    uint64_t key = key_of(place, m->threads.current);
    const uint64_t *known = hd_map_find(&m->execution.far_objects, key);
    if (known)
        return (char *)*known;
    char *made = copy_of(m, (uint64_t)first);
    hd_map_put(&m->execution.far_objects, key, (uint64_t)made);
    return made;
}

/* ---- their ends ---- */

/* One entry of the map of far objects that is of `thread`: where it is; 0 if it is another's. */
static uint64_t far_object(const hd_map *all, size_t i, uint32_t thread, uint64_t *place) {
    if (all->keys[i] == HD_MAP_EMPTY || all->keys[i] % HD_MAX_THREADS != thread)
        return 0;
    *place = all->keys[i] / HD_MAX_THREADS;
    return all->values[i];
}

void hd_thread_objects_fork(hd_machine *m, uint32_t parent, uint32_t child) {
    hd_map *all = &m->execution.far_objects;
    hd_vec(hd_range) found = {0}; /* the map must not grow while it is looked through */
    uint64_t at, place;
    for (size_t i = 0; i < all->capacity; i++)
        if ((at = far_object(all, i, parent, &place)))
            hd_vec_push(&found, ((hd_range){at, place}));
    for (size_t i = 0; i < found.n; i++)
        hd_map_put(all, key_of(found.at[i].n, child), found.at[i].address);
    hd_vec_release(&found);
}

/* The thread's copy of an object; 0 if it never asked for it. */
static uint64_t copy_at(const hd_machine *m, const hd_global *first, uint32_t thread) {
    uint32_t copy = m->thread[thread].copies;
    if (copy < HD_FEW_COPIES)
        return first->address + copy * first->padded;
    uint64_t key = key_of(first->address - m->module->data_start, thread);
    const uint64_t *known = hd_map_find(&m->execution.far_objects, key);
    return known ? *known : 0;
}

static void poison_object(hd_machine *m, uint64_t at, const hd_global *g) {
    hd_memory_note_symbolic(m, at, g->size);
    hd_poison(at, g->size, HD_POISON_THREAD);
}

/* Is another thread of its process there? */
static bool has_others(const hd_machine *m, uint32_t thread) {
    hd_thread_set own = hd_process_at(m, m->threads.process[thread])->threads;
    return hd_set_meets(hd_set_without(m->threads.alive, thread), own);
}

/* Whoever comes after the event finds nothing more there, also before the thread has told of its end.
 * Only where the last thread may still run handlers do its objects have to wait for who is the last. */
void hd_thread_objects_leave(hd_machine *m, uint32_t thread) {
    if (!m->region.copied.n) /* most programs have none, and threads end all the time */
        return;
    bool is_for_good = !m->may.end_last && has_others(m, thread);
    for (size_t i = 0; m->registers->is_threaded && i < m->region.copied.n; i++) {
        const hd_global *g = m->region.copied.at[i];
        uint64_t at = copy_at(m, g, thread);
        if (!at)
            continue;
        __hd_slow_shared((const void *)at, (uint32_t)g->size, HD_SHARED_WRITE, 0);
        if (is_for_good)
            poison_object(m, at, g);
    }
}

void hd_thread_objects_end(hd_machine *m, uint32_t thread) {
    for (size_t i = 0; i < m->region.copied.n; i++) {
        const hd_global *g = m->region.copied.at[i];
        uint64_t at = copy_at(m, g, thread);
        if (at)
            poison_object(m, at, g);
    }
}

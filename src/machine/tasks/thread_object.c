/* Thread-local objects of threads behind the first few (compile/compiler/perthread.c): blocks of
 * the heap of their thread that are no part of the program's own, made when their address is asked
 * for the first time. */
#include "machine/tasks/threads.h"

/* In the image is the copy of main; what it was at the start is kept. */
static void *copy_of(hd_machine *m, uint64_t first) {
    hd_object o;
    bool is_known = hd_object_at(m, first, &o);
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
    uint64_t key = place * HD_MAX_THREADS + m->threads.current;
    const uint64_t *known = hd_map_find(&m->execution.far_objects, key);
    if (known)
        return (char *)*known;
    char *made = copy_of(m, (uint64_t)first);
    hd_map_put(&m->execution.far_objects, key, (uint64_t)made);
    return made;
}

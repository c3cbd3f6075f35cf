/* The table of parts (core/parts.h). */
#include "machine/core/parts.h"

extern const hd_part hd_part_directories, hd_part_orphans, hd_part_actors, hd_part_streams,
    hd_part_channels, hd_part_sync;

/* The last room first (P2). */
static const hd_part *const parts[] = {&hd_part_directories, &hd_part_orphans,  &hd_part_actors,
                                       &hd_part_streams,     &hd_part_channels, &hd_part_sync};

#define TELL(column, ...)                                                                          \
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)                                      \
        if (parts[i]->column)                                                                      \
    parts[i]->column(__VA_ARGS__)

void hd_parts_begin(hd_machine *m) {
    TELL(begin, m);
}

void hd_parts_release(hd_machine *m) {
    TELL(release, m);
}

void hd_parts_become_threaded(hd_machine *m) {
    TELL(become_threaded, m);
}

void hd_parts_end_thread(hd_machine *m, uint32_t thread) {
    TELL(end_thread, m, thread);
}

void hd_parts_fork(hd_machine *m, uint32_t parent, uint32_t child) {
    TELL(fork, m, parent, child);
}

void hd_parts_end_process(hd_machine *m, uint32_t process, bool is_killed) {
    TELL(end_process, m, process, is_killed);
}

void hd_parts_interrupt(hd_machine *m, uint32_t thread) {
    TELL(interrupt, m, thread);
}

void hd_parts_resume(hd_machine *m, uint32_t thread) {
    TELL(resume, m, thread);
}

/* Descriptor tables: numbers to files, per process. */
#include "world/net.h"

#include "base/panic.h"

#include <fcntl.h>
#include <string.h>

#define FIRST_ROOM 16
#define HD_UMASK   022 /* whatever the user has */

void hd_net_clear(hd_net *n) {
    n->shared = NULL;
    n->listings = NULL;
    n->entries = NULL;
    n->askers = NULL;
    hd_arena_clear(&n->arena);
    hd_disk_clear(&n->disk, &n->arena);
    hd_vec_clear(&n->tables);
    hd_vec_clear(&n->bindings);
    hd_map_clear(&n->n_put);
    hd_vec_clear(&n->message_queues);
    hd_map_clear(&n->cables);
    n->n_lost = 0;
    HD_INVARIANT(N3, n->tables.n == 0 && n->bindings.n == 0);
    HD_INVARIANT(D3, !n->disk.trees && !n->disk.top && !n->disk.all); /* disk.h */
}

void hd_net_release(hd_net *n) {
    hd_disk_release(&n->disk);
    hd_arena_release(&n->arena);
    hd_hosts_release(&n->hosts);
    hd_vec_release(&n->tables);
    hd_vec_release(&n->bindings);
    hd_map_release(&n->n_put);
    hd_vec_release(&n->message_queues);
    hd_map_release(&n->cables);
}

hd_file *hd_file_new(hd_net *n, hd_file_kind kind, int flags) {
    hd_file *f = hd_arena_alloc(&n->arena, sizeof *f);
    f->kind = (uint8_t)kind;
    f->flags = flags;
    return f;
}

static hd_descriptor_table *table_at(hd_net *n, uint32_t process) {
    while (n->tables.n <= process)
        hd_vec_push(&n->tables, ((hd_descriptor_table){0}));
    return &n->tables.at[process];
}

static void grow(hd_net *n, hd_descriptor_table *t, uint32_t wanted) {
    uint32_t room = t->n ? t->n : FIRST_ROOM;
    while (room < wanted)
        room *= 2;
    if (room == t->n)
        return;
    hd_descriptor *at = hd_arena_alloc(&n->arena, room * sizeof *at);
    if (t->n)
        memcpy(at, t->at, t->n * sizeof *at);
    t->at = at;
    t->n = room;
}

hd_descriptor_table *hd_net_table(hd_net *n, uint32_t process) {
    hd_descriptor_table *t = table_at(n, process);
    if (t->is_used)
        return t;
    t->is_used = true;
    t->host = hd_hosts_of(&n->hosts, process);
    t->mask = HD_UMASK;
    n->disk.arena = &n->arena;
    grow(n, t, FIRST_ROOM);
    for (int i = 0; i < 3; i++) {
        hd_file *f = hd_file_new(n, HD_FILE_STANDARD, O_RDWR);
        f->host = i;
        hd_descriptor_set(n, process, i, f, false);
        t = table_at(n, process);
    }
    return t;
}

hd_queue *hd_file_source(const hd_file *f) {
    /* N2: of a pipe, the end that is read. */
    if (f->kind == HD_FILE_SOCKET)
        return f->socket->in;
    HD_CHECK_INVARIANT(N2, f->kind != HD_FILE_PIPE || (f->flags & O_ACCMODE) != O_RDWR);
    return f->kind == HD_FILE_PIPE && (f->flags & O_ACCMODE) == O_RDONLY ? f->queue : NULL;
}

static void add_reader(const hd_file *f, uint32_t process) {
    hd_queue *q = hd_file_source(f);
    if (!q)
        return;
    q->readers = hd_set_with(q->readers, process);
    q->first_reader = q->first_reader ? q->first_reader : 1 + process;
    q->is_shared |= hd_set_count(q->readers) > 1;
}

static void remove_reader(const hd_file *f, uint32_t process) {
    hd_queue *q = hd_file_source(f);
    if (q)
        q->readers = hd_set_without(q->readers, process);
}

uint32_t hd_descriptor_count(hd_net *n, uint32_t process, const hd_file *file) {
    const hd_descriptor_table *t = hd_net_table(n, process);
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->n; i++)
        count += t->at[i].file == file;
    return count;
}

void hd_net_fork(hd_net *n, uint32_t parent, uint32_t child) {
    hd_descriptor_table from = *hd_net_table(n, parent);
    hd_descriptor_table *to = table_at(n, child);
    *to = from;
    to->at = hd_arena_alloc(&n->arena, from.n * sizeof *to->at);
    memcpy(to->at, from.at, from.n * sizeof *to->at);
    for (uint32_t i = 0; i < from.n; i++) {
        to->at[i].is_reserved = false; /* that was by another thread, which the child has not */
        if (from.at[i].file) {
            from.at[i].file->n_references++;
            from.at[i].file->is_shared = true;
            add_reader(from.at[i].file, child);
        }
    }
}

hd_file *hd_descriptor_file(hd_net *n, uint32_t process, int descriptor) {
    const hd_descriptor_table *t = hd_net_table(n, process);
    return descriptor >= 0 && (uint32_t)descriptor < t->n ? t->at[descriptor].file : NULL;
}

void hd_descriptor_set(hd_net *n, uint32_t process, int descriptor, hd_file *file,
                       bool closes_on_exec) {
    hd_descriptor_table *t = hd_net_table(n, process);
    grow(n, t, (uint32_t)descriptor + 1);
    HD_ASSERT(!t->at[descriptor].file);
    t->at[descriptor] = (hd_descriptor){.file = file, .closes_on_exec = closes_on_exec};
    file->n_references++;
    add_reader(file, process);
}

/* The first number from `lowest` on that means nothing. */
static int first_free(const hd_descriptor_table *t, int lowest) {
    int i = lowest;
    while ((uint32_t)i < t->n && (t->at[i].file || t->at[i].is_reserved))
        i++;
    return i;
}

bool hd_descriptors_are_full(hd_net *n, uint32_t process) {
    return first_free(hd_net_table(n, process), 0) >= HD_MAX_DESCRIPTORS;
}

int hd_descriptor_reserve(hd_net *n, uint32_t process, int lowest) {
    hd_descriptor_table *t = hd_net_table(n, process);
    int i = first_free(t, lowest);
    if (i >= HD_MAX_DESCRIPTORS)
        return -1;
    grow(n, t, (uint32_t)i + 1);
    t->at[i].is_reserved = true;
    return i;
}

int hd_descriptor_add(hd_net *n, uint32_t process, int lowest, hd_file *file, bool closes_on_exec) {
    int d = hd_descriptor_reserve(n, process, lowest);
    if (d >= 0)
        hd_descriptor_set(n, process, d, file, closes_on_exec);
    return d;
}

hd_file *hd_descriptor_take(hd_net *n, uint32_t process, int descriptor) {
    hd_descriptor_table *t = hd_net_table(n, process);
    hd_file *f = t->at[descriptor].file;
    HD_INVARIANT(N1, f && f->n_references);
    t->at[descriptor] = (hd_descriptor){0};
    return f;
}

void hd_descriptor_release(hd_net *n, uint32_t process, hd_file *file) {
    HD_INVARIANT(N1, file->n_references);
    file->n_references--;
    if (hd_descriptor_count(n, process, file) == 0)
        remove_reader(file, process);
}

hd_file *hd_descriptor_remove(hd_net *n, uint32_t process, int descriptor) {
    hd_file *f = hd_descriptor_take(n, process, descriptor);
    hd_descriptor_release(n, process, f);
    return f;
}

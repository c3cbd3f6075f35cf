/* What the program sees of the world outside: arguments, its name, environment, errno, and the
 * tables behind isalpha() and friends.  All are copies inside the region, because instrumented code
 * can touch nothing else; the writable ones come first and are copied back at reset. */
#include "machine/core/state.h"
#include "machine/tasks/process.h"

#include "base/reserve.h"

#include <ctype.h>
#include <unistd.h>

#define GAP 32 /* poisoned bytes between two pieces */

extern char **environ;

void *hd_world_alloc(hd_machine *m, uint64_t n, const char *name, bool is_constant) {
    uint64_t at = m->surroundings.top;
    m->surroundings.top = (at + n + GAP + 15) & ~UINT64_C(15);
    HD_ASSERT(m->surroundings.top < HD_WORLD_BASE + HD_WORLD_LIMIT);
    hd_unpoison(at, n);
    hd_poison(at + n, m->surroundings.top - at - n, HD_POISON_GLOBAL);
    hd_vec_push(&m->surroundings.objects, ((hd_object){.kind = HD_OBJECT_GLOBAL,
                                                       .base = at,
                                                       .size = n,
                                                       .name = name,
                                                       .is_constant = is_constant}));
    return (void *)at;
}

static char *copy_string(hd_machine *m, const char *s, const char *name) {
    size_t n = strlen(s) + 1;
    return memcpy(hd_world_alloc(m, n, name, false), s, n);
}

static uint64_t copy_strings(hd_machine *m, char **strings, size_t n, const char *name) {
    uint64_t *array = hd_world_alloc(m, (n + 1) * sizeof *array, name, false);
    for (size_t i = 0; i < n; i++)
        array[i] = (uint64_t)copy_string(m, strings[i], name);
    array[n] = 0;
    return (uint64_t)array;
}

/* Tables are indexed from -128 to 255; the program gets a pointer to a pointer to number 0. */
static uint64_t copy_table(hd_machine *m, const void *zero, size_t element, const char *name) {
    uint8_t *table = hd_world_alloc(m, 384 * element, name, true);
    memcpy(table, (const uint8_t *)zero - 128 * element, 384 * element);
    uint64_t *location = hd_world_alloc(m, sizeof *location, name, true);
    *location = (uint64_t)(table + 128 * element);
    return (uint64_t)location;
}

static size_t count_strings(char **strings) {
    size_t n = 0;
    while (strings && strings[n])
        n++;
    return n;
}

static void copy_nodes(hd_machine *m) {
    uint32_t n = m->options.n_nodes;
    m->surroundings.node_argv = calloc(n + 1, sizeof *m->surroundings.node_argv);
    m->surroundings.node_environ = calloc(n + 1, sizeof *m->surroundings.node_environ);
    if (!m->surroundings.node_argv || !m->surroundings.node_environ)
        hd_out_of_memory();
    for (uint32_t i = 0; i < n; i++) {
        const hd_network_node *x = &m->options.nodes[i];
        m->surroundings.node_argv[i] =
            copy_strings(m, x->argv, (size_t)x->argc, "program arguments");
        m->surroundings.node_environ[i] =
            copy_strings(m, x->environment, count_strings(x->environment), "environ");
    }
}

static size_t bytes_of_nodes(const hd_machine *m) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < m->options.n_nodes; i++) {
        const hd_network_node *x = &m->options.nodes[i];
        for (int k = 0; k < x->argc; k++)
            bytes += strlen(x->argv[k]) + 64;
        for (size_t k = 0; k < count_strings(x->environment); k++)
            bytes += strlen(x->environment[k]) + 64;
    }
    return bytes;
}

/* Objects of the C library that are about the program itself; a scenario's programs have one each.
 */
static const struct {
    const char *name;
    hd_own_kind kind;
} own_names[] = {{"environ", HD_OWN_ENVIRONMENT},
                 {"__environ", HD_OWN_ENVIRONMENT},
                 {"program_invocation_name", HD_OWN_NAME},
                 {"__progname_full", HD_OWN_NAME},
                 {"program_invocation_short_name", HD_OWN_SHORT_NAME},
                 {"__progname", HD_OWN_SHORT_NAME}};

hd_own_kind hd_own_kind_of(const char *name) {
    for (size_t n = 0; n < sizeof own_names / sizeof *own_names; n++)
        if (strcmp(name, own_names[n].name) == 0)
            return own_names[n].kind;
    return HD_OWN_NOTHING;
}

static void find_own(hd_machine *m) {
    const uint32_t most = sizeof m->surroundings.own / sizeof *m->surroundings.own;
    for (uint64_t n = 0; n < m->image->n_imports; n++) {
        const hd_import *i = &m->image->imports[n];
        hd_own_kind kind = i->is_data ? hd_own_kind_of(i->name) : HD_OWN_NOTHING;
        if (kind != HD_OWN_NOTHING && m->surroundings.n_own < most)
            m->surroundings.own[m->surroundings.n_own++] = (hd_own_object){i->address, kind};
    }
}

static uint64_t short_name(uint64_t name) {
    const char *slash = name ? strrchr((const char *)name, '/') : NULL;
    return slash ? (uint64_t)slash + 1 : name;
}

static uint64_t own_value(const hd_machine *m, uint32_t node, hd_own_kind kind) {
    const uint64_t *argv =
        (const uint64_t *)(node ? m->surroundings.node_argv[node - 1] : m->surroundings.argv);
    HD_ASSERT(kind != HD_OWN_NOTHING && node <= m->options.n_nodes);
    if (kind == HD_OWN_ENVIRONMENT)
        return node ? m->surroundings.node_environ[node - 1] : m->surroundings.environment;
    return kind == HD_OWN_NAME ? argv[0] : short_name(argv[0]);
}

void hd_own_set(hd_machine *m) {
    uint32_t node = hd_process_at(m, hd_process_current(m))->node;
    for (uint32_t i = 0; i < m->surroundings.n_own; i++) {
        const hd_own_object *o = &m->surroundings.own[i];
        *(uint64_t *)o->address = own_value(m, node, o->kind);
    }
}

/* Copies of errno that no thread has used need not be copied back, and cost nothing. */
uint64_t hd_errno_of(hd_machine *m, uint32_t index) {
    HD_ASSERT(index == 0 || (m->may.create && index < HD_MAX_THREADS));
    uint64_t at = m->surroundings.thread_errno + sizeof(int) * index, end = at + sizeof(int);
    uint64_t used = HD_WORLD_BASE + m->surroundings.writable;
    if (end > used) {
        hd_unpoison(used, end - used);
        m->surroundings.writable = end - HD_WORLD_BASE;
    }
    return at;
}

/* Last of what is writable: room for all threads, of which the first few have theirs now. */
static void make_errno(hd_machine *m) {
    uint32_t n = m->may.create ? HD_MAX_THREADS : 1, few = n < HD_FEW_THREADS ? n : HD_FEW_THREADS;
    m->surroundings.thread_errno = (uint64_t)hd_world_alloc(m, 0, "errno", false);
    m->surroundings.objects.at[m->surroundings.objects.n - 1].size = n * sizeof(int);
    m->surroundings.top = m->surroundings.thread_errno + n * sizeof(int);
    hd_world_alloc(m, 0, "errno", true); /* what lies behind it */
    m->running.errno_at = m->surroundings.thread_errno;
    m->surroundings.writable = m->surroundings.thread_errno - HD_WORLD_BASE;
    hd_errno_of(m, few - 1);
}

bool hd_world_init(hd_machine *m, hd_err *err) {
    if (!hd_reserve_at((void *)HD_WORLD_BASE, HD_WORLD_LIMIT))
        return hd_err_set(err, "cannot get memory for the program's arguments");
    m->surroundings.top = HD_WORLD_BASE;
    size_t bytes = bytes_of_nodes(m);
    for (int i = 0; i < m->options.argc; i++)
        bytes += strlen(m->options.argv[i]) + 64;
    if (bytes > HD_WORLD_LIMIT / 2)
        return hd_err_set(err, "the program's arguments are too long (%zu bytes)", bytes);
    m->surroundings.argv =
        copy_strings(m, m->options.argv, (size_t)m->options.argc, "program arguments");
    /* The environment of this machine would make executions differ elsewhere: none. */
    m->surroundings.environment = copy_strings(m, NULL, 0, "environ");
    find_own(m);
    copy_nodes(m);
    make_errno(m);
    uint64_t room = m->surroundings.top - HD_WORLD_BASE;
    HD_ASSERT(m->surroundings.writable <= room);
    m->surroundings.ctype[0] =
        copy_table(m, *__ctype_b_loc(), sizeof **__ctype_b_loc(), "character classes");
    m->surroundings.ctype[1] =
        copy_table(m, *__ctype_tolower_loc(), sizeof **__ctype_tolower_loc(), "lower-case table");
    m->surroundings.ctype[2] =
        copy_table(m, *__ctype_toupper_loc(), sizeof **__ctype_toupper_loc(), "upper-case table");
    m->surroundings.pristine = calloc(room, 1); /* what comes later is zero */
    if (!m->surroundings.pristine)
        hd_out_of_memory();
    memcpy(m->surroundings.pristine, (void *)HD_WORLD_BASE, m->surroundings.writable);
    return true;
}

/* Values of threads' own: pthread_key_create and its family.
 *
 * A key is named by the thread that made it and its number among that thread's keys, so that it
 * does not depend on the schedule (docs/design.md D4). */
#include "machine/sync/libc_sync.h"
#include "machine/tasks/library.h"
#include "machine/tasks/threads.h"

#include <errno.h>
#include <limits.h>

#define KEY(thread, nth) ((uint32_t)((nth) * HD_MAX_THREADS + (thread)))
#define MAX_MADE         (UINT32_MAX / HD_MAX_THREADS) /* by one thread, in all */

/* Which of several threads gets the last keys is no choice of order. */
static bool has_room(hd_machine *m) {
    HD_ASSERT(m->process.n_keys_gone <= m->process.keys.n);
    if (m->process.keys.n - m->process.n_keys_gone < PTHREAD_KEYS_MAX)
        return true;
    if (hd_is_threaded(m))
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "which thread makes the last of all keys is not explored");
    return false;
}

int hd_libc_pthread_key_create(uint32_t *out, void (*destructor)(void *)) {
    hd_machine *m = hd_enter();
    hd_thread *t = &m->thread[m->threads.current];
    hd_settle_arguments(m);
    if (!has_room(m) || t->n_keys == MAX_MADE)
        return EAGAIN;
    uint32_t key = KEY(m->threads.current, t->n_keys++);
    HD_ASSERT(!hd_map_find(&m->process.keys, key)); /* a name of its own */
    hd_map_put(&m->process.keys, key, (uint64_t)destructor);
    hd_library_store(m, out, &key, sizeof key);
    return 0;
}

/* hd_map has no removal: a key that is gone has this destructor. */
#define DELETED UINT64_MAX

static bool is_key(const hd_machine *m, uint32_t key) {
    const uint64_t *destructor = hd_map_find(&m->process.keys, key);
    return destructor && *destructor != DELETED;
}

/* Deleting a key is ordered with its uses by other threads. */
static void tell_use(hd_machine *m, uint32_t key) {
    if (m->may.delete_keys)
        hd_library_state(m, HD_TOKEN_KEY(hd_process_current(m), key), false);
}

int hd_libc_pthread_key_delete(uint32_t key) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_library_state(m, HD_TOKEN_KEY(hd_process_current(m), key), true);
    if (!is_key(m, key))
        return EINVAL;
    hd_map_put(&m->process.keys, key, DELETED);
    m->process.n_keys_gone++;
    return 0;
}

static hd_specific *find_specific(hd_thread *t, uint32_t key) {
    for (size_t i = 0; i < t->specifics.n; i++)
        if (t->specifics.at[i].key == key)
            return &t->specifics.at[i];
    return NULL;
}

int hd_libc_pthread_setspecific(uint32_t key, const void *value) {
    hd_machine *m = hd_enter();
    hd_thread *t = &m->thread[m->threads.current];
    uint64_t passed = hd_take_arguments(m);
    hd_settle_argument(m, passed, 0);
    tell_use(m, key);
    if (!is_key(m, key))
        return EINVAL;
    hd_specific new = {key, hd_argument(m, passed, 1), (uint64_t)value};
    hd_specific *known = find_specific(t, key);
    if (known)
        *known = new;
    else
        hd_vec_push(&t->specifics, new);
    return 0;
}

void *hd_libc_pthread_getspecific(uint32_t key) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    tell_use(m, key);
    const hd_specific *s = find_specific(&m->thread[m->threads.current], key);
    if (!s || !is_key(m, key))
        return NULL;
    if (s->shadow) {
        m->registers->rets[0] = s->shadow;
        m->registers->returned = 1;
    }
    return (void *)s->value;
}

/* What is not null has to be destroyed: which it is may depend on inputs. */
static bool is_set(hd_machine *m, const hd_specific *s) {
    if (s->shadow) {
        hd_expr zero = hd_expr_const(m->graph, hd_expr_width(m->graph, s->shadow), 0);
        hd_record(m, 0, hd_expr_binary(m->graph, HD_OP_EQ, s->shadow, zero), s->value == 0,
                  HD_BRANCH_PROGRAM);
    }
    return s->value != 0;
}

/* The value with the lowest key from `from` on that has, or had, a destructor; NULL if there is
 * none. */
static hd_specific *next_to_destroy(hd_machine *m, hd_thread *t, uint32_t from) {
    hd_specific *best = NULL;
    for (size_t i = 0; i < t->specifics.n; i++) {
        hd_specific *s = &t->specifics.at[i];
        const uint64_t *destructor = hd_map_find(&m->process.keys, s->key);
        HD_ASSERT(destructor); /* only values of keys are kept */
        if (*destructor && s->key >= from && (!best || s->key < best->key) && is_set(m, s))
            best = s;
    }
    return best;
}

/* Values of keys that are gone are not destroyed: another thread may delete them meanwhile. */
static void destroy(hd_machine *m, hd_specific *s) {
    tell_use(m, s->key);
    uint64_t destructor = *hd_map_find(&m->process.keys, s->key), value = s->value;
    HD_CHECK(destructor && value);
    m->registers->args[0] = s->shadow;
    m->registers->passed = s->shadow != HD_NONE;
    s->value = 0;
    s->shadow = HD_NONE;
    if (destructor != DELETED)
        ((void (*)(void *))destructor)((void *)value);
}

/* glibc forgets what has no destructor too when it comes by. */
static void forget(hd_machine *m, hd_thread *t, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < t->specifics.n; i++) {
        hd_specific *s = &t->specifics.at[i];
        if (s->key >= from && s->key < to && !*hd_map_find(&m->process.keys, s->key))
            *s = (hd_specific){.key = s->key};
    }
}

/* From the lowest key to the highest; a destructor may set values again, also its own: what is then
 * behind it is for this round, what is before it for the next one. */
static bool run_round(hd_machine *m, hd_thread *t) {
    uint32_t from = 0;
    for (hd_specific *s; (s = next_to_destroy(m, t, from));) {
        uint32_t key = s->key;
        forget(m, t, from, key);
        destroy(m, s);
        from = key + 1;
    }
    forget(m, t, from, UINT32_MAX);
    return from != 0;
}

void hd_keys_run_destructors(hd_machine *m) {
    hd_thread *t = &m->thread[m->threads.current];
    for (unsigned round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && run_round(m, t); round++)
        ;
    t->specifics.n = 0; /* what is set again for ever is left: there is no second time */
}

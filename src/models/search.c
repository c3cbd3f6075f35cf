/* search.c -- <search.h>: tables that are looked through, hash tables and rings.  Trees are in
 * trees.c.
 *
 * A hash table is a table that is looked through here: what is found in it is the same.
 *
 * Weak: a program's own function of the same name wins. */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

/* ---- tables ---- */

WEAK void *lfind(const void *key, const void *at, size_t *n, size_t size, __compar_fn_t compare) {
    for (size_t i = 0; i < *n; i++)
        if (compare(key, (const char *)at + i * size) == 0)
            return (char *)at + i * size;
    return NULL;
}

WEAK void *lsearch(const void *key, void *at, size_t *n, size_t size, __compar_fn_t compare) {
    void *found = lfind(key, at, n, size, compare);
    return found ? found : memcpy((char *)at + (*n)++ * size, key, size);
}

/* ---- hash tables ---- */

typedef struct hash_entries {
    size_t n, room;
    ENTRY at[];
} hash_entries;

/* Odd and a prime: so many hash_entries has a table that is asked for `n`. */
static size_t room_for(size_t n) {
    size_t room = (n < 3 ? 3 : n) | 1;
    for (size_t i = 3; i * i <= room; i += 2)
        if (room % i == 0)
            room += 2, i = 1;
    return room;
}

WEAK int hcreate_r(size_t n, struct hsearch_data *table) {
    if (!table) {
        errno = EINVAL;
        return 0;
    }
    if (table->table)
        return 0;
    size_t room = n > 0xffffffff ? 0 : room_for(n);
    hash_entries *all = room ? calloc(1, sizeof *all + room * sizeof *all->at) : NULL;
    if (!all) {
        errno = ENOMEM;
        return 0;
    }
    all->room = room;
    table->table = (void *)all;
    return 1;
}

WEAK void hdestroy_r(struct hsearch_data *table) {
    if (!table) {
        errno = EINVAL;
        return;
    }
    free(table->table);
    table->table = NULL;
}

WEAK int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table) {
    hash_entries *all = (void *)table->table;
    *found = NULL;
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->at[i].key, item.key) == 0) {
            *found = &all->at[i];
            return 1;
        }
    if (action == FIND || all->n == all->room) {
        errno = action == FIND ? ESRCH : ENOMEM;
        return 0;
    }
    all->at[all->n] = item;
    *found = &all->at[all->n++];
    return 1;
}

static struct hsearch_data common;

WEAK int hcreate(size_t n) {
    return hcreate_r(n, &common);
}

WEAK void hdestroy(void) {
    hdestroy_r(&common);
}

WEAK ENTRY *hsearch(ENTRY item, ACTION action) {
    ENTRY *found;
    hsearch_r(item, action, &found, &common);
    return found;
}

/* ---- rings ---- */

typedef struct link {
    struct link *next, *previous;
} link;

WEAK void insque(void *element, void *before) {
    link *e = element, *b = before;
    e->next = b ? b->next : NULL;
    e->previous = b;
    if (b) {
        if (b->next)
            b->next->previous = e;
        b->next = e;
    }
}

WEAK void remque(void *element) {
    link *e = element;
    if (e->next)
        e->next->previous = e->previous;
    if (e->previous)
        e->previous->next = e->next;
}

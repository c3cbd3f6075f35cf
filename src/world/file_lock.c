/* Locks of files as a list, by the bytes that they begin with (see file_lock.h). */
#include "world/file_lock.h"

#include "base/panic.h"

static bool is_of(const hd_file_lock *l, hd_file_lock_kind kind, uint64_t owner) {
    return l->kind == kind && l->owner == owner;
}

static bool overlap(const hd_file_lock *a, const hd_file_lock *b) {
    return a->first <= b->last && b->first <= a->last;
}

const hd_file_lock *hd_file_lock_against(const hd_file_lock *list, const hd_file_lock *wanted) {
    for (const hd_file_lock *l = list; l; l = l->next)
        if (l->kind == wanted->kind && l->owner != wanted->owner && overlap(l, wanted) &&
            (l->type == HD_FILE_LOCK_EXCLUSIVE || wanted->type == HD_FILE_LOCK_EXCLUSIVE))
            return l;
    return NULL;
}

static void insert(hd_arena *a, hd_file_lock **list, hd_file_lock lock) {
    while (*list && (*list)->first < lock.first)
        list = &(*list)->next;
    hd_file_lock *fresh = hd_arena_alloc(a, sizeof *fresh);
    *fresh = lock;
    fresh->next = *list;
    *list = fresh;
}

/* Two locks of one owner that touch and are alike (K2)? */
static bool joins(const hd_file_lock *l, const hd_file_lock *wanted) {
    return l->type == wanted->type && (wanted->first == 0 || l->last >= wanted->first - 1) &&
           (wanted->last == INT64_MAX || l->first <= wanted->last + 1);
}

/* What is left of a lock of the same owner on both sides. */
static void keep_rest(hd_arena *a, hd_file_lock **list, hd_file_lock old, const hd_file_lock *new) {
    hd_file_lock before = old, behind = old;
    before.last = new->first - 1;
    behind.first = new->last == INT64_MAX ? INT64_MAX : new->last + 1;
    if (old.first < new->first)
        insert(a, list, before);
    if (old.last > new->last)
        insert(a, list, behind);
}

/* K2, of the owner of `own`. */
static bool are_apart(const hd_file_lock *list, const hd_file_lock *own) {
    for (const hd_file_lock *l = list; l; l = l->next)
        for (const hd_file_lock *k = l->next; is_of(l, own->kind, own->owner) && k; k = k->next)
            if (is_of(k, own->kind, own->owner) && (overlap(l, k) || joins(l, k)))
                return false;
    return true;
}

void hd_file_lock_set(hd_arena *a, hd_file_lock **list, const hd_file_lock *wanted) {
    hd_file_lock whole = *wanted;
    for (hd_file_lock **at = list; *at;) {
        hd_file_lock *l = *at;
        bool is_own = is_of(l, wanted->kind, wanted->owner);
        if (is_own && wanted->type != HD_FILE_LOCK_NONE && joins(l, &whole)) {
            whole.first = l->first < whole.first ? l->first : whole.first;
            whole.last = l->last > whole.last ? l->last : whole.last;
        } else if (!is_own || !overlap(l, wanted)) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        if (l->type != wanted->type) {
            keep_rest(a, list, *l, wanted);
            at = list; /* the list has changed before this place, too */
        }
    }
    if (wanted->type != HD_FILE_LOCK_NONE)
        insert(a, list, whole);
    HD_CHECK_INVARIANT(K1,
                       wanted->type == HD_FILE_LOCK_NONE || !hd_file_lock_against(*list, wanted));
    HD_CHECK_INVARIANT(K2, are_apart(*list, wanted));
}

bool hd_file_lock_has(const hd_file_lock *list, hd_file_lock_kind kind, uint64_t owner) {
    while (list && !is_of(list, kind, owner))
        list = list->next;
    return list != NULL;
}

bool hd_file_lock_drop(hd_file_lock **list, hd_file_lock_kind kind, uint64_t owner) {
    bool had = false;
    while (*list)
        if (is_of(*list, kind, owner)) {
            *list = (*list)->next;
            had = true;
        } else
            list = &(*list)->next;
    return had;
}

/* Synchronised lists (paper 002, Table VI; the JDK's synchronised LinkedList in C): every list has
 * a re-entrant lock around each operation, but an operation on two lists goes through the second
 * with an iterator, without holding its lock.
 *
 * Two lists of one element; thread 1 does FIRST to (a, b), thread 2 does SECOND to (b, a).  Found:
 * the deadlock of contains_all on both sides; races on size and modifications; the abort of an
 * iterator whose list has changed; the iteration over a list that is being cleared, which goes on until its index wraps,
 * because has_next asks for `!=` the size (with -DLESS it asks for `<`).  With -DFIXED an
 * operation on two lists locks both, in the order of their addresses.  With -DINPUTS every
 * thread's operation is an input.
 *
 * run: -DFIRST=contains_all -DSECOND=contains_all --no-races
 * verdict: complete
 * finding: deadlock
 *
 * run: -DFIRST=add -DSECOND=contains_all
 * finding: data-race
 * finding: abort
 *
 * run: -DFIRST=clear -DSECOND=contains_all --no-races --max-steps 20000
 * verdict: incomplete
 * finding: abort
 * reason: --max-steps
 *
 * run: -DFIRST=clear -DSECOND=contains_all --no-races -DLESS
 * verdict: complete
 * finding: abort
 *
 * run: -DFIRST=add -DSECOND=contains_all -DFIXED
 * verdict: complete
 * exit: 0
 *
 * run: -DFIRST=contains_all -DSECOND=contains_all -DFIXED
 * verdict: complete
 * exit: 0
 *
 * run: -DFIRST=clear -DSECOND=contains_all -DFIXED
 * verdict: complete
 * exit: 0
 *
 * run: -DINPUTS -DFIXED
 * verdict: complete
 * exit: 0 */
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#ifndef FIRST
#define FIRST contains_all
#endif
#ifndef SECOND
#define SECOND contains_all
#endif
#ifndef THREADS
#define THREADS 2
#endif

struct node {
    int value;
    struct node *next, *previous;
};

struct list {
    pthread_mutex_t lock;
    struct node header; /* of a ring; its value is 0 */
    unsigned size, modifications;
};

struct iterator {
    const struct list *list;
    const struct node *next;
    unsigned next_index, expected_modifications;
};

static struct list a, b;
static struct node first_of_a, first_of_b, spare[THREADS];

/* ---- The list, without locks ---- */

static void append(struct list *list, struct node *node) {
    list->modifications++;
    node->previous = list->header.previous;
    node->next = &list->header;
    list->header.previous->next = node;
    list->header.previous = node;
    list->size++;
}

static void make(struct list *list, struct node *first) {
    pthread_mutexattr_t reentrant;
    pthread_mutexattr_init(&reentrant);
    pthread_mutexattr_settype(&reentrant, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&list->lock, &reentrant);
    pthread_mutexattr_destroy(&reentrant);
    list->header.next = list->header.previous = &list->header;
    append(list, first);
}

static struct iterator iterate(const struct list *list) {
    return (struct iterator){list, list->header.next, 0, list->modifications};
}

static bool has_next(const struct iterator *i) {
#ifdef LESS
    return i->next_index < i->list->size;
#else
    return i->next_index != i->list->size;
#endif
}

static int next(struct iterator *i) {
    if (i->list->modifications != i->expected_modifications)
        abort();
    int value = i->next->value;
    i->next = i->next->next;
    i->next_index++;
    return value;
}

static bool contains(const struct list *list, int value) {
    for (const struct node *n = list->header.next; n != &list->header; n = n->next)
        if (n->value == value)
            return true;
    return false;
}

/* ---- The same with locks ---- */

static void lock_both(struct list *list, struct list *other) {
#ifdef FIXED
    struct list *low = list < other ? list : other;
    pthread_mutex_lock(&low->lock);
    pthread_mutex_lock(low == list ? &other->lock : &list->lock);
#else
    (void)other;
    pthread_mutex_lock(&list->lock);
#endif
}

static void unlock_both(struct list *list, struct list *other) {
#ifdef FIXED
    pthread_mutex_unlock(&other->lock);
#else
    (void)other;
#endif
    pthread_mutex_unlock(&list->lock);
}

static unsigned size(struct list *list) {
    pthread_mutex_lock(&list->lock);
    unsigned n = list->size;
    pthread_mutex_unlock(&list->lock);
    return n;
}

static void contains_all(struct list *list, struct list *other, struct node *unused) {
    bool all = true;
    (void)unused;
    lock_both(list, other);
    if (size(other) > 0) {
        struct iterator i = iterate(other);
        while (all && has_next(&i))
            all = contains(list, next(&i));
    }
    unlock_both(list, other);
}

static void add(struct list *list, struct list *unused, struct node *node) {
    (void)unused;
    pthread_mutex_lock(&list->lock);
    append(list, node);
    pthread_mutex_unlock(&list->lock);
}

static void clear(struct list *list, struct list *unused, struct node *unused_node) {
    (void)unused, (void)unused_node;
    pthread_mutex_lock(&list->lock);
    list->modifications++;
    list->header.next = list->header.previous = &list->header;
    list->size = 0;
    pthread_mutex_unlock(&list->lock);
}

/* ---- The driver ---- */

typedef void (*operation)(struct list *, struct list *, struct node *);
static const operation operations[] = {contains_all, add, clear};
static operation chosen[THREADS] = {FIRST, SECOND};

static void *work(void *number) {
    intptr_t self = (intptr_t)number;
    struct list *mine = self % 2 ? &b : &a, *other = self % 2 ? &a : &b;
    chosen[self](mine, other, &spare[self]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    make(&a, &first_of_a);
    make(&b, &first_of_b);
#ifdef INPUTS
    for (int i = 0; i < THREADS; i++)
        chosen[i] = operations[heddle_choose(0, 2)];
#endif
    (void)operations;
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

/* Function pointers, lists, volatile, globals that point to each other, constructors, const. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    int (*apply)(int);
};

static int twice(int x) {
    return 2 * x;
}
static int square(int x) {
    return x * x;
}
static int (*const table[])(int) = {twice, square};
extern struct node second;
static struct node third = {3, NULL, square};
struct node first = {1, &second, twice}, second = {2, &third, NULL};
static int ready;
static volatile int device;

__attribute__((constructor(200))) static void later(void) {
    ready = ready * 10 + 2;
}
__attribute__((constructor(101))) static void sooner(void) {
    ready = ready * 10 + 1;
}
__attribute__((weak)) int missing_is_fine(int);
static inline int helper(int x) {
    return x + 1;
}
inline int shared(int x) {
    return helper(x) * 3;
}
static _Thread_local int own = 5;

static struct node *reverse(struct node *l) {
    struct node *r = NULL;
    while (l) {
        struct node *n = l->next;
        l->next = r;
        r = l;
        l = n;
    }
    return r;
}

int main(int argc, char **argv, char **environment) {
    int sum = 0;
    for (struct node *n = &first; n; n = n->next)
        sum = sum * 10 + (n->apply ? n->apply(n->value) : n->value);
    struct node *list = NULL;
    for (int i = 0; i < 6; i++) {
        struct node *n = calloc(1, sizeof *n);
        *n = (struct node){i, list, table[i & 1]};
        list = n;
    }
    list = reverse(list);
    for (struct node *n = list, *next; n; n = next) {
        next = n->next;
        sum += n->apply(n->value);
        free(n);
    }
    device = 3;
    device += device;
    own += device;
    fprintf(stderr, "to stderr\n");
    printf("%d %d %d %d %d %d %d %d\n", sum, ready, device, shared(4), own, argc,
           argv[argc] == NULL, environment != NULL);
    return missing_is_fine ? 1 : 0;
}

/* Compound literals end with the block around them, and not before.
 *
 * run: -DBLOCK
 * verdict: complete
 * finding: use-after-scope
 * says: compound literal whose scope has ended
 *
 * run: -DSTRUCT
 * verdict: complete
 * finding: use-after-scope
 * finding-in: sum
 *
 * run: -DLOOP
 * verdict: complete
 * finding: use-after-scope
 *
 * run: -DTHREAD --no-races
 * verdict: complete
 * finding: use-after-scope
 * label: timely
 *
 * run: -DINPUT
 * verdict: complete
 * finding: use-after-scope
 * label: kept
 *
 * run: -DRIGHT
 * verdict: complete
 * label: right */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct pair {
    int a, b;
};

#if defined BLOCK
int main(void) {
    int *p;
    {
        p = (int[]){1, 2};
        if (*p != 1)
            return 1;
    }
    return *p; // BUG use-after-scope
}
#elif defined STRUCT
static int sum(const struct pair *p) {
    return p->a + p->b; // BUG use-after-scope
}
int main(void) {
    const struct pair *p = NULL;
    if (sum(&(struct pair){1, 2}) == 3) {
        p = &(struct pair){.b = 3};
        if (sum(p) != 3)
            return 1;
    }
    return sum(p);
}
#elif defined LOOP
int main(void) {
    int *last = NULL, n = 0;
    for (int i = 0; i < 3; i++) {
        if (last)
            n += *last; // BUG use-after-scope
        last = &(int){i};
        n += *last;
    }
    return n;
}
#elif defined THREAD
static _Atomic(int *) given;

static void *take(void *unused) {
    (void)unused;
    int *p = atomic_load(&given);
    if (p && *p == 7) // BUG use-after-scope
        heddle_reach("timely");
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, take, NULL);
    {
        atomic_store(&given, ((int[]){7, 8}));
    }
    pthread_join(t, NULL);
    return 0;
}
#elif defined INPUT
int main(void) {
    int keep = 0, *p = &keep;
    if (heddle_choose(0, 1)) {
        p = &(int){5};
        keep = *p;
    }
    if (*p == 0) // BUG use-after-scope
        heddle_reach("kept");
    return 0;
}
#else
static int n_looks;

static void look(int **p) {
    n_looks += **p;
}

/* A literal that is evaluated again may be made of its old value, which may depend on inputs. */
static int again(int n) {
    int *p = NULL, i = 0;
next:
    p = (int[]){n, i ? p[0] + p[1] : n};
    if (++i < 3)
        goto next;
    return p[1];
}

static int all(int n) {
    for (int *p = (int[]){1, 2, 0}; *p; p++) {
        __attribute__((cleanup(look))) int *q = (int[]){3};
        if (n == 2)
            continue;
        switch (n) {
        case 1:
            q = &(int){*q};
            n_looks += *q;
            q = p;
            break;
        default:
            return ({
                int *r = &(int){n};
                *r;
            });
        }
    }
    return n;
}

int main(void) {
    int n = (int)heddle_choose(0, 3);
    heddle_assert(all(n) == n && again(n) == 3 * n);
    heddle_assert(n_looks == (n == 1 ? 3 + 1 + 3 + 2 : n == 2 ? 6 : 3));
    int *const *list = (int *const[]){&(int){n}, NULL};
    while (*list)
        heddle_assert(**list++ == n);
    heddle_reach("right");
    return 0;
}
#endif

/* A load in inline assembly counted as a write of what it loads: two threads that only read were a
 * data race.  What an instruction reads and writes ("+m") was two events, which made classes of
 * their own.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: -DWRITTEN
 * verdict: complete
 * finding: data-race
 *
 * run: -DSLOPPY
 * verdict: complete
 * paths: 2
 *
 * run: -DADDS
 * verdict: complete
 * paths: 2
 *
 * run: -DADDS --por none
 * verdict: complete
 * paths: 2 */
#include <heddle.h>
#include <pthread.h>

static unsigned value = 3;

#if defined(ADDS) || defined(SLOPPY)
/* By the rules an operand that is changed is no input; it counts as changed all the same. */
static void add(void) {
#ifdef SLOPPY
    __asm__ volatile("lock; addl $1, %0" : : "m"(value) : "memory");
#else
    __asm__ volatile("lock; addl $1, %0" : "+m"(value) : : "memory");
#endif
}

static void *other(void *unused) {
    add();
    return unused;
}

static void here(void) {
    add();
}
#else
static void *other(void *unused) {
    unsigned seen;
    __asm__ volatile("movl %1, %0" : "=q"(seen) : "m"(value) : "memory"); // BUG data-race
    heddle_assert(seen == 3 || seen == 4);
    return unused;
}

static void here(void) {
#ifdef WRITTEN
    value = 4; // BUG data-race
#else
    heddle_assert(value == 3);
#endif
}
#endif

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    here();
    pthread_join(thread, NULL);
    return 0;
}

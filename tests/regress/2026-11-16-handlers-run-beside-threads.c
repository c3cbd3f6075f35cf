/* Handlers of atexit and destructors run beside the threads that are left: they ran when those were
 * done, so that a thread that uses what a handler has done away with was not found.  Two threads that
 * ask for the end: one of them runs the handlers, the other one waits.
 *
 * run: --no-races
 * verdict: complete
 * paths: 2
 * finding: use-after-free
 *
 * run: --no-races --por none
 * verdict: complete
 * paths: 2
 * finding: use-after-free
 *
 * run: -DTWO
 * verdict: complete
 * paths: 3
 * label: early
 * label: late
 *
 * run: -DTWO --por none
 * verdict: complete
 * paths: 3
 *
 * run: -DDESTRUCTOR
 * verdict: complete
 * paths: 2
 * label: early
 * label: late
 *
 * run: -DADDED
 * verdict: complete
 * paths: 5
 * label: early
 * label: late
 * label: added
 *
 * run: -DADDED --por none
 * verdict: complete
 * paths: 5 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static int *_Atomic buffer;

static void look(void) {
    heddle_reach(done ? "late" : "early");
}

#ifdef ADDED
static void added(void) {
    heddle_reach("added");
}
#endif

#ifdef DESTRUCTOR
__attribute__((destructor)) static void at_the_end(void) {
    look();
}
#endif

static void release(void) {
    free(buffer);
}

static void *work(void *unused) {
#if defined TWO
    done = 1;
    exit(3);
#elif defined DESTRUCTOR
    done = 1;
#elif defined ADDED
    done = 1;
    atexit(added);
#else
    *buffer = 5; // BUG use-after-free
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
#if defined TWO || defined ADDED
    atexit(look);
#elif !defined DESTRUCTOR
    buffer = malloc(sizeof *buffer);
    atexit(release);
#endif
    (void)look, (void)release;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}

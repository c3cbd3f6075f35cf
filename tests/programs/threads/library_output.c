/* The order of what threads print is no part of a class; but who locks the stream makes others wait.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: --por none
 * verdict: complete
 * paths: 1
 *
 * run: -DLOCKED
 * verdict: complete
 * finding: deadlock
 *
 * run: -DLOCKED --por none
 * verdict: complete
 * finding: deadlock
 *
 * run: -DLOCKED -DBEFORE
 * verdict: complete
 * finding: deadlock */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *name) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    printf("%s %d\n", (const char *)name, 1); // BUG deadlock
    fputs("and more\n", stdout);
    putchar('\n');
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
#ifdef BEFORE
    flockfile(stdout);
#endif
    pthread_create(&thread, NULL, work, "one");
#ifdef LOCKED
#ifndef BEFORE
    flockfile(stdout);
#endif
    pthread_mutex_lock(&lock); // BUG deadlock
    puts("locked");
    pthread_mutex_unlock(&lock);
    funlockfile(stdout);
#else
    work("other");
#endif
    pthread_join(thread, NULL);
    return 0;
}

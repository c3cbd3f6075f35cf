/* A printing function reads the text of another thread: byte after byte up to its end, or as many as
 * the precision says.  It is cut from behind meanwhile, so that three, two, one or no characters are
 * seen.
 *
 * run:
 * verdict: complete
 * paths: 4
 * finding: data-race
 *
 * run: --por dpor
 * verdict: complete
 * paths: 4
 * finding: data-race
 *
 * run: --por flip
 * verdict: complete
 * paths: 4
 * finding: data-race
 *
 * run: --por none
 * verdict: complete
 * paths: 4
 * finding: data-race
 *
 * run: -DPRECISE
 * verdict: complete
 * paths: 3
 * finding: data-race
 *
 * run: -DPRECISE --por none
 * verdict: complete
 * paths: 3
 * finding: data-race
 *
 * run: -DLOCKED
 * verdict: complete
 * paths: 2
 *
 * run: -DLOCKED --por none
 * verdict: complete
 * paths: 2
 *
 * run: -DPRIVATE --por none
 * verdict: complete
 * executions: 1
 * paths: 1 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static char text[8] = "abc";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *extend(void *unused) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    text[2] = '\0'; // BUG data-race
    text[1] = '\0'; // BUG data-race
    text[0] = '\0'; // BUG data-race
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

static void print(void) {
#if defined PRECISE
    printf("%.*s\n", 2, text); // BUG data-race
#elif defined PRIVATE
    char own[8] = "mine";
    printf("%s %s\n", own, "constant");
#else
    printf("%s\n", text); // BUG data-race
#endif
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, extend, NULL);
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    print();
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    return 0;
}

/* What the C library keeps in one object for all threads is overwritten by another thread: dates, the
 * rest of a text that strtok cuts, the environment.  In a lock all is well.
 *
 * run:
 * verdict: complete
 * finding: data-race
 * finding: assertion 2
 *
 * run: -DLOCKED
 * verdict: complete
 * paths: 2
 *
 * run: -DLOCKED --por none
 * verdict: complete
 * paths: 2
 *
 * run: -DTOKENS
 * verdict: complete
 * finding: data-race
 *
 * run: -DTOKENS -DLOCKED
 * verdict: complete
 * paths: 2
 *
 * run: -DENVIRONMENT
 * verdict: complete
 * finding: data-race
 *
 * run: -DENVIRONMENT -DLOCKED
 * verdict: complete
 * paths: 2 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void use(long number) {
#if defined TOKENS
    char text[] = "a b";
    strtok(text, " "); // BUG data-race
    (void)number;
#elif defined ENVIRONMENT
    setenv("NUMBER", number ? "1" : "0", 1); // BUG data-race
#else
    time_t when = 86400 * 365 * number + 7200;
    assert(gmtime(&when)->tm_year == 70 + number); // BUG assertion // BUG data-race
#endif
}

static void *work(void *number) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    use((long)number);
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}

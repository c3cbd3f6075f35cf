/* A program without inputs that reads standard input was "complete: every path was explored", and its
 * standard input was gone after the first execution.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: --stdin 4
 * verdict: complete
 * finding: null-pointer 1
 * label: end-of-file
 *
 * run: --stdin 3 -DREAD
 * verdict: complete
 * finding: assertion 1
 * paths: 4
 *
 * run: --stdin 1 -DTHREAD
 * verdict: complete
 * finding: assertion 1
 *
 * run: --stdin 2 --isolation fork
 * verdict: complete
 * label: end-of-file */
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef READ
int main(void) {
    char a, b[5];
    if (read(0, &a, 1) != 1 || read(0, b, 5) != 2 || read(0, &a, 1) != 0)
        return 1;
    heddle_assert(a != 'x' || b[0] != 'y' || b[1] != 'z'); // BUG assertion
    return 0;
}
#elif defined THREAD
static void *take(void *where) {
    if (read(0, where, 1) != 1)
        *(char *)where = 0;
    return NULL;
}
int main(void) {
    pthread_t t[2];
    char got[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, &got[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    heddle_assert(got[1] != 'q'); // BUG assertion
    return 0;
}
#else
int main(void) {
    char b[16];
    if (!fgets(b, sizeof b, stdin)) {
        heddle_reach("nothing");
        return 1;
    }
    if (b[0] == 'B' && b[1] == 'U' && b[2] == 'G')
        *(volatile int *)0 = 0; // BUG null-pointer
    if (feof(stdin))
        heddle_reach("end-of-file");
    return 0;
}
#endif

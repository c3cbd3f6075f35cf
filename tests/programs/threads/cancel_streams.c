/* Functions of streams do not end a thread that has been cancelled, which glibc's may do: said.
 *
 * run:
 * verdict: incomplete
 * reason: functions of streams and directories do not end a cancelled thread
 * reason-at: all
 * label: cancelled
 *
 * run: -DNOBODY
 * verdict: complete
 * label: returned 1 */
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused) {
    FILE *f = fopen("file", "w"); // LOSS
    fputs("text", f);
    fclose(f); // LOSS
    sleep(1);
    return unused;
}

int main(void) {
    void *answer;
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifndef NOBODY
    pthread_cancel(t);
#endif
    pthread_join(t, &answer);
    heddle_reach(answer == PTHREAD_CANCELED ? "cancelled" : "returned");
    return 0;
}

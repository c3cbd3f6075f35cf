/* Three actors that exchange 4 * JOBS messages: main gives JOBS jobs to each of two workers, who
 * answer each of them.  Channels are not FIFO.  Small enough that the cost of an execution shows,
 * not that of the program; bench/messages/real_processes.c does the same with real processes.
 *
 * A worker takes its jobs in any order, and main takes the answers in any order: (JOBS!)^2 * (2
 * JOBS)! classes.  An answer is received after the job was: (4 JOBS)! / 2^(2 JOBS) executions
 * without reduction.
 *
 * run: -DJOBS=1 --por none
 * verdict: complete
 * executions: 6
 * paths: 2
 *
 * run: -DJOBS=2 --por none
 * verdict: complete
 * executions: 2520
 * paths: 96
 *
 * run: -DJOBS=2 --por message
 * verdict: complete
 * paths: 96
 *
 * run: -DJOBS=2
 * verdict: complete
 * executions: 96
 * paths: 96
 *
 * run: -DJOBS=3
 * verdict: complete
 * executions: 25920
 * paths: 25920 */
#include <heddle.h>
#ifndef JOBS
#define JOBS 3
#endif
enum { WORKERS = 2, MAIN = 0 };

static void work(void *unused) {
    (void)unused;
    for (int i = 0; i < JOBS; i++) {
        int job;
        heddle_receive(&job, sizeof job);
        job++;
        heddle_send(MAIN, &job, sizeof job);
    }
}

int main(void) {
    heddle_actor worker[WORKERS];
    for (int w = 0; w < WORKERS; w++)
        worker[w] = heddle_spawn(work, 0, 0);
    for (int job = 0; job < JOBS; job++)
        for (int w = 0; w < WORKERS; w++)
            heddle_send(worker[w], &job, sizeof job);
    for (int i = 0; i < WORKERS * JOBS; i++) {
        int answer;
        heddle_receive(&answer, sizeof answer);
    }
}

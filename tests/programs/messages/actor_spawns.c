/* Actors that are created on demand.  A master creates a worker for each of JOBS jobs; the workers
 * answer in any order, and the master asserts that the first answer is that for the first job.
 *
 * A worker works on its job at once, before it receives anything, so the answers are the only
 * messages: JOBS! orders of the answers for each of the orders of the jobs.
 *
 * run: -DJOBS=2 --por none
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DJOBS=2 --por message
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DJOBS=2
 * verdict: complete
 * executions: 4
 * paths: 4
 * finding: assertion 1
 *
 * run: -DJOBS=2 -DFIXED --por none
 * verdict: complete
 * executions: 4
 * paths: 4
 *
 * run: -DJOBS=2 -DFIXED --por message
 * verdict: complete
 * executions: 4
 * paths: 4
 *
 * run: -DJOBS=2 -DFIXED
 * verdict: complete
 * executions: 4
 * paths: 4 */
#include <assert.h>
#include <heddle.h>

struct answer {
    int job, square;
};

static void worker(void *job) {
    struct answer a = {*(int *)job, *(int *)job * *(int *)job};
    heddle_send(1, &a, sizeof a);
}

/* Takes jobs on channel 1, answers on channel 0. */
static void master(void *unused) {
    (void)unused;
    int jobs[JOBS];
    for (int i = 0; i < JOBS; i++) {
        heddle_receive_on(1, &jobs[i], sizeof jobs[i]);
        heddle_actor w = heddle_spawn(worker, &jobs[i], sizeof jobs[i]);
        assert(w == 2 + i);
    }
    for (int i = 0; i < JOBS; i++) {
        struct answer a;
        heddle_receive_on(0, &a, sizeof a);
        assert(a.square == a.job * a.job);
#ifndef FIXED
        assert(a.job == jobs[i]); // BUG assertion
#endif
    }
}

int main(void) {
    heddle_actor m = heddle_spawn(master, 0, 0);
    for (int i = 0; i < JOBS; i++)
        heddle_send_on(1, m, &i, sizeof i);
}

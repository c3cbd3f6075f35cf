/* A pool of two workers with POSIX message queues: jobs in one queue, results in another.  The
 * master adds up the results of all jobs.
 *
 * -DBUG: the messages that stop the workers have a higher priority than the jobs and overtake them.
 * Unless the workers were quick, a job is left, and the master waits for its result for ever.
 *
 * run:
 * verdict: complete
 *
 * run: -DBUG
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, JOBS = 2, STOP = 0 };
#ifdef BUG
enum { STOP_PRIORITY = 2 };
#else
enum { STOP_PRIORITY = 0 };
#endif
enum { JOB_PRIORITY = 1 };

static char jobs_name[64], results_name[64];

static mqd_t open_queue(const char *name) {
    struct mq_attr attributes = {.mq_maxmsg = JOBS + WORKERS, .mq_msgsize = sizeof(int)};
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
    if (queue == (mqd_t)-1) {
        perror("mq_open");
        exit(1);
    }
    return queue;
}

static void put(mqd_t queue, int number, unsigned priority) {
    int status = mq_send(queue, (const char *)&number, sizeof number, priority);
    assert(status == 0);
}

static int take(mqd_t queue) {
    int number;
    ssize_t n = mq_receive(queue, (char *)&number, sizeof number, NULL);
    assert(n == sizeof number);
    return number;
}

static void work(void) {
    mqd_t jobs = open_queue(jobs_name), results = open_queue(results_name);
    int job;
    while ((job = take(jobs)) != STOP)
        put(results, job * job, 0);
    mq_close(jobs);
    mq_close(results);
}

int main(void) {
    int status, sum = 0;
    snprintf(jobs_name, sizeof jobs_name, "/pool-jobs-%d", (int)getpid());
    snprintf(results_name, sizeof results_name, "/pool-results-%d", (int)getpid());
    mqd_t jobs = open_queue(jobs_name), results = open_queue(results_name);
    for (int i = 0; i < WORKERS; i++) {
        if (fork() == 0) {
            work();
            exit(0);
        }
    }
    for (int i = 1; i <= JOBS; i++)
        put(jobs, i, JOB_PRIORITY);
    for (int i = 0; i < WORKERS; i++)
        put(jobs, STOP, STOP_PRIORITY);
    for (int i = 0; i < JOBS; i++)
        sum += take(results);
    assert(sum == 1 + 4);
    for (int i = 0; i < WORKERS; i++) {
        wait(&status);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    mq_close(jobs);
    mq_close(results);
    mq_unlink(jobs_name);
    mq_unlink(results_name);
    return 0;
}

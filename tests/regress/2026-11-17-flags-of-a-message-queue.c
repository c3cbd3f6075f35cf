/* mq_setattr by another process that has the same queue by fork: mq_getattr was not ordered with
 * it, and that whether others wait was not either was not said.
 *
 * run: -DASK
 * verdict: complete
 * label: waits
 * label: hastes
 *
 * run: -DASK --por dpor
 * verdict: complete
 * label: waits
 * label: hastes
 *
 * run: -DASK --por none
 * verdict: complete
 * label: waits
 * label: hastes
 *
 * run:
 * verdict: incomplete
 * finding: deadlock */
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    struct mq_attr now = {.mq_maxmsg = 2, .mq_msgsize = 4};
    mqd_t queue = mq_open("/flags", O_CREAT | O_RDWR, 0600, &now);
    if (fork() == 0) {
        struct mq_attr wanted = {.mq_flags = O_NONBLOCK};
        mq_setattr(queue, &wanted, NULL);
        _exit(0);
    }
#ifdef ASK
    mq_getattr(queue, &now);
    heddle_reach(now.mq_flags ? "hastes" : "waits");
#else
    char text[4];
    mq_receive(queue, text, sizeof text, NULL); // BUG deadlock
#endif
    wait(NULL);
    return 0;
}

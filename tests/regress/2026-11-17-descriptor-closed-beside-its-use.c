/* A thread uses a descriptor that another thread closes, replaces or opens: which comes first is a
 * question of order, whatever the call is.  None of these was an event, and the search ended
 * "complete" with one of the two answers.
 *
 * run: -DA=close(d) -DB=write(d,"x",1)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 1
 *
 * run: -DA=close(d) -DB=fstat(d,&s)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 0
 *
 * run: -DA=close(d) -DB=fcntl(d,F_GETFL)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 1
 *
 * run: -DA=close(d) -DB=close(d)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 0
 *
 * run: -DA=close(d) -DB=dup2(d,9)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 9
 *
 * run: -DA=close(d) -DB=dup(d)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 5
 *
 * run: -DA=close(d) -DB=poll(&p,1,0)*p.revents
 * verdict: complete
 * executions: 2
 * label: 32
 * label: 4
 *
 * run: -DA=closefrom(d) -DB=write(d,"x",1)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 1
 *
 * run: -DA=fcntl(d,F_SETFD,FD_CLOEXEC) -DB=fcntl(d,F_GETFD)
 * verdict: complete
 * executions: 2
 * label: 0
 * label: 1
 *
 * run: -DA=dup(d) -DB=fcntl(5,F_GETFD)
 * verdict: complete
 * executions: 2
 * label: -9
 * label: 0
 *
 * run: -DA=dup(d) -DB=dup2(d,5)
 * verdict: complete
 * executions: 3
 * label: 5
 * label: -16
 *
 * run: -DA=dup(d) -DB=dup(d)
 * verdict: complete
 * executions: 2
 * label: 5
 * label: 6
 *
 * run: -DA=fcntl(4,F_GETFD) -DB=fcntl(d,F_GETFD)
 * verdict: complete
 * executions: 1
 * label: 0
 *
 * run: -DA=close(3) -DB=fcntl(d,F_GETFD)
 * verdict: complete
 * executions: 1
 * label: 0
 *
 * run: --por none -DA=close(d) -DB=write(d,"x",1)
 * verdict: complete
 * label: -9
 * label: 1
 *
 * run: --por none -DA=close(d) -DB=dup2(d,9)
 * verdict: complete
 * label: -9
 * label: 9 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int d, answer;

static void *changes(void *unused) {
    (void)A;
    return unused;
}

static void *uses(void *unused) {
    struct stat s;
    struct pollfd p = {d, POLLOUT, 0};
    (void)s, (void)p;
    errno = 0;
    answer = (int)(B);
    answer = answer == -1 ? -errno : answer;
    return unused;
}

int main(void) {
    pthread_t t[2];
    char label[16];
    int both[2];
    pipe(both);
    d = both[1];
    pthread_create(&t[0], NULL, changes, NULL);
    pthread_create(&t[1], NULL, uses, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    snprintf(label, sizeof label, "%d", answer);
    heddle_reach(label);
    return 0;
}

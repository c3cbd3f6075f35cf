/* Two threads that close the same descriptor of a pipe took the worker down: the second found it
 * open, waited for its turn, and closed what was closed by then.
 *
 * run:
 * verdict: complete */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *closer(void *result) {
    *(int *)result = close(ends[0]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int results[2];
    assert(pipe(ends) == 0);
    signal(SIGPIPE, SIG_IGN);
    if (fork() == 0) { /* what it writes makes the order of the two closes matter */
        close(ends[0]);
        _exit(write(ends[1], "x", 1) != 1);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, closer, &results[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(results[0] + results[1] == -1);
    wait(NULL);
    return 0;
}

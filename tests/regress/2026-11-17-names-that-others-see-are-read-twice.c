/* A name of a file in memory that handlers or threads may write is copied when it is read; open and
 * unlink looked at the copy as if it were the program's, and the verdict was "not complete: read of memory of
 * external code", without any input.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: -DTHREAD
 * verdict: complete */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static char name[64];

static void handle(int number) {
    name[0] = (char)number;
}

static void *use(void *unused) {
    snprintf(name, sizeof name, "./names-%d.state", 7);
    int f = open(name, O_CREAT | O_WRONLY, 0600);
    close(f);
    unlink(name);
    return unused;
}

int main(void) {
#ifdef THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
#else
    signal(SIGUSR1, handle);
    if (fork() == 0)
        use(NULL);
#endif
    return 0;
}

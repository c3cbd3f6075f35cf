/* A loop over a global variable, in a process that has a handler of a signal and no threads, though
 * the program could start some: nobody is told of what it writes, and so it was taken for a loop
 * that waits for the handler (livelock).
 *
 * run:
 * verdict: complete
 * label: found 1 */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int at, got;
static const char *const names[] = {"a", "b", "c", "d", 0};

static void handle(int signal) {
    got = signal;
}

static void *run(void *unused) {
    return unused;
}

static void find_end(void) {
    while (names[at])
        at++;
}

int main(int argc, char **argv) {
    pthread_t thread;
    signal(SIGUSR1, handle);
    if (argc > 5)
        pthread_create(&thread, NULL, run, argv);
    if (fork() == 0) {
        find_end();
        assert(at == 4 && !got);
        heddle_reach("found");
        return 0;
    }
    wait(NULL);
    if (argc > 5)
        kill(getpid(), SIGUSR1);
    return 0;
}

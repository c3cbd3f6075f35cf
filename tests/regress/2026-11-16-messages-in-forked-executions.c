/* With --isolation fork the search was not told which process a message goes to, and the names of
 * processes and queues were lost with the child: --por message gave up most orders.
 *
 * run: --isolation fork --por message
 * verdict: complete
 * paths: 4
 *
 * run: --isolation fork --por none
 * verdict: complete
 * paths: 4
 *
 * run: --isolation fork
 * verdict: complete
 * paths: 4
 *
 * run: --isolation fork -DPIPE
 * verdict: complete */
#include <heddle.h>
#include <sys/wait.h>
#include <unistd.h>

static void receiver(void *unused) {
    (void)unused;
    int number;
    for (int i = 0; i < 2; i++)
        heddle_receive(&number, sizeof number);
}

static void sender(void *argument) {
    for (int to = 1; to <= 2; to++)
        heddle_send(to, argument, sizeof(int));
}

static void spawn_actors(void) {
    for (int i = 0; i < 2; i++)
        heddle_spawn(receiver, 0, 0);
    for (int i = 0; i < 2; i++)
        heddle_spawn(sender, &i, sizeof i);
}

/* Both children write, in either order. */
static void fork_writers(void) {
    int ends[2];
    char c;
    if (pipe(ends) != 0)
        return;
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            _exit(write(ends[1], &"ab"[i], 1) != 1);
    for (int i = 0; i < 2; i++)
        heddle_assert(read(ends[0], &c, 1) == 1);
    while (wait(0) > 0)
        continue;
}

int main(void) {
#ifdef PIPE
    fork_writers();
#else
    spawn_actors();
#endif
    return 0;
}

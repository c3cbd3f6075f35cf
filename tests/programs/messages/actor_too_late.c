/* A message to an actor that has ended could have come in time: the actor could have waited for it
 * instead of taking the other one.  Two classes, though in one of them nobody receives it.
 *
 * run: --por none
 * verdict: complete
 * executions: 3
 * paths: 2
 * label: first
 * label: second
 *
 * run: --por message
 * verdict: complete
 * paths: 2
 * label: first
 * label: second
 *
 * run:
 * verdict: complete
 * executions: 2
 * label: first
 * label: second */
#include <heddle.h>

static void reader(void *unused) {
    (void)unused;
    char who;
    heddle_receive(&who, sizeof who);
    heddle_reach(who == 'm' ? "first" : "second");
}

static void writer(void *unused) {
    (void)unused;
    char start;
    heddle_receive(&start, sizeof start);
    heddle_send(1, "w", 1);
}

int main(void) {
    heddle_spawn(reader, 0, 0);
    heddle_spawn(writer, 0, 0);
    heddle_send(1, "m", 1);
    heddle_send(2, "", 1);
}

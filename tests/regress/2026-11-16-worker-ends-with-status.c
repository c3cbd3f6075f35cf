/* An execution whose process ended with a status, and not by exit(), counted as a path that ended
 * well, and the run as complete.
 *
 * run: --allow all
 * verdict: incomplete
 * paths: 2
 * finding: lost-worker
 * reason: took the worker process down */
#include <heddle.h>

int main(void) {
    int x;
    heddle_input(x);
    if (x == 77) /* exit_group(7) */
        __asm__ volatile("syscall" : : "a"(231L), "D"(7L) : "rcx", "r11", "memory");
    return 0;
}

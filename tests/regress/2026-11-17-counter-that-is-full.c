/* A counter (eventfd) is read before or after another process adds to it, if it is set; who reads
 * it had been thought to take what was added last.  And a write to one that is full fails, or
 * succeeds after another process has read it.
 *
 * run: -DFULL
 * verdict: complete
 * label: full
 * label: room
 *
 * run: -DFULL --por dpor
 * verdict: complete
 * label: full
 * label: room
 *
 * run: -DFULL --por none
 * verdict: complete
 * label: full
 * label: room
 *
 * run: -DSET
 * verdict: complete
 * label: one
 * label: two
 *
 * run: -DSET --por dpor
 * verdict: complete
 * label: one
 * label: two
 *
 * run: -DSET --por none
 * verdict: complete
 * label: one
 * label: two
 *
 * run: -DADDED
 * verdict: complete
 * label: one
 * label: two
 *
 * run: -DADDED --por dpor
 * verdict: complete
 * label: one
 * label: two
 *
 * run: -DADDED --por none
 * verdict: complete
 * label: one
 * label: two */
#include <heddle.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef FULL
int main(void) {
    eventfd_t value;
    int counter = eventfd(0, EFD_NONBLOCK);
    if (eventfd_write(counter, UINT64_MAX - 1) != 0)
        exit(1);
    if (fork() == 0) {
        eventfd_read(counter, &value);
        _exit(0);
    }
    heddle_reach(eventfd_write(counter, 1) == 0 ? "room" : "full");
    wait(NULL);
    return 0;
}
#else
int main(void) {
    eventfd_t value = 0;
    int counter = eventfd(0, 0);
#ifdef SET
    eventfd_write(counter, 1);
#else
    if (fork() == 0) {
        eventfd_write(counter, 1);
        _exit(0);
    }
#endif
    if (fork() == 0) {
        eventfd_write(counter, 1);
        _exit(0);
    }
    eventfd_read(counter, &value);
    heddle_reach(value == 1 ? "one" : "two");
    while (wait(NULL) > 0)
        continue;
    return 0;
}
#endif

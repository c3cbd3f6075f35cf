/* Bytes of /dev/urandom were counted over all processes: who read first got the first ones, and no conflict said
 * so.  getrandom and its like ended executions.
 *
 * run:
 * verdict: incomplete
 * label: m-193-206 2
 * label: c-103-66 2
 *
 * run: --por none
 * verdict: incomplete
 * label: m-193-206 84
 * label: c-103-66 84 */
#include <fcntl.h>
#include <heddle.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(char who) {
    unsigned char byte[2];
    char label[32];
    int f = open("/dev/urandom", O_RDONLY);
    if (read(f, byte, 1) != 1 || getrandom(byte + 1, 1, 0) != 1)
        return;
    close(f);
    snprintf(label, sizeof label, "%c-%d-%d", who, byte[0], byte[1]);
    heddle_reach(label);
}

int main(void) {
    int ends[2];
    char c;
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        write(ends[1], "x", 1);
        tell('c');
        return 0;
    }
    if (heddle_choose(0, 1))
        read(ends[0], &c, 1);
    tell('m');
    wait(NULL);
    return 0;
}

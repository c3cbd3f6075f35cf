/* Processes that change what they export, for tests/moments.sh: each does what its script says.
 *
 *     moments SCRIPT SCRIPT...      processes of one program, made by fork
 *     moments -n ME SCRIPT          one node of a scenario, whose others are n0, n1, ...
 *
 * Letters: + and - change the variable, = sets it to an input of 0 or 1, a digit sends its value to
 * that process, r waits for a datagram and adds what it says, t waits 5 ms for one, z sleeps 3 ms.
 *
 * Every moment becomes a label, "m 1 0 2": the variables of all processes that have shown theirs.
 * -DBY_HAND: no rule sees them, but the processes write them down in memory that they share, under a
 * lock, before each operation that others notice. */
#include <arpa/inet.h>
#include <heddle.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 7000, MOST = 4 };

static int me, x, fd, is_node;

/* What depends on inputs is decided by this. */
static int decided(int value) {
    for (volatile int k = -9; k < 30; k++)
        if (value == k)
            return k;
    return -10;
}

#ifdef BY_HAND
static struct board {
    pthread_mutex_t lock;
    int is_shown[MOST], shown[MOST];
} *board;

static void write_down(void) {
    char label[64] = "m";
    for (int i = 0; i < MOST; i++)
        if (board->is_shown[i])
            sprintf(label + strlen(label), " %d", board->shown[i]);
    heddle_reach(label);
}

/* Who is shown is a look of its own at what only this process writes. */
static int was_shown, last;
static void show(void) {
    if (was_shown && last == x)
        return;
    pthread_mutex_lock(&board->lock);
    board->is_shown[me] = was_shown = 1;
    board->shown[me] = last = x;
    write_down();
    pthread_mutex_unlock(&board->lock);
}

static void begin_watching(void) {
    pthread_mutexattr_t shared;
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&board->lock, &shared);
}

static void make_known(void) {
}
#else
static int note_moment(void) {
    char label[64] = "m";
    int value;
    for (int i = 0; heddle_exported("x", i, &value, sizeof value); i++)
        sprintf(label + strlen(label), " %d", decided(value));
    heddle_reach(label);
    return 1;
}

static int is_low(void) {
    int value, sum = 0;
    for (int i = 0; heddle_exported("x", i, &value, sizeof value); i++)
        sum += value;
    return sum < 3;
}

static int is_one(void) {
    return !is_low();
}

static int ends_low(void) {
    return is_low();
}

static void show(void) {
}

static void begin_watching(void) {
#ifndef END_ONLY
    heddle_global_always(note_moment);
    heddle_global_always(is_low);
    heddle_global_within(0.004, is_one);
#endif
    heddle_global_assert(ends_low);
}

static void make_known(void) {
    heddle_export("x", &x, sizeof x);
}
#endif

static struct sockaddr_in address_of(int node) {
    struct sockaddr_in a = {.sin_family = AF_INET};
    a.sin_port = htons((unsigned short)(is_node ? PORT : PORT + node));
    a.sin_addr.s_addr = htonl(is_node ? 0x0a000001u + (unsigned)node : INADDR_LOOPBACK);
    return a;
}

static void send_to(int node) {
    struct sockaddr_in to = address_of(node);
    unsigned char byte = (unsigned char)x;
    sendto(fd, &byte, 1, 0, (struct sockaddr *)&to, sizeof to);
}

static void receive(int milliseconds) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    unsigned char byte;
    if (milliseconds >= 0 && poll(&p, 1, milliseconds) <= 0)
        return;
    show();
    if (recv(fd, &byte, 1, 0) == 1)
        x += byte;
}

static void run(const char *script) {
    struct sockaddr_in here = address_of(me);
    make_known();
    show();
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    bind(fd, (struct sockaddr *)&here, sizeof here);
    for (; *script; script++) {
        if (strchr("+-=", *script)) {
            x += *script == '+' ? 1 : *script == '-' ? -1 : 0;
            if (*script == '=')
                x = (int)heddle_choose(0, 1);
#ifdef BY_HAND
            x = decided(x);
#endif
            continue;
        }
        show();
        if (*script == 'r')
            receive(-1);
        else if (*script == 't')
            receive(5);
        else if (*script == 'z')
            usleep(3000);
        else
            send_to(*script - '0');
    }
    show();
}

int main(int argc, char **argv) {
    begin_watching();
    if (argc > 3 && strcmp(argv[1], "-n") == 0) {
        is_node = 1;
        me = atoi(argv[2]);
        run(argv[3]);
        return 0;
    }
    heddle_may_idle();
    for (int i = 1; i < argc - 1 && me == 0; i++)
        if (fork() == 0)
            me = i;
    run(argv[1 + me]);
    return 0;
}

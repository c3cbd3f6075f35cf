/* process_script.h -- random programs for process_program.c: channels, and what each process does
 * with them. */
#ifndef PROCESS_SCRIPT_H
#define PROCESS_SCRIPT_H
#include "base/text.h"
#include <stdint.h>

enum { SCRIPT_PROCESSES = 4, SCRIPT_CHANNELS = 3, SCRIPT_OPERATIONS = 16 };

/* What programs may use, by letters of the command line. */
#define SCRIPT_FEATURES(X)                                                                         \
    X(PIPES, 'p', "pipes")                                                                         \
    X(PAIRS, 's', "pairs of stream sockets")                                                       \
    X(DATAGRAMS, 'd', "pairs of sockets that keep messages apart")                                 \
    X(TCP, 't', "TCP, connected or not")                                                           \
    X(UDP, 'u', "UDP")                                                                             \
    X(NAMES, 'n', "UNIX-domain sockets with names")                                                \
    X(ENDS, 'e', "any process may be the last that has a channel open; else main outlives all")    \
    X(POLLS, 'l', "poll, select, epoll")                                                           \
    X(NOWAIT, 'b', "reads that do not wait")                                                       \
    X(FLAGS, 'f', "O_NONBLOCK is set and cleared")                                                 \
    X(TIME, 'i', "poll with a time limit, timerfd")                                                \
    X(KILLS, 'k', "kill")                                                                          \
    X(RIGHTS, 'r', "descriptors are passed")                                                       \
    X(SHUT, 'h', "shutdown")                                                                       \
    X(SIGPIPE, 'g', "some die of SIGPIPE")                                                         \
    X(ASSERT, 'a', "assertions")                                                                   \
    X(PEEK, 'm', "MSG_PEEK and MSG_WAITALL")                                                       \
    X(WAITS, 'w', "waitpid at any place, also without waiting")                                    \
    X(SHARED, 'o', "sockets that others have too are connected")                                   \
    X(SIGNALS, 'S', "handlers of signals, also real-time ones, also with ppoll and the like")      \
    X(ALARMS, 'A', "alarms, timers")                                                               \
    X(CHILDREN, 'C', "handlers of SIGCHLD")                                                        \
    X(LEAVES, 'L', "handlers that end the process or jump")                                        \
    X(QUERIES, 'Q', "FIONREAD, SO_ERROR, getppid, kill(pid, 0), options, flags, names")            \
    X(INPUTS, 'I', "inputs decide what is done")                                                   \
    X(ASSUME, 'E', "assumptions")                                                                  \
    X(COUNTERS, 'v', "eventfd")                                                                    \
    X(MESSAGES, 'q', "message queues")                                                             \
    X(FILES, 'F', "a file: its size, places, flags and locks")                                     \
    X(MEMORY, 'M', "semaphores and numbers in shared memory")                                      \
    X(STREAMS, 'B', "streams of stdio, exit")                                                      \
    X(CLASSES, 'c', "(the classes of `optimal` are counted)")
enum {
#define X(name, letter, words) SCRIPT_##name##_BIT,
    SCRIPT_FEATURES(X)
#undef X
};
enum {
#define X(name, letter, words) SCRIPT_##name = 1 << SCRIPT_##name##_BIT,
    SCRIPT_FEATURES(X)
#undef X
        SCRIPT_ALL = -1
};
#define SCRIPT_STATES                                                                              \
    (SCRIPT_COUNTERS | SCRIPT_MESSAGES | SCRIPT_FILES | SCRIPT_MEMORY | SCRIPT_STREAMS)
unsigned script_parse_features(const char *letters);

typedef struct script {
    char channels[SCRIPT_CHANNELS + 1];
    char process[SCRIPT_PROCESSES][3 * SCRIPT_OPERATIONS + 1]; /* operations of three letters */
    unsigned n_processes;
} script;

script script_random(uint64_t seed, unsigned features);
/* The arguments of the program; the strings are those of the script. */
int script_arguments(script *s, char **argv);
void script_print(const script *s, hd_text *out);
/* Without operation `n`, counted over all processes; false if there is none. */
bool script_without(script *s, unsigned n);
bool script_has(const script *s, char letter);
bool script_has_polls(const script *s);
/* Are there questions or changes of which `none` tells more apart than matters? */
bool script_has_state(const script *s);
/* Is a socket connected that others have too? */
bool script_connects_shared(const script *s);
/* Does a process wait with a time limit? */
bool script_has_time(const script *s);
#endif

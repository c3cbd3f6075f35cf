#!/bin/bash
# ^C at a random moment, and kill -9 where processes are tested, then --resume: the final set of paths is that of an undisturbed
# run, each path once.  Programs of other kinds are killed by kills.sh.
#
#     HEDDLE=build/heddle tests/resume.sh [SEED]     prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/runs.sh"
RANDOM=${1:-1}
enter

# Some thousand paths of a tenth of a millisecond each, over bytes and over a linked list.
cat >program.c <<'END'
#include <heddle.h>
struct cell { int value; struct cell *next; };
static volatile unsigned sink;
int main(void) {
    unsigned char b[9];
    struct cell *p;
    heddle_bytes(b, sizeof b, "b");
    heddle_input(p);
    for (unsigned i = 0; i < 60000; i++)
        sink += i;
    int n = 0;
    for (unsigned i = 0; i < sizeof b; i++)
        if (b[i] > 100 + i)
            sink += n++;
    for (int i = 0; p && i < 2; i++, p = p->next)
        if (p->value == 7)
            sink += n++;
    heddle_assert(n != 11);
    return n > 5;
}
END

# Some thousand classes: processes that pass an input on, and all that they inherit.
cat >network.c <<'END'
#include <heddle.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 4 };
static volatile unsigned sink;
int main(void) {
    int up[2], down[N][2];
    unsigned char limit;
    heddle_input(limit);
    if (pipe(up))
        return 1;
    for (int i = 0; i < N; i++)
        if (pipe(down[i]))
            return 1;
    for (int i = 0; i < N; i++)
        if (fork() == 0) {
            unsigned char c;
            close(down[i][1]);
            for (unsigned k = 0; k < 20000; k++)
                sink += k;
            if (read(down[i][0], &c, 1) == 1 && c + i > 100 && write(up[1], &c, 1) != 1)
                return 2;
            _exit(c + i > 100);
        }
    close(up[1]);
    unsigned char c;
    for (int i = 0; i < N; i++)
        if (write(down[i][1], &limit, 1) != 1)
            return 3;
    int n = 0;
    while (read(up[0], &c, 1) == 1)
        n++;
    for (int i = 0; i < N; i++)
        wait(NULL);
    heddle_assert(n != 3);
    return n;
}
END

worker_of() { cat "/proc/$1/task/$1/children" 2>/dev/null | cut -d' ' -f1; }

# ends_the_same NAME [UNDISTURBED]: what was killed is gone on with to its end, and has the paths of the undisturbed run.
ends_the_same() {
    (explore --resume=killed)
    same "$1" killed "${2:-undisturbed}"
    rm -rf killed
}

interrupt() {
    explore --strategy "$1" -o killed program.c &
    await_record
    doze 400
    kill -INT $! 2>/dev/null || fail "^C, $1" "the run was too short"
    wait
    ends_the_same "^C, $1"
}

# The same for processes: by whom it is ended, how often, with what.
disturb_network() { # NAME SUPERVISOR|WORKER SIGNAL OPTIONS...
    local name=$1 whom=$2 signal=$3 victim
    shift 3
    explore "$@" -o killed network.c &
    await_record
    for _ in 1 2 3; do
        doze 400
        victim=$([ "$whom" = worker ] && worker_of $! || echo $!)
        [ "$victim" ] && kill "-$signal" "$victim" 2>/dev/null
        [ "$whom" = worker ] && continue
        wait $! 2>/dev/null
        explore --resume=killed &
    done
    wait
    ends_the_same "$name" network
}

(explore -o undisturbed program.c)
undisturbed "undisturbed run" undisturbed
interrupt dfs
interrupt coverage
(explore -o network network.c)
undisturbed "undisturbed run of processes" network
disturb_network "kill -9 of the supervisor, processes" supervisor KILL
disturb_network "kill -9 of the worker, processes" worker KILL
disturb_network "^C, processes" supervisor INT
disturb_network "^C, processes, dpor" supervisor INT --por dpor
[ $failures -eq 0 ]

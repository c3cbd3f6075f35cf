#!/bin/bash
# kill -9 at random moments, of the worker and of the supervisor, then --resume: the final set
# of paths is that of an undisturbed run, each path once.
#
#     HEDDLE=build/heddle tests/resume.sh [SEED]     prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
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

# paths DIR: the hashes of all recorded paths, sorted; fails if one occurs twice.
paths() {
    "$HEDDLE" tests "$1" --json | grep -o '"path_hash":"[0-9a-f]*"' | sort >"$1.paths"
    [ -s "$1.paths" ] && [ -z "$(uniq -d "$1.paths")" ]
}

# On a busy machine the first run may take its time to begin: there must be something to resume.
await_record() { until "$HEDDLE" tests killed >/dev/null 2>&1; do sleep 0.01; done; }

# Sleep for 20 to 20 + $1 milliseconds.
doze() { sleep "0.$(printf %03d $((20 + RANDOM % $1)))"; }

# To be run in the background, where $! is heddle itself.
explore() { exec "$HEDDLE" run -q --tests all "$@" >log 2>&1 </dev/null; }

worker_of() { cat "/proc/$1/task/$1/children" 2>/dev/null | cut -d' ' -f1; }

# same NAME DIR [UNDISTURBED]: DIR is complete and has the paths of the undisturbed run.
same() {
    local expected=${3:-undisturbed}
    "$HEDDLE" run --resume="$2" --tests all --json </dev/null >summary 2>log
    if ! grep -q '"complete": *true' summary; then
        fail "$1" "not complete: $(tr -d "\n" <summary | grep -o '"reasons": *\[[^]]*') $(tail -n1 log)"
    elif ! paths "$2"; then
        fail "$1" "a path was recorded twice: $(uniq -d "$2.paths" | wc -l) times"
    elif ! cmp -s "$expected.paths" "$2.paths"; then
        fail "$1" "$(comm -23 "$expected.paths" "$2.paths" | wc -l) paths missing, $(comm -13 "$expected.paths" "$2.paths" | wc -l) new"
    else
        pass "$1"
    fi
}

kill_supervisor() {
    local strategy=$1
    explore --strategy "$strategy" -o killed program.c &
    await_record
    for _ in 1 2 3 4 5 6; do
        doze 400
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null # quietly: the shell would say "Killed"
        explore --resume=killed &
    done
    wait
    same "kill -9 of the supervisor, $strategy" killed
    rm -rf killed
}

kill_worker() {
    local strategy=$1 worker
    explore --strategy "$strategy" -o killed program.c &
    await_record
    for _ in 1 2 3 4 5 6; do
        doze 300
        worker=$(worker_of $!)
        [ "$worker" ] && kill -9 "$worker" 2>/dev/null
    done
    wait
    same "kill -9 of the worker, $strategy" killed
    rm -rf killed
}

interrupt() {
    explore --strategy "$1" -o killed program.c &
    await_record
    doze 400
    kill -INT $! 2>/dev/null || fail "^C, $1" "the run was too short"
    wait
    same "^C, $1" killed
    rm -rf killed
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
    same "$name" killed network
    rm -rf killed
}

(explore -o undisturbed program.c)
paths undisturbed || fail "undisturbed run" "no paths: $(tail -n1 log)"
kill_supervisor dfs
kill_supervisor coverage
kill_worker dfs
kill_worker bfs
interrupt dfs
(explore -o network network.c)
paths network || fail "undisturbed run of processes" "no paths: $(tail -n1 log)"
disturb_network "kill -9 of the supervisor, processes" supervisor KILL
disturb_network "kill -9 of the worker, processes" worker KILL
disturb_network "^C, processes" supervisor INT
disturb_network "^C, processes, dpor" supervisor INT --por dpor
[ $failures -eq 0 ]

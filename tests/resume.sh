#!/bin/bash
# kill -9 at random moments, of the worker and of the supervisor, then --resume: the final set
# of paths is that of an undisturbed run, each path once.
#
#     HEDDLE=build/heddle tests/resume.sh [SEED]     prints "ok - NAME" or "not ok - NAME: reason"
set -u
here=$(cd "$(dirname "$0")" && pwd)
HEDDLE=$(realpath "${HEDDLE:-$here/../build/heddle}")
RANDOM=${1:-1}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

pass() { echo "ok - $1"; }
fail() {
    echo "not ok - $1: $2"
    failures=$((failures + 1))
}

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

# paths DIR: the hashes of all recorded paths, sorted; fails if one occurs twice.
paths() {
    "$HEDDLE" tests "$1" --json | grep -o '"path_hash":"[0-9a-f]*"' | sort >"$1.paths"
    [ -s "$1.paths" ] && [ -z "$(uniq -d "$1.paths")" ]
}

# Sleep for 20 to 20 + $1 milliseconds.
doze() { sleep "0.$(printf %03d $((20 + RANDOM % $1)))"; }

# To be run in the background, where $! is heddle itself.
explore() { exec "$HEDDLE" run -q --tests all "$@" >log 2>&1 </dev/null; }

worker_of() { cat "/proc/$1/task/$1/children" 2>/dev/null | cut -d' ' -f1; }

# same NAME DIR: DIR is complete and has the paths of the undisturbed run.
same() {
    "$HEDDLE" run --resume="$2" --tests all --json </dev/null >summary 2>log
    if ! grep -q '"complete": *true' summary; then
        fail "$1" "not complete: $(tr -d "\n" <summary | grep -o '"reasons": *\[[^]]*') $(tail -n1 log)"
    elif ! paths "$2"; then
        fail "$1" "a path was recorded twice: $(uniq -d "$2.paths" | wc -l) times"
    elif ! cmp -s undisturbed.paths "$2.paths"; then
        fail "$1" "$(comm -23 undisturbed.paths "$2.paths" | wc -l) paths missing, $(comm -13 undisturbed.paths "$2.paths" | wc -l) new"
    else
        pass "$1"
    fi
}

kill_supervisor() {
    local strategy=$1
    explore --strategy "$strategy" -o killed program.c &
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
    doze 400
    kill -INT $! 2>/dev/null || fail "^C, $1" "the run was too short"
    wait
    same "^C, $1" killed
    rm -rf killed
}

(explore -o undisturbed program.c)
paths undisturbed || fail "undisturbed run" "no paths: $(tail -n1 log)"
kill_supervisor dfs
kill_supervisor coverage
kill_worker dfs
kill_worker bfs
interrupt dfs
[ $failures -eq 0 ]

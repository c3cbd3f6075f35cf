#!/bin/bash
# Many workers: whatever -j says, whoever is killed, with whatever -j it is gone on with, the set of
# paths is that of one worker that nobody disturbed, and so is the verdict.
#
#     HEDDLE=build/heddle tests/workers.sh [SEED]     prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/runs.sh"
RANDOM=${1:-1}
enter
make_programs 200 200 200 200

# All workers begin with the first one, so that small searches are shared too.
export HEDDLE_SHARES_AT_ONCE=1
any_worker_of() { pgrep -P "$1" | sed -n "$((1 + RANDOM % 3))p"; }

# Workers are killed now and then, and twice the supervisor, which is gone on with by others.
disturb() { # PROGRAM OPTIONS...
    local program=$1 victim jobs
    shift
    explore -j 3 "$@" -o killed "$program.c" &
    await_record
    for jobs in 2 8; do
        for _ in 1 2; do
            doze 400
            victim=$(any_worker_of $!)
            [ "$victim" ] && kill -9 "$victim" 2>/dev/null
        done
        doze 300
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null # quietly: the shell would say "Killed"
        explore -j $jobs --resume=killed &
    done
    wait
}

check() { # PROGRAM [repeats] OPTIONS...
    local program=$1 repeats=
    shift
    [ "${1:-}" = repeats ] && repeats=1 && shift
    (explore -j 1 -DSLOW=1 "$@" -o one "$program.c")
    undisturbed "$program $*" one $repeats
    for jobs in 2 8; do
        (explore -j $jobs "$@" -o many "$program.c")
        units=$(number many units)
        [ "${units:-0}" -gt 1 ] || fail "$jobs workers, $program $*" "nothing was shared"
        same "$jobs workers, $program $*" many one $repeats
        rm -rf many
    done
    disturb "$program" "$@"
    same "workers and supervisors killed, $program $*" killed one $repeats
    rm -rf one killed
}

check inputs
check threads
check threads repeats --por dpor
check messages
check mixed
check threads --strategy random
check threads --strategy random-dfs
check messages --strategy bfs
check mixed --strategy coverage

# One of 64 paths kills its worker, also out of an execution that has a process of its own: then it
# kills the parent.  The kernel is asked by hand, as kill() is Heddle's.
cat >deadly.c <<'END'
#include <heddle.h>
static long ask(long n, long a, long b, long c) {
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return r;
}
static int supervisor(void) {
    char text[16] = {0};
    int pid = 0;
    long fd = ask(2, (long)PID, 0, 0), n = ask(0, fd, (long)text, 15);
    ask(3, fd, 0, 0);
    for (long i = 0; i < n && text[i] >= '0'; i++)
        pid = pid * 10 + text[i] - '0';
    return pid;
}
int main(void) {
    unsigned char b[6];
    int n = 0;
    heddle_bytes(b, sizeof b, "b");
    for (int i = 0; i < 6; i++)
        if (b[i] > 9)
            n |= 1 << i;
    if (n == 21) {
        long parent = ask(110, 0, 0, 0);
        ask(62, parent == supervisor() ? ask(39, 0, 0, 0) : parent, 9, 0);
    }
    return 0;
}
END
die() { # OPTIONS...
    bash -c 'echo $$ >pid; exec "$0" run "-DPID=\"$PWD/pid\"" "$@"' "$HEDDLE" "$@" </dev/null >out 2>&1
}
for jobs in 1 2; do
    die --allow all -j $jobs -o deadly deadly.c
    if [ $? -eq 1 ] && grep -q '^not complete' out && grep -q 'lost-worker, deadly.c:21 in main: took down 11 workers' out &&
        grep -q 'inputs that were chosen: b.0. = ' out && grep -q '1 branch not tried yet: what takes down every worker was set aside' out; then
        pass "what takes down $jobs workers is set aside"
    else
        fail "what takes down $jobs workers is set aside" "$(tail -n1 out)"
    fi
    "$HEDDLE" units deadly | grep -q 'set aside' && pass "a unit is set aside, $jobs" || fail "a unit is set aside, $jobs" "none is"
done

# A limit of executions is met exactly, by however many.
executions() { "$HEDDLE" run --resume="$1" -j 1 -n 1 --json </dev/null 2>/dev/null | grep -oE '"executions": *[0-9]+' | head -n1 | grep -o '[0-9]*$'; }
for program in inputs:57:100 threads:57:100 mixed:7:20; do
    IFS=: read -r program few more <<<"$program"
    for jobs in 1 2 8; do
        "$HEDDLE" run -q -n "$few" -j $jobs -o limited "$program.c" >log 2>&1 </dev/null
        "$HEDDLE" run -q --resume=limited -n "$more" -j 3 >log 2>&1 </dev/null
        n=$(executions limited) # and one more
        say "$few and $more executions by $jobs workers, $program" "$([ "$n" = $((few + more + 1)) ] || echo "$n with one more")"
        rm -rf limited
    done
done

# Samples beside the search, whoever draws them: a finding that a search comes to late.
cat >late.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static void *work(void *mine) {
    for (int k = 0; k < 6; k++)
        turn = turn * 3 + (int)(long)mine;
    return 0;
}
int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
"$HEDDLE" build late.c >/dev/null 2>&1 # compiling is in the time
for jobs in 1 3; do
    "$HEDDLE" run -t 3s -j $jobs -v -o late late.c >out 2>&1 </dev/null
    grep -qE 'sampl' out && pass "samples beside $jobs workers" || fail "samples beside $jobs workers" "$(tail -n1 out)"
    rm -rf late
done

# Bad numbers: one sentence, and nothing is made.
for n in 0 10000 -1 many; do
    "$HEDDLE" run -j $n -o bad inputs.c >out 2>&1 </dev/null
    if [ $? -eq 2 ] && grep -q "jobs" out && [ ! -e bad ]; then
        pass "-j $n is refused"
    else
        fail "-j $n is refused" "$(tail -n1 out)"
    fi
done
[ $failures -eq 0 ]

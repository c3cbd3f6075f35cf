#!/bin/bash
# Every system call of supervisor, workers, compiler and machines of a cluster, and every allocation of the supervisor, made to fail in
# turn: a sentence, a status, nothing lost, no hang.
#
#     HEDDLE=build/heddle tests/failing.sh [SEED [LOOP...]]      prints "ok - NAME" or "not ok - NAME: reason"
#
# LOOP is calls, compiler, threads, memory, threads-memory or cluster; all of them unless some are named (those of threads and clusters with
# SOAK=1).  Of a cluster two of each kind are drawn, and with PER_KIND so many.
# strace makes the n-th call of a kind fail, in each process that comes that far; n is drawn, and with SOAK=1 it is every
# number there is.  What the loader of shared libraries does before main is not ours.
. "$(dirname "$0")/tool/script.sh"
RANDOM=${1:-1}
enter
export HEDDLE_CACHE=$PWD/cache
strace -qq -o trace true 2>trace.said || {
    skip "system calls that fail" "strace cannot trace here: $(tail -n 1 trace.said)"
    exit 0
}

cat >inputs.c <<'END'
#include <heddle.h>
int main(void) {
    unsigned char b[5];
    int n = 0;
    heddle_bytes(b, sizeof b, "b");
    for (unsigned i = 0; i < sizeof b; i++)
        n += b[i] > 100 + i;
    heddle_reach(n > 2 ? "many" : "few");
    return 0;
}
END
cat >threads.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
    x += 2;
    x *= 3;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    x += 5;
    x *= 7;
    pthread_join(t, NULL);
    return 0;
}
END

# Calls that cannot fail as they are made, those of the C library's own start, and brk, which tells by its result, not by an error.
cannot='^brk$\|^execve$\|^exit_group$\|^rt_sig\|^arch_prctl$\|^futex$\|^set_\|^sigaltstack$\|^get.*id$\|^clock_'
# The error that a call would have; EIO for those that can have any.
error_of() {
    case $1 in
    mmap | mremap | munmap | mprotect | madvise) echo ENOMEM ;;
    clone | clone3 | fork | vfork) echo EAGAIN ;;
    openat | open | socketpair | pipe2 | dup) echo EMFILE ;;
    write | pwrite64 | ftruncate | mkdir | mkdirat | linkat) echo ENOSPC ;;
    prctl | seccomp | landlock_*) echo EINVAL ;;
    *) echo EIO ;;
    esac
}
# Of a run that is complete.
paths_of() { "$HEDDLE" run -q --json --resume="$1" 2>/dev/null </dev/null | sed -n 's/.*"paths": *\([0-9]*\).*/\1/p' | head -n 1; }

# wrong STATUS: why this is no way to end, if it is not.
wrong() {
    case $1 in
    0) [ "$(paths_of out)" = "$paths" ] || echo "complete with $(paths_of out) of $paths paths" ;;
    1) echo "a finding: $(grep -m 1 '#1' told)" ;;
    3) grep -q 'not complete' told || echo "status 3 without a reason" ;;
    2) grep -q 'heddle: error: ' told || echo "status 2 without a sentence" ;;
    124) echo "no end" ;;
    *) echo "status $1: $(tail -n 2 told)" ;;
    esac
}
# lost: whether the run can be gone on with, or begun anew.
lost() {
    local said
    said=$("$limited" 60 "$HEDDLE" run -q --resume out 2>&1) || said=$("$limited" 60 "$HEDDLE" run -q -o out $options 2>&1) || {
        echo "and then: $(tail -n 1 <<<"$said")"
        return
    }
    [ "$(paths_of out)" = "$paths" ] || echo "and then $(paths_of out) of $paths paths"
}

# try CALL N: one failure.
try() {
    local status
    rm -rf out
    "$limited" 30 strace -f -qq -o trace --seccomp-bpf -e trace="$1" -e inject="$1:error=$(error_of "$1"):when=$2" \
        "$HEDDLE" run -j 1 -o out $options >told 2>&1 </dev/null
    status=$?
    grep -q INJECTED trace || return
    if [ "$2" -le "$(count_before_main "$1")" ] && [ $status -ge 127 ]; then return; fi # the loader's, which ends as it likes
    ! grep -q 'system call -1' told || return # strace asks the kernel for call -1 instead: not on the list of a confined process
    judge "$1 number $2" $status
}

# judge WHAT STATUS: what is wrong goes to the file "bad".
judge() {
    local why
    tried=$((tried + 1))
    why=$(wrong "$2")
    [ "$why" ] || why=$(lost)
    [ -z "$why" ] || echo "$1: $why" >>bad
}

# Calls of the kind that one process makes at most.
count() { awk -v call="$1" '{ sub(/\(.*/, "", $2) } $2 == call { n[$1]++ } END { for (p in n) if (n[p] > most) most = n[p]; print most + 0 }' all; }

count_before_main() { awk -v call="$1" '!first { first = $1 } /rt_sigaction\(SIGPIPE/ { exit } { sub(/\(.*/, "", $2) } $1 == first && $2 == call { n++ } END { print n + 0 }' all; }

begin() {
    options=$1 tried=0
    "$HEDDLE" run -q -o out $options >/dev/null 2>&1 # compiled once
    paths=$(paths_of out)
    [ "${paths:-0}" -gt 0 ] || echo "an undisturbed run has no paths" >bad.begin
    rm -rf out bad
    [ ! -e bad.begin ] || mv bad.begin bad
}
tell() {
    [ -z "${SHOW:-}" ] || echo "$tried tried" >&2
    [ ! -e bad ] || [ -z "${SHOW:-}" ] || cat bad >&2
    say "$1" "$([ "$tried" -ge "${least:-20}" ] || echo "only $tried were tried"; [ ! -e bad ] || echo "$(wc -l <bad) of $tried: $(head -n 3 bad)")"
}

# all_of NAME OPTIONS: all kinds of calls that a run makes, once or twice each, or as often as there are.
all_of() {
    local call n most
    begin "$2"
    strace -f -qq -o all "$HEDDLE" run -q -j 1 -o out $options >/dev/null 2>&1
    for call in $(awk '{ sub(/\(.*/, "", $2); print $2 }' all | grep '^[a-z]' | sort -u | grep -v "$cannot"); do
        most=$(count "$call")
        if [ "${SOAK:-}" ]; then
            for ((n = 1; n <= most; n++)); do try "$call" $n; done
        else
            try "$call" $((RANDOM % most + 1))
        fi
    done
    tell "$1: system calls that fail"
}

# memory_of NAME OPTIONS: allocations of a run that fail, 25 of them or all there are.
memory_of() {
    local n most step
    begin "$2"
    gcc -shared -fPIC -O1 -o scarce.so "$here/failing/scarce.c"
    FAIL_COUNT=$PWD/count LD_PRELOAD=$PWD/scarce.so "$HEDDLE" run -q -j 1 -o out $options >/dev/null 2>&1
    most=$(cat count)
    step=$((most / 25))
    [ -z "${SOAK:-}" ] || step=1
    for ((n = 1 + RANDOM % step; n <= most; n += step)); do
        rm -rf out
        "$limited" 30 env FAIL_AT=$n LD_PRELOAD="$PWD/scarce.so" "$HEDDLE" run -j 1 -o out $options >told 2>&1 </dev/null
        judge "allocation $n" $?
    done
    tell "$1: memory that runs out"
}
# compiler_of NAME OPTIONS: calls of heddle-compile, clang and ld that fail, six kinds of them or all there are.  The module is
# made, or there is a sentence; what is in the cache then is right, or made anew.
compiler_of() {
    local call n most kinds status
    begin "$2"
    rm -rf cache
    strace -f -qq -o all "$HEDDLE" build $options >/dev/null 2>&1
    kinds=$(awk '{ sub(/\(.*/, "", $2); print $2 }' all | grep '^[a-z]' | sort -u | grep -v "$cannot\|^wait\|^seccomp\|^landlock\|^cap")
    [ "${SOAK:-}" ] || kinds=$(shuf -n 6 --random-source=<(yes $RANDOM) <<<"$kinds")
    for call in $kinds; do
        most=$(count "$call")
        for ((n = 1; n <= most; n++)); do
            [ "${SOAK:-}" ] || n=$((RANDOM % most + 1))
            rm -rf cache out
            "$limited" 60 strace -f -qq -o trace --seccomp-bpf -e trace="$call" -e inject="$call:error=$(error_of "$call"):when=$n" \
                "$HEDDLE" build $options >told 2>&1 </dev/null
            status=$?
            tried=$((tried + 1))
            # Of a sentence and its hint one may be the write that fails.
            if [ $status != 0 ] && ! { [ $status = 2 ] && grep -q 'heddle: error: \|^  hint: ' told; } && [ $status -lt 127 -o "$n" -gt "$(count_before_main "$call")" ]; then
                echo "$call number $n: status $status: $(tail -n 1 told)" >>bad
            fi
            "$limited" 60 "$HEDDLE" run -q -o out $options >told 2>&1 </dev/null
            [ "$(paths_of out)" = "$paths" ] || echo "$call number $n: and then $(paths_of out) of $paths paths: $(tail -n 1 told)" >>bad
            [ "${SOAK:-}" ] || break
        done
    done
    least=5 tell "$1: system calls of its compiler that fail"
}
# ---- machines of a cluster ----

start_server() {
    nats-server -js -a 127.0.0.1 -p -1 -sd "$PWD/store" --ports_file_dir "$PWD" >server.log 2>&1 </dev/null &
    server=$!
    for _ in $(seq 400); do
        [ -s "nats-server_$server.ports" ] && break
        sleep 0.05
    done
    url=nats://127.0.0.1:$(grep -oE '127.0.0.1:[0-9]+' "nats-server_$server.ports" | head -n 1 | cut -d: -f2)
}
# A machine of run r$trial, in the background and for a minute at most; FAULT is in front of it, or nothing.
coordinate() { timeout -s KILL 60 $FAULT "$HEDDLE" run --cluster "$url" --run "r$trial" --token "token$trial" --no-workers --patience 2s --tests all "$@" >>told 2>&1 </dev/null & }
help_out() { timeout -s KILL 60 $FAULT "$HEDDLE" worker --cluster "$url" --token "token$trial" -j 1 >>told 2>&1 </dev/null & }
await_token() { until [ -s "token$trial" ] && grep -qs 'add machines' told || ! kill -0 "$1" 2>/dev/null; do sleep 0.05; done; }
# A coordinator that has ended without the last path, or a worker that has ended before the coordinator, comes again undisturbed.
finish() { # COORDINATOR WORKER
    local run=$1 worker=$2 status again=
    while true; do
        wait -n -p ended "$run" "$worker"
        status=$?
        if [ "$ended" = "$run" ]; then
            [ $status != 137 ] || echo "the coordinator has no end" >>why
            [ $status != 0 ] || break
            [ $status = 2 ] || [ $status = 3 ] || echo "the coordinator ended with $status: $(tail -n 1 told)" >>why
            [ -z "$again" ] || { echo "and then: $(tail -n 1 told)" >>why && break; }
            again=yes
            FAULT= coordinate -o again $options
            run=$!
            await_token $run
            out=again
        else
            # The C library itself aborts when it cannot give back the stack of a thread; all was done then.
            [ $status = 134 ] && grep -q "left run 'r$trial'" told && status=0
            [ $status = 0 ] || [ $status = 2 ] || echo "a worker ended with $status: $(tail -n 1 told)" >>why
        fi
        kill -0 "$worker" 2>/dev/null || { FAULT= help_out && worker=$!; }
    done
    wait "$worker"
}
# cluster_trial PART FAULT: one run with it, and how it ends.
cluster_trial() {
    local run out=out
    trial=$((trial + 1))
    rm -rf out again told why
    FAULT=$([ "$1" = worker ] || echo "$2") && coordinate -o out $options
    run=$!
    await_token $run
    FAULT=$([ "$1" = coordinator ] || echo "$2") && help_out
    finish $run $!
    [ "$("$HEDDLE" tests $out --json 2>/dev/null | grep -c '"path_hash"')" = "$paths" ] || echo "not all paths: $(tail -n 1 told)" >>why
}
# cluster_of PART: calls of the coordinator or of a supervisor with its worker.
cluster_of() {
    local call n i most
    begin inputs.c
    start_server
    trial=0
    cluster_trial "$1" "strace -f -qq -o all"
    [ ! -e why ] || echo "undisturbed: $(head -n 1 why)" >>bad
    for call in $(awk '{ sub(/\(.*/, "", $2); print $2 }' all | grep '^[a-z]' | sort -u | grep -v "$cannot"); do
        most=$(count "$call")
        for ((i = 0; i < ${PER_KIND:-2} && i < most; i++)); do
            n=$((RANDOM % most + 1))
            cluster_trial "$1" "strace -f -qq -o trace --seccomp-bpf -e trace=$call -e inject=$call:error=$(error_of "$call"):when=$n"
            grep -q INJECTED trace && ! grep -q 'system call -1' told || continue
            [ "$n" -gt "$(count_before_main "$call")" ] || continue
            tried=$((tried + 1))
            [ ! -e why ] || echo "$call number $n: $(head -n 1 why)" >>bad
        done
    done
    kill -9 $server
    wait $server 2>/dev/null
    rm -rf store
    tell "a cluster: system calls of a $1 that fail"
}
# loop NAME COMMAND...: if it is asked for.
loop() {
    case " ${loops:-calls compiler memory ${SOAK:+threads threads-memory $(command -v nats-server >/dev/null && echo cluster)}} " in
    *" $1 "*) "${@:2}" ;;
    esac
}
loops=${*:2}
loop calls all_of "a program with inputs" inputs.c
loop compiler compiler_of "a program with inputs" inputs.c
loop threads all_of "a program with threads" threads.c
loop memory memory_of "a program with inputs" inputs.c
loop threads-memory memory_of "a program with threads" threads.c
loop cluster cluster_of coordinator
loop cluster cluster_of worker
[ $failures -eq 0 ]

#!/bin/bash
# What ends a run from outside: signals, limits of processes, memory, disks.  Each has its sentence and
# its status, and nothing that was committed is lost.
#
#     HEDDLE=build/heddle tests/ends.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter

cat >long.c <<'END'
#include <heddle.h>
int main(void) {
    unsigned x = 0;
    for (int i = 0; i < 40; i++) {
        int b;
        heddle_input(b);
        x = b > 0 ? x * 3 + 1 : x + 2;
    }
    return x == 7;
}
END
"$HEDDLE" run -q --max-executions 10 -o out long.c >/dev/null 2>&1 # it is compiled once

# A run that somebody asks to end, and why it says it did.
#
#     asked SIGNAL WORDS
asked() {
    local run status
    rm -rf out
    env --default-signal "$HEDDLE" run -j 2 --max-time 60s -o out long.c >told 2>&1 & # whatever is ignored here
    run=$!
    for _ in $(seq 600); do
        [ -s out/run.db-wal ] && break
        sleep 0.05
    done
    sleep 0.2
    kill "-$1" $run
    wait $run
    status=$?
    say "SIG$1 ends a run as ^C does" "$([ $status = 3 ] && grep -q "not tried yet: $2" told || echo "status $status: $(tail -n 3 told)")"
    "$limited" 60 "$HEDDLE" run -q --resume out --max-executions 5 >told 2>&1
    status=$?
    say "a run that SIG$1 ended can be gone on with" "$([ $status = 3 ] && grep -q 'execution limit' told || echo "status $status: $(tail -n 3 told)")"
}
asked INT interrupted
asked HUP 'the terminal was closed'
asked XCPU 'limit of processor time'
asked XFSZ 'limit of file sizes'

# within LIMIT NAME STATUS WORDS: a run inside a limit of the shell, and what it says.
within() {
    local status
    rm -rf out
    (ulimit $1 && "$limited" 60 "$HEDDLE" run -j 1 --max-time 20s -o out long.c) >told 2>&1
    status=$?
    say "$2" "$([ $status = "$3" ] && grep -q "$4" told || echo "status $status: $(tail -n 3 told)")"
}
within '-t 2' "a worker at the limit of processor time ends the run" 3 'not tried yet: limit of processor time'
within '-f 60' "a record that may not grow is told" 2 "cannot read or write 'out/run.db': "
within '-s 64' "a small stack has its sentence" 2 'a stack of 64 KiB is too small'
within '-S -s 64' "a small stack that may grow does" 3 'time limit\|not tried yet'
within '-v 1000000' "a small address space has its sentence" 2 'address space'
# nohup: a hangup that is ignored stays ignored.
rm -rf out
(trap '' HUP && exec "$HEDDLE" run -j 1 --max-time 2s -o out long.c) >told 2>&1 &
run=$!
sleep 1
kill -HUP $run
wait $run
status=$?
say "a hangup that is ignored does not end a run" "$([ $status = 3 ] && grep -q 'not tried yet: time limit' told || echo "status $status: $(tail -n 3 told)")"

# A system call that workers need for themselves, and their walls refuse: a library of another year may have
# one.  Here the N-th getrusage makes it.
cat >unlisted.c <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
int getrusage(__rusage_who_t who, struct rusage *usage) {
    static int n;
    if (++n == atoi(getenv("NTH")))
        syscall(SYS_mlockall, 0);
    return (int)syscall(SYS_getrusage, who, usage);
}
END
gcc -shared -fPIC -w -o unlisted.so unlisted.c
# unlisted NTH STATUS WORDS
unlisted() {
    local status
    rm -rf out
    env LD_PRELOAD="$PWD/unlisted.so" NTH="$1" "$limited" 60 "$HEDDLE" run -j 1 --max-time 40s -o out long.c >told 2>&1
    status=$?
    say "a call that walls refuse to a worker itself is said once (at $1)" "$([ $status = "$2" ] && [ "$(grep -c "$3workers need the system call mlockall, which their walls refuse" told)" = 1 ] && ! grep -q 'internal error\|was ended by' told || echo "status $status: $(tail -n 3 told)")"
}
unlisted 1 2 'cannot run the program: '
unlisted 40 3 'not tried yet: '

# What a program was allowed to start does not outlive the run.
cat >leaves.c <<'END'
#include <heddle.h>
#include <wordexp.h>
int main(void) {
    int b;
    static wordexp_t words;
    heddle_input(b);
    if (b == 5)
        wordexp("$(" LEFT " 3600 >/dev/null 2>&1 &)", &words, 0);
    return 0;
}
END
cp "$(command -v sleep)" left
"$limited" 60 "$HEDDLE" run -j 1 --allow exec,write=/dev/null --external wordexp -o out -DLEFT="\"$PWD/left\"" leaves.c >told 2>&1
left=$(pgrep -f "left 3600" | while read -r pid; do [ "$(readlink "/proc/$pid/exe")" = "$PWD/left" ] && echo "$pid"; done)
[ -z "$left" ] || kill $left
say "processes that a program leaves behind end with the run" "$([ -z "$left" ] && grep -q 'ended 1 process that the program had left behind' told || echo "left: '$left'; $(tail -n 4 told)")"

# A cache whose disk is full, of bytes or of files, or that cannot be written: modules are made elsewhere.  Disks are small
# file systems in a namespace of mounts of the test's own.
cat >cached.c <<'END'
#include <heddle.h>
int main(void) {
    int x;
    heddle_input(x);
    if (x == 3)
        return 1;
    if (x > 7)
        return 2;
    return 0;
}
END
sed 's,^int main,char room[8 << 20] = {1}; /* in the module */\n&,; s,return 2,return room[1] + 2,' cached.c >large.c
# cached WORDS OF MOUNT [PROGRAM]: what is wrong with a run, one more and a replay.
cached() {
    unshare -m sh -c '
        export TMPDIR="$PWD/elsewhere" HEDDLE_CACHE="$PWD/disk/cache"
        mkdir -p disk elsewhere && mount -t tmpfs -o "$2" none disk || exit
        for _ in 1 2; do
            "$1" 60 "$HEDDLE" run -q --json -o cached "$3.c" >told 2>&1 && grep -q "\"paths\": 3" told || { tail -n 2 told; exit; }
        done
        "$1" 60 "$HEDDLE" replay cached 1 >told 2>&1 || tail -n 2 told
        case $2 in
        size=64m) [ "$(ls disk/cache)" ] || echo "a disk that is large enough was not used" ;;
        *) ! TMPDIR=$PWD/nowhere "$1" 60 "$HEDDLE" build "$3.c" >told 2>&1 && grep -q "heddle: error: " told || echo "there was room" ;;
        esac
        [ -z "$(ls -A elsewhere)" ] || echo "left behind: $(ls -A elsewhere)"' sh "$limited" "$1" "${2:-cached}" 2>&1
    rm -rf cached elsewhere
}
if unshare -m sh -c 'mkdir -p disk && mount -t tmpfs -o size=4k none disk' 2>/dev/null; then
    for disk in size=4k size=64k size=1m size=64m,nr_inodes=2 size=64m,nr_inodes=5 size=64m,nr_inodes=9 size=64m,ro size=64m; do
        say "a cache on a disk with $disk" "$(cached $disk)"
    done
    say "a cache on a disk that becomes full" "$(cached size=5m large)"
else
    skip "a cache on a full disk" "no file system can be mounted here"
fi

# A folder for modules without a cache belongs to a process and goes away with it; one that a killed process has left goes away
# when the next one compiles, and nothing else does: no folder that somebody holds, and nothing that a link leads to.
: >file # no directory can be made there
mkdir -p elsewhere/heddle-modules-held elsewhere/heddle-modules-left/module precious
echo kept | tee elsewhere/heddle-modules-held/kept precious/kept >elsewhere/heddle-modules-left/module/image
ln -s "$PWD/precious" elsewhere/heddle-modules-link
ln -s "$PWD/precious" elsewhere/heddle-modules-left/inner
flock elsewhere/heddle-modules-held sh -c 'echo held; exec sleep 60' >holding &
holder=$!
for _ in $(seq 200); do [ -s holding ] && break; sleep 0.05; done
uncached() { TMPDIR=$PWD/elsewhere HEDDLE_CACHE=$PWD/file/cache "$limited" 60 "$HEDDLE" "$@" >told 2>&1; }
uncached run -q -o out cached.c && status=0 || status=$?
say "a run without a cache leaves no folder behind" "$([ $status = 0 ] && [ "$(cd elsewhere && echo *)" = 'heddle-modules-held heddle-modules-link' ] || echo "status $status: $(ls elsewhere)")"
say "folders that are held and links are left alone" "$(cat elsewhere/heddle-modules-held/kept precious/kept 2>&1 | grep -v '^kept$')"
uncached build cached.c && status=0 || status=$?
say "a module that nobody can keep is told" "$([ $status = 2 ] && grep -q 'there is no cache that could keep the module' told || echo "status $status: $(tail -n 2 told)")"
uncached build -o module cached.c && status=0 || status=$?
say "with a place of its own it is kept" "$([ $status = 0 ] && "$limited" 60 "$HEDDLE" run -q -o out module >told 2>&1 || tail -n 2 told)"
kill $holder

# A source that clang reads for ever: --max-time and signals end the compiler and all that it has started, and what was there
# before is there still.
{
    echo '#define E0 1'
    for i in $(seq 60); do echo "#define E$i E$((i - 1))+E$((i - 1))"; done
    printf '#if E60\n#endif\n'
} >spin.h
sed '1i #include "spin.h"' cached.c >spin.c
export HEDDLE_CACHE=$PWD/cut-cache
"$HEDDLE" run -q -o before cached.c >/dev/null 2>&1
sum() { (cd "$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum); }
sum cut-cache >cache.sum
sum before | grep -v 'run.db-shm' >before.sum
# cut NAME WHAT: what is left of a compilation that was ended.
cut() {
    local left
    left=$(pgrep -f "$PWD/cut-cache/new-")
    [ -z "$left" ] || kill -9 $left
    say "$1: $2" "$([ -z "$left" ] || echo "processes $left are left"; sum cut-cache | diff - cache.sum; find cut-cache -name 'new-*'; sum before | grep -v 'run.db-shm' | diff - before.sum)"
}
began=$EPOCHREALTIME
"$limited" 60 "$HEDDLE" run --max-time 1s -o before spin.c >told 2>&1
status=$?
took=$(awk "BEGIN { print $EPOCHREALTIME - $began }")
say "--max-time ends a compilation" "$([ $status = 2 ] && grep -q 'the time was over before the program was compiled' told && awk "BEGIN { exit !($took < 10) }" || echo "status $status after $took s: $(tail -n 2 told)")"
cut "--max-time" "cache and results are as they were, nothing runs on"
for signal in INT TERM HUP; do
    env --default-signal "$HEDDLE" run -o before spin.c >told 2>&1 &
    run=$!
    for _ in $(seq 200); do pgrep -f "$PWD/cut-cache/new-" >/dev/null && break; sleep 0.05; done
    kill -$signal $run
    wait $run 2>/dev/null
    status=$?
    say "SIG$signal ends a compilation" "$([ $status = $((128 + $(kill -l $signal))) ] || echo "status $status: $(tail -n 2 told)")"
    cut "SIG$signal" "cache and results are as they were, nothing runs on"
done
"$limited" 60 "$HEDDLE" run -q --json -o before cached.c >told 2>&1
say "and the cache can be used" "$(grep -q '"paths": 3' told || tail -n 2 told)"
exit $((failures > 0))

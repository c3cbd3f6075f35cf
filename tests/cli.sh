#!/bin/bash
# Commands and bad input: what a user can get wrong, each answered by one sentence, what to do,
# exit status 2, and untouched results.
#
#     HEDDLE=build/heddle tests/cli.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter
trap 'chmod -R u+w "$work" 2>/dev/null; umount "$work/tiny" 2>/dev/null; rm -rf "$work"' EXIT

# Run heddle (through the command in $as, if any); leaves $status, files out and err.
as=()
heddle() {
    "$limited" 60 "${as[@]}" "$HEDDLE" "$@" >out 2>err </dev/null
    status=$?
}

# is NAME STATUS PATTERN -- ARGUMENTS: the status, and a line of output that matches.
is() {
    local name=$1 wanted=$2 pattern=$3
    shift 4
    heddle "$@"
    if [ $status -ne "$wanted" ]; then
        fail "$name" "status $status, expected $wanted: $(head -c 200 err | tr '\n' ' ')"
    elif ! cat out err | grep -qE -e "$pattern"; then
        fail "$name" "nothing matches '$pattern': $(head -c 200 err | tr '\n' ' ')"
    else
        pass "$name"
    fi
}

# bad NAME PATTERN -- ARGUMENTS: one sentence, a hint, status 2, nothing on standard output,
# and the results in good/ as they were.
bad() {
    local name=$1 pattern=$2 before after errors
    shift 3
    before=$(results)
    heddle "$@"
    after=$(results)
    errors=$(grep -c '^heddle: error: ' err)
    if [ $status -ne 2 ]; then
        fail "$name" "status $status, expected 2: $(head -c 200 err | tr '\n' ' ')"
    elif [ "$errors" -ne 1 ]; then
        fail "$name" "$errors sentences, expected one: $(head -c 200 err | tr '\n' ' ')"
    elif ! grep '^heddle: error: ' err | grep -qE -e "$pattern"; then
        fail "$name" "no '$pattern' in: $(grep '^heddle: error: ' err)"
    elif ! grep -q '^  hint: ' err; then
        fail "$name" "it does not say what to do: $(head -n1 err)"
    elif [ -s out ]; then
        fail "$name" "something on standard output: $(head -n1 out)"
    elif [ "$before" != "$after" ]; then
        fail "$name" "the results in 'good' changed"
    else
        pass "$name"
    fi
}

# What a reader sees of the run in good/.
results() {
    [ -d good ] && { "$HEDDLE" tests good --json; "$HEDDLE" findings good --json; } 2>&1 | cksum
}

cat >bug.c <<'END'
#include <heddle.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int x;
    heddle_input(x);
    printf("program %d\n", argc);
    if (x == 1234567)
        heddle_assert(x != 1234567);
    if (argc > 1 && x == 7)
        heddle_reach(argv[1]);
    return 0;
}
END
cat >clean.c <<'END'
#include <heddle.h>
int main(void) {
    unsigned char b[3];
    int n = 0;
    heddle_input(b);
    for (int i = 0; i < 3; i++)
        if (b[i] > 100)
            n++;
    heddle_assert(n <= 3);
    return 0;
}
END
cat >function.c <<'END'
int twice(int x) { return x == 41 ? *(volatile int *)0 : x; }
END
cat >wrong.c <<'END'
int main(void) { return undeclared_name; }
END
cat >input.c <<'END'
int call(void (*f)(void), int x) { return x ? f != 0 : 0; }
END

# ---- Commands ---------------------------------------------------------------------------------
is "help on threads" 0 'one execution for each equivalence class' -- help threads
is "version" 0 '^heddle [0-9]+\.[0-9]+' -- --version
is "help" 0 '^usage: heddle COMMAND' -- help
is "--help" 0 '^usage: heddle COMMAND' -- --help
for topic in run build replay tests findings serve units simulate stats export help inputs strategies solver checks limits \
    json exit-status files environment; do
    is "help $topic" 0 '.' -- help $topic
done
for command in run build replay tests findings explain units simulate stats report export completion; do
    is "$command --help" 0 "^usage: heddle $command" -- $command --help
done

is "run with a finding" 1 'assertion.*x != 1234567' -- run -o good bug.c -- extra
is "the finding's place" 1 'bug\.c:8' -- run -o good bug.c -- extra
is "the source line" 1 '> +8 \|' -- run -o good bug.c -- extra
is "how to replay" 1 '^  replay: heddle replay good [0-9]+' -- run -o good bug.c -- extra
is "complete" 1 '^complete: every path was explored' -- run -o good bug.c -- extra
is "label by program argument" 1 "'extra'" -- run -o good bug.c -- extra
is "run without a finding" 0 '^complete: every path' -- run -o clean clean.c
is "stopped at a limit" 3 '^not complete' -- run -o limited --max-executions 2 clean.c
echo 'int main(void) { return 0; }' >ready.i
is "a preprocessed file" 0 '^complete: ' -- run -o ready --fail-on-exit ready.i
echo 'int main(void) { return 3; }' >ready.i
is "a preprocessed file that was changed" 1 'status 3' -- run -o ready --fail-on-exit ready.i
is "resumed" 0 '^complete: every path' -- run --resume limited
is "resumed with the same sources" 0 '^complete: every path' -- run --resume -o limited clean.c
# More threads than fit into a word: the journal and schedules name them.
many=$here/programs/threads/many.c
is "many threads, stopped at a limit" 3 '^not complete' -- run -o many --max-executions 1 -DN=100 "$many"
is "many threads, resumed" 0 '2 .2 classes' -- run --resume many
is "many threads with a finding" 1 'assertion' -- run -o many -DBUG -DN=100 "$many"
is "many threads, replayed" 0 'the same trace as recorded' -- replay many 1
is "quiet" 1 '^#1 assertion' -- run -q -o good bug.c -- extra
is "a function" 1 'null-pointer' -- run -o function --function twice function.c

heddle run -o good bug.c -- extra
number=$("$HEDDLE" findings good --json | sed -n 's/.*"test":\([0-9]*\).*/\1/p')
is "tests" 0 '^ +1  ' -- tests good
is "one test" 0 '^  x = 1234567' -- tests good "$number"
is "findings" 0 '^#1 assertion' -- findings good
is "one finding" 0 '^finding 1: ' -- findings good 1
is "units" 0 '^ +1  -  .* done$' -- units good
is "units as JSON" 0 '"state": ?"done"' -- units good 1 --json
is "a fleet that is simulated" 0 '^ +1 +[0-9.e-]+ +1\.00 ' -- simulate good --hand-over 0
is "a fleet as JSON" 0 '"critical_path"' -- simulate good --json --workers 1,2,4,...,16
is "a base" 0 '^base .* by one worker: units take' -- simulate good --base good
bad "a base that is not there" "no run of Heddle in 'nowhere'" -- simulate good --base nowhere
bad "a base of another program" "'clean' is a run of another program" -- simulate good --base clean
is "a drawing" 0 '^measured  ' -- simulate good --svg good.svg
grep -q '^</svg>$' good.svg && pass "the drawing is there" || fail "the drawing is there" "it is not"
is "other-seeds" 0 '^complete' -- run -q -j 1 --strategy random-dfs --seed 2 -o seed2 clean.c
is "other-seeds again" 0 '^complete' -- run -q -j 1 --strategy random-dfs --seed 3 -o seed3 clean.c
is "runs beside each other" 0 '^ +2 +[0-9.e-]+ +[0-9.]+ +1 +0$' -- simulate seed2 seed3 --workers 1,2,4
is "runs beside each other as JSON" 0 '"time_to_find"' -- simulate seed2 seed3 --json
bad "runs of two programs" "'good' is a run of another program" -- simulate seed2 good
bad "sizes that do not grow" "option '--workers' takes numbers that grow" -- simulate good --workers 2,1
bad "a drawing that cannot be written" "cannot write '/nowhere/x.svg'" -- simulate good --svg /nowhere/x.svg
bad "no run to simulate" "no run directory given" -- simulate
bad "a run that is not there to simulate" "no run of Heddle in 'nowhere'" -- simulate nowhere
bad "statistics of nothing" "no run directory given" -- stats
bad "statistics of a run that is no whole system" "'good' does not say how it grew" -- stats good
bad "a unit that is not there" "there is no unit 2 in 'good'" -- units good 2
is "replay" 0 'the same trace as recorded' -- replay good "$number"
is "replay shows the program's output" 0 '^program 2$' -- replay good "$number"
is "replay of all tests" 0 '^3 of 3 tests went as recorded$' -- replay good all
is "replay of two tests" 0 '^2 of 2 tests went as recorded$' -- replay good 1 3
is "replay goes on behind a test that is not there" 2 '^1 of 2 tests went as recorded$' -- replay good 99999 1
is "build" 0 '^module: built' -- build -o built bug.c
is "run of a built module" 1 'bug\.c:8' -- run -o from-module built
is "build again" 0 '^module: built' -- build -o built bug.c
is "export" 0 'written to exported' -- export --c good -o exported
n=0
for test in exported/test_*.c; do
    cc -w -I "$here/../include" -o exported.out "$test" bug.c 2>reason &&
        ./exported.out >/dev/null 2>reason || n=$((n + 1))
done
if [ -e exported/test_0001.c ] && [ $n -eq 0 ]; then pass "exported tests run without Heddle"; else
    fail "exported tests run without Heddle" "$n differ: $(tail -n1 reason)"
fi

heddle run --json -q -o good bug.c -- extra
if python3 -c '
import json, sys
s = json.load(open("out"))
f = s["findings"][0]
assert s["exit_status"] == 1 and s["complete"] is True and s["reasons"] == [], s
assert f["kind"] == "assertion" and f["line"] == 8 and f["count"] >= 1 and f["test"] >= 1, f
assert s["labels"]["extra"] == 1 and s["seed"] == 1 and "confined_by" in s and s["paths"] == 3, s
for k in ("version", "program", "executions", "rejected", "tests", "coverage", "solver",
          "losses", "times"): s[k]
assert s["solver"]["queries"] >= s["solver"]["unknown"] >= 0
' 2>reason; then pass "json"; else fail "json" "$(tail -n1 reason)"; fi
heddle replay --json good "$number"
if python3 -c '
import json; s = json.load(open("out")); assert s["same_trace"] and s["end"] == "finding", s
' 2>reason; then pass "replay --json"; else fail "replay --json" "$(tail -n1 reason)"; fi

heddle run --seed 5 --json -q -o seeded clean.c
cp out first
heddle run --seed 5 --json -q -o seeded clean.c
if [ "$(grep -E '"(executions|paths|queries)"' first)" = "$(grep -E '"(executions|paths|queries)"' out)" ]; then
    pass "the same seed, the same run"
else
    fail "the same seed, the same run" "counters differ"
fi

"$HEDDLE" run -o piped bug.c 2>/dev/null | true
is "results survive a closed pipe" 0 '^#1 assertion' -- findings piped

if command -v gdb >/dev/null; then
    echo 'bt' >commands
    DEBUGINFOD_URLS='' "$limited" 60 "$HEDDLE" replay good "$number" --gdb <commands >out 2>&1
    if grep -q 'main.*bug\.c:8' out; then
        pass "replay --gdb stops at the finding"
    else
        fail "replay --gdb stops at the finding" "$(tail -n3 out | tr '\n' ' ')"
    fi
else
    skip "replay --gdb stops at the finding" "no gdb"
fi

# ---- Bad input --------------------------------------------------------------------------------
# Threads: a lost update is found, told, replayed, and its race is called harmful.
cat >threads.c <<'END'
#include <assert.h>
#include <pthread.h>
static int balance;
static void *pay(void *unused) {
    int before = balance;
    balance = before + 1;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pay, NULL);
    pthread_create(&b, NULL, pay, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 2);
    return 0;
}
END
is "threads: the lost update" 1 "^#[0-9]+ assertion, threads.c:15" -- run -q -o woven threads.c
is "threads: the story" 0 "thread [12] +reads 'balance' at threads.c:5, writes 'balance' at threads.c:6" \
    -- findings woven "$("$HEDDLE" findings woven | sed -n 's/^#\([0-9]*\) assertion.*/\1/p')"
is "threads: harmful races" 0 'data-race.*harmful: see finding' -- findings woven
is "threads: replay" 0 'the same trace as recorded' -- replay woven 1

# Two threads fail in the same execution: two findings, and a test for each.
cat >both.c <<'END'
#include <assert.h>
#include <pthread.h>
static void *first(void *unused) { assert(unused); return unused; }
static void *second(void *unused) { assert(!"second"); return unused; }
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
END
is "two failures: two findings" 1 '^2 findings' -- run -o both both.c
for n in 1 2; do
    is "two failures: test $n shows one" 0 '^test '"$n"": assertion '$([ $n = 1 ] && echo unused || echo '!"second"')' failed" \
        -- replay both $n
    is "two failures: test $n names the other" 0 "^also in this execution: assertion .* at both.c:$((5 - n))" -- replay both $n
    is "two failures: test $n names the other as JSON" 0 '"line": '"$((5 - n))" -- replay --json both $n
done
is "threads: no export" 0 'left out: they depend on the order of threads' -- export --c woven -o plain
is "threads: at random depth first" 1 "^#[0-9]+ assertion, threads.c:15" -- run -q --strategy random-dfs --seed 3 -o woven threads.c
is "threads: races may be ignored" 1 '"classes"' -- run --json --no-races -o woven threads.c
if grep -q data-race out; then fail "threads: --no-races" "a race is reported"; else
    pass "threads: --no-races"
fi
is "threads: the chance of a sample" 1 'a bug of depth 2 shows in each with probability' \
    -- run --schedule pct --samples 50 --depth-of-bug 2 -o woven threads.c

bad "no command" 'no command'  --
bad "unknown command" "unknown command 'rnu'" -- rnu bug.c
bad "unknown topic" "no help on 'inptus'" -- help inptus
bad "no file" 'no program' -- run -o good
bad "missing file" "cannot read 'missing.c'" -- run -o good missing.c
echo text >notes.txt
bad "not a C file" "'notes.txt' is not a C source" -- run -o good notes.txt
bad "unknown option" "unknown option '--stratgy'" -- run -o good --stratgy dfs bug.c
bad "unknown short option" "unknown option '-Z'" -- run -o good -Z bug.c
bad "option without value" "'--depth' needs a value" -- run -o good bug.c --depth
bad "bad number" "'--depth' needs a whole number" -- run -o good --depth=-1 bug.c
bad "bad time" "'--max-time' needs a time" -- run -o good --max-time soon bug.c
bad "bad choice" "'--strategy' does not know 'fast'" -- run -o good --strategy fast bug.c
bad "bad reduction" "'--por' does not know 'best'" -- run -o good --por best bug.c
bad "too many threads" "'--max-threads' cannot be 16385" -- run -o good --max-threads 16385 bug.c
bad "too many bits of values" "'--values' cannot be 65" -- run -o good --values 65 bug.c
bad "samples of a search" "'--samples' has no effect" -- run -o good --samples 5 bug.c
bad "bad solver chain" "magic" -- run -o good --solver-chain magic bug.c
bad "queries to a file that cannot be" "cannot write queries to 'nowhere/q'" -- run -o good --dump-queries nowhere/q bug.c
for address in bogus://x nats:// nats://:4222 nats://h,tls://u@; do
    bad "servers at $address" 'is no address of a NATS server' -- run --run q --cluster "$address" bug.c
done
bad "queries of a cluster" "not with '--cluster'" -- run -o good --dump-queries q --cluster local bug.c
bad "bad checks" "magic" -- run -o good --checks magic bug.c
bad "value for a flag" "'--json' takes no value" -- run -o good --json=yes bug.c
bad "no such function" "nowhere" -- run -o good --function nowhere function.c
bad "no main" "main" -- run -o good function.c
bad "option for a built module" "'--function'" -- run -o good --function f built
bad "resume with another search" "'--depth' cannot change" -- run --resume -o good --depth 3
bad "resume without a run" "nothing-here" -- run --resume nothing-here
bad "resume without a run (=)" "nothing-here" -- run --resume=nothing-here
bad "resume with another program" "changed since" -- run --resume -o good clean.c
bad "a run is no module" "'good'" -- run -o good good
bad "test that does not exist" "no test 99999" -- replay good 99999
bad "test number zero" "'0' is not a test number" -- tests good 0
bad "test number that is none" "'one' is not a test number" -- replay good one
bad "finding that does not exist" "no finding 99" -- findings good 99
bad "no test number" 'no test number' -- replay good
bad "gdb for several tests" "option '--gdb' is for one test" -- replay good all --gdb
bad "an event of several tests" "option '--until' is for one test" -- replay good 1 2 --until 3
bad "too many arguments" 'too many arguments' -- tests good 1 2
bad "no directory" 'no run directory' -- tests
bad "no such directory" "nowhere" -- tests nowhere
bad "no export format" 'no export format' -- export good -o exported
bad "no export directory" 'no output directory' -- export --c good
bad "export into a file" "'bug.c'" -- export --c good -o bug.c
bad "build over something else" "'bug.c' exists" -- build -o bug.c clean.c
cat >short.txt <<<"text"
# Functions that end executions are noted; --external is about those that have no row.
cat >refuses.c <<'END'
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>
int main(void) {
    if (getpid() == 1) {
        memfrob(0, 0);
        sbrk(0);
    }
    return 0;
}
END
is "a function without a model is noted" 0 "call 'memfrob': no model" -- run -o refused refuses.c
is "a refused function is noted" 0 "call 'sbrk': refused" -- run -o refused refuses.c
is "a refused function is noted with --external" 0 "call 'sbrk': refused" -- run -o refused --external memfrob,sbrk refuses.c
if grep -q memfrob err; then fail "what --external names is not noted" "$(head -n 1 err)"; else pass "what --external names is not noted"; fi

if grep -q "did you mean '--strategy'" <("$HEDDLE" run --stratgy dfs bug.c 2>&1) &&
    grep -q "did you mean 'heddle run'" <("$HEDDLE" rnu 2>&1); then
    pass "suggestions"
else
    fail "suggestions" "nothing like 'did you mean'"
fi

bad "compile error" "." -- run -o good wrong.c
heddle run -o good wrong.c
n=$(grep -c "use of undeclared identifier 'undeclared_name'" err)
if [ "$n" -eq 1 ]; then pass "clang's message, once"; else fail "clang's message, once" "$n times"; fi

bad "type that cannot be an input" "'f' of 'call' cannot be an input" -- run -o good --function call input.c

echo '#include <sys/ptrace.h>
int main(void) { return ptrace(0) < 0; }' >traces.c
is "function that is refused where it is reached" 3 "call of .ptrace.: not modelled \(executions end there\) at traces.c:2" -- run -o traces traces.c
echo '#include <sys/ptrace.h>
int main(int argc, char **argv) { (void)argv; return argc > 5 && ptrace(0) < 0; }' >untraced.c
is "function that is refused and never reached" 0 "^complete" -- run -o traces untraced.c

# Root may read and write everything, unless it lets go of that right.
touch unreadable.c && chmod 000 unreadable.c
mkdir locked && chmod 500 locked
[ -r unreadable.c ] && as=(setpriv --bounding-set=-dac_override,-dac_read_search)
if "${as[@]}" test -r unreadable.c 2>/dev/null || ! "${as[@]}" true 2>/dev/null; then
    skip "unreadable file" "this user may read everything"
    skip "unwritable directory" "this user may write everywhere"
else
    bad "unreadable file" "cannot read 'unreadable.c'" -- run -o good unreadable.c
    bad "unwritable directory" "locked" -- run -o locked/out bug.c
    bad "unwritable export" "locked" -- export --c good -o locked/tests
    bad "unwritable module" "locked" -- build -o locked/module bug.c
fi
as=()

mkdir foreign && echo mine >foreign/file
bad "foreign directory" "foreign" -- run -o foreign bug.c
bad "a file as directory" "short.txt" -- run -o short.txt bug.c
bad "directory that cannot be made" "/proc" -- run -o /proc/heddle-out bug.c
if [ "$(ls foreign)" = file ]; then pass "a foreign directory stays as it is"; else
    fail "a foreign directory stays as it is" "$(ls foreign | tr '\n' ' ')"
fi
# The write-ahead log may hold the whole database, so it has to go for the damage to count.
mkdir damaged && cp -r good/. damaged && rm -f damaged/run.db-*
printf 'garbage that is long enough to look like a header, garbage, garbage, garbage, garbage, garbage' |
    dd of=damaged/run.db conv=notrunc 2>/dev/null
bad "damaged record: tests" "damaged" -- tests damaged
bad "damaged record: replay" "damaged" -- replay damaged 1
bad "damaged record: resume" "damaged" -- run --resume damaged
mkdir cut && cp -r good/. cut && rm -f cut/run.db-* && truncate -s 2000 cut/run.db
bad "cut record" "damaged" -- tests cut
if command -v sqlite3 >/dev/null; then
    mkdir older && cp -r good/. older && sqlite3 older/run.db 'PRAGMA user_version = 99' 2>/dev/null
    bad "record of another version" "newer|version|format" -- tests older
    mkdir before && cp -r good/. before && sqlite3 before/run.db 'DELETE FROM units; DROP TABLE fingerprint; PRAGMA user_version = 4' 2>/dev/null
    bad "a run without costs of units" "'before' has no costs of units to simulate with" -- simulate before
    bad "a run that says nothing about units" "'before' says nothing about units" -- units before
    mkdir other && sqlite3 other/run.db 'CREATE TABLE t(x); INSERT INTO t VALUES (1)'
    bad "database of another program" "." -- tests other
    bad "run over a database of another program" "." -- run -o other bug.c
fi

# A full disk: a tiny file system where that is allowed.
mkdir tiny
if mount -t tmpfs -o size=64k none tiny 2>/dev/null; then
    dd if=/dev/zero of=tiny/filler bs=1k count=56 2>/dev/null
    bad "full disk" "No space|full|cannot" -- run -o tiny/out bug.c
    umount tiny
else
    skip "full disk" "mounting is not allowed here"
fi
"$HEDDLE" tests good >/dev/full 2>err
status=$?
if [ $status -eq 2 ] && grep -q 'cannot write to standard output' err; then
    pass "full standard output"
else
    fail "full standard output" "status $status: $(head -n1 err)"
fi

# Missing tools: a path without them.  The file is new to the cache, so clang is needed.
mkdir empty
echo "/* $RANDOM $$ */ int main(void) { return 0; }" >fresh.c
before=$PATH
PATH=$work/empty "$limited" 60 "$HEDDLE" run -o good fresh.c >out 2>err </dev/null
status=$?
PATH=$before
if [ $status -eq 2 ] && grep -qi 'clang' err && grep -q 'hint:' err; then
    pass "missing clang"
else
    fail "missing clang" "status $status: $(head -c 200 err | tr '\n' ' ')"
fi
PATH=$work/empty "$limited" 60 "$HEDDLE" replay good 1 --gdb >out 2>err </dev/null
status=$?
PATH=$before
if [ $status -eq 2 ] && grep -q "package 'gdb'" err; then
    pass "missing gdb"
else
    fail "missing gdb" "status $status: $(head -c 200 err | tr '\n' ' ')"
fi

# Standard input is the same in every execution, in a replay, and when a run is resumed.
cat >stdin.c <<'END'
#include <heddle.h>
#include <stdio.h>
int main(void) {
    unsigned char x;
    heddle_input(x);
    heddle_assert(getchar() == 'a' && getchar() == 'b' && getchar() == EOF);
    return x > 9 ? x > 99 : 2;
}
END
for how in reset fork; do
    printf ab | "$HEDDLE" run --isolation $how -n 1 -o input stdin.c >out 2>&1
    "$HEDDLE" run --resume=input >out 2>&1 </dev/null
    if grep -q '^complete: every path' out && grep -q "2 bytes of standard input were read as they are" out &&
        "$HEDDLE" replay input 1 >/dev/null 2>&1 </dev/null; then
        pass "standard input stays, --isolation $how"
    else
        fail "standard input stays, --isolation $how" "$(tail -n 3 out | tr '\n' ' ')"
    fi
done
echo 'int main(void) { return 0; }' >nothing.c
is "no inputs" 0 "^complete: the program has no inputs, its only path was run, nothing was found" -- run -o nothing nothing.c

# Memory has the names of its source: fields, elements, members of members, locks in structs.
cat >fields.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct part { short a; union { int i; char c[4]; }; };
struct account { long id; char name[8]; struct part parts[2]; pthread_mutex_t lock; int balance; };
static struct account accounts[4], savings;
static union { int whole; struct { short low, high; } half; char bytes[4]; } word;
struct node { struct node *next; int value; };
static struct node *head;
static void *other(void *x) {
    accounts[3].name[2]++;
    savings.balance++;
    savings.parts[1].a++;
    head->value++;
    word.half.high = 1;
    word.bytes[1] = 1;
    pthread_mutex_lock(&accounts[1].lock);
    pthread_mutex_lock(&savings.lock);
    return x;
}
int main(void) {
    pthread_t t;
    struct node *n = malloc(sizeof *n);
    head = n;
    pthread_create(&t, NULL, other, NULL);
    accounts[3].name[2]++;
    savings.balance++;
    savings.parts[1].a++;
    head->value++;
    word.half.high = 2;
    word.bytes[1] = 2;
    pthread_mutex_lock(&savings.lock);
    pthread_mutex_lock(&accounts[1].lock);
    pthread_join(t, NULL);
    return 0;
}
END
heddle run -o fields fields.c
for name in "'accounts\[3\].name\[2\]'" "'savings.balance'" "'savings.parts\[1\].a'" \
    "'node.value' .allocated at fields.c:22" "'word.half.high'" "'word.bytes\[1\]'" "waits for mutex 'accounts\[1\].lock' held" "holds mutex 'savings.lock' since"; do
    if grep -q "$name" out; then pass "the name $name"; else fail "the name $name" "not in $(grep -c . out) lines"; fi
done

# Heddle's own files are no place; files of users are, whatever they are called.
mkdir -p src/models
cat >src/models/string.c <<'END'
#include <heddle.h>
#include <string.h>
void reach_error(void);
int main(void) {
    char a[4] = "abc", b[2];
    unsigned char c;
    heddle_input(c);
    if (c == 7)
        reach_error();
    if (c == 8)
        strcpy(b, a);
    return b[0];
}
END
heddle run -o models src/models/string.c
if grep -q 'at: src/models/string.c:9 in main' out && grep -q 'at: src/models/string.c:11 in main' out &&
    ! grep -qE '[?]:0|[.]c:0|<heddle' out; then
    pass "places are the user's"
else
    fail "places are the user's" "$(grep -E '  at: |[?]:0|[.]c:0|<heddle' out | tr '\n' ' ')"
fi

# Any name of a file is a name.
odd="odd \"names\"/ä %s 'x.c"
mkdir -p "$(dirname "$odd")"
printf '%s\n' 'int f(int n) { return 8 / (n - 3); }' 'int f(int);' \
    '#include <heddle.h>' 'int main(void) { int n; heddle_input(n); return f(n); }' >"$odd"
is "a file with an odd name" 1 "at: $odd:1 in f" -- run -o odd-run "$odd"
is "a function of a file with an odd name" 1 "main at $odd:1\$" -- run --function f -o odd-run "$odd"

exit $((failures > 0))

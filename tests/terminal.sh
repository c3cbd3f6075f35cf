#!/bin/bash
# What people see in a terminal: colours, explanations, traces, the debugger, completion, pages of the manual.
#
#     HEDDLE=build/heddle tests/terminal.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter

# is NAME PATTERN COMMAND...: a line of what it prints matches, and it ends well.
is() {
    "$limited" 60 "${@:3}" >out 2>&1 </dev/null || { fail "$1" "status $?: $(head -c 200 out | tr '\n' ' ')"; return; }
    grep -qE -e "$2" out && pass "$1" || fail "$1" "nothing matches '$2': $(head -c 300 out | tr '\n' ' ')"
}
isnt() {
    "$limited" 60 "${@:3}" >out 2>&1 </dev/null
    grep -qE -e "$2" out && fail "$1" "$(grep -m1 -E -e "$2" out)" || pass "$1"
}

cat >race.c <<'END_OF_SOURCE'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int balance;
static void *pay(void *amount) {
    int before = balance;
    balance = before + *(int *)amount;
    return NULL;
}
int main(void) {
    pthread_t a, b;
    int first = 1, second = (int)heddle_choose(1, 2);
    pthread_create(&a, NULL, pay, &first);
    pthread_create(&b, NULL, pay, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (second == 2)
        assert(balance == 1 + second);
    return 0;
}
END_OF_SOURCE
"$HEDDLE" run -q -o race race.c >out 2>err
finding=$("$HEDDLE" findings race | sed -n 's/^#\([0-9]*\) assertion.*/\1/p')
test=$("$HEDDLE" findings race | sed -n 's/^#[0-9]* assertion.*test \([0-9]*\)).*/\1/p')

cat >stuck.c <<'END_OF_SOURCE'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *both(void *which) {
    pthread_mutex_lock(which ? &a : &b);
    pthread_mutex_lock(which ? &b : &a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return which;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, both, 0);
    pthread_create(&two, 0, both, &one);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
END_OF_SOURCE
"$HEDDLE" run -q -o stuck stuck.c >out 2>err

# ---- compiling ----
# clang waits for its source, so that compiling takes long and costs nothing.
mkfifo slow.c && mkdir slow
let_wait() { (sleep 1.6 && echo 'int main(void) { return 0; }' >slow.c) & }
let_wait
is "what takes a second to compile is shown" 'compiling: clang' script -qec "'$(dirname "$HEDDLE")/heddle-compile' --output=slow slow.c" /dev/null
wait
[ -s slow/image ] && pass "and compiled" || fail "and compiled" "no image"
let_wait
isnt "but not in a file" compiling "$(dirname "$HEDDLE")/heddle-compile" --output=slow slow.c
wait

# ---- explain ----
is "explain says what it is" '^  A failed assert or heddle_assert' "$HEDDLE" explain race "$finding"
is "explain says why" '^  finding [0-9]+ decides about it' "$HEDDLE" explain race "$finding"
is "explain shows the lines" '^  >    18 |         assert' "$HEDDLE" explain race "$finding"
is "explain says what to do" "heddle replay race $test --gdb" "$HEDDLE" explain race "$finding"
sed -i 's/assert(balance == 1/assert(balance == 7 - 6/' race.c
is "explain shows the lines as they were" 'assert\(balance == 1 \+ second\)' "$HEDDLE" explain race "$finding"
for kind in $("$HEDDLE" help checks | sed -n 's/^  \([a-z-]*\)  .*/\1/p'); do
    grep -q "^### \`$kind\`" "$top/docs/findings.md" || fail "explain knows $kind" "docs/findings.md has no section"
done

# ---- every event, and stopping at one ----
is "a trace has events with lines and values" "^ +[0-9]+  thread [12] +writes 'balance', where [0-9]+ was at race.c:7 \(races\)" "$HEDDLE" replay race "$test" --trace
is "a trace has decisions" "thread 0 .* (does not hold|holds) at race.c:17" "$HEDDLE" replay race "$test" --trace
is "a trace ends where it fails" "assertion 'balance == 1 . second' failed at race.c:18" "$HEDDLE" replay race "$test" --trace
"$HEDDLE" replay race "$test" --trace 2>/dev/null | sed -n 's/^ *\([0-9][0-9]*\)  .*/\1/p' >numbers
say "events are numbered from 1" "$(diff numbers <(seq "$(wc -l <numbers)") | head -n1)"
# The schedule that was recorded, written out, and the threads of the trace.
"$HEDDLE" tests race "$test" | sed -n 's/^schedule: //p' | tr ' ' '\n' | awk -F'*' '{for (i = 0; i < ($2 ? $2 : 1); i++) print $1}' >scheduled
"$HEDDLE" replay race "$test" --trace 2>/dev/null | sed -n 's/^ *[0-9][0-9]*  thread \([0-9]*\) .*/\1/p' >traced
[ -s scheduled ] && diff -q scheduled traced >/dev/null && pass "a trace is the schedule that was recorded" || fail "a trace is the schedule that was recorded" "$(diff scheduled traced | head -n 3 | tr '\n' ' ')"
# Marked races are at lines that findings name.
lines=$("$HEDDLE" findings race | grep data-race | grep -oE 'race\.c:[0-9]+' | sort -u | tr '\n' ' ')
for line in $("$HEDDLE" replay race "$test" --trace 2>/dev/null | grep '(races)$' | grep -oE 'race\.c:[0-9]+' | sort -u); do
    [[ $lines == *"$line "* ]] && pass "a marked race at $line is a finding" || fail "a marked race at $line is a finding" "findings are at $lines"
done
is "a replay stops after an event" '^test [0-9]+ was stopped after event 4' "$HEDDLE" replay race "$test" --until 4
say "and nothing later is shown" "$(grep -E '^ +([5-9]|1[0-9])  ' out)"
is "an event that never comes is no reason to stop" 'the same trace as recorded' "$HEDDLE" replay race "$test" --until 1000

# ---- gdb ----
if command -v gdb >/dev/null; then
    printf 'info heddle\ninfo locals\nheddle thread 1\nheddle back\nheddle thread 77\ncontinue\n' >commands
    DEBUGINFOD_URLS='' "$limited" 100 "$HEDDLE" replay race "$test" --gdb <commands >out 2>&1
    has() { grep -qE -e "$2" out && pass "$1" || fail "$1" "nothing matches '$2': $(tail -n 12 out | tr '\n' '~')"; }
    has "gdb stops in the user's own source" '^18[[:space:]]+assert'
    has "gdb says which finding" "finding: .*balance == 1"
    has "gdb lists the threads of the program" '. thread 0  runs'
    has "gdb sees its variables" 'second = 2'
    has "a thread that has ended has no stack" 'thread 1 has ended: it has no stack'
    has "a thread that is none is said" "info heddle.* lists the threads"
    has "and it goes on as recorded" 'the same trace as recorded'
    # After the last event of both reads one of the threads stands before its write.
    event=$("$HEDDLE" replay race "$test" --trace 2>/dev/null | sed -n "s/^ *\([0-9][0-9]*\)  .*reads 'balance'.*/\1/p" | tail -n1)
    printf 'info heddle\nheddle thread 1\ninfo locals\nheddle thread 2\ninfo locals\ncontinue\n' >commands
    DEBUGINFOD_URLS='' "$limited" 100 "$HEDDLE" replay race "$test" --gdb --until "$event" <commands >out 2>&1
    has "gdb stops after an event, with both threads before their writes" 'thread [12]  stands before: .* at race.c:7 in pay'
    say "gdb switches between fibers" "$([ "$(grep -cE '^(before|\(gdb\) before) = ' out)" -ge 1 ] || grep -c 'balance = before' out | sed '/^[2-9]/d')"
    has "and it is stopped as asked" "was stopped after event $event"
    # What is no failure of one thread: nobody can go on, and two accesses that nothing orders.
    second=$("$HEDDLE" findings race | sed -n 's/^#[0-9]* data-race.*test \([0-9]*\)).*/\1/p' | tail -n1)
    printf 'info heddle\ninfo locals\nkill\ninfo heddle\n' >commands
    DEBUGINFOD_URLS='' "$limited" 100 "$HEDDLE" replay race "$second" --gdb <commands >out 2>&1
    has "gdb says which data race" "finding: .*thread [12] .*while thread [12] "
    has "gdb stops before its second access" '^[* ] thread [12]  stands before: (reads|writes) at race.c:[67] in pay'
    has "and shows the line" '^[67][[:space:]]+.*(balance|before)'
    has "after its end there is nothing to list" 'the tested program does not run'
    DEBUGINFOD_URLS='' "$limited" 100 "$HEDDLE" replay stuck "$("$HEDDLE" findings stuck | sed -n 's/^#[0-9]* deadlock.*test \([0-9]*\)).*/\1/p')" --gdb <commands >out 2>&1
    has "gdb says who waits for whom" "finding: .*waits for mutex 'a' held by thread"
    has "gdb stops where a thread cannot go on" '^[57][[:space:]]+pthread_mutex_lock'
    say "all threads stand" "$([ "$(grep -cE '  stands before: (locks|joins) at stuck.c' out)" -ge 3 ] || tail -n 12 out)"
else
    skip "replay --gdb" "NO GDB"
fi

# ---- colours ----
cat >terminal.py <<'END_OF_SOURCE'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
out = b""
while True:
    try:
        piece = os.read(fd, 4096)
    except OSError:
        break
    if not piece:
        break
    out += piece
os.waitpid(pid, 0)
sys.stdout.buffer.write(out)
END_OF_SOURCE
is "a terminal has colours" $'\e\\[1;31m#[0-9]+ ' env TERM=xterm python3 terminal.py "$HEDDLE" findings race
isnt "NO_COLOR has none" $'\e' env TERM=xterm NO_COLOR=1 python3 terminal.py "$HEDDLE" findings race
isnt "a dumb terminal has none" $'\e' env TERM=dumb python3 terminal.py "$HEDDLE" findings race
isnt "a file has none" $'\e' env TERM=xterm "$HEDDLE" findings race

# ---- completion, and the manual ----
"$HEDDLE" completion bash >bash.complete 2>err
"$HEDDLE" completion zsh >zsh.complete 2>err
"$top/tools/manuals" "$HEDDLE" man
commands=$("$HEDDLE" help | sed -n '/^commands$/,/^$/s/^  \([a-z]*\)  *.*/\1/p')
missing=
for command in $commands; do
    sed -n "/^    $command)/,/;;/p" bash.complete >bash.part
    sed -n "/^    $command)/,/;;/p" zsh.complete >zsh.part
    [ -s bash.part ] && [ -s zsh.part ] && [ -s "man/heddle-$command.1" ] || missing="$missing $command"
    for option in $("$HEDDLE" "$command" --help | sed -n '/^options$/,$s/^  .*\(--[a-z][a-z-]*\).*/&/p' | sed -E 's/^ *(-[A-Za-z], )?(--[a-z-]+).*/\2/'); do
        grep -qwF -e "$option" bash.part || missing="$missing bash:$command:$option"
        grep -qwF -e "'$option" zsh.part || missing="$missing zsh:$command:$option"
        grep -qF -e "${option//-/\\-}" "man/heddle-$command.1" || missing="$missing man:$command:$option"
    done
done
say "every command and option is completed, and in the manual" "$missing"
[ "$(wc -w <<<"$commands")" -gt 12 ] || fail "commands are found" "$commands"
say "what completes is bash" "$(bash -n bash.complete 2>&1)"
offered() { (source ./bash.complete; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[*]}"); }
[ "$(offered heddle repl)" = replay ] && [ "$(offered heddle run --strat)" = --strategy ] && [ "$(offered heddle run --strategy bf)" = bfs ] && [ "$(offered heddle help thr)" = threads ] &&
    pass "bash completes commands, options, values and topics" || fail "bash completes commands, options, values and topics" "$(offered heddle repl; offered heddle run --strat; offered heddle run --strategy bf)"
if command -v zsh >/dev/null; then say "what completes is zsh" "$(zsh -n zsh.complete 2>&1)"; else skip "what completes is zsh" "no zsh"; fi
if command -v groff >/dev/null; then
    say "pages of the manual are right" "$(groff -man -ww -Tutf8 -z man/*.1 2>&1 | head -n 2)"
else
    skip "pages of the manual are right" "no groff"
fi
"$HEDDLE" completion fish >out 2>err
[ $? -eq 2 ] && grep -q "no completion for 'fish'" err && pass "a shell that is not known" || fail "a shell that is not known" "$(head -n1 err)"
[ "$failures" -eq 0 ]

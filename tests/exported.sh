#!/bin/bash
# Tests as files (`heddle export --test`): run again with `heddle run ... --test FILE` each ends as recorded, of programs with inputs and threads and of
# scenarios with faults, in both orders; another value, another program and another order are seen; mistakes are told with their line.
#
#     HEDDLE=build/heddle tests/exported.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter
cp -r "$here"/scenarios/{commit,scripted.c} "$top"/examples/{udp.h,bank_threads.c,testme.c} .
cat >inputs.yaml <<'END'
nodes:
  - {name: n0, program: scripted.c, arguments: [i, s1, i, s1]}
  - {name: n1, program: scripted.c, arguments: [R, a, R, a]}
faults:
  - drop: 1
END

# again NAME COMMAND...: explore it, write all tests, run each of them.
again() {
    local name=$1 reason="" n=0
    shift
    rm -rf files
    "$limited" 60 "$HEDDLE" run -j 1 -o run --tests all --max-executions 40 "$@" >out 2>err </dev/null
    "$HEDDLE" export --test run -o files >out 2>err || reason=$(head -c 200 err)
    for file in files/*.test; do
        n=$((n + 1))
        "$HEDDLE" run "$@" --test "$file" -o again >out 2>err </dev/null
        local status=$?
        [ $status -eq 0 ] && grep -q '^as recorded$' out || reason="$file: status $status: $(tail -n 2 out err | tr '\n' ' ')"
        "$HEDDLE" replay again 1 >out 2>err || reason="$file does not replay: $(head -c 200 err)"
    done
    [ $n -gt 1 ] || reason="only $n tests"
    say "$name: every test ends as recorded" "$reason"
}
again "a program with inputs" testme.c
again "a program with threads" bank_threads.c
again "a scenario with a reboot" --net commit/reboot.yaml
again "a scenario with inputs and a lost datagram" --net inputs.yaml
again "the same in the order of time" --net inputs.yaml --orders time

# ends STATUS PATTERN NAME COMMAND...
ends() {
    local wanted=$1 pattern=$2 name=$3
    shift 3
    "$HEDDLE" run "$@" -o again >out 2>err </dev/null
    local status=$?
    say "$name" "$([ $status -eq "$wanted" ] && cat out err | grep -qE -e "$pattern" || echo "status $status: $(tail -n 2 out err | tr '\n' ' ')")"
}
"$HEDDLE" run --net commit/reboot.yaml -j 1 -o run >out 2>err
number=$(sed -n 's/.*replay: heddle replay run \([0-9]*\).*/\1/p' out | head -n 1)
"$HEDDLE" export --test run "$number" -o found >out 2>err
file=$(echo found/*.test)
say "a finding says its faults" "$(grep -q '^# fault: reboot part[01] #' "$file" && grep -q '^finding assertion$' "$file" || head -n 8 "$file")"
ends 0 "^as recorded" "a finding is shown again" --net commit/reboot.yaml --test "$file"
ends 0 '"(same|matches|as_recorded|same_trace)": *true' "and in JSON" --net commit/reboot.yaml --test "$file" --json
sed 's/^input 1 /input 0 /' "$file" >other.test
ends 1 "NOT AS RECORDED" "without its fault it is not" --net commit/reboot.yaml --test other.test
sed 's/program: participant.c/&\n    flags: -DFIXED/' commit/reboot.yaml >commit/mended.yaml
ends 1 "NOT AS RECORDED" "nor by the program that is mended" --net commit/mended.yaml --test "$file"
sed 's/^\(schedule \).*/\13 3 3 3 3 3 3 3 3/' "$file" >other.test
ends 1 "NOT AS RECORDED: that order is not possible" "nor in an order that cannot be" --net commit/reboot.yaml --test other.test
"$HEDDLE" run --net commit/reboot.yaml --test "$file" >out 2>err
say "the run that it came from stays" "$([ -d heddle-test ] && [ ! -e heddle-out ] || ls)"

sed 's/^status .*/statos 0/' "$file" >bad.test
ends 2 "bad.test:[0-9]*:1: unknown word" "an unknown word" --net commit/reboot.yaml --test bad.test
sed 's/^finding .*/finding nothing/' "$file" >bad.test
ends 2 "bad.test:[0-9]*:1: no such kind of a finding" "an unknown kind" --net commit/reboot.yaml --test bad.test
sed 's/^input [0-9]* /input x /' "$file" >bad.test
ends 2 "bad.test:[0-9]*:1: an input is eleven numbers" "an input that is none" --net commit/reboot.yaml --test bad.test
sed 's/^input \([0-9]*\) \([0-9]*\) 0 1 /input \1 \2 0 0 /' "$file" >bad.test
ends 2 "bad.test:[0-9]*:1: inputs that belong to each other" "inputs of nobody" --net commit/reboot.yaml --test bad.test
sed 's/^schedule .*/schedule one two/' "$file" >bad.test
ends 2 "its threads are damaged" "a schedule that is none" --net commit/reboot.yaml --test bad.test
ends 2 "'commit/reboot.yaml' is no test of Heddle" "a file that is no test" --net commit/reboot.yaml --test commit/reboot.yaml
ends 2 "cannot read the test 'none.test'" "no file" --net commit/reboot.yaml --test none.test
ends 2 "'--test' cannot be combined with '--resume'" "not with --resume" --resume --test "$file"
"$HEDDLE" export --c run -o files >out 2>err
say "C files of scenarios are refused, and what there is instead is said" "$([ $? -eq 2 ] && grep -q "heddle export --test" err || head -c 300 err)"
exit $((failures > 0))

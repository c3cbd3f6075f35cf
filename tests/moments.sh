#!/bin/bash
# Assertions about every moment, and about one of them: random programs show the same moments by every reduction as in every order
# of events, and as a program that writes them down by itself; and by node states as in executions of all nodes.
#
#     HEDDLE=build/heddle tests/moments.sh       prints "ok - NAME" or "not ok - NAME: reason"
#     ROUNDS=200 SEED=5 tests/moments.sh         more random programs, others
. "$(dirname "$0")/tool/script.sh"
enter
cp "$here/scenarios/moments.c" .
RANDOM=${SEED:-1}
rounds=${ROUNDS:-6}

# LENGTH: of a process, in $made.  Not in a subshell: there RANDOM has numbers of its own.
script() {
    local letters=(+ + + - = 0 1 2 0 1 r t z) text=""
    for _ in $(seq "$1"); do text="$text${letters[RANDOM % ${#letters[@]}]}"; done
    made=$text
}

# What a run has seen: moments, findings by their sentence, whether all was explored.
seen() { # OPTIONS...
    "$limited" 60 "$HEDDLE" run --tests findings -j 1 -o run --json "$@" >summary 2>err </dev/null
    [ $? -le 1 ] || { echo "not finished"; return; }
    python3 -c "
import json
r = json.load(open('summary'))
if any('not tried yet' in reason for reason in r['reasons']): print('not finished')
for label in sorted(r['labels']): print(label)
for message in sorted(f['message'].split(':')[0] for f in r['findings']): print(message)
print(r['complete'])"
}

reason="" n_compared=0 n_moments=0
for round in $(seq "$rounds"); do
    script 2 && scripts=("+$made")
    script 2 && scripts+=("$made")
    [ $((RANDOM % 2)) -eq 0 ] && script 1 && scripts+=("$made+")
    seen moments.c --por none -n 3000 -- "${scripts[@]}" >none.txt
    grep -q "not finished" none.txt && continue
    n_compared=$((n_compared + 1)) n_moments=$((n_moments + $(grep -c '^m ' none.txt)))
    for por in optimal dpor flip message; do
        seen moments.c --por $por -- "${scripts[@]}" | diff none.txt - >differ.txt ||
            reason="round $round of seed ${SEED:-1}, $por: ${scripts[*]}: $(tr '\n' ' ' <differ.txt)"
    done
    seen moments.c -DBY_HAND -n 20000 -- "${scripts[@]}" >by_hand.txt
    grep -q "not finished" by_hand.txt || diff <(grep '^m ' none.txt) <(grep '^m ' by_hand.txt) >differ.txt ||
        reason="round $round of seed ${SEED:-1}, by hand: ${scripts[*]}: $(tr '\n' ' ' <differ.txt)"
done
say "$n_compared random programs show the same moments by every reduction" "$reason"
[ "$n_compared" -gt $((rounds / 3)) ] && [ "$n_moments" -gt $((3 * n_compared)) ] && pass "and these are many" ||
    fail "and these are many" "$n_moments in $n_compared programs"
# The same of nodes that crash, reboot and lose datagrams.
reason="" n_compared=0
for round in $(seq "$rounds"); do
    script 2 && first=$made
    script 2
    {
        echo "nodes:"
        echo "  - {name: n0, program: moments.c, arguments: [-n, 0, \"+$first\"], idle: true}"
        echo "  - {name: n1, program: moments.c, arguments: [-n, 1, \"$made\"], idle: true}"
        case $((RANDOM % 3)) in
        0) printf 'faults:\n  - drop: 1\n' ;;
        1) printf 'faults:\n  - crash: 1\n' ;;
        2) printf 'faults:\n  - reboot: 1\n' ;;
        esac
        printf 'assert:\n  - always: max(x) < 2\n'
    } >f.yaml
    seen --net f.yaml --por none -n 3000 >none.txt
    grep -q "not finished" none.txt && continue
    n_compared=$((n_compared + 1))
    for por in optimal dpor; do
        seen --net f.yaml --por $por | diff none.txt - >differ.txt ||
            reason="round $round of seed ${SEED:-1}, $por: $(tr '\n' ' ' <differ.txt); $(tr '\n' ' ' <f.yaml)"
    done
done
say "$n_compared random scenarios with faults show the same moments" "$reason"
[ "$n_compared" -gt $((rounds / 3)) ] && pass "and these are enough" || fail "and these are enough" "$n_compared"

# In the order of virtual time node states see what executions of all nodes see, also if only the end is looked at (-DEND_ONLY).
make_nodes() { # SCRIPT...
    echo "nodes:"
    local i=0
    for text in "$@"; do
        echo "  - {name: n$i, program: moments.c, arguments: [-n, $i, \"$text\"], idle: true}"
        i=$((i + 1))
    done
    case $((RANDOM % 4)) in
    0) printf 'faults:\n  - {drop: 1, per: node}\n' ;;
    1) printf 'faults:\n  - crash: 1\n' ;;
    2) printf 'faults:\n  - reboot: 1\n' ;;
    esac
    printf 'assert:\n  - always: max(x) < 4\n  - {eventually: count(x) == 3, within: 2 s}\n'
}
reason="" n_seen=0
for round in $(seq "$rounds"); do
    script 4 && first=$made
    script 3 && second=$made
    script 4 && make_nodes "$first" "$second" "$made" >s.yaml
    for flag in -DMOMENTS -DEND_ONLY; do
        seen --net s.yaml --orders time --mapping none $flag >none.txt
        n_seen=$((n_seen + $(wc -l <none.txt)))
        for mapping in sds cow cob; do
            seen --net s.yaml --orders time --mapping $mapping $flag | diff none.txt - >differ.txt ||
                reason="round $round of seed ${SEED:-1}, $mapping $flag: $(tr '\n' ' ' <differ.txt); $(tr '\n' ' ' <s.yaml)"
        done
    done
done
say "$rounds random systems show the same by every mapping" "$reason"
[ "$n_seen" -gt $((8 * rounds)) ] && pass "and that is much" || fail "and that is much" "$n_seen lines"

# As few executions as there are combinations of what nodes showed: ten nodes decide on an input each, and one shows what it decided.
cat >few.c <<'END'
#include <heddle.h>
#include <unistd.h>
static int x;
int main(int argc, char **argv) {
    heddle_export("x", &x, sizeof x);
    (void)argv;
    int decided = heddle_choose(0, 1) ? 1 : 0;
    if (argc > 1)
        x = decided;
    usleep(decided * 1000);
    return 0;
}
END
{
    echo "nodes:"
    echo "  - {name: shows, program: few.c, arguments: [show]}"
    echo '  - {name: "n{index}", count: 9, program: few.c}'
    printf 'assert:\n  - always: max(x) < 2\n'
} >few.yaml
"$HEDDLE" run --net few.yaml --orders time -o few --json >summary 2>err
say "1,024 scenarios of which two are told apart" "$(python3 -c "
import json
r = json.load(open('summary'))
n = r['threads']['scenarios']
if n != '1024' or r['executions'] > 8 or not r['complete']: print(n, r['executions'], r['complete'])" 2>&1)"

# What an assertion decides on inputs is explored by a search that is saved after each execution, and resumed: its executions run again to be known.
cat >input.yaml <<'END'
nodes:
  - {name: n0, program: moments.c, arguments: [-n, 0, "=1z"], idle: true}
  - {name: n1, program: moments.c, arguments: [-n, 1, "+r="], idle: true}
assert:
  - always: sum(x) <= 1
END
seen --net input.yaml --orders time >whole.txt
rm -rf run
"$HEDDLE" run --net input.yaml --orders time -j 1 -n 1 -o run >out 2>err
for _ in 1 2 3 4 5 6 7 8; do
    "$HEDDLE" run --resume run -n 1 >out 2>err
    [ $? -eq 3 ] || grep -q "not tried yet" out || break
done
"$HEDDLE" run --resume run --json >summary 2>err
python3 -c "
import json
r = json.load(open('summary'))
for label in sorted(r['labels']): print(label)
for message in sorted(f['message'].split(':')[0] for f in r['findings']): print(message)
print(r['complete'])" >resumed.txt
say "resumed after each execution" "$(grep -q '^m ' whole.txt && grep -q "does not hold" whole.txt && diff whole.txt resumed.txt | tr '\n' ' ')"

# What is found replays, and the place is the line of the scenario.
cat >found.yaml <<'END'
nodes:
  - {name: n0, program: moments.c, arguments: [-n, 0, "+1z"], idle: true}
  - {name: n1, program: moments.c, arguments: [-n, 1, "+r"], idle: true}
assert:
  - always: sum(x) <= 1
  - eventually: sum(x) == 7
    within: 2 s
END
for how in "" "--orders time"; do
    # shellcheck disable=SC2086
    "$HEDDLE" run --net found.yaml $how -DEND_ONLY -o found >out 2>err
    say "every moment, and one within 2 s${how:+ ($how)}" "$([ $? -eq 1 ] && grep -q "'sum(x) <= 1' does not hold at every moment" out &&
        grep -q "found.yaml:5" out && grep -q "'sum(x) == 7' does not hold at any moment of the first 2 s" out && grep -q "found.yaml:6" out ||
        tail -n 6 out)"
    replays=""
    for test in $(grep -o 'replay found [0-9]*' out | grep -o '[0-9]*$'); do
        "$HEDDLE" replay found "$test" >again 2>&1 && grep -q "the same trace" again || replays="test $test: $(tail -n 2 again)"
    done
    say "and both replay${how:+ ($how)}" "$replays"
done

# is NAME PATTERN LINES: a mistake in `assert:`, with its place.
is() {
    printf 'nodes:\n  - {name: n0, program: moments.c, arguments: [-n, 0, r]}\nassert:\n%s\n' "$3" >bad.yaml
    "$HEDDLE" ${4:-check} ${4:+--net} bad.yaml ${5:-} >out 2>err </dev/null
    local status=$?
    say "$1" "$([ $status -eq 2 ] && grep -qE -e "$2" err || echo "status $status: $(head -c 300 err)")"
}
is "an unknown key" "bad.yaml:4:5: unknown key 'alway' in an assertion" "  - alway: sum(x) == 1"
is "two at a time" "bad.yaml:4:[0-9]*: 'eventually' beside 'always' in one assertion" "  - {always: sum(x) == 1, eventually: sum(x) == 1}"
is "a time without an expression" "bad.yaml:4:14: 'within' without 'eventually'" "  - {within: 2 s}"
is "no time" "bad.yaml:4:[0-9]*: 'within' no time at all" "  - {eventually: sum(x) == 1, within: 0 s}"
is "a negative time" "bad.yaml:4:[0-9]*: '-2 s' is a negative time" "  - {eventually: sum(x) == 1, within: -2 s}"
is "no expression" "bad.yaml:4:[0-9]*: an assertion without an expression" "  - always: ' '"
is "an empty entry" "bad.yaml:4:5: an assertion without an expression" "  - {}"
is "C that is none" "bad.yaml:4:23: error: expected expression" "  - always: sum(x) <= )" run
is "an unknown word" "bad.yaml:4:13: (error|warning).*all_of" "  - always: all_of(x)" run
is "times without a clock" "bad.yaml:4:[0-9]*: an assertion 'within' a time, and with '--timeouts any' no time passes" \
    "  - {eventually: sum(x) == 1, within: 2 s}" run "--timeouts any"
exit $((failures > 0))

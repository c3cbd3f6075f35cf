#!/bin/bash
# Whole systems in the order of virtual time: random scenarios have the same executions by node states (cob, cow, sds) as by whole
# executions (--mapping none), with inputs and faults, and the same findings if only those are asked for; what is found replays; limits and mistakes are said.
#
#     HEDDLE=build/heddle tests/systems.sh       prints "ok - NAME" or "not ok - NAME: reason"
#     ROUNDS=200 SEED=5 tests/systems.sh         more random scenarios, others
. "$(dirname "$0")/tool/script.sh"
enter
cp "$here/scenarios/scripted.c" .
RANDOM=${SEED:-1}
rounds=${ROUNDS:-12}

words=(i i c c m e y s0 s1 s2 s0 s1 s2 r r R z1 z3 z7 a t g k p)

# A scenario of three nodes with a few words each, which in every second may not wait for ever; many have faults, every fourth latencies.
make_scenario() {
    local idle=true
    [ $((RANDOM % 2)) -eq 0 ] && idle=false
    echo "nodes:"
    for node in 0 1 2; do
        script="n$node i"
        for _ in 1 2 3 4 5; do script="$script ${words[RANDOM % ${#words[@]}]}"; done
        echo "  - {name: n$node, program: scripted.c, arguments: \"$script\", idle: $idle}"
    done | sed 's/arguments: "\(.*\)"/arguments: [\1]/; :again; s/\(\[[^]]*[a-zA-Z0-9]\) \([a-zA-Z]\)/\1, \2/; t again; s/\[n\b/[n/'
    [ $((RANDOM % 4)) -eq 0 ] && printf 'links:\n  - latency: %sms\n  - {from: n0, latency: none}\n' $((RANDOM % 4))
    case $((RANDOM % 6)) in
    0) printf 'faults:\n  - drop: 1\n    per: node\n' ;;
    1) printf 'faults:\n  - drop: 1\n  - duplicate: 1\n    to: [n1]\n' ;;
    2) printf 'faults:\n  - crash: 1\n    nodes: [n2]\n' ;;
    3) printf 'faults:\n  - reboot: 1\n    nodes: [n1]\n  - drop: 1\n' ;;
    4) printf 'faults:\n  - drop: 1\n    per: node\n    received: 1\n  - duplicate: 1\n    received: 2\n' ;;
    esac
}

# The executions of a scenario: traces, and what was found.
executions() { # FILE MAPPING
    "$limited" 60 "$HEDDLE" run --net "$1" --orders time --mapping "$2" --tests all -j 1 -o "$2" --json >summary 2>err </dev/null
    local status=$?
    [ $status -le 1 ] || { echo "status $status: $(head -c 300 err)"; return; }
    "$HEDDLE" tests "$2" --json | grep -o '"trace_hash":"[0-9a-f]*"' | sort -u
    verdict
}

# What the summary says: each finding by its kind and place, the verdict, and the labels, which tell how nodes ended.
verdict() {
    sed -n '/"labels"/,/}/p' summary | grep -oE '"[0-2]: [0-9]+"' | sort -u
    sed -n '/"findings"/,/^  \]/p' summary | grep -E '^ *"(kind|file|line)":' | paste - - - | tr -s ' \t' ' ' | sort -u
    grep -o '"complete": [a-z]*' summary
}

# Is that the same if no tests are asked for but those of findings and coverage?
finds() { # FILE MAPPING
    "$limited" 60 "$HEDDLE" run --net "$1" --orders time --mapping "$2" -j 1 -o "$2" --json >summary 2>err </dev/null
    [ $? -le 1 ] && verdict || head -c 300 err
}

number() { sed -n "s/^ *\"$1\": \"*\([0-9a-z]*\)\"*,*\$/\1/p" summary; } # KEY: of the last run

# The number of scenarios that states stand for is that of the paths that are run without states; it is at most that where some may be
# impossible.  (An assertion that fails is an execution of its own, and no scenario.)
wrong_number() { # FILE PATHS
    local scenarios
    scenarios=$(number scenarios)
    grep -q ', [ap]\b' "$1" || { [ "$(number scenarios_exact)" = true ] && [ "$scenarios" -eq "$2" ]; } ||
        { [ "$(number scenarios_exact)" = false ] && [ "$scenarios" -ge "$2" ]; } || echo "$scenarios scenarios, $2 paths"
}

reason="" n_executions=0 n_found=0 wrong=""
for round in $(seq "$rounds"); do
    make_scenario >"s$round.yaml"
    executions "s$round.yaml" none >none.txt
    n_executions=$((n_executions + $(wc -l <none.txt)))
    n_paths=$(number paths)
    verdict >found.txt
    n_found=$((n_found + $(grep -c kind found.txt)))
    for mapping in cob cow sds; do
        executions "s$round.yaml" $mapping >$mapping.txt
        found=$(wrong_number "s$round.yaml" "$n_paths")
        [ -z "$found" ] || wrong="round $round of seed ${SEED:-1}, $mapping: $found; $(tr '\n' ' ' <"s$round.yaml")"
        finds "s$round.yaml" $mapping | diff found.txt - >differ.txt ||
            reason="round $round of seed ${SEED:-1}, findings by $mapping: $(tr '\n' ' ' <differ.txt); $(tr '\n' ' ' <"s$round.yaml")"
        if ! cmp -s none.txt $mapping.txt; then
            reason="round $round of seed ${SEED:-1}, $mapping: $(diff none.txt $mapping.txt | head -n 5 | tr '\n' ' '); $(tr '\n' ' ' <"s$round.yaml")"
        fi
    done
done
say "$rounds random scenarios have the same executions by every mapping" "$reason"
[ "$n_executions" -gt $((4 * rounds)) ] && pass "and these are many" || fail "and these are many" "only $n_executions"
[ "$n_found" -gt $((rounds / 4)) ] && pass "and have findings" || fail "and have findings" "only $n_found"
say "the number of scenarios is that of the paths" "$wrong"

# Two nodes tell a third one on opposite branches: that nobody told it is a finding of many of its states, most of which are in no execution.
told() { # WORD...: what n3 does
    cat <<END
nodes:
  - {name: n0, program: scripted.c, arguments: [i, s1, s2]}
  - {name: n1, program: scripted.c, arguments: [R, g, s3]}
  - {name: n2, program: scripted.c, arguments: [R, k, s3]}
  - {name: n3, program: scripted.c, arguments: [$1]}
faults:
  - {drop: 1, to: n3}
END
}
told "r, r, p" >assert.yaml
told R >wait.yaml
for what in assert wait; do
    reason=""
    finds $what.yaml none >found.txt
    grep -q '"kind"' found.txt || reason="nothing is found: $(tr '\n' ' ' <found.txt)"
    for mapping in cob cow sds; do
        finds $what.yaml $mapping | diff found.txt - >differ.txt || reason="$mapping: $(tr '\n' ' ' <differ.txt)"
    done
    say "what one of many suspects shows is found ($what)" "$reason"
done

# What concrete nodes do in the order of time is something that they do in some order.
labels() { # FILE OPTIONS...
    "$limited" 60 "$HEDDLE" run --net "$1" "${@:2}" --tests findings -j 1 -o labels --max-time 20s --json 2>err </dev/null |
        grep '"complete"' summary
    sed -n '/"labels"/,/}/p' | grep -o '"[a-c]: [0-9]*"' | sort -u
}
reason=""
for round in $(seq $((rounds / 2))); do
    {
        echo "nodes:"
        for node in a b c; do
            script="n$node"
            for _ in 1 2 3 4; do
                word=i
                while [[ $word == [iact] ]]; do word=${words[RANDOM % ${#words[@]}]}; done
                script="$script, $word"
            done
            echo "  - {name: $node, program: scripted.c, arguments: [$script], idle: true}"
        done
    } >concrete.yaml
    labels concrete.yaml --orders time --mapping none >time.txt
    labels concrete.yaml --timeouts any >orders.txt
    [ -z "$(comm -23 time.txt orders.txt)" ] && [ -s time.txt ] || [ ! -s orders.txt ] ||
        reason="round $round of seed ${SEED:-1}: $(comm -23 time.txt orders.txt | tr '\n' ' ') in no order; $(tr '\n' ' ' <concrete.yaml)"
done
say "what nodes do in the order of time they do in some order" "$reason"

# Both engines agree where orders do not matter: nodes in a ring, each of which gets datagrams of one other alone, in order, and waits for
# them for ever.  All that any execution has told, and all sets of faults that there are.  (How many executions there are may differ: for
# --orders all it is another class whether a datagram was there when its reader looked.)
# Sets of faults: in which order they happened says nothing.
sorted_names() { while IFS= read -r line; do grep -oE '"[a-z]+ [^"]*"' <<<"$line" | LC_ALL=C sort | tr '\n' ' ' && echo; done | sort -u; }
have_told() { # FILE OPTIONS...
    "$limited" 60 "$HEDDLE" run --net "$1" "${@:2}" --tests all -j 1 -o told --json >summary 2>err </dev/null || { cat err; return; }
    grep '"complete"' summary
    sed -n '/"labels"/,/}/p' summary | grep -oE '"[a-c]: [0-9]+"' | sort -u
    "$HEDDLE" tests told --json | grep -oE '"faults": *\[[^]]*\]' | sorted_names
}
ring_words=(i c m e y s s R R)
ring_node() { # NAME NEXT
    local script="n$1, i"
    for _ in 1 2 3 4 5; do script="$script, ${ring_words[RANDOM % ${#ring_words[@]}]}"; done
    echo "  - {name: $1, program: scripted.c, arguments: [${script//, s/, s$2}, l, R, R, R, R, R, R], idle: true}"
}
reason="" n_told=0
for round in $(seq "$rounds"); do
    {
        echo "nodes:"
        ring_node a 1
        ring_node b 2
        ring_node c 0
        printf 'links:\n  - fifo: true\n'
        case $((RANDOM % 3)) in
        0) printf 'faults:\n  - drop: 1\n' ;;
        1) printf 'faults:\n  - drop: 1\n    per: node\n  - duplicate: 1\n    to: b\n' ;;
        esac
    } >ring.yaml
    have_told ring.yaml | LC_ALL=C sort >orders.txt
    n_told=$((n_told + $(wc -l <orders.txt)))
    for mapping in none sds; do
        have_told ring.yaml --orders time --mapping $mapping | LC_ALL=C sort >time.txt
        cmp -s orders.txt time.txt ||
            reason="round $round of seed ${SEED:-1}, $mapping: $(diff orders.txt time.txt | head -n 5 | tr '\n' ' '); $(tr '\n' ' ' <ring.yaml)"
    done
done
say "both engines agree on $rounds rings where orders do not matter" "$reason"
[ "$n_told" -gt $((4 * rounds)) ] && pass "and there is much to agree on" || fail "and there is much to agree on" "only $n_told lines"

# What is found replays, and says which inputs and faults lead to it.
cat >bug.yaml <<'EOF'
nodes:
  - {name: n0, program: scripted.c, arguments: [i, s1]}
  - {name: n1, program: scripted.c, arguments: [R, a]}
faults:
  - drop: 1
EOF
"$HEDDLE" run --net bug.yaml --orders time -o bug >out 2>err
say "a finding of a node that got an input of another" "$([ $? -eq 1 ] && grep -q "x = 77" out || echo "$(tail -n 5 out)")"
say "a datagram that is lost leaves its receiver waiting" "$(grep -q 'deadlock' out && grep -q 'drop n0->n1 #1' out || echo "$(tail -n 5 out)")"
replays=""
for test in $(grep -o 'replay bug [0-9]*' out | grep -o '[0-9]*$'); do
    "$HEDDLE" replay bug "$test" >again 2>&1 && grep -q "the same trace" again || replays="test $test: $(tail -n 2 again)"
done
say "and all of them replay" "$replays"

# Time passes as links and limits say, and no further than is asked.
cat >late.yaml <<'EOF'
nodes:
  - {name: n0, program: scripted.c, arguments: [z7, s1]}
  - {name: n1, program: scripted.c, arguments: [r, r, c]}
links:
  - latency: 2ms
EOF
"$HEDDLE" run --net late.yaml --orders time -o late --json >out 2>err
say "virtual time" "$(grep -q '"complete": true' out || cat out err | head -c 300)"
"$HEDDLE" run --net late.yaml --orders time --until 6ms -o late >out 2>err
say "--until is a bound beside the verdict" "$(grep -q 'virtual time ends at 0.006 s' out || tail -n 3 out)"

# Node states have the same bound, and what waits for ever before it is found.  What decides comes second, so that no execution is run for what
# it covers: n0 is still there after 3 ms, or n1 gets nothing while n2 has ended, if the second input is > 100.
cat >cut.yaml <<'EOF'
nodes:
  - {name: n0, program: scripted.c, arguments: [i, g, y, z1, i, g, z7]}
EOF
cat >stuck.yaml <<'EOF'
nodes:
  - {name: n0, program: scripted.c, arguments: [i, g, y, z1, i, k, s1]}
  - {name: n1, program: scripted.c, arguments: [R]}
  - {name: n2, program: scripted.c, arguments: [i, g, y, z1, i, k, z7]}
EOF
reason=""
for mapping in none cob cow sds; do
    for what in cut stuck; do
        "$HEDDLE" run --net $what.yaml --orders time --until 3ms --mapping $mapping -o cut >out 2>err
        grep -q 'virtual time ends at 0.003 s' out || reason="$mapping does not say it ($what): $(tail -n 3 out)"
    done
    grep -q deadlock out || reason="$mapping finds nothing: $(tail -n 3 out)"
    "$HEDDLE" run --net cut.yaml --orders time --until 1s --mapping $mapping -o cut >out 2>err
    grep -q 'virtual time ends' out && reason="$mapping cuts what ends in time"
done
say "--until with every mapping" "$reason"

# What nodes have in common besides packets is not seen by node states, and said where it is changed.
cat >common.c <<'EOF'
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char what = argc > 1 ? argv[1][0] : 0;
    usleep(1000);
    if (what == 'f')
        return open("new.txt", O_CREAT | O_WRONLY, 0600) < 0;
    if (what == 'w')
        return write(open("old.txt", O_WRONLY), "x", 1) != 1;
    if (what == 'q')
        return mq_open("/new", O_CREAT | O_RDWR, 0600, NULL) < 0;
    if (what == 's')
        return sem_open("/new", O_CREAT, 0600, 1) == SEM_FAILED;
    return access("old.txt", R_OK);
}
EOF
echo old >old.txt
reason=""
for what in f:files w:files q:"message queues" s:"named semaphores" n:; do
    printf 'nodes:\n  - {name: a, program: common.c, arguments: [%s]}\n  - {name: b, program: common.c}\n' "${what%%:*}" >common.yaml
    for mapping in none sds; do
        "$HEDDLE" run --net common.yaml --orders time --mapping $mapping -o common >out 2>err
        said=$(grep -oE '[a-z ]+ that a node makes or changes are not seen by others.*' out | head -n 1)
        wanted=${what#*:}
        [ $mapping = none ] && wanted=""
        if [ -z "$wanted" ]; then [ -z "$said" ]; else [[ $said == *"$wanted that a node"*"common.c:"* ]]; fi ||
            reason="$what with $mapping: '$said', $(tail -n 3 out | tr '\n' ' ')"
    done
done
say "what nodes change besides packets is said" "$reason"

# The second datagram that a node receives is the second of all, whichever other node sent it: of three, one may be lost.
cat >received.yaml <<'EOF'
nodes:
  - {name: n0, program: scripted.c, arguments: [s2, z3, s2]}
  - {name: n1, program: scripted.c, arguments: [z1, s2]}
  - {name: n2, program: scripted.c, arguments: [s2, r, r, r, r]}
faults:
  - drop: 1
    to: n2
    received: 2
EOF
for mapping in none sds; do
    "$HEDDLE" run --net received.yaml --orders time --mapping $mapping --tests all -o received --json >out 2>err
    names=$("$HEDDLE" tests received --json | grep -oE '"drop [^"]*"' | sort -u | tr '\n' ' ')
    say "the second datagram that a node receives, $mapping" "$([ "$names" = '"drop n1->n2 #1" ' ] && grep -q '"executions": 2,' out ||
        echo "faults $names: $(head -c 300 out err)")"
done

# Scenarios drawn at random: as many as asked for, besides those that cover something; all of them replay.
cat >drawn.yaml <<'EOF'
nodes:
  - {name: "n{index}", count: 8, program: scripted.c, arguments: [i, c]}
EOF
"$HEDDLE" run --net drawn.yaml --orders time -o drawn --json >summary 2>err
n_fresh=$(number executions)
say "eight nodes that decide once have 256 scenarios" "$([ "$(number scenarios)" = 256 ] && [ "$n_fresh" -lt 16 ] || head -c 300 summary)"
"$HEDDLE" run --net drawn.yaml --orders time --samples 20 --tests all -o drawn --json >summary 2>err
say "20 of them, drawn at random" "$([ "$(number executions)" = $((n_fresh + 20)) ] || head -c 300 summary err)"
"$HEDDLE" run --net drawn.yaml --orders time --samples 1000 --tests all -o drawn --json >summary 2>err
say "no more than there are" "$([ "$(number executions)" = $((n_fresh + 256)) ] || head -c 300 summary err)"
"$HEDDLE" run --net drawn.yaml --orders time -o drawn >out 2>err
say "the summary says how many" "$(grep -q '^scenarios   256$' out || tail -n 12 out)"

# is NAME PATTERN ARGUMENTS...: refused with status 2 and one sentence.
is() {
    local name=$1 pattern=$2
    shift 2
    "$HEDDLE" "$@" >out 2>err </dev/null
    local status=$?
    say "$name" "$([ $status -eq 2 ] && grep -qE -e "$pattern" err || echo "status $status: $(head -c 200 err)")"
}
echo 'int main(void) { return 0; }' >plain.c
is "time orders nodes" "is about the nodes of a scenario" run --orders time plain.c
is "--until needs --orders time" "has no effect without '--orders time'" run --net late.yaml --until 1s
is "--mapping needs --orders time" "has no effect without '--orders time'" run --net late.yaml --mapping cow
is "an unknown mapping" "mapping" run --net late.yaml --orders time --mapping sde
printf 'faults:\n  - corrupt: 1\n' | cat late.yaml - >corrupt.yaml
is "faults that time does not have" "not explored with '--orders time'" run --net corrupt.yaml --orders time
is "what is received is known to time alone" "rules with 'received' need '--orders time'" run --net received.yaml
is "samples are of states" "'--mapping none' has none" run --net drawn.yaml --orders time --mapping none --samples 5
is "no samples" "there is none to draw" run --net late.yaml --orders time --schedule pct
exit $((failures > 0))

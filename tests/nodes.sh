#!/bin/bash
# What nodes of a scenario find around themselves, and what they change that others could see (tests/scenarios/around.c); how queues are named.
#
#     HEDDLE=build/heddle tests/nodes.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter
cp "$here"/scenarios/around.* .

"$limited" 60 "$HEDDLE" run --net around.yaml -q -o run >out 2>&1
say "nodes find names, arguments, environment and standard input" \
    "$(grep -q '^complete' out || head -n 3 out | paste -sd ' ')"

# Every line that is marked is named, and no other.
cat >changes.yaml <<'END'
nodes:
  - {name: one, program: around.c, flags: -DCHANGES, arguments: [x]}
  - {name: two, program: around.c, flags: -DCHANGES}
END
mkdir there
echo old >old.txt
"$limited" 60 "$HEDDLE" run --net changes.yaml --orders time --mapping sds -o run >out 2>&1
grep -oE '(files|message queues) that a node makes or changes are not seen.*around.c:[0-9]+' out | sed 's/.*://' | sort -n >said
grep -n '// LOSS' around.c | cut -d : -f 1 >marked
say "what a node changes beside packets is said, line by line" "$(diff marked said | sed -n 2,3p | paste -sd ' ')"

# Files of a node's own, with a folder laid over those of the machine; each in every order and by states.
cp "$here"/scenarios/own_files.c .
for i in 0 1; do
    mkdir -p "n$i/etc" "n$i/var/own"
    echo "$i" >"n$i/etc/own_files.conf"
done
own_files() { # WORD OPTIONS...: what the labels are
    printf 'nodes:\n  - {name: "n{index}", count: 2, program: own_files.c, arguments: ["{index}"], root: "n{index}", files: %s}\nfaults:\n  - {reboot: 1, nodes: n0}\n' "$1" >own.yaml
    "$limited" 60 "$HEDDLE" run --net own.yaml "${@:2}" --json -o run >out 2>err
    sed -n '/"labels"/,/}/p' out | grep -oE '"[01]: [0-9]+"' | sort | tr -d '"' | paste -sd ' '
    grep -E '"kind": "assertion"|not seen' out
}
for how in "" "--orders time" "--orders time --mapping none"; do
    # shellcheck disable=SC2086
    say "files of a node stay when it reboots $how" "$(own_files own $how | grep -vx '0: 0 0: 1 0: 2 1: 1')" # it may die before it has written
    # shellcheck disable=SC2086
    say "or are lost $how" "$(own_files lost $how | grep -vx '0: 1 1: 1')"
done
[ -s n0/var/own/begun ] && fail "nothing is written to the folder" "it is there" || pass "nothing is written to the folder"
"$HEDDLE" check own.yaml >out 2>&1
say "check says whose files they are" "$(grep -q "n1 .*, has files of its own, lost when it reboots, sees those of '/.*/n1' first" out || cat out)"

cp "$here"/scenarios/named_queues.c .
"$limited" 60 "$HEDDLE" run named_queues.c -q -o run >out 2>&1
"$limited" 60 "$HEDDLE" replay run 1 --trace 2>&1 | sed -nE "s/.*(puts into|takes from) ('.*'|a queue).*/\2/p" | sed -E 's/:[0-9]{5}/:PORT/' | LC_ALL=C sort -u >named
cat >wanted <<'END'
'message queue /names'
'pipe 3-4'
'socket pair 5-6, to 5'
'socket pair 5-6, to 6'
'tcp 127.0.0.1:7000 from 127.0.0.1:PORT'
'tcp 127.0.0.1:7000'
'tcp 127.0.0.1:PORT from 127.0.0.1:7000'
END
say "a trace names the queues" "$(diff wanted named | sed -n 2,3p | paste -sd ' ')"

# group LOOP TTL LABELS
cp "$here"/scenarios/group_options.c .
group() {
    echo "nodes: [{name: 'n{index}', count: 2, program: group_options.c, flags: [-DLOOP=$1, -DTTL=$2], arguments: '{index}'}]" >group.yaml
    "$limited" 60 "$HEDDLE" run --net group.yaml --orders time -o run >out 2>&1
    found=$(grep -oE "'[01] [a-z ]+'" out | LC_ALL=C sort -u | paste -sd ' ')
    say "a group with loop $1 and ttl $2" "$([ "$found" = "$3" ] || echo "found: $found")"
}
group 1 1 "'0 hears' '1 hears'"
group 0 1 "'0 does not' '1 hears'"
group 1 0 "'0 hears' '1 does not'"

cp "$here"/scenarios/early.c .
echo "nodes: [{name: 'n{index}', count: 2, program: early.c, arguments: '{index}'}]" >early.yaml
"$limited" 60 "$HEDDLE" run --net early.yaml -o run >out 2>&1
found=$(grep -oE "'(in time|too early)'" out | LC_ALL=C sort -u | paste -sd ' ')
say "who connects may come too early" "$([ "$found" = "'in time' 'too early'" ] || echo "found: $found")"

cp "$here"/scenarios/cable.c .
echo "nodes: [{name: 'n{index}', count: 2, program: cable.c, arguments: '{index}'}]" >cable.yaml
"$limited" 60 "$HEDDLE" run --net cable.yaml --orders time -o run >out 2>&1
say "connections to another host answer as on Linux" "$(grep -q "reached *'all answered' in 1 execution" out && grep -q '^complete' out || tail -n 5 out | paste -sd ' ')"
[ $failures -eq 0 ]

#!/bin/bash
# Protocols of examples/ with nodes that crash, links that are cut and datagrams that are lost (docs/protocols.md): what goes wrong is found, and
# what was mended is explored to its budget, with as many classes as are written down.  (Smaller versions of some are in tests/faults.sh.)
# The two largest are explored in every order with SOAK=1 only, and with it programs are compiled as users have it: three quarters of the time
# would be compiling.
#
#     HEDDLE=build/heddle tests/protocols.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter
hurry=$([ "${SOAK:-}" ] || echo -O0)
cp -r "$top"/examples/{collect,election,gossip,broadcast,commit,store,window,clock.h,udp.h} "$here"/scenarios/{raft,routing} .

# explore SCENARIO CLASSES FINDINGS OPTIONS...: so many classes or paths, and findings; with '-' for CLASSES any number.
explore() {
    local scenario=$1 classes=$2 findings=$3
    shift 3
    "$limited" 120 "$HEDDLE" run $hurry -o run --json --net "$scenario" "$@" >out 2>err </dev/null
    found=$(python3 -c "
import json
r = json.load(open('out'))
t = r.get('threads') or {}
rest = [x for x in r['reasons'] if 'time limits pass only' not in x]
print('-' if '$classes' == '-' else t.get('classes', r['paths']), len(r['findings']), *rest)" 2>&1)
    say "$scenario ${*:-in every order}" "$([ "$found" = "$classes $findings" ] || echo "$found instead of $classes $findings: $(head -c 200 err)")"
}
explore collect/twice.yaml 168 1
explore collect/fixed.yaml 648 0
# Which executions are run for what they cover depends on the dscenario that is found first for a state: that of the lowest dstate.  If that
# state is in no possible one what came of it is tried, as in collect/field.yaml (9 without that).
explore collect/twice.yaml 4 1 --orders time
explore collect/fixed.yaml 7 0 --orders time
explore collect/field.yaml 10 0 --orders time
explore election/crash.yaml 12 1 --orders time
explore election/fixed.yaml 15 0 --orders time
if [ "${SOAK:-}" ]; then
    explore election/fixed.yaml 41244 0
    explore gossip/fixed.yaml 13978 0
fi
explore broadcast/forget.yaml 5 1 --orders time
explore broadcast/fixed.yaml 911 0 --orders time --mapping none
explore broadcast/forget.yaml 742 1
explore window/short.yaml 5 1 --orders time
explore window/fixed.yaml 88 0 --orders time --mapping none
explore window/short.yaml 95 1
explore store/early.yaml 288 1 --orders time --mapping none
explore store/fixed.yaml 292 0 --orders time --mapping none
explore store/early.yaml 850 1
explore store/fixed.yaml 895 0
explore commit/reboot.yaml 23 1 --orders time --mapping none
explore commit/fixed.yaml 400 0 --orders time --mapping none

# A larger program as they are around, with three and five nodes.  That all have the entry in time may fail when one is missing; that
# no two lead one term may not.
explore raft/three.yaml 1 0 --orders time --mapping none
explore raft/five.yaml 1 0 --orders time --mapping none
explore raft/three.yaml 41 0 --orders time --mapping none --fault "drop: 1"
explore raft/five.yaml 46 0 --orders time --mapping none --fault "drop: 1"
# What no budget allows is dropped early: scenarios of node states are the executions without them.
scenarios() { # NUMBER FAULT
    "$limited" 120 "$HEDDLE" run $hurry -o run --json --net raft/three.yaml --orders time --fault "$2" >out 2>err </dev/null
    found=$(python3 -c "
import json
t = json.load(open('out'))['threads']
print(t['scenarios'] if t['states'] < 200 else 'too many states: %d' % t['states'])" 2>&1)
    say "raft/three.yaml by states, $2" "$([ "$found" = "$1" ] || echo "$found instead of $1: $(head -c 200 err)")"
}
scenarios 41 "drop: 1"
scenarios 41 "duplicate: 1"
explore raft/three.yaml 248 1 --orders time --mapping none --fault "crash: 1"
explore raft/three.yaml 194 1 --orders time --mapping none --fault "reboot: 1"
"$HEDDLE" run $hurry --net raft/three.yaml --orders time --mapping none --fault "crash: 1" -o run >out 2>err
say "what fails is that all have it" "$(grep -q "'distinct(leads)' does" out && echo "two leaders" || grep -q "'min(applied) == 1" out || tail -n 4 out)"
"$limited" 60 "$HEDDLE" run $hurry --net raft/three.yaml -n 200 -j 1 -o run --json >out 2>err
say "in every order, as far as 200 executions go" "$(python3 -c "
import json
r = json.load(open('out'))
bad = [x for x in r['reasons'] if 'not tried yet' not in x and 'time limits pass only' not in x]
if r['executions'] != 200 or r['findings'] or bad: print(r['executions'], len(r['findings']), bad)" 2>&1)"

# The rest of a search in which something was found need not be run.
first() { # SCENARIO PATTERN
    "$limited" 120 "$HEDDLE" run $hurry --stop-at-first -j 1 -o run --net "$1" >out 2>err </dev/null
    say "$1 shows it" "$([ $? -eq 1 ] && grep -qE -e "$2" out || tail -n 5 out)"
}
first election/crash.yaml "faults: crash node0 #"
first commit/reboot.yaml "faults: reboot part[01] #"
first gossip/partition.yaml "faults: partition node[0-2]->node[0-2] #"

# Routers that tell each other what ways cost, with what such programs call (lockf, if_nameindex, hstrerror, CMSG_NXTHDR, their own name): two that believe
# each other when a third has crashed are found.
explore routing/line.yaml 20 1 --orders time --mapping none
explore routing/fixed.yaml 20 0 --orders time --mapping none
explore routing/fixed.yaml 584 0 --orders time --mapping none --fault "drop: 1"
# Daemons crash as their nodes do, also before they are daemons.  Processes that nodes fork had other numbers in a replay than when nodes ran alone.
"$HEDDLE" run $hurry --net routing/daemons.yaml --orders time -o run --json >out 2>err
reason=$(python3 -c "
import json
r = json.load(open('out'))
print('' if not r['findings'] and r['threads']['scenarios'] == '24' else r['threads'])" 2>&1)
for test in $("$HEDDLE" tests run | awk '{ print $1 }'); do
    "$HEDDLE" replay run "$test" >replayed 2>&1 && grep -q "the same trace as recorded" replayed || reason="test $test: $(tail -n 2 replayed)"
done
say "routing/daemons.yaml, and each of its tests" "$reason"
exit $((failures > 0))

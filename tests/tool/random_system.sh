# shellcheck shell=bash
# random_system.sh -- random scenarios of nodes that do what their arguments say (tests/scenarios/scripted.c): words, links, and faults of
# every kind.  RANDOM decides; so nothing here may run in a subshell, which has numbers of its own.
#
#     random_system               three nodes that have anything to do with each other, in $system; TASKS=1: and start threads and processes
#     random_faults KIND...       some rules of these kinds, or none, in $faults

pick() { picked="${*:RANDOM % $# + 1:1}"; } # WORD...: one of them

words=(i i c c m e y x w s0 s1 s2 s0 s1 s2 f0 f1 q r r R z1 z3 z7 a t g k o u p b v j)

task_words=(h0 h1 h2 h0 h1 h2 H P0 P1 P2 r r R c)

stream_words=(C0 C1 C2 C0 C1 C2 B0 B1 A G G G S S S F D D W X L T i c e y w z1 z3 r R g o u)

# To whom, or when; half of the rules say nothing of it.
random_place() {
    case $((RANDOM % 12)) in
    0) pick n0 n1 n2 && place=", to: $picked" ;;
    1) pick n0 n1 n2 && place=", from: $picked" ;;
    2) pick n1 n2 && place=", between: [n0, $picked]" ;;
    3) place=", after: $((RANDOM % 3)) ms" ;;
    4) place=", before: $((1 + RANDOM % 4)) ms" ;;
    5) place=", nth: $((1 + RANDOM % 2))" ;;
    *) place="" ;;
    esac
}

# A budget; which of all that a node receives is no question of sends.
random_count() { # KIND
    case $((RANDOM % 6)) in
    0) count="1, per: node" ;;
    1) count="1, per: link, total: 1" ;;
    2) count="1, received: $((1 + RANDOM % 2))" ;;
    *) count=1 ;;
    esac
    [[ $1 == full || $1 == reset ]] && [[ $count == *received* ]] && count=1
    [[ $place == *nth* && $count == *received* ]] && place=""
    return 0
}

random_rule() { # KIND
    random_place
    random_count "$1"
    case $1 in
    crash | reboot) pick n0 n1 n2 && rule="$1: 1, nodes: $picked" ;;
    delay) rule="delay: $count, time: $((1 + RANDOM % 5)) ms$place" ;;
    reorder) rule="reorder: $count, window: $((1 + RANDOM % 2))$place" ;;
    partition) rule="partition: $count$place" && [ $((RANDOM % 2)) -eq 0 ] && rule="$rule, time: $((1 + RANDOM % 4)) ms" ;;
    *) rule="$1: $count$place" ;;
    esac
    faults="$faults  - {$rule}"$'\n'
}

# Two rules of five scenarios, one of another two.
random_faults() { # KIND...
    local n=$((RANDOM % 5))
    faults=""
    [ "$n" -eq 0 ] || faults="faults:"$'\n'
    [ "$n" -ge 1 ] && pick "$@" && random_rule "$picked"
    [ "$n" -ge 3 ] && pick "$@" && random_rule "$picked"
    return 0
}

random_node() { # NAME OPTIONS
    local script="$1, i" # its name is a word too
    for _ in 1 2 3 4 5; do
        pick "${words[@]}"
        [ "$has_streams" -eq 1 ] && [ $((RANDOM % 4)) -gt 0 ] && pick "${stream_words[@]}"
        [ "${TASKS:-0}" -eq 1 ] && [ $((RANDOM % 3)) -eq 0 ] && pick "${task_words[@]}"
        script="$script, $picked"
    done
    system="$system  - {name: $1, program: scripted.c, arguments: [$script], $2}"$'\n'
}

# Half of them may wait for ever; half have connections; every fourth has latencies.  Files are each node's own: states do not see those of others.
random_system() {
    local idle node has_streams=${STREAMS:-$((RANDOM % 2))}
    pick true false && idle="idle: $picked"
    system="nodes:"$'\n'
    for node in n0 n1 n2; do
        pick own lost && random_node $node "$idle, files: $picked"
    done
    system="${system}links:"$'\n'"  - fifo: true"$'\n'
    [ $((RANDOM % 4)) -eq 0 ] &&
        system="$system  - {latency: $((RANDOM % 4)) ms, fifo: true}"$'\n'"  - {from: n0, latency: none, fifo: true}"$'\n'
    random_faults drop drop duplicate delay reorder corrupt partition full reset reset crash reboot
    system="$system$faults"
}

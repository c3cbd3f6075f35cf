#!/bin/bash
# kill -9 at random moments, of the supervisor or of one of two workers, over programs of four kinds, then --resume: the paths are those of
# an undisturbed run, each once, and so is the verdict.
#
#     HEDDLE=build/heddle tests/kills.sh [SEED]     prints "ok - NAME" or "not ok - NAME: reason"
#
# KILLS is how often: 30, or 500 with SOAK=1.  Each is counted by where it landed; one that came too late does not count.
. "$(dirname "$0")/tool/runs.sh"
RANDOM=${1:-1}
KILLS=${KILLS:-${SOAK:+500}}
KILLS=${KILLS:-30}
enter
make_programs 40 40 40 400
declare -A landed

# A worker of the run; $1 is its supervisor.
worker_of() {
    local workers=()
    { read -ra workers <"/proc/$1/task/$1/children"; } 2>/dev/null
    [ ${#workers[@]} -gt 0 ] && echo "${workers[RANDOM % ${#workers[@]}]}"
}
# How far the record had come: a run that nobody runs any more.
place() {
    local done_ all
    done_=$("$HEDDLE" tests killed --json 2>/dev/null | grep -c '"path_hash"') # all paths are kept
    all=$(wc -l <whole.paths)
    if [ "$done_" -eq 0 ]; then echo "before the first commit"; elif [ "$done_" -lt "$all" ]; then echo "between commits"; else echo "behind the last commit"; fi
}
count() {
    landed[$1]=$((${landed[$1]:-0} + 1))
    killed=$((killed + 1))
}
# Kills one of run $1, if it is there; false when the run is over.
kill_one() {
    local worker
    if [ $((RANDOM % 2)) = 0 ]; then
        kill -9 "$1" 2>/dev/null || return 1
        wait "$1" 2>/dev/null # quietly: the shell would say "Killed"
        [ $? = 137 ] || return 1
        count "supervisor $(place)"
        explore -j 2 --resume=killed &
        run=$!
    else
        worker=$(worker_of "$1")
        if [ "$worker" ] && kill -9 "$worker" 2>/dev/null; then count "worker"; fi
    fi
}
# disturb PROGRAM: one run, killed up to four times.
disturb() {
    local i
    explore -j 2 -o killed "$1.c" &
    run=$!
    await_record
    for ((i = 0; i < 4; i++)); do
        doze 250
        kill_one "$run" || break
    done
    wait "$run" 2>/dev/null
    (explore --resume=killed)
    same "$1, after $killed kills" killed whole
    rm -rf killed
}

killed=0
for program in inputs threads messages mixed; do
    (explore -j 1 -o whole "$program.c")
    undisturbed "$program" whole
    before=$killed
    while [ $((killed - before)) -lt $(((KILLS + 3) / 4)) ] && [ $failures -eq 0 ]; do
        disturb "$program"
    done
    rm -rf whole
done
where=$(for i in "${!landed[@]}"; do echo "${landed[$i]} $i"; done | sort -rn | paste -sd, | sed 's/,/, /g')
say "$killed kills: $where" "$([ "$killed" -ge "$KILLS" ] || echo "fewer than $KILLS")"
[ $failures -eq 0 ]

#!/bin/bash
# Library functions answer as on Linux: results, errors and effects of programs that print all they see (tests/calls/calls.h).
#
#     HEDDLE=build/heddle tests/calls.sh [FILE.c...]      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
[ $# -gt 0 ] && programs=$(realpath "$@") || programs=$(ls "$here"/calls/*.c)
enter
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- # numbers of descriptors are compared: none is left open by who called
# Each program runs once: most of the time would be compiling.  With SOAK=1 they are compiled as users have it.
hurry=$([ "${SOAK:-}" ] || echo -O0)
unset LC_ALL LANG LC_CTYPE TZ

for program in $programs; do
    name=$(basename "$program" .c)
    rm -rf native here run
    mkdir native here
    gcc -w -o calls "$program" -lm -lpthread -lrt || exit 1
    # What NAME.in says is standard input, once: a replay has it from the run.
    input=${program%.c}.in
    [ -f "$input" ] || input=/dev/null
    (cd native && cat "$input" | "$limited" 20 ../calls >../expected 2>../errors.expected)
    (cd here && cat "$input" | "$limited" 120 "$HEDDLE" run -q -DHEDDLE $hurry -o ../run "$program" >../out 2>&1)
    status=$?
    (cd here && "$limited" 120 "$HEDDLE" replay ../run 1 </dev/null 2>../errors.seen | sed '/^-- end/q') >seen
    reason=$(diff expected seen | sed -n 2,3p | paste -sd ' ')
    [ "$reason" ] || reason=$(diff errors.expected errors.seen | sed -n 2,3p | paste -sd ' ')
    # Not complete is what a run may be: time passes in one way only.
    [ "$reason" ] || [ $status -eq 0 ] || [ $status -eq 3 ] || reason=$(tail -n 1 out)
    say "$name" "$reason"
    [ -z "${KEEP:-}" ] || cp expected seen out errors.expected errors.seen "$KEEP"
done

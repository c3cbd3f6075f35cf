#!/bin/bash
# Operands of library functions that depend on inputs: what comes out for all of them is what comes out
# on Linux for each (tests/operands/cases.c), in a run that is complete.
#
#     HEDDLE=build/heddle tests/operands.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter

gcc -w -o native "$here/operands/cases.c" -lpthread || exit 1
"$limited" 20 ./native >expected || exit 1
while read -r name results; do
    wanted=$(tr ' ' '\n' <<<"$results" | sort -u | tr '\n' ' ')
    "$limited" 120 "$HEDDLE" run -DHEDDLE -o run "$here/operands/cases.c" -- "$name" >out 2>&1 </dev/null
    status=$?
    seen=$(sed -n "s/^reached *'\(.*\)' in.*/\1/p" out | sort -u | tr '\n' ' ')
    # Kills and time limits have bounds that are said, whatever the operand is.
    case $name in killed_by | alarm_left | interval_left) sed -i 's/^not complete/complete/' out && status=$((status == 3 ? 0 : 1)) ;; esac
    if [ $status -ne 0 ]; then
        echo "not ok - $name: status $status: $(tail -n 1 out)"
    elif ! grep -q '^complete' out; then
        echo "not ok - $name: $(grep -m 1 complete out)"
    elif [ "$seen" != "$wanted" ]; then
        echo "not ok - $name: $seen, but Linux: $wanted"
    else
        echo "ok - $name"
    fi
done <expected

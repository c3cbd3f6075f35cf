#!/bin/bash
# What nodes of a scenario find around themselves, and what they change that others could see (tests/scenarios/around.c).
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
[ $failures -eq 0 ]

#!/bin/bash
# bench/threads/synthetic_generator.c makes the synthetic programs that are in the repository, and
# programs of which all reductions see the same classes.
#
#     HEDDLE=build/heddle tests/generator.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter

"${CC:-cc}" -std=gnu17 -Wall -Wextra -Werror -O1 "$top/bench/threads/synthetic_generator.c" -o generator 2>err ||
    fail "the generator compiles" "$(head -n 1 err)"

# One word in a line: where lines are broken makes no difference.
words() { tr -s ' \n' '\n\n'; }

# The programs in the repository say which arguments made them, and how many paths they have.
for file in "$top"/bench/threads/synthetic[0-9].c; do
    name="$(basename "$file") is what the generator makes"
    arguments=$(sed -n '1s,^/\* Made by: synthetic_generator ,,p' "$file")
    paths=$(sed -n 's,^ \* paths: -> \([0-9]*\).*,\1,p' "$file")
    # shellcheck disable=SC2086
    ./generator $arguments "$paths" >made.c
    if cmp <(words <made.c) <(words <"$file") >difference 2>&1; then
        pass "$name"
    else
        fail "$name" "$(head -n 1 difference)"
    fi
done

classes() { # OPTIONS...: what was explored, nothing if not all was
    "$limited" 120 "$HEDDLE" run --json "$@" made.c 2>err >json
    grep -q '"complete": true' json && sed -n 's/^  "paths": \([0-9]*\).*/\1/p' json
}

for seed in 1 2 3; do
    name="a random program has the same classes without reduction, seed $seed"
    ./generator $seed 2 2 50 30 >made.c
    all=$(classes --por none)
    reduced=$(classes)
    if [ -n "$all" ] && [ "$all" = "$reduced" ]; then
        pass "$name"
    else
        fail "$name" "'$all' without and '$reduced' with it: $(head -n 1 err)"
    fi
done

./generator 1 2 0 50 30 >made.c 2>err
[ $? = 2 ] && grep -q "there must be a variable" err && pass "no variables" || fail "no variables" "$(head -n 1 err)"
[ $failures = 0 ]

#!/bin/bash
# docs/findings.md against the tool: every kind has its section, and the program of the section shows it.
#
#     HEDDLE=build/heddle tests/docs.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
page=$here/../docs/findings.md
enter

# Each section leaves KIND.c, and KIND.options from its command line.
awk '
    /^### `/ { kind = $2; gsub(/`/, "", kind); print kind >"sections"; next }
    /^## / { kind = "" }
    kind && /^    heddle run / { sub(/^    heddle run /, ""); sub(/ [^ ]*\.c$/, ""); print >(kind ".options"); next }
    kind && /^```c$/ { inside = 1; next }
    /^```$/ { inside = 0; next }
    kind && inside { print >(kind ".c") }
' "$page"

kinds() { "$HEDDLE" help checks | sed -n 's/^  \([a-z-]*\)  .*/\1/p'; }

for kind in $(kinds); do
    if grep -qx -- "$kind" sections; then
        pass "docs/findings.md has a section on $kind"
    else
        fail "docs/findings.md has a section on $kind" "it has none"
    fi
done
for kind in $(cat sections); do
    kinds | grep -qx -- "$kind" || fail "'$kind' of docs/findings.md exists" "no such kind"
    [ -f "$kind.c" ] || continue
    # shellcheck disable=SC2046
    "$HEDDLE" run -q -n 2000 -o "out-$kind" $(cat "$kind.options" 2>/dev/null) "$kind.c" >out 2>err </dev/null
    if "$HEDDLE" findings "out-$kind" --json 2>>err | grep -q "\"kind\": *\"$kind\""; then
        pass "the program of docs/findings.md shows $kind"
    else
        fail "the program of docs/findings.md shows $kind" "$(head -1 err) $(grep -m1 '#1' out)"
    fi
done

# The words of --checks, as the help has them, are in the manual too.
for word in $("$HEDDLE" help checks | sed -n 's/^    \([a-z]*\): .*/\1/p'); do
    for manual in docs/cli.md man/heddle.1; do
        if sed -n '/checks LIST/p; /checks " list"/,/^\.TP/p' "$here/../$manual" | grep -qw -- "$word"; then
            pass "$manual has the check '$word'"
        else
            fail "$manual has the check '$word'" "it does not"
        fi
    done
done

# Every property test is told, with what it compares with.
for test in "$here"/property/property_*.c; do
    name=$(basename "$test" .c)
    if grep -q "^| .*\`$name\`" "$here/../docs/testing.md"; then
        pass "docs/testing.md tells of $name"
    else
        fail "docs/testing.md tells of $name" "it does not"
    fi
done
[ "$failures" -eq 0 ]

#!/bin/bash
# docs/architecture.md against the tree: its table of folders is src/, in an order in which includes point one way.
#
#     tests/rooms.sh      prints "ok - NAME" or "not ok - NAME: reason"
set -u
cd "$(dirname "$0")/.." || exit 1
page=docs/architecture.md
failures=0

# check NAME: good if standard input is empty, which is read in whole.
check() {
    local wrong
    wrong=$(cat)
    if [ -z "$wrong" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: $(head -n ${MOST:-3} <<<"$wrong" | paste -sd ";")"
        failures=$((failures + 1))
    fi
}

folders() { sed -n 's/^| `src\/\([a-z/]*\)\/` |.*/\1/p' "$page"; }

diff <(folders | sort) <(find src -type f -printf '%P\n' | sed -n 's|/[^/]*$||p' | sort -u) |
    sed -n 's|^< |no such folder: src/|p; s|^> |not in the table: src/|p' | check "every folder of src/ has its row in $page"

folders | sort | uniq -d | check "no folder has two rows"

# Lines "FILE: FOLDER" of includes that point down the table.
grep -roE '^#include "[a-z_/]+/[a-z_0-9]+\.(h|def|c)"' src | sed -E 's|^src/([^:]*):#include "(.*)/[^/]*"|\1 \2|' |
    awk 'NR == FNR { place[$1] = NR; next }
         { from = $1; sub(/\/[^\/]*$/, "", from) }
         !($2 in place) || !(from in place) { print "src/" $1 " includes from " $2 ", which has no row"; next }
         place[$2] > place[from] { print "src/" $1 " includes from " $2 "/, below it" }' <(folders) - |
    check "every include goes to the same folder or one above it"

# Who explores, tells or reports asks the table of kinds (machine/action/action_kinds.h) for traits and columns.
grep -rnE '\<HD_DO_[A-Z]' src/explore src/tell src/record src/fleet src/report src/cli |
    sed 's/^\([^:]*:[0-9]*\):.*/\1 names a kind of action/' | check "kinds of actions are named by their owners only"

# Within the machine a kind is asked for by its name only where actions of it are made: who owns it may.  Lines "FILE KIND".
asked() { grep -roE '(kind *[!=]=|case) *HD_DO_[A-Z_]+' src/machine | sed -E 's/:.*HD_DO_/ /' | sort -u; }
made() { grep -rE 'HD_DO_[A-Z_]+' src/machine | sed -E 's/(kind *[!=]=|case) *HD_DO_[A-Z_]+//g' | grep -oE '^[^:]*|HD_DO_[A-Z_]+' |
    awk '/^src/ {file = $0; next} {sub(/HD_DO_/, ""); print file, $0}' | sort -u; }
comm -23 <(asked) <(made) | sed 's/ / asks whether an action is /; s/$/, which others make: it needs a trait or a column/' |
    check "the machine asks the table about kinds that others own"

# Files by their path, or by their name alone: each must be somewhere.
{
    grep -oE '`[a-z_0-9/]+\.(c|h|def|sh)`' "$page" | tr -d '`' | sort -u | while read -r file; do
        [ -e "src/$file" ] || [ -e "$file" ] || { [[ $file != */* ]] && [ "$(find src include -name "$file")" ]; } ||
            echo "no such file: $file"
    done
} | check "every file that $page names is there"

# docs/how-to-add.md: rows and functions that it names are there.  (An event is its example of what is not.)
grep -oE '\b(HD_[A-Z0-9_]*[A-Z0-9]|hd_[a-z0-9_]*[a-z0-9])\b' docs/how-to-add.md | sort -u | grep -vE '_NAME$|EVENT_|hd_event_|hd_libc_event_' |
    comm -23 - <(grep -rohE '\b(HD_[A-Z0-9_]*[A-Z0-9]|hd_[a-z0-9_]*[a-z0-9])\b' src | sort -u) | sed 's/^/no such name: /' |
    check "every name of docs/how-to-add.md is in src/"

# What a test or a run leaves behind is added with everything else, and goes into every clone.
top='\.ci|\.clang-format|\.gitignore|CONTRIBUTING\.md|LICENSE|Makefile|README\.md|bench|docs|examples|include|man|src|tests|tools'
git ls-files 2>/dev/null | sed 's|/.*||' | sort -u | grep -vxE "$top" | check "nothing lies at the top that does not belong there"
git ls-files 2>/dev/null | grep -E '(^|/)run\.db' | check "no run of anything is kept"

exit $((failures > 0))

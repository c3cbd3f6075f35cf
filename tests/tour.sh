#!/bin/bash
# docs/tour.md: every command of it is run, in order, in one shell, and prints what the page says.
#
#     HEDDLE=build/heddle tests/tour.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
page=$top/docs/tour.md
enter
export HOME=$work HEDDLE_CACHE=${HEDDLE_CACHE:-${XDG_CACHE_HOME:-$work}/heddle} DEBUGINFOD_URLS=

# The program of the page, and a file for each command: its words, then lines that it prints.
awk '/^```c$/ {inside = 1; next} /^```$/ {inside = 0} inside {print >"queue.c"}' "$page"
awk '/^    \$ / {n++; sub(/^    \$ /, ""); print >sprintf("command.%02d", n); next}
     /^    / && n && !inside {sub(/^    /, ""); print >sprintf("told.%02d", n)}
     /^```c$/ {inside = 1} /^```$/ {inside = 0}' "$page"
[ -s queue.c ] && [ "$(ls command.* | wc -l)" -gt 8 ] || fail "the page has a program and commands" "$(ls)"

# Building is what has been done before; of the rest nothing is left out.  What is installed is the tool that is tested.
run_command() {
    case $command in
    make) [ -x "$HEDDLE" ] ;;
    "make install "*) make -C "$top" install BUILD="$(dirname "$HEDDLE")" PREFIX="$HOME/.local" >/dev/null && cmp "$HEDDLE" .local/bin/heddle ;;
    *'--gdb'*) command -v gdb >/dev/null || return 77; eval "$command" ;;
    *) eval "$command" ;;
    esac
}
for file in command.*; do
    command=$(cat "$file") number=${file#command.}
    run_command >out 2>err </dev/null
    status=$?
    case $command:$status in
    'heddle run'*:1 | *:0) ;;
    *:77) skip "tour: $command" "NO GDB"; continue ;;
    *) fail "tour: $command" "status $status: $(head -n1 err)"; continue ;;
    esac
    missing=
    while IFS= read -r line; do
        grep -qF -e "$line" out err || missing="$missing'$line' "
    done < <(cat "told.$number" 2>/dev/null)
    say "tour: $command" "${missing:+it does not print $missing}"
done
[ "$failures" -eq 0 ]

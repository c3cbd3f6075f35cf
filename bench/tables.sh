# shellcheck shell=bash
# What bench/run and bench/papers share: tables, numbers, words to standard error.
say() { echo "bench: $*" >&2; }
calculate() { awk "BEGIN { printf \"%.${2:-3}f\", $1 }"; }
is_less() { awk "BEGIN { exit !($1 < $2) }"; }
row() { printf '|'; printf ' %s |' "$@"; printf '\n'; }
met() { if is_less "$1" "$2" || [ "$1" = "$2" ]; then echo yes; else echo no; fi; }

# say_where [WORDS]: when and on what machine.
say_where() {
    echo "Measured $(date -u +%Y-%m-%d) on $(uname -sm), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
        "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg) at the start${1:+; $1}."
}

# shellcheck shell=bash
# script.sh -- what the shell tests (tests/*.sh) begin with; they source it:
#
#     here        the folder tests/; top: the folder above it
#     HEDDLE      the tool
#     limited     limited SECONDS COMMAND...: with so much processor time (tests/limited.c); outside of tests/run, and if nobody
#                 built it, real time
#     enter       makes an empty directory that goes away in the end, and enters it: WORK, if it is set, so that modules, which are kept by
#                 the directory in which they were made, need not be compiled again
#     pass, fail, skip, say        how results are told; $failures counts
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
HEDDLE=$(realpath "${HEDDLE:-$top/build/heddle}")
limited=${limited:-$(command -v "$(dirname "$HEDDLE")/tests/limited" || command -v timeout)}
failures=0

enter() {
    work=${WORK:-$(mktemp -d)}
    rm -rf "$work" && mkdir -p "$work" && trap 'rm -rf "$work"' EXIT
    cd "$work" || exit 1
}

pass() { echo "ok - $1"; }
skip() { echo "ok - $1 # SKIP $2"; }
fail() {
    echo "not ok - $1: $2"
    failures=$((failures + 1))
}
# say NAME REASON: good if there is no reason.
say() {
    if [ -z "$2" ]; then pass "$1"; else fail "$1" "$2"; fi
}

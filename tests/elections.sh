#!/bin/bash
# The leader election has the same classes as actors, over UDP and over TCP, and the bugs of the programs
# over sockets are found: the quick parts of bench/messages/table.
#
#     HEDDLE=build/heddle tests/elections.sh      prints "ok - NAME" or "not ok - NAME: row"
set -u
cd "$(dirname "$0")/.." || exit 1
export HEDDLE=${HEDDLE:-build/heddle}
# Most of the time would be compiling what runs for a moment; with SOAK=1 it is compiled as users have it.
OPTIONS=$([ "${SOAK:-}" ] || echo -O0)
export OPTIONS
rows=$(bench/messages/table elections subjects | sed -n '/^| *[^ |-]/p; /^|  |/p' | grep -v '^| election of\|^| subject ')
[ "$(wc -l <<<"$rows")" = 10 ] || echo "not ok - the tables have ten rows: $(wc -l <<<"$rows")"
while IFS= read -r line; do
    name=$(cut -d'|' -f2,3 <<<"$line" | tr -d '|' | tr -s ' ' | sed 's/^ //; s/ $//')
    case $line in
    *"| yes |") echo "ok - $name" ;;
    *) echo "not ok - $name: $line" ;;
    esac
done <<<"$rows"
! grep -qv '| yes |$' <<<"$rows"

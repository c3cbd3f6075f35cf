#!/bin/bash
# Workers of a run on other machines, by ssh.  Each has Heddle of the same version.
#
#     ssh.sh URL TOKEN HOST...     as: ssh.sh nats://server parser-7.token one two three
#
# ^C leaves: what the machines have done is committed, what they have left is given back.
set -eu
if [ $# -lt 3 ]; then
    sed -n '4s/^# *//p' "$0" >&2
    exit 2
fi
url=$1 token=$2
shift 2
run=$(basename "$token")
for host in "$@"; do
    scp -pq "$token" "$host:.$run"
    # -tt: the worker over there ends with this ssh.
    ssh -tt "$host" "heddle worker --cluster '$url' --token '.$run'; rm -f '.$run'" </dev/null &
done
trap 'kill $(jobs -p) 2>/dev/null' INT TERM
wait

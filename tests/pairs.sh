#!/bin/bash
# Two library calls at the same time (tests/pairs/pairs.c): what the reductions leave out makes no difference.
#
#     HEDDLE=build/heddle tests/pairs.sh      prints "ok - NAME" or "not ok - NAME: reason"
#     tests/pairs.sh -u                       writes tests/pairs/*.expected anew: look at the difference
#
# How many classes of orders lead to each pair of answers is in tests/pairs/*.expected.  And `--por none`, which runs every order whatever
# calls say about themselves, must see the same answers; of processes for all calls, of threads, where every access counts, which is too much for the
# others, for those about numbers of descriptors: what is closed, replaced or marked beside a use.
. "$(dirname "$0")/tool/script.sh"
enter

# labels REDUCTION OPTION...: "CALL+CALL=ANSWER,ANSWER CLASSES", sorted.  Workers that share a search may run a class twice.
labels() {
    "$limited" 300 "$HEDDLE" run -j 1 --json -q "${@:2}" --por "$1" -o run "$here/pairs/pairs.c" >out 2>&1
    grep -oE '"[a-z_]+\+[a-z_]+=[0-9,-]+": *[0-9]+' out | tr -d '":' | LC_ALL=C sort
}

for who in THREADS PROCESSES; do
    labels optimal -D$who >optimal
    if [ "${1:-}" = -u ]; then
        cp optimal "$here/pairs/$who.expected"
        continue
    fi
    say "orders of two calls by $who" "$(diff "$here/pairs/$who.expected" optimal | sed -n 2p)"
done
[ "${1:-}" != -u ] || exit 0
answers() { cut -d ' ' -f 1; }
say "answers of two calls by processes in all orders" \
    "$(labels none -DPROCESSES -DALL_ORDERS | answers | diff <(grep -v ^port_ optimal | answers) - | sed -n 2p)"
say "answers of two calls about numbers by threads in all orders" \
    "$(labels none -DTHREADS -DNUMBERS | answers | diff <(grep -E '^(pipe|number)_' "$here/pairs/THREADS.expected" | answers) - | sed -n 2p)"

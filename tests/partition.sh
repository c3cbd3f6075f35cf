#!/bin/bash
# Searches that were divided before they began: the paths of all parts are those of the undivided search, each once, and
# what a user can get wrong about parts is answered by one sentence.
#
#     HEDDLE=build/heddle tests/partition.sh      prints "ok - NAME" or "not ok - NAME: reason"
set -u
here=$(cd "$(dirname "$0")" && pwd)
HEDDLE=$(realpath "${HEDDLE:-$here/../build/heddle}")
subjects=$here/../bench/partition
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

pass() { echo "ok - $1"; }
fail() {
    echo "not ok - $1: $2"
    failures=$((failures + 1))
}

# paths_of OPTIONS FILE: runs it, and prints its paths, one line each; with threads: names of classes.
named=path
paths_of() {
    "$HEDDLE" run -q --tests all -o out "$@" >run.out 2>run.err </dev/null
    "$HEDDLE" tests out --json 2>>run.err | grep -oE "\"$named\":\"[^\"]*\"" | sort
}

# same NAME OPTIONS FILE: the paths in whole.paths, each once, and a complete verdict.
same() {
    local name=$1
    shift
    paths_of "$@" >parts.paths
    if ! cmp -s whole.paths parts.paths; then
        fail "$name" "$(wc -l <whole.paths) paths, in parts $(wc -l <parts.paths): $(head -n1 run.err)"
    elif ! "$HEDDLE" run --resume=out --json 2>/dev/null | grep -q '"complete": *true'; then
        fail "$name" "not complete: $(head -n1 run.err)"
    else
        pass "$name"
    fi
}

# ---- the subjects of paper 003, small ----

for subject in asw:12 wbs:14 bintree:10 binheap:10 fibheap:8 treemap:10; do
    file=$subjects/${subject%:*}.c depth=${subject#*:} name=${subject%:*}
    size=-DSTEPS=$([ "$name" = wbs ] && echo 2 || echo 3)
    paths_of "$size" "$file" >whole.paths
    [ "$(uniq whole.paths | wc -l)" -gt 50 ] || fail "$name has paths" "$(wc -l <whole.paths): $(head -n1 run.err)"
    for queue in 8 64; do
        same "$name in $queue parts of ssp" --partition ssp --shallow-depth "$depth" --queue $queue -j 2 "$size" "$file"
    done
    same "$name in parts by paths" --partition paths --shallow-depth 6 -j 2 "$size" "$file"
    same "$name in parts of ssp, not shared" --partition ssp --shallow-depth "$depth" --queue 8 --no-sharing -j 3 "$size" "$file"
    same "$name by rivals" --partition none --strategy random-dfs --seed 7 -j 2 "$size" "$file"
done

# ---- threads and messages ----

cat >waits.c <<'END'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, data;
static int x, y;
static void *producer(void *p) {
    if (x > 3)
        atomic_store(&data, 1);
    atomic_store(&flag, 1);
    if (y > 5)
        atomic_fetch_add(&data, 1);
    return p;
}
static void *consumer(void *p) {
    while (!atomic_load(&flag))
        ;
    if (x > 10)
        atomic_fetch_add(&data, 2);
    return p;
}
int main(void) {
    pthread_t a, b;
    heddle_input(x);
    heddle_input(y);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    return pthread_join(b, 0);
}
END
cat >pointers.c <<'END'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
struct node {
    int value;
    struct node *next;
};
static struct node *list;
static int limit;
static atomic_int sum;
static void *walk(void *p) {
    struct node *n = list;
    for (int i = 0; n && i < 2; i++, n = n->next)
        if (n->value > limit)
            atomic_fetch_add(&sum, 1);
    return p;
}
int main(void) {
    pthread_t a;
    heddle_input(list);
    heddle_input(limit);
    pthread_create(&a, 0, walk, 0);
    if (limit > 10)
        atomic_store(&sum, 2);
    return pthread_join(a, 0);
}
END
named=path_hash
for subject in "$here/../bench/threads/synthetic1.c:1000" "$here/../bench/threads/deciders.c:300 -DN=2" \
    "$here/../bench/messages/chandy_misra.c:300" "waits.c:5" "pointers.c:10"; do
    read -r file define <<<"$subject"
    least=${file##*:} file=${file%:*} name=$(basename "$file" .c)
    size=(${define:+"$define"})
    paths_of "${size[@]}" "$file" >whole.paths
    [ "$(uniq whole.paths | wc -l)" -gt "$least" ] || fail "$name has classes" "$(wc -l <whole.paths): $(head -n1 run.err)"
    for por in optimal dpor; do
        same "$name in parts of ssp, $por" --partition ssp --shallow-depth 4 --queue 6 --por $por -j 2 "${size[@]}" "$file"
        same "$name in parts by paths, $por" --partition paths --shallow-depth 3 --no-sharing --por $por -j 3 "${size[@]}" "$file"
    done
    # Numbers of messages under way, which names of classes are made of, are those of who sends first in a run.
    strategy=$([ "$name" = chandy_misra ] && echo dfs || echo random-dfs)
    same "$name by rivals" --partition none --strategy "$strategy" --seed 7 -j 2 "${size[@]}" "$file"
done
paths_of -DN=2 "$here/../bench/threads/deciders.c" >whole.paths
printf '`more[0]` > 100 && `more[2]` <= 50\n`more[0]` < 120\n' >mine
same "threads in parts that overlap and leave inputs out" --partition mine -j 2 -DN=2 "$here/../bench/threads/deciders.c"
"$HEDDLE" run -q --tests all -o out --partition ssp --shallow-depth 4 --queue 8 -n 60 -j 2 -DN=2 \
    "$here/../bench/threads/deciders.c" >run.out 2>run.err
"$HEDDLE" run -q --resume=out -n 70 -j 1 >>run.out 2>>run.err
"$HEDDLE" run -q --resume=out -j 3 >>run.out 2>>run.err
"$HEDDLE" tests out --json | grep -oE '"path_hash":"[^"]*"' | sort >parts.paths
cmp -s whole.paths parts.paths && pass "a divided search of threads is resumed" ||
    fail "a divided search of threads is resumed" "$(wc -l <whole.paths) classes, $(wc -l <parts.paths) in parts: $(head -n1 run.err)"
"$HEDDLE" run -o out --partition none -j 2 "$here/../bench/messages/chandy_misra.c" >run.out 2>run.err
[ "$(tail -n1 run.out | cut -d: -f1)" = complete ] && pass "nothing is left of rivals" || fail "nothing is left of rivals" "$(tail -n1 run.out)"
named=path

# ---- the example of the paper ----

cat >example.c <<'END'
#include <heddle.h>
int main(void) {
    int x, y, r = 0;
    heddle_input(x);
    heddle_input(y);
    for (int i = 0; i < 2; i++) {
        _Bool b;
        heddle_input(b);
        if (b) {
            if (x > y)
                r = x;
            else
                r = y;
            break;
        }
    }
    return r != 0;
}
END
cat >expected <<'END'
b#2 && x > y
!b#2 && x > y
b#2 && x <= y
!b#2 && x <= y
END
"$HEDDLE" partition --shallow-depth 2 --queue 4 example.c >queue 2>err
cmp -s expected queue && pass "the worked example" || fail "the worked example" "$(paste -sd ';' queue)"

paths_of example.c >whole.paths
for format in c smt; do
    "$HEDDLE" partition --shallow-depth 2 --queue 4 --format $format -o "parts.$format" example.c 2>err
    same "parts from a file ($format)" --partition "parts.$format" example.c
    "$HEDDLE" partition --partition "parts.$format" example.c 2>err | cmp -s expected - &&
        pass "a file ($format) is read back" || fail "a file ($format) is read back" "$(head -n1 err)"
done

printf '# mine\n\nx < 5\nx < 7 && b#2\n' >mine
same "parts that overlap and leave inputs out" --partition mine example.c
"$HEDDLE" partition --partition mine example.c >out.parts 2>err
grep -q 'no part has the inputs .*x = ' err && [ "$(wc -l <out.parts)" = 3 ] &&
    pass "what no part has is said" || fail "what no part has is said" "$(head -n1 err)"
printf 'x < 5 && x > 9\nb#2\n!b#2\n' >mine
"$HEDDLE" partition --partition mine example.c >out.parts 2>err
grep -q '1 of 3 parts have no inputs' err && pass "an empty part is said" || fail "an empty part is said" "$(head -n1 err)"

# ---- resumed, with another number of workers ----

paths_of -DSTEPS=3 "$subjects/treemap.c" >whole.paths
"$HEDDLE" run -q --tests all -o out --partition ssp --shallow-depth 10 --queue 64 -n 100 -j 2 -DSTEPS=3 \
    "$subjects/treemap.c" >run.out 2>run.err
"$HEDDLE" run -q --resume=out -n 200 -j 1 >>run.out 2>>run.err
"$HEDDLE" run -q --resume=out -j 3 >>run.out 2>>run.err
"$HEDDLE" tests out --json | grep -oE '"path":"[^"]*"' | sort >parts.paths
cmp -s whole.paths parts.paths && pass "a divided search is resumed" ||
    fail "a divided search is resumed" "$(wc -l <whole.paths) paths, $(wc -l <parts.paths) in parts: $(head -n1 run.err)"

# ---- mistakes ----

# bad NAME PATTERN -- ARGUMENTS: one sentence, a hint, status 2.
bad() {
    local name=$1 pattern=$2 status
    shift 3
    "$HEDDLE" "$@" >out.bad 2>err </dev/null
    status=$?
    if [ $status -ne 2 ] || [ "$(grep -c '^heddle: error: ' err)" -ne 1 ] || ! grep -q '^  hint: ' err ||
        ! grep '^heddle: error: ' err | grep -qE -e "$pattern" || [ -s out.bad ]; then
        fail "$name" "status $status: $(head -c 200 err | tr '\n' ' ')"
    else
        pass "$name"
    fi
}

cat >threads.c <<'END'
#include <pthread.h>
static void *work(void *p) { return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return pthread_join(t, 0);
}
END
printf 'x < 5\nx < (6\n' >broken
printf 'x < 5\nz == 1\n' >unknown
printf '(declare-const x (_ BitVec 32))\n(assert (bvult x #x05))\n(check-sat)\n' >broken.smt
: >empty
printf 'x\0y\n' >binary
printf 'b\n' >several
for command in run partition; do
    bad "$command: a part that does not parse" "'broken', line 2: '\)' is missing" -- $command --partition broken example.c
    bad "$command: an input that there is not" "'unknown', line 2: .* 'z'" -- $command --partition unknown example.c
    bad "$command: a script that does not parse" "'broken.smt', line 2: .*width" -- $command --partition broken.smt example.c
    bad "$command: a name of several inputs" "'several', line 1: .*several inputs" -- $command --partition several example.c
    bad "$command: a file without parts" "'empty' has no parts" -- $command --partition empty example.c
    bad "$command: a file that is no text" "byte 0" -- $command --partition binary example.c
    bad "$command: a file that is not there" "neither a way of dividing nor a file" -- $command --partition nowhere example.c
    bad "$command: a depth of 0" "'--shallow-depth' takes a number" -- $command --partition ssp --shallow-depth 0 example.c
    bad "$command: a queue of 0" "'--queue' takes a number" -- $command --partition ssp --queue 0 example.c
    bad "$command: a queue that is too long" "'--queue' takes a number" -- $command --partition ssp --queue 1M example.c
done
bad "parts of a sample" "a sample of the orders" -- run --partition ssp --schedule random threads.c
bad "rivals of a sample" "a sample of the orders" -- run --partition none --schedule random threads.c
bad "parts of states of nodes" "by states of its nodes" -- run --partition ssp --orders time --net "$here/../examples/leader_udp/scenario.yaml"
bad "a format that there is not" "format" -- partition --format xml example.c
bad "parts cannot be changed later" "'--partition' cannot change" -- run --resume=out --partition paths
bad "parts cannot be written" "cannot write" -- partition -o "$work/no/where" example.c

exit $((failures > 0))

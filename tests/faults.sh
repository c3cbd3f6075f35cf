#!/bin/bash
# Faults on the command line: what examples find and how many classes they have, alone and shared; charts, tests and replay; a run
# is repeated and resumed from its directory alone; mistakes.
#
#     HEDDLE=build/heddle tests/faults.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter
cp -r "$here"/scenarios/{commit,store,broadcast,window} "$top"/examples/udp.h .
cat >count.c <<'END'
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Node a sends 1, 2 and 3 to node b, which adds up what comes within a second. */
static struct sockaddr_in address(const char *ip) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7000)};
    inet_pton(AF_INET, ip, &a.sin_addr);
    return a;
}

static int receive(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int sum = 0, n;
    while (poll(&p, 1, 1000) > 0 && recv(fd, &n, sizeof n, 0) == sizeof n)
        sum += n;
    return sum;
}

int main(int argc, char **argv) {
    struct sockaddr_in here = address("0.0.0.0"), there = address("10.0.0.1");
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (argc > 1) {
        for (int i = 1; i <= 3; i++)
            if (sendto(fd, &i, sizeof i, MSG_DONTWAIT, (struct sockaddr *)&there, sizeof there) < 0)
                assert(errno != EAGAIN);
        return 0;
    }
    bind(fd, (struct sockaddr *)&here, sizeof here);
    assert(receive(fd) == 6);
    return 0;
}
END
cat >stream.c <<'END'
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

/* Nodes with an argument send two bytes to the first node, which reads until each of them ends. */
int main(int argc, char **argv) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7000)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char c;
    if (argc > 1) {
        inet_pton(AF_INET, "10.0.0.1", &a.sin_addr);
        if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
            for (int i = 0; i < 2; i++)
                send(fd, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        return 0;
    }
    bind(fd, (struct sockaddr *)&a, sizeof a);
    listen(fd, 2);
    for (int i = 0; i < 2; i++) {
        int s = accept(fd, 0, 0);
        while (recv(s, &c, 1, 0) == 1)
            ;
        close(s);
    }
    return 0;
}
END
cat >stream.yaml <<'END'
nodes:
  - {name: b, program: stream.c, idle: true}
  - {name: "a{index}", count: 2, program: stream.c, arguments: send, after: b}
END
cat >count.yaml <<'END'
nodes:
  - {name: b, program: count.c}
  - {name: a, program: count.c, arguments: send, after: b}
links: [fifo: true]
END

ways=("-j 1" "-j 2" "-j 1 --por dpor" "-j 1 --por flip" "-j 1 --por message")
# explore NAME CLASSES FINDINGS -- OPTIONS: in all of these ways
explore() {
    local name=$1 classes=$2 findings=$3 i found outs=()
    shift 4
    for i in "${!ways[@]}"; do
        # shellcheck disable=SC2086
        "$limited" 120 "$HEDDLE" run -o out-run --json ${ways[i]} "$@" >"out.$i" 2>"err.$i" </dev/null
        outs+=("out.$i")
    done
    mapfile -t found < <(python3 -c "
import json, sys
for name in sys.argv[1:]:
    try:
        r = json.load(open(name))
        print(r['threads']['classes'] if r.get('threads') else r['paths'], len(r['findings']))
    except Exception as e:
        print(e)" "${outs[@]}")
    for i in "${!ways[@]}"; do
        if [ "${found[i]}" = "$classes $findings" ]; then
            pass "$name ${ways[i]}"
        else
            fail "$name ${ways[i]}" "${found[i]} instead of $classes $findings: $(head -c 200 "err.$i")"
        fi
    done
}

count() { # FAULTS CLASSES FINDINGS
    explore "count with '$1'" "$2" "$3" -- --net count.yaml --fault "$1"
}
explore "count without faults" 5 0 -- --net count.yaml
count "drop: 1" 11 1
count "drop: 2" 14 1
count "drop: 1, nth: 2" 7 1
count "duplicate: 1" 47 1
count "reorder: 1" 50 0
count "reorder: 1, window: 1" 45 0
count "delay: 1, time: 2 s" 11 1
count "delay: 1, time: 500 ms" 11 0
count "full: 1" 9 2
count "partition: 1" 9 1
count "crash: 1, nodes: a" 9 1
count "drop: 1, after: 3 s" 5 0
count "corrupt: 1" 60 2
explore "late messages and faults without times" 21 1 -- --net count.yaml --timeouts any --fault "drop: 1"

count "full: 1, nth: 9; drop: 1, nth: 2" 7 1
count "full: 1, nth: 2; drop: 1, nth: 2" 8 2
count "full: 1, nth: 9; drop: 1, nth: 3" 7 1
cat >stream.c <<'END'
#include "udp.h"
#include <assert.h>
#include <unistd.h>

/* Node a sends two bytes on a stream, of which the second alone may find it reset. */
int main(int argc, char **argv) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(8000)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    (void)argc;
    if (*argv[1] == 'a') {
        struct sockaddr_in b = udp_address("b", 8000);
        if (connect(fd, (struct sockaddr *)&b, sizeof b) == 0) {
            assert(send(fd, "1", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1);
            send(fd, "2", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
        }
        return 0;
    }
    bind(fd, (struct sockaddr *)&here, sizeof here);
    listen(fd, 1);
    char byte;
    int peer = accept(fd, NULL, NULL);
    while (read(peer, &byte, 1) > 0)
        ;
    return 0;
}
END
cat >stream.yaml <<'END'
nodes:
  - {name: a, program: stream.c, arguments: a, after: b}
  - {name: b, program: stream.c, arguments: b}
END
explore "sends on a stream are counted once" 3 0 -- --net stream.yaml --fault "full: 1, nth: 9; reset: 1, nth: 2"

# What a node sends to itself does not go over the network, unless somebody says so.
cat >own.c <<'END'
#include "udp.h"
#include <assert.h>
int main(void) {
    struct sockaddr_in from, own = {.sin_family = AF_INET, .sin_port = htons(7000)};
    char byte = 1;
    int fd = udp_open(7000);
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    udp_send(fd, &own, &byte, 1);
    assert(udp_receive(fd, &from, &byte, 1, 1000));
    return 0;
}
END
echo "nodes: [{name: a, program: own.c}]" >own.yaml
explore "a node loses what it sends to itself" 2 1 -- --net own.yaml --fault "drop: 1, from: a, to: a"

# Assertions tell crashes apart that nobody else does: node a dies with `done` or without it, and b sees the end of its stream.
cat >done.c <<'END'
#include "udp.h"
#include <heddle.h>
#include <unistd.h>

static int done, saw;

static int receive(int fd) {
    struct sockaddr_in from;
    char byte;
    return udp_receive(fd, &from, &byte, 1, -1);
}

static void work(int stream) {
    struct sockaddr_in b = udp_address("b", 8000);
    int fd = udp_open(7000);
    heddle_export("done", &done, sizeof done);
    if (connect(stream, (struct sockaddr *)&b, sizeof b) == 0 && receive(fd)) {
        done = 1;
#ifdef SENDS
        send(stream, "", 1, MSG_NOSIGNAL);
#endif
        receive(fd);
    }
}

static void watch(int stream) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(8000)};
    heddle_export("saw", &saw, sizeof saw);
    bind(stream, (struct sockaddr *)&here, sizeof here);
    listen(stream, 1);
    struct sockaddr_in a = udp_address("a", 7000);
    int peer = accept(stream, NULL, NULL), fd = udp_open(7000);
    char byte = 0;
    udp_send(fd, &a, &byte, 1);
    saw = read(peer, &byte, 1) <= 0;
}

int main(int argc, char **argv) {
    int stream = socket(AF_INET, SOCK_STREAM, 0);
    (void)argc;
    if (*argv[1] == 'a')
        work(stream);
    else
        watch(stream);
    return 0;
}
END
cat >up.c <<'END'
#include "udp.h"
#include <heddle.h>
static int up;
int main(void) {
    struct sockaddr_in from;
    char byte;
    heddle_export("up", &up, sizeof up);
    up = 1;
    udp_receive(udp_open(7000), &from, &byte, 1, -1);
    return 0;
}
END
cat >done.yaml <<'END'
nodes:
  - {name: a, program: done.c, arguments: a, after: b, idle: true}
  - {name: b, program: done.c, arguments: b, idle: true}
assert:
  - sum(saw) == 0 || sum(done) == 0
END
sed 's/done.c,/done.c, flags: -DSENDS,/' done.yaml >sends.yaml
cat >up.yaml <<'END'
nodes:
  - {name: a, program: up.c, idle: true}
assert:
  - sum(up) == 1 && count(up) == 1
END
explore "a node that did something and died" 5 1 -- --net done.yaml --fault "crash: 1, nodes: a"
explore "a node that did something and dies before it says so" 6 1 -- --net sends.yaml --fault "crash: 1, nodes: a"
explore "a node that starts again counts once" 2 0 -- --net up.yaml --fault "reboot: 1"
explore "a node that crashed counts" 2 0 -- --net up.yaml --fault "crash: 1"

ways=("-j 2" "-j 1 --por dpor")
# Examples: a bug that a fault brings out, and what was fixed.
example() { # SCENARIO CLASSES FINDINGS
    explore "$1" "$2" "$3" -- --net "$1"
}
example commit/reboot.yaml 136 1
example store/early.yaml 29 1
example store/fixed.yaml 25 0
example broadcast/forget.yaml 650 1
example broadcast/fixed.yaml 630 0
example window/short.yaml 431 1
example window/fixed.yaml 431 0
ways=("-j 2")
example commit/fixed.yaml 2642 0
"$HEDDLE" run --net commit/fixed.yaml -j 1 -o once --json >out 2>err
say "one reboot and one loss: every class once" "$(grep -q '"executions": 2642,' out || grep '"executions"' out err)"
example commit/crash.yaml 12480 0

# The story names the fault, and so do tests and JSON; replay goes the same way.
"$HEDDLE" run -o out-drop --net count.yaml --fault "drop: 1, nth: 3" >out 2>&1
for line in '\|    x----\|   drop a->b #3 at count.c' 'faults: drop a->b #3' 'inputs: none'; do
    if grep -qE -- "$line" out; then pass "a finding has '$line'"; else fail "a finding has '$line'" "$(grep -A9 story out)"; fi
done
number=$("$HEDDLE" tests out-drop | sed -n 's/^ *\([0-9]*\)  assertion  *drop a->b #3$/\1/p')
if [ "$number" ] && "$HEDDLE" replay out-drop "$number" 2>&1 | grep -q "the same trace as recorded"; then
    pass "a test with a fault is replayed"
else
    fail "a test with a fault is replayed" "$("$HEDDLE" tests out-drop 2>&1 | head -3)"
fi
if "$HEDDLE" tests out-drop --json | grep -q '"faults": *\["drop a->b #3"\]'; then
    pass "JSON has the faults of a test"
else
    fail "JSON has the faults of a test" "$("$HEDDLE" tests out-drop --json | head -c 300)"
fi
"$HEDDLE" run -o out-crash --net count.yaml --fault "crash: 1, nodes: a" >out 2>&1
if grep -qE 'X   crash a #[123] at count.c' out; then pass "a crash is in the chart"; else fail "a crash is in the chart" "$(grep -A9 story out)"; fi

# Shared from the first execution on, and interrupted and resumed with other workers: the classes are those of one worker.
classes() { # ARGUMENTS: of the run, and what was lost
    HEDDLE_SHARES_AT_ONCE=1 "$limited" 120 "$HEDDLE" run --json "$@" 2>err </dev/null | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(r['threads']['classes'], *(l['kind'] for l in r['losses'] if l['kind'] != 'bound'))"
}
shared() { # SCENARIO FAULTS
    local faults=${2-} alone both again
    alone=$(classes -o out-alone -j 1 --net "$1" ${faults:+--fault "$faults"})
    both=$(classes -o out-both -j 2 --net "$1" ${faults:+--fault "$faults"})
    rm -rf out-again
    "$HEDDLE" run -q -o out-again -n 7 -j 2 --net "$1" ${faults:+--fault "$faults"} >/dev/null 2>&1
    HEDDLE_SHARES_AT_ONCE=1 "$HEDDLE" run -q --resume out-again -n 30 -j 2 >/dev/null 2>&1
    again=$(classes --resume out-again -n 100000 -j 1)
    if [ "$alone" ] && [ "$alone" = "$both" ] && [ "$alone" = "$again" ]; then
        pass "$1 '$faults' is shared and resumed"
    else
        fail "$1 '$faults' is shared and resumed" "$alone alone, $both by two, $again resumed: $(head -c 200 err)"
    fi
}
for kind in drop duplicate reorder "delay: 1, time: 2 s;drop" corrupt partition full crash reboot; do
    shared count.yaml "$kind: 1; duplicate: 1"
done
shared stream.yaml "reset: 1; full: 1"
shared window/short.yaml
shared commit/fixed.yaml

# A run that was interrupted keeps its faults.
"$HEDDLE" run -q -o out-part -n 4 --net count.yaml --fault "duplicate: 1" >/dev/null 2>&1
"$HEDDLE" run -q --resume out-part -n 1000 >out 2>&1
n=$("$HEDDLE" run --resume out-part --json 2>/dev/null | python3 -c "import json, sys; print(json.load(sys.stdin)['executions'])")
if [ "$n" = 47 ]; then pass "a run with faults is resumed"; else fail "a run with faults is resumed" "$n executions"; fi

refuse() { # NAME PATTERN -- ARGUMENTS
    local name=$1 pattern=$2
    shift 3
    "$HEDDLE" "$@" >out 2>&1
    if [ $? -eq 2 ] && grep -qF -- "$pattern" out; then pass "$name"; else fail "$name" "$(head -2 out)"; fi
}
refuse "faults need a scenario" "option '--fault' needs a scenario" -- run --fault "drop: 1" count.c
refuse "a node that is not there" "--fault:1:14: there is no node 'c'" -- run --net count.yaml --fault "drop: 1, to: c"
refuse "nobody else is there" "a budget of 'drop' that can never be used" -- run --net own.yaml --fault "drop: 1"
refuse "only one end is named" "a budget of 'drop' that can never be used" -- run --net own.yaml --fault "drop: 1, from: a"
refuse "no faults at all" "option '--fault' is empty" -- run --net count.yaml --fault " "
refuse "faults in two options" "write all in one: --fault 'drop: 1; crash: 1'" -- run --net count.yaml --fault "drop: 1" --fault "crash: 1"
refuse "a blank is missing" "a blank belongs behind ':'" -- run --net count.yaml --fault "drop:1"
refuse "a resumed run with other faults" "the scenario was changed" -- run --resume out-part --net count.yaml --fault "drop: 1"
if [ "$(classes -o out-brackets --net count.yaml --fault '{drop: 1}; {duplicate: 1}')" = 83 ]; then
    pass "rules in brackets"
else
    fail "rules in brackets" "$(head -2 err)"
fi
for rule in "drop: 1, after: 2 s" "crash: 1, before: 2 s" "partition: 1, time: 2 s"; do
    refuse "no time passes for '$rule'" "with '--timeouts any' no time passes" -- run --net count.yaml --timeouts any --fault "$rule"
done
cp "$here/scenarios/forked_server.c" .
printf 'nodes:\n  - {name: server, program: forked_server.c, idle: true}\n  - {name: client, program: forked_server.c, arguments: [client], after: server}\n' >forked.yaml
for way in "crash none 0123" "crash sds 0123" "reboot none 23" "reboot sds 23"; do
    read -r kind mapping wanted <<<"$way"
    "$limited" 60 "$HEDDLE" run --net forked.yaml --orders time --mapping "$mapping" --fault "$kind: 1, nodes: server" -j 1 --json -o out-forked >out 2>err
    found=$(sed -n '/"labels"/,/}/p' out | grep -oE 'answers: [0-9]' | sort | cut -d ' ' -f 2 | paste -sd '')
    if [ "$found" = "$wanted" ] && ! grep -qE "died alone|port is taken|ends one process" out; then pass "a node dies with all of its processes, $kind by $mapping"; else fail "a node dies with all of its processes, $kind by $mapping" "$found; $(grep -E 'alone|taken|ends one' out)"; fi
done
"$HEDDLE" check commit/crash.yaml >out 2>&1
if grep -qF "  crash: part0, part1, part2 may crash, up to 1 time" out; then pass "budgets in words"; else fail "budgets in words" "$(tail -5 out)"; fi
[ "$failures" -eq 0 ]

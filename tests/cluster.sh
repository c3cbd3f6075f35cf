#!/bin/bash
# One search on many machines, through a real nats-server on loopback: with two supervisors, and with workers,
# supervisors, coordinators and the server killed (20 times), the set of paths is that of one worker that nobody disturbed,
# and so is the verdict.  What is wrong with a server, a token or a run is said in one sentence.
#
#     HEDDLE=build/heddle tests/cluster.sh [SEED]     prints "ok - NAME" or "not ok - NAME: reason"
#
# KILLS is how often something is killed: 20, or 200 with SOAK=1.
. "$(dirname "$0")/tool/runs.sh"
RANDOM=${1:-1}
KILLS=${KILLS:-${SOAK:+200}}
KILLS=${KILLS:-20}
enter
export TMPDIR=$work
server=
said=log.run
trap 'stop_server; jobs -p | xargs -r kill -9 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
make_programs 1200 1200 400 20000

# ---- a server, which chooses its port once ----

port=-1
start_server() { # [OPTIONS...]
    nats-server "${@:--js}" -a 127.0.0.1 -p "$port" -sd "$work/store" --ports_file_dir "$work" >server.log 2>&1 </dev/null &
    server=$!
    for _ in $(seq 400); do
        [ -s "nats-server_$server.ports" ] && break
        sleep 0.02
    done
    port=$(grep -oE '127.0.0.1:[0-9]+' "nats-server_$server.ports" | head -n1 | cut -d: -f2)
    url=nats://127.0.0.1:$port
}
stop_server() {
    [ "$server" ] && kill -9 "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=
}

# ---- the parts of a run, in the background: $! is heddle itself ----

coordinate() { exec "$HEDDLE" run --cluster "$url" --run r --token token --no-workers --patience 2s --tests all "$@" >log.run 2>&1 </dev/null; }
help_out() { exec "$HEDDLE" worker --cluster "$url" --token token -j "$1" >"log.worker$2" 2>&1 </dev/null; }
# Of the run that was started last; it may have ended.
await_token() { until [ -s token ] && grep -q 'add machines' log.run 2>/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.02; done; }

# Two supervisors of one worker each.
together() { # PROGRAM
    coordinate -o many "$1.c" &
    local run=$!
    await_token
    help_out 1 1 &
    local first=$!
    help_out 1 2 &
    wait $run $first $!
    [ "$1" = mixed ] || [ "$(number many units)" -gt 1 ] || fail "two supervisors, $1" "nothing was shared"
    same "two supervisors, $1" many one
    grep -q 'left run' log.worker1 || fail "workers leave at the end, $1" "$(tail -n1 log.worker1)"
    rm -rf many token
}

# Everything is killed now and then, and comes again.  A coordinator comes back in another directory, without the program.
kill_something() { # uses run, supervisors, n of disturb
    local which=$((RANDOM % 2))
    case $((killed % 4)) in
    0) pgrep -P "${supervisors[which]}" | head -n1 | xargs -r kill -9 2>/dev/null ;;
    1)
        kill -9 "${supervisors[which]}" 2>/dev/null
        wait "${supervisors[which]}" 2>/dev/null
        help_out 2 "$which" &
        supervisors[which]=$!
        ;;
    2)
        kill -9 "$run" 2>/dev/null
        wait "$run" 2>/dev/null
        n=$((n + 1))
        grep -c 'from a snapshot' log.run >>snapshots
        coordinate -o "killed$n" &
        run=$!
        ;;
    3)
        stop_server
        doze 500
        start_server
        ;;
    esac
    killed=$((killed + 1))
}

# A machine stands still for longer than anybody waits for it, and goes on with units that others have got.
stall_something() {
    local machine=${supervisors[0]}
    kill -STOP "$machine" $(pgrep -P "$machine") 2>/dev/null
    sleep 2.6
    kill -CONT "$machine" $(pgrep -P "$machine") 2>/dev/null
}

disturb() { # PROGRAM
    local i run n=0 supervisors=()
    coordinate -o killed0 "$1.c" &
    run=$!
    await_token
    for i in 0 1; do
        help_out 2 "$i" &
        supervisors[i]=$!
    done
    for ((i = 0; i < 5; i++)); do
        doze 700
        kill -0 "$run" 2>/dev/null || break
        [ $i = 2 ] && stall_something
        kill -0 "$run" 2>/dev/null && kill_something
    done
    wait "$run"
    wait "${supervisors[@]}"
    grep -c 'from a snapshot' log.run >>snapshots
    same "killed here and there, $1" "killed$n" one
    rm -rf killed? token
}

killed=0 wanted=0
start_server
for program in inputs threads messages mixed; do
    "$HEDDLE" run -q --tests all -j 1 -DSLOW=1 -o one "$program.c" >log.run 2>&1 </dev/null
    undisturbed "$program" one
    together "$program"
    wanted=$((wanted + KILLS / 4))
    while [ $killed -lt $wanted ] && [ $failures -eq 0 ]; do
        disturb "$program"
    done
    rm -rf one
done

# Whether one of those had a snapshot to go on from depends on when it was killed.  If none had, coordinators of a search without
# an end live for longer and longer, until one is followed by one that has.
until_snapshot() {
    local run helper life=3
    printf '%s\n' '#include <pthread.h>' '#include <stdatomic.h>' 'static atomic_uint x;' \
        'static void *work(void *p) { for (int i = 0; i < 9; i++) x = x * 3 + (p != 0); return 0; }' \
        'int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, i ? t : 0);' \
        'for (int i = 0; i < 4; i++) pthread_join(t[i], 0); return 0; }' >endless.c
    coordinate --run endless -o endless0 endless.c &
    run=$!
    await_token
    help_out 8 0 &
    helper=$!
    while [ $life -le 96 ]; do
        sleep $life
        kill -9 "$run" 2>/dev/null
        wait "$run" 2>/dev/null
        coordinate --run endless -o "endless$life" &
        run=$!
        until grep -qE '[0-9] machines? with' log.run || ! kill -0 "$run" 2>/dev/null; do sleep 0.02; done
        grep -c 'from a snapshot' log.run >>snapshots && break
        life=$((life * 2))
    done
    kill "$run" "$helper"
    wait "$run" "$helper" 2>/dev/null
    rm -rf endless* token
}
grep -q '^[1-9]' snapshots || until_snapshot
grep -q '^[1-9]' snapshots && pass "coordinators go on from snapshots" || fail "coordinators go on from snapshots" "none did"

# ---- a goal, which two machines come to together ----
# A run that is not at its end stays at the server with its token: it has a name of its own.

cat >endless.c <<'END'
#include <heddle.h>
int main(void) {
    int a = (int)heddle_choose(0, 9), b = (int)heddle_choose(0, 9), n = 0;
    if (a > 3 && (b > 3 || b == 1))
        n++;
    for (int i = 0; i < 40; i++)
        if (heddle_choose(0, 1)) n++;
    return n > 50;
}
END
coordinate --run goal -o goal --goal mcdc --strategy coverage --tests new -t 60 endless.c &
run=$!
await_token
help_out 1 1 &
first=$!
help_out 1 2 &
wait $run
status=$?
wait $first $!
[ $status -eq 0 ] && grep -q 'the goal was met' log.run && grep -q 'conditions  3 of 3 covered' log.run && grep -q 'left run' log.worker1 &&
    pass "a goal ends a run on a cluster" || fail "a goal ends a run on a cluster" "status $status: $(tail -n3 log.run | tr '\n' ' ')"
rm -rf goal token

# ---- three servers that keep three copies, one of which is killed ----

three_servers() {
    local ports i
    mapfile -t ports < <(python3 -c 'import socket
s = [socket.socket() for _ in range(6)]
for x in s: x.bind(("127.0.0.1", 0))
for x in s: print(x.getsockname()[1])')
    local routes=nats://127.0.0.1:${ports[3]},nats://127.0.0.1:${ports[4]},nats://127.0.0.1:${ports[5]}
    for i in 0 1 2; do
        nats-server -js -n "s$i" -a 127.0.0.1 -p "${ports[i]}" --cluster_name c --cluster "nats://127.0.0.1:${ports[i + 3]}" \
            --routes "$routes" -sd "$work/store$i" >"server$i.log" 2>&1 </dev/null &
        three[i]=$!
    done
    url=nats://127.0.0.1:${ports[0]},nats://127.0.0.1:${ports[1]},nats://127.0.0.1:${ports[2]}
    for _ in $(seq 500); do
        grep -qs 'JetStream cluster new metadata leader\|new metadata leader' server?.log && break
        sleep 0.05
    done
}
stop_server
three=()
three_servers
"$HEDDLE" run -q --tests all -j 1 -DSLOW=1 -o one threads.c >log.run 2>&1 </dev/null
undisturbed "three servers" one
coordinate -o copied --replicas 3 threads.c &
run=$!
await_token
help_out 1 1 &
first=$!
help_out 1 2 &
second=$!
doze 900
kill -9 "${three[1]}"
wait "${three[1]}" 2>/dev/null
wait $run $first $second
same "three servers, one killed" copied one
kill -9 "${three[0]}" "${three[2]}" 2>/dev/null
wait "${three[0]}" "${three[2]}" 2>/dev/null
rm -rf copied one token
start_server

# ---- a server of one's own ----

"$HEDDLE" run -q --cluster local -j 2 -DSLOW=100 -o own inputs.c >log.run 2>&1 </dev/null
if [ $? -eq 1 ] && grep -q '^complete' log.run; then pass "a server of one's own"; else fail "a server of one's own" "$(tail -n1 log.run)"; fi
number=$(grep -oE 'test [0-9]+\)' log.run | grep -oE '[0-9]+' | head -n1)
"$HEDDLE" replay own "$number" >log.run 2>&1 </dev/null
grep -q "assertion 'n != 10' failed" log.run && pass "a finding of a cluster replays" || fail "a finding of a cluster replays" "$(tail -n1 log.run)"
"$HEDDLE" export --c own -o exported >log.run 2>&1 </dev/null
[ -n "$(find exported -name '*.c' 2>/dev/null)" ] && pass "tests of a cluster are exported" || fail "tests of a cluster are exported" "$(tail -n1 log.run)"
ls -d heddle-nats-* heddle-worker-* >/dev/null 2>&1 && fail "nothing stays behind" "$(ls -d heddle-nats-* heddle-worker-*)" || pass "nothing stays behind"

# ---- a search that was divided: its parts are at the server before anything is handed out ----

"$HEDDLE" run -q --tests all -j 1 -DSLOW=1 -o one inputs.c >log.run 2>&1 </dev/null
undisturbed "inputs, to be divided" one
coordinate -o divided --partition ssp --queue 8 inputs.c &
run=$!
until grep -q 'add machines' log.run 2>/dev/null; do sleep 0.01; done
until [ -e divided/run.db ]; do sleep 0.01; done
doze 200
kill -9 $run
wait $run 2>/dev/null
grep -q 'is divided into' log.run && pass "a search is divided on a cluster" || fail "a search is divided on a cluster" "$(tail -n1 log.run)"
coordinate -o again &
run=$!
help_out 1 1 &
first=$!
help_out 1 2 &
wait $run $first $!
grep -q 'is divided into' log.run && fail "parts are taken from the server" "it was divided again" || pass "parts are taken from the server"
[ "$(number again units)" -ge 8 ] || fail "parts are units" "$(number again units) units"
same "a divided search, coordinator killed" again one
rm -rf one divided again token

# ---- executions that take down whoever runs them are findings here too ----

cat >lethal.c <<'END'
#include <heddle.h>
int main(void) {
    unsigned char b[4];
    int n = 0;
    heddle_bytes(b, sizeof b, "b");
    for (unsigned i = 0; i < 4; i++)
        if (b[i] > 100 + i)
            n++;
    if (n == 3) /* exit(3), behind the back of everybody */
        __asm__ volatile("mov $60, %%eax; mov $3, %%edi; syscall" ::: "rax", "rdi", "rcx", "r11", "memory");
    return 0;
}
END
"$HEDDLE" run -q --allow all -j 1 -o lethal1 lethal.c 2>/dev/null </dev/null | grep -E '^#1|took the worker' >expected
"$HEDDLE" run -q --allow all --cluster local -j 2 -o lethal2 lethal.c 2>/dev/null </dev/null | grep -E '^#1|took the worker' >got
# The number of the test may be another.
sed -i 's/, test [0-9]*)/)/' expected got
if [ "$(wc -l <expected)" = 2 ] && cmp -s expected got; then pass "lethal executions are findings"; else fail "lethal executions are findings" "$(tr '\n' ' ' <got)"; fi

# ---- a unit that the server forgets, and somebody on the same server who means no good ----

cat >pest.py <<'END'
# Speaks NATS by hand: pest.py PORT purge | pest SECONDS.  What it writes has no seal, or one of a message that was there before.
import base64, json, random, socket, sys, time
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.settimeout(2)
f = s.makefile("rb")
f.readline()
s.sendall(b'CONNECT {"verbose":false,"headers":true}\r\nSUB in 1\r\n')
def publish(subject, data, reply=""):
    s.sendall(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")
def ask(subject, data=b""):
    publish(subject, data, "in")
    while True:
        line = f.readline().split()
        if line[0] == b"PING":
            s.sendall(b"PONG\r\n")
        elif line[0] in (b"MSG", b"HMSG"):
            body = f.read(int(line[-1]) + 2)[:-2]
            return json.loads(body if line[0] == b"MSG" else body[int(line[-2]):] or b"{}")
if sys.argv[2] == "purge":
    print(ask("$JS.API.STREAM.PURGE.heddle-r-units")["purged"])
    sys.exit()
end, n = time.time() + float(sys.argv[3]), 0
random.seed(1)
while time.time() < end:
    for subject in "log", "units", "orders", "news", "store.run2", "store.snapshot2":
        publish("heddle.r." + subject, random.randbytes(random.randrange(200)))
    state = ask("$JS.API.STREAM.INFO.heddle-r-log").get("state")
    if state and state["messages"]:
        seq = random.randint(state["first_seq"], state["last_seq"])
        m = ask("$JS.API.STREAM.MSG.GET.heddle-r-log", json.dumps({"seq": seq}).encode())
        if "message" in m and "data" in m["message"]:
            data = base64.b64decode(m["message"]["data"])
            publish("heddle.r.log", data)
            publish("heddle.r.orders", data)
            publish("heddle.r.log", data[:-1] + bytes([data[-1] ^ 1]))
            n += 1
    time.sleep(0.02)
print(n)
END
"$HEDDLE" run -q --tests all -j 1 -DSLOW=1 -o one threads.c >log.run 2>&1 </dev/null
undisturbed "threads, once more" one
coordinate -o lost -DSLOW=100 threads.c &
run=$!
await_token
for _ in $(seq 100); do [ "$(python3 pest.py "$port" purge)" = 0 ] || break; sleep 0.05; done
help_out 1 1 &
wait $run $!
grep -q 'a unit got lost at the server' log.run && pass "a unit that got lost is found out" || fail "a unit that got lost is found out" "$(tail -n1 log.run)"
same "a unit that got lost" lost one
rm -rf lost token
coordinate -o pestered threads.c &
run=$!
await_token
python3 pest.py "$port" pest 6 >pest.log 2>&1 &
pest=$!
help_out 1 1 &
first=$!
help_out 1 2 &
wait $run $first $!
kill $pest 2>/dev/null
wait $pest 2>/dev/null
same "forged, cut and repeated messages" pestered one
grep -q 'had no seal of this run' log.run && pass "forged messages are counted" || fail "forged messages are counted" "$(tail -n1 log.run) $(tail -n1 pest.log)"
rm -rf pestered one token

# ---- leaving, and limits ----

coordinate -o limited -n 100 -DSLOW=4000 inputs.c &
run=$!
await_token
help_out 2 1 &
wait $run $!
if grep -q 'execution limit\|limit' log.run && ! grep -q '^complete' log.run; then pass "a limit of executions"; else fail "a limit of executions" "$(tail -n1 log.run)"; fi
coordinate -o limited &
run=$!
help_out 2 1 &
first=$!
sleep 0.5
help_out 1 2 &
second=$!
sleep 0.5
"$HEDDLE" top --cluster "$url" --token token >top.text 2>&1
"$HEDDLE" top --cluster "$url" --token token --json >top.json 2>&1
if grep -q "^run 'r', coordinated on" top.text && grep -q '^machines    2 with 3 workers' top.text && grep -q '^findings' top.text; then
    pass "heddle top"
else
    fail "heddle top" "$(head -n3 top.text | tr '\n' ' ')"
fi
cat >check_top.py <<'END'
import json
top = json.load(open("top.json"))
run, machines = top["coordinator"], top["machines"]
assert top["run"] == "r" and len(machines) == 2 and sum(m["workers"] for m in machines) == 3
assert run["executions"] >= 100 and run["units"]["left"] >= run["units"]["out"] >= 1 and run["coverage"]["branches"] > 0
assert sum(m["executions"] for m in machines) > 0 and run["rate"] > 0
END
# Rates take a moment, longer on a busy machine.
for _ in 1 2 3 4 5 6; do
    python3 check_top.py 2>/dev/null && break
    "$HEDDLE" top --cluster "$url" --token token --json >top.json 2>&1
done
python3 check_top.py 2>/dev/null && pass "heddle top --json" || fail "heddle top --json" "$(tr -d ' \n' <top.json | head -c 700)"
kill -INT $first
wait $first
grep -q "left run 'r': interrupted" log.worker1 && pass "^C leaves a run" || fail "^C leaves a run" "$(tail -n1 log.worker1)"
wait $run
grep -q '^complete' log.run && pass "a run is gone on with after a limit" || fail "a run is gone on with after a limit" "$(tail -n1 log.run)"
wait $second
rm -f token

# ---- what is wrong is one sentence ----

bad() { # NAME WORDS -- COMMAND...
    local name=$1 words=$2
    shift 3
    "$HEDDLE" "$@" >out 2>&1 </dev/null
    if [ $? -eq 2 ] && grep -q -- "error: .*$words" out && [ "$(grep -c 'error:' out)" = 1 ]; then
        pass "$name"
    else
        fail "$name" "$(tail -n2 out | tr '\n' ' ')"
    fi
}
there="--cluster $url --server-time 1s"
coordinate -o kept inputs.c &
run=$!
await_token
# shellcheck disable=SC2086
{
    bad "a run that somebody coordinates" "coordinated by another" -- run $there --run r --token token --tests all -o other inputs.c
    bad "another program under the same name" "another program or another search" -- run $there --run r --token token -o other threads.c
    bad "another search under the same name" "another program or another search" -- run $there --run r --token token --depth 3 -o other inputs.c
    bad "another token" "has another token" -- run $there --run r --token second -o other inputs.c
    bad "a worker with another token" "has another token" -- worker $there --token second
    echo nonsense >third
    bad "a file that is no token" "is not the token" -- worker $there --token third
    bad "no token" "cannot read the token" -- worker $there --token none
    sed 's/ r / q /' token >fourth
    bad "a run that is not there" "there is no run 'q'" -- worker $there --token fourth
    bad "the token of another run" "is the token of run 'q'" -- run $there --run r --token fourth -o other inputs.c
    bad "no such run to go on with" "there is no run 'new'" -- run $there --run new --token fifth -o other
    bad "no server" "does not answer" -- worker --cluster nats://127.0.0.1:1 --server-time 1s --token token
    bad "no name" "needs a name" -- run $there inputs.c
    bad "a bad name" "cannot be the name" -- run $there --run 'a b' inputs.c
    bad "a worker without a cluster" "'--cluster' is missing" -- worker --token token
    bad "a worker without a token" "'--token' is missing" -- worker $there
    bad "a worker with a program" "is no option" -- worker $there --token token inputs.c
    bad "no cluster" "no effect without '--cluster'" -- run --run r inputs.c
    bad "resumed on a cluster" "not with '--resume'" -- run $there --run r --resume
    bad "-j 0" "jobs" -- worker $there --token token -j 0
    bad "nothing to watch" "there is no run 'q'" -- top $there --token fourth
    bad "half a certificate" "need each other" -- worker $there --token token --tls-cert token
    bad "rivals on a cluster" "for the workers of one machine" -- run $there --run rivals --token seventh --partition none -o other inputs.c
    bad "too many copies" "copies" -- run $there --run copies --token sixth --replicas 3 -o other inputs.c
}
# Builds that differ in what they say of themselves: the bytes of the tool are changed, in texts of the same length.
changed() { LC_ALL=C sed "s/$1/$2/g" "$HEDDLE" >"$work/changed" && chmod +x "$work/changed" && ! cmp -s "$HEDDLE" "$work/changed"; }
sources=$("$HEDDLE" --version | grep -oE '[0-9a-f]{12}')
# shellcheck disable=SC2086
for words in "$sources:${sources//[0-9a-f]/5}:of sources 555555555555" ' with AVX2: with AVX9:is for processors' \
    'libnats\.so\.3\.4:libnats.so.9.4:libnats.so.9.4 is not installed'; do
    IFS=: read -r from to complaint <<<"$words"
    changed "$from" "$to" || fail "a build that is changed" "it is not"
    HEDDLE=$work/changed bad "a worker with '$to'" "$complaint" -- worker $there --token token
    HEDDLE=$work/changed bad "a coordinator with '$to'" "$complaint" -- run $there --run r --token token -o other
done
[ -e other ] && fail "what was refused makes nothing" "$(ls other)" || pass "what was refused makes nothing"
kill -9 $run
wait $run 2>/dev/null

[ $failures -eq 0 ]

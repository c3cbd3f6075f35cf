#!/bin/bash
# Scenarios on the command line: the example and those of the documentation are good, mistakes are
# one sentence with status 2, and a run is repeated from its directory alone.
#
#     HEDDLE=build/heddle tests/scenario.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter

# is NAME STATUS PATTERN -- ARGUMENTS
is() {
    local name=$1 wanted=$2 pattern=$3 status
    shift 4
    "$limited" 120 "$HEDDLE" "$@" >out 2>err </dev/null
    status=$?
    if [ $status -ne "$wanted" ]; then
        fail "$name" "status $status, expected $wanted: $(head -c 300 err | tr '\n' ' ')"
    elif ! cat out err | grep -qE -e "$pattern"; then
        fail "$name" "nothing matches '$pattern': $(cat out err | head -c 300 | tr '\n' ' ')"
    else
        pass "$name"
    fi
}

# The example, and what docs/scenarios.md says about it.
cp -r "$top/examples" .
sed -n '/^    examples\/ring\/ring.yaml: /,/^## /p' "$top/docs/scenarios.md" | grep '^    \|^$' | sed 's/^    //' >told
"$HEDDLE" check examples/ring/ring.yaml >shown 2>&1
if diff -B told shown >difference; then
    pass "the explanation in the documentation is what the tool prints"
else
    fail "the explanation in the documentation is what the tool prints" "$(head -n 3 difference | tr '\n' ' ')"
fi

# Every scenario of the documentation can be read.
mkdir documented
awk '/^    nodes:/ { n++; inside = 1 } inside && /^[^ ]/ { inside = 0 }
     inside { print substr($0, 5) > ("documented/" n ".yaml") }' "$top/docs/scenarios.md"
for f in server protocol client ring replica; do echo "int main(void) { return 0; }" >documented/$f.c; done
[ "$(ls documented/*.yaml | wc -l)" -ge 5 ] || fail "scenarios of the documentation" "there are too few"
for f in documented/*.yaml; do
    is "$f of the documentation" 0 "programs?$" -- check "$f"
done
"$HEDDLE" help scenarios | sed -n '/^  nodes:/,/^$/s/^  //p' >documented/help.yaml
is "the scenario of the help text" 0 "3 nodes, 2 programs" -- check documented/help.yaml

# Mistakes.
mkdir good
cat >good/one.c <<'END'
#include <heddle.h>
#include <string.h>
int main(int argc, char **argv) {
    int x;
    heddle_input(x);
    heddle_assert(!(argc == 2 && strcmp(argv[1], "hello") == 0 && x == 5));
    return 0;
}
END
cat >good/one.yaml <<'END'
nodes:
  - {name: one, program: one.c, arguments: hello}
END
printf 'int main(void) { return 0; }\n' >good/idle.c
cat >good/thousand.yaml <<'END'
nodes:
  - {name: 'n{index}', count: 1000, program: idle.c}
  - {name: last, program: idle.c, after: 'n{index}'}
END
is "a thousand nodes" 0 "^processes +1001, with 1001 events" -- run --net good/thousand.yaml -o thousand
printf 'nodes:\n  - nam: a\n' >bad.yaml
is "unknown key" 2 "^heddle: error: bad.yaml:2:5: unknown key 'nam' in a node$" -- check bad.yaml
is "the same when run" 2 "^heddle: error: bad.yaml:2:5: unknown key 'nam' in a node$" -- run --net bad.yaml
printf 'nodes:\n  - name: a\n    program: bad.c\n    files: some\n' >bad.yaml
touch bad.c
is "files of nobody" 2 "^heddle: error: bad.yaml:4:12: expected 'shared', 'own' or 'lost', found 'some'$" -- check bad.yaml
printf 'nodes:\n  - name: a\n    program: bad.c\n    root: nowhere\n' >bad.yaml
is "a folder that is not there" 2 "^heddle: error: bad.yaml:4:11: cannot read the folder 'nowhere': No such file or directory$" -- check bad.yaml
printf 'nodes:\n  - {name: a, program: bad.c, root: ., files: shared}\n' >bad.yaml
is "a folder for all" 2 "^heddle: error: bad.yaml:2:37: a node with 'root' shares no files$" -- check bad.yaml
rm bad.c
is "no scenario" 2 "no scenario given" -- check
is "two scenarios" 2 "too many arguments" -- check a b
is "scenario that does not exist" 2 "cannot read the scenario 'no.yaml'" -- run --net no.yaml
is "files beside a scenario" 2 "'good/one.c' cannot be combined with '--net'" -- run --net good/one.yaml good/one.c
is "a function of a scenario" 2 "'--function' cannot be combined" -- run --net good/one.yaml --function f
is "arguments beside a scenario" 2 "cannot be combined with '--net'" -- run --net good/one.yaml -- x
printf 'nodes:\n  - {name: a, program: good/one.c}\nassert:\n  - sum(x) ==\n' >bad.yaml
is "an assertion that is no C" 2 "bad.yaml:4:.*expected expression" -- run --net bad.yaml
if [ -d heddle-out ]; then fail "mistakes leave nothing behind" "there is heddle-out"; else pass "mistakes leave nothing behind"; fi

# An assertion about exported variables; its place is the line of the scenario.
cat >actors.c <<'END'
#include <heddle.h>
static int leader;
static void body(void *argument) {
    (void)argument;
    heddle_export("leader", &leader, sizeof leader);
    heddle_may_idle();
    for (;;)
        heddle_receive(&leader, sizeof leader);
}
int main(void) {
    int x = (int)heddle_choose(-1, 2);
    heddle_export("leader", &leader, sizeof leader);
    heddle_actor a = heddle_spawn(body, 0, 0);
    heddle_send(a, &x, sizeof x);
    return 0;
}
END
actors() { printf 'nodes:\n  - {name: a, program: actors.c}\nassert:\n  - %s\n' "$1" >actors.yaml; }
actors 'sum(leader) < 2'
is "an assertion that fails" 1 "actors.yaml:4 .*assertion 'sum.leader. < 2' failed" -- run -o actors --net actors.yaml
actors 'min(leader) >= -1 && max(leader) <= 2 && count(leader) == 2 && (same(leader) == (sum(leader) == 0)) && count(x) == 0'
is "assertions that hold" 0 "nothing was found" -- run -o actors --net actors.yaml
actors 'min(leader) == 0'
is "the smallest" 1 "leader. == 0' failed" -- run -o actors --net actors.yaml

# Nodes over the network: links decide which orders there are.
cp -r "$top/tests/scenarios" .
orders() {
    is "$1: $2" 0 "complete" -- run -o orders --net scenarios/orders.yaml
    local found
    found="$(grep -o '^executions *[0-9]*' out | grep -o '[0-9]*$') $(grep -o "'[a-z ]*'" out | tr -d "'" | tr '\n' ' ')"
    if [ "$found" = "$3 " ]; then pass "$1: orders with $2"; else fail "$1: orders with $2" "$found"; fi
}
triangle() {
    cat >scenarios/orders.yaml <<END
nodes:
  - {name: b, program: triangle.c, arguments: b}
  - {name: c, program: triangle.c, arguments: c}
  - {name: a, program: triangle.c, arguments: a, after: [b, c]}
links:
  - $1
END
    orders triangle "$1" "$2"
}
triangle "fifo: true" "2 in order overtaken"
triangle "fifo: false" "2 in order overtaken"
triangle "latency: none" "1 in order"
triangle "{from: a, to: b, latency: none}" "1 in order"
triangle "{from: c, to: b, latency: none}" "2 in order overtaken"
pair() {
    cat >scenarios/orders.yaml <<END
nodes:
  - {name: receiver, program: pair.c, arguments: receiver}
  - {name: sender, program: pair.c, arguments: sender, after: receiver}
links:
  - $1
END
    orders pair "$1" "$2"
}
pair "fifo: true" "1 in order"
pair "fifo: false" "2 in order overtaken"
pair "{from: receiver, fifo: true}" "2 in order overtaken"
pair "latency: none" "1 in order"
# Children of a node that may idle may idle, and so may its threads; what holds a lock may not.
cat >prefork.c <<'END'
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static void *await_work(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&work, &lock);
    return unused;
}
int main(void) {
    int l = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7000)};
    pthread_t t;
    bind(l, (void *)&a, sizeof a);
    listen(l, 5);
    if (fork() == 0)
        pthread_create(&t, 0, await_work, 0);
#ifdef LOCKED
    else if (pthread_mutex_lock(&lock) == 0)
        pthread_mutex_lock(&lock);
#endif
    else
        wait(0);
    for (;;)
        close(accept(l, 0, 0));
}
END
echo 'nodes: [{name: server, program: prefork.c, idle: true}]' >prefork.yaml
is "children of a node that may idle" 0 "^complete" -- run -o prefork --net prefork.yaml
sed -i 's/prefork.c/prefork.c, flags: -DLOCKED/' prefork.yaml
is "a node that may idle and waits for itself" 1 "deadlock" -- run -o prefork --net prefork.yaml

# Groups: who is in range and has joined hears what is sent to them; all reductions agree, and so do mappings.
for reduction in optimal dpor flip; do
    is "who hears a group, $reduction" 3 "^executions  [0-9]+ .56 classes" -- run -o groups --por $reduction --net scenarios/groups.yaml
    heard=$(grep -oE "'[0-9.a-b-]*'" out | sort | tr -d "'\n")
    if [ "$heard" = 0.1a0.1b0.2-0.2a0.2b1.1-1.1a1.1b1.2-1.2a1.2b2.1-2.2- ]; then pass "what they hear, $reduction"; else fail "what they hear, $reduction" "$heard"; fi
done
sed 's/groups.c/groups.c, flags: -DSIX/' scenarios/groups.yaml >scenarios/groups_six.yaml
is "who hears a group of IPv6" 3 "^executions  [0-9]+ .56 classes" -- run -o groups --net scenarios/groups_six.yaml
heard=$(grep -oE "'[0-9.a-b-]*'" out | sort | tr -d "'\n")
if [ "$heard" = 0.1a0.1b0.2-0.2a0.2b1.1-1.1a1.1b1.2-1.2a1.2b2.1-2.2- ]; then pass "what they hear, IPv6"; else fail "what they hear, IPv6" "$heard"; fi
is "a group of IPv6 in the order of time" 0 "'1.2b'" -- run -o groups --orders time --net scenarios/groups_six.yaml
sed -i 's/count: 3/count: 2/' scenarios/groups.yaml
for reduction in message optimal; do
    is "two nodes in a group, $reduction" 3 "^executions  [0-9]+ .56 classes" -- run -o groups --por $reduction --net scenarios/groups.yaml
done
for mapping in none sds; do
    is "a group in the order of time, $mapping" 0 "'1.2b'" -- run -o groups --orders time --mapping $mapping --net scenarios/groups.yaml
done

# How streams are cut: an answer line by line is many classes, with `segments` few, and all reductions
# agree about them.  cuts FLAGS LINK
cuts() {
    cat >scenarios/cuts.yaml <<END
nodes:
  - {name: server, program: lines.c, arguments: server, flags: [$1]}
  - {name: client, program: lines.c, arguments: client, flags: [$1], after: server}
links:
  - $2
END
}
agree() { # STATUS PATTERN CLASSES REACHED
    local reduction found
    for reduction in none dpor optimal; do
        rm -rf cuts
        is "$2, $reduction" $1 "$2" -- run -o cuts --por $reduction --net scenarios/cuts.yaml
        found="$(grep -o '[0-9]* class' out) $(grep -o "'[a-z ]*'" out | sort | tr -d "'\n")"
        if [ "$found" = "$3 class $4" ]; then pass "classes of a stream: $3, $reduction"; else fail "classes of a stream: $3, $reduction" "$found"; fi
    done
}
cuts -DLINES=2 "fifo: true"
agree 0 "^complete" 2 "as onecut once"
cuts -DLINES=3 "segments: together"
agree 3 "what is sent in a row arrives as one .line 5 of the scenario: segments. at .*lines.c:22" 1 "as one"
cuts "-DLINES=3, -DTHREAD" "segments: together"
agree 3 "what is sent in a row arrives as one .line 5 of the scenario: segments. at .*lines.c:22" 1 "as one"
cuts -DLINES=3 "segments: 1"
agree 3 "what is sent in a row is cut at most 1 time .line 5 of" 5 "as onecut once"
cuts -DLINES=2 "{from: server, to: client, segments: 1}"
agree 0 "^complete" 3 "as onecut once" # every cut that there is
cuts -DLINES=3 "{from: client, to: server, segments: together}"
is "the other way is cut as ever" 0 "^executions  4 .4 classes" -- run -o cuts --net scenarios/cuts.yaml
cuts "-DLINES=60, -DANSWERS=2" "fifo: true"
rm -rf cuts
is "a page of sixty lines, twice: too many classes" 3 "about [0-9.]+e.[23][0-9] classes in all" -- run -o cuts --max-time 6s --net scenarios/cuts.yaml
if grep -q "^streams     most orders are about how streams are cut (118 places): 'segments: together' on" out; then
    pass "the summary says what they are about"
else
    fail "the summary says what they are about" "$(head -c 400 out)"
fi
if grep -q "^  note: '--orders time' takes one order of messages" out; then pass "and which order can be taken instead"; else fail "and which order can be taken instead" "$(tail -c 400 out)"; fi
said=$(grep -c "^heddle: most orders are about how streams are cut (118 places): 'segments: together' on" err)
if [ "$said" = 1 ]; then pass "the running search says it, once"; else fail "the running search says it, once" "$(head -c 400 err)"; fi
is "so does an explanation" 0 "streams .scenarios/lines.c:31 accepts connections.: k sends in a row" -- check scenarios/cuts.yaml
cuts "-DLINES=60, -DANSWERS=2" "latency: none"
is "streams without latency are explained" 0 "arrive at once" -- check scenarios/cuts.yaml
if grep -q accepts out; then fail "where nothing is cut nothing is said" "$(cat out)"; else pass "where nothing is cut nothing is said"; fi
cuts "-DLINES=60, -DANSWERS=2" "segments: together"
is "streams that are together are explained" 0 "arrives as one" -- check scenarios/cuts.yaml
if grep -q accepts out; then fail "nor where they are together" "$(cat out)"; else pass "nor where they are together"; fi
rm -rf cuts
is "a page of sixty lines, twice, together" 3 "^executions  1 .1 class," -- run -o cuts --net scenarios/cuts.yaml
rm scenarios/cuts.yaml
is "a run whose streams were together is repeated" 0 "the same trace as recorded" -- replay cuts 1
cuts "-DLINES=12" "segments: 2"
rm -rf cuts
is "some of a page with two cuts" 3 "time|ways not tried yet" -- run -o cuts --max-executions 20 --net scenarios/cuts.yaml
rm scenarios/cuts.yaml
is "the rest of it" 3 "is cut at most 2 times .line 5" -- run --resume cuts
found=$(grep -o '[0-9]* classes' out)
cuts "-DLINES=12" "segments: 2"
rm -rf cuts
is "all of it at once" 3 "$found" -- run -o cuts --net scenarios/cuts.yaml

# Random numbers depend on no inputs: what would help is said, and what would not is not.
printf '#include <sys/random.h>\nint main(void) { char c; return getrandom(&c, 1, 0) != 1; }\n' >random.c
is "random numbers" 0 "note: random numbers are inputs if a C file beside the program defines" -- run -o random random.c
if grep -q -e --values out; then fail "no values of them" "$(cat out)"; else pass "no values of them"; fi

# A node that could not begin is not taken for one that did its work: its status is told, in every order and in that of time.
printf '#include <stdlib.h>\nint main(int n, char **of) { return n > 1 ? atoi(of[1]) : 0; }\n' >scenarios/status.c
printf 'nodes:\n  - {name: fine, program: status.c}\n  - {name: sick, program: status.c, arguments: [3]}\n' >scenarios/status.yaml
for how in "--orders all" "--orders time" "--orders time --mapping none"; do
    is "a node that failed, $how" 0 "^  node 'sick' ends with status 3 in some executions$" -- run -o status $how --net scenarios/status.yaml
    is "only that one, $how" 1 "^1 finding$" -- run -o status $how --fail-on-exit --net scenarios/status.yaml
    is "which is a finding if asked for, $how" 0 "node 'sick' ended with status 3" -- replay status 1
done

is "two programs over streams" 0 "^complete" -- run -o clients --net scenarios/clients.yaml
echo 'links: [latency: none]' >>scenarios/clients.yaml
is "streams without latency" 0 "^complete" -- run -o clients --net scenarios/clients.yaml
sed -i 's/== 9/== 8/' scenarios/clients.yaml
is "an assertion over streams" 1 "clients.yaml:6 .*assertion 'sum.total. == 8" -- run -o clients --net scenarios/clients.yaml
for reduction in none message optimal; do # `after` orders the two, nothing else is open
    is "fifty questions over UDP, $reduction" 0 "1 class" -- run -o ping --por $reduction --net scenarios/ping.yaml
done
for reduction in dpor optimal; do
    is "who is in range of a broadcast, $reduction" 0 "^executions  12 .12 classes" -- run -o range --por $reduction --timeouts any --net scenarios/range.yaml
done
is "what an interface says" 0 "^reached     'heard' in 2 executions" -- run -o interfaces --net scenarios/interfaces.yaml
is "who is bound to the address of all hears it" 3 "^reached     'all' in" -- run -o to_all --net scenarios/to_all.yaml
is "who is bound to its own address does not" 0 "^reached     'nothing' in 1 execution" -- run -o to_all --orders time --net scenarios/to_all.yaml
for how in "flock, end" "flock, unlock" "fcntl, close"; do # one after the other, or one in vain, and whose open comes first
    printf 'nodes:\n  - {name: "n{index}", count: 2, program: locks.c, arguments: [%s]}\n' "$how" >scenarios/locks.yaml
    is "who locks a file ($how)" 0 "'refused' in 4 executions" -- run -o locks --net scenarios/locks.yaml
    is "and by none of the reductions" 0 ".8 classes" -- run -o locks --por none --net scenarios/locks.yaml
done
is "who is in range, by virtual time" 0 "^complete" -- run -o range --orders time --mapping none --net scenarios/range.yaml
sed -i 's/shape: line/shape: mesh/' scenarios/range.yaml
is "everybody is in range" 1 "EHOSTUNREACH. failed" -- run -o range --net scenarios/range.yaml

# The grids of bench/system are what their maker makes, and can be read.
for n in 3 5 7 10 16 32; do
    if "$top/bench/system/grid.sh" $n | cmp -s - "$top/bench/system/grid-$n.yaml"; then
        pass "the grid of $n x $n is up to date"
    else
        fail "the grid of $n x $n is up to date" "bench/system/grid.sh $n says something else"
    fi
done
for which in "4 mesh" "6 mesh" "3 flood"; do
    file=bench/system/${which#* }-${which% *}.yaml
    if "$top/bench/system/grid.sh" $which | cmp -s - "$top/$file"; then pass "$file is up to date"; else fail "$file is up to date" "it is not"; fi
done
is "a grid of 1,024 nodes" 0 "grid of 32 x 32 nodes, 8 neighbours, 7812 links" -- check "$top/bench/system/grid-32.yaml"
sed '/^faults/,$d' "$top/bench/system/grid-5.yaml" >grid.yaml
cp "$top/bench/system/grid.c" .
is "a grid without faults" 0 "^complete" -- run -o grid --orders time --net grid.yaml

# How whole systems grow.
for mapping in cow sds; do
    is "a grid of 3 x 3 with faults, $mapping" 0 "^complete" -- run -o grid-$mapping --orders time --mapping $mapping --net "$top/bench/system/grid-3.yaml"
done
is "how a system grew" 0 "^ +[0-9.]+ +11 s +34 +2 " -- stats grid-sds
is "how two systems grew" 0 '^"grid-cow",[0-9.]+,[0-9.]+,34,2,[0-9]+,[0-9]+$' -- stats grid-sds grid-cow --csv --svg growth.svg
if [ "$(grep -c '<polyline' growth.svg)" = 4 ] && tail -n 1 growth.svg | grep -q '</svg>'; then
    pass "the drawing has two curves in each diagram"
else
    fail "the drawing has two curves in each diagram" "$(grep -c '<polyline' growth.svg) curves"
fi
is "a drawing that cannot be written" 2 "cannot write 'no/growth.svg': No such" -- stats grid-sds --svg no/growth.svg

is "the ring" 3 "time limits pass only when nothing else can happen" -- run -o ring --net examples/ring/ring.yaml

# A run, and its directory without the scenario.
is "a node has its arguments" 1 "assertion" -- run --net good/one.yaml
echo '#error "seen everywhere"' >wrong.h
is "options for clang are for all programs" 2 "seen everywhere" -- run -o other --net good/one.yaml -include "$work/wrong.h"
cat >pair.yaml <<'END'
nodes:
  - {name: first, program: good/one.c, arguments: hello}
  - {name: second, program: good/one.c, flags: -DOTHER}
END
is "two programs, equal names" 1 "assertion" -- run -o pair --net pair.yaml
is "several nodes are no plain program" 2 "a scenario with 2 nodes" -- export --c pair -o exported
mv good/one.yaml good/two.yaml
test=$("$HEDDLE" findings heddle-out --json | grep -o '"test": *[0-9]*' | grep -o '[0-9]*' | head -n 1)
is "replay without the scenario" 0 "the same trace as recorded" -- replay heddle-out "$test"
is "resume without the scenario" 1 "assertion" -- run --resume
is "resume with the same scenario" 1 "assertion" -- run --resume --net good/two.yaml
sed -i 's/hello/hullo/' good/two.yaml
is "resume with another scenario" 2 "the scenario was changed since it was recorded" -- run --resume --net good/two.yaml
exit $failures

#!/bin/bash
# heddle serve: a run in a browser while it goes, and whoever else may ask on loopback.
#
#     HEDDLE=build/heddle tests/serve.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
SHOTS=${SHOTS:-$(dirname "$HEDDLE")/shots}
mkdir -p "$SHOTS"
enter

cat >long.c <<'END_OF_SOURCE'
#include <heddle.h>
int main(void) {
    unsigned last = 0;
    for (int i = 0; i < 40; i++) {
        last = last << 1 & 255;
        if (heddle_choose(0, 1)) last++;
    }
    heddle_assert(last != 165);
    return 0;
}
END_OF_SOURCE
cat >short.c <<'END_OF_SOURCE'
#include <heddle.h>
int main(void) {
    long x = heddle_choose(0, 3);
    heddle_reach("</script><script>alert(1)</script>");
    if (x == 2) heddle_error("<img src=x onerror=alert(2)>\033[31m");
    return 0;
}
END_OF_SOURCE

# serve DIR ARGUMENTS...: starts a server on any port; $server is its process, $url its address.
serve() {
    "$HEDDLE" serve "$@" --port 0 >served 2>serve-err &
    server=$!
    for _ in $(seq 300); do
        url=$(grep -om1 'http://127.0.0.1:[0-9]*/[0-9a-f]*/' served) && return 0
        kill -0 $server 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
# until_state WORDS: waits until the state has them.
until_state() {
    for _ in $(seq 150); do
        curl -s "${url}state" >state && grep -qF "$1" state && return 0
        sleep 0.2
    done
    return 1
}
is_status() { # NAME STATUS CURL-ARGUMENTS...
    local got
    got=$(curl -s -o body -w '%{http_code}' "${@:3}")
    [ "$got" = "$2" ] && pass "$1" || fail "$1" "status $got instead of $2"
}

# ---- a run that has ended ----
"$HEDDLE" run -q -o done short.c >out 2>err
before=$(cat done/run.db done/run.db-wal | sha256sum)
serve done && pass "a run that has ended is served" || fail "a run that has ended is served" "$(head -n1 serve-err)"
is_status "the page" 200 "$url"
until_state '"report":true' && pass "its report is made" || fail "its report is made" "$(head -c 300 state)"
python3 - state <<'END' >told 2>&1 && pass "its state is JSON, with the finding" || fail "its state is JSON, with the finding" "$(tail -n1 told)"
import json, sys
s = json.load(open(sys.argv[1]))
assert s["state"] == "ended" and s["executions"] == 2 and s["n_findings"] == 1 and s["complete"] and s["stopped"] == "complete", s
assert s["findings"][0]["message"] == "<img src=x onerror=alert(2)>\\x1b[31m" and s["findings"][0]["file"].endswith("short.c"), s
assert s["units"]["done"] == 1 and s["units"]["open"] == 0 and s["covered"] <= s["branches"], s
END
curl -s "$url" >body
grep -q 'id="finding-1"' body && ! grep -q '<img' body && pass "the page is the report then" || fail "the page is the report then" "$(head -c 200 body)"

# ---- who may ask ----
is_status "nothing else is there" 404 "${url}run.db"
port=${url#http://*:} port=${port%%/*} key=${url%/} key=${key##*/}
is_status "who does not know the key sees nothing" 404 "http://127.0.0.1:$port/"
is_status "nor the state" 404 "http://127.0.0.1:$port/state"
is_status "nor with a key that is nearly right" 404 "http://127.0.0.1:$port/${key%?}x/state"
is_status "or a part of it" 404 "http://127.0.0.1:$port/${key%?}"
is_status "nor above it" 404 --path-as-is "$url../../etc/passwd"
is_status "nor behind escapes" 404 --path-as-is "$url%2e%2e/%2e%2e/etc/passwd"
is_status "nothing can be changed" 405 -X POST "$url"
is_status "nor removed" 405 -X DELETE "${url}state"
is_status "another name for this machine is refused" 421 -H 'Host: evil.example' "$url"
is_status "one that only begins right too" 421 -H 'Host: localhost.evil.example' "$url"
is_status "and one that ends right" 421 -H 'Host: evil.example:80@127.0.0.1' "$url"
is_status "localhost is a name of it, with any port" 200 -H 'Host: localhost:9' "$url"
is_status "no name is refused" 400 -H 'Host:' "$url"
is_status "a body is refused" 413 -X GET --data x "$url"
is_status "a long path is refused" 414 "$url$(printf 'x%.0s' {1..300})"
is_status "long fields are refused" 431 -H "X: $(printf 'x%.0s' {1..9000})" "$url"
curl -si "${url}state" | tr -d '\r' >heads
for head in 'Content-Type: application/json' 'X-Content-Type-Options: nosniff' 'X-Frame-Options: DENY' 'Cross-Origin-Resource-Policy: same-origin' 'Cache-Control: no-store'; do
    grep -q "^$head" heads || fail "every answer says '$head'" "it does not"
done
grep -qi '^Access-Control' heads && fail "no other page may read the answers" "$(grep -i ^Access heads)" || pass "no other page may read the answers"
ss -Hltn "sport = :$port" 2>/dev/null >listening && say "it listens on loopback only" "$(grep -v '127.0.0.1:' listening)"
python3 "$here/tool/hostile_clients.py" "$port" "$key" >told 2>err || fail "hostile clients are driven to their end" "$(tail -n1 err)"
cat told
failures=$((failures + $(grep -c '^not ok' told)))
[ "$(cat done/run.db done/run.db-wal | sha256sum)" = "$before" ] && pass "the run is as it was" || fail "the run is as it was" "it has changed"

# ---- what can be wrong ----
bad() {
    "$HEDDLE" "${@:3}" >out 2>err
    local status=$?
    [ $status -eq 2 ] && grep -q "^heddle: error: .*$2" err && grep -q '^  hint: ' err && pass "$1" || fail "$1" "status $status: $(head -n1 err)"
}
bad "a port that is in use" "cannot listen on 127.0.0.1:$port" serve done --port "$port"
bad "a port that there is not" 'there is no port 65536' serve done --port 65536
bad "a server of nothing" 'no run directory' serve
bad "a server of two runs" 'too many arguments' serve done done
bad "a server of no run" "no run of Heddle in '.*'" serve nowhere
bad "a server of a folder" "no run of Heddle in" serve .
cp -r done newer && python3 -c 'import sqlite3; sqlite3.connect("newer/run.db").execute("PRAGMA user_version=99")'
bad "a server of a run of a newer version" 'written by a newer Heddle' serve newer --port 0
mv done moved
until_state '"state":"gone"' && pass "a run that goes away is said" || fail "a run that goes away is said" "$(head -c 200 state)"
mv moved done
until_state '"state":"ended"' && pass "and comes back" || fail "and comes back" "$(head -c 200 state)"
kill -INT $server
wait $server
say "^C ends it" "$([ $? -eq 0 ] || echo "status $?")"
"$HEDDLE" serve done --port 0 --max-time 0.3 >out 2>err && pass "so does --max-time" || fail "so does --max-time" "status $?"

# ---- a run that goes on ----
nice -n 19 "$HEDDLE" run -q -o going -t 120 long.c >out 2>err &
run=$!
for _ in $(seq 100); do [ -s going/run.db ] && break; sleep 0.1; done
serve going
until_state '"state":"running"' && pass "a run that goes on is said to be running" || fail "a run that goes on is said to be running" "$(head -c 200 state)"
if python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import browser; sys.exit(browser.find() is None)' "$here/tool" 2>/dev/null; then
    python3 "$here/tool/drive_live.py" "$SHOTS" "$url" $run >told 2>err || tail -n 3 err | sed 's/^/# /'
    cat told
    failures=$((failures + $(grep -c '^not ok' told)))
    grep -q '^ok - the browser is closed' told || fail "the page is driven to its end" "$(tail -n1 err)"
else
    skip "a run that goes on, in a browser" "NO CHROMIUM: 'tools/browser' installs it"
fi
kill -INT $run 2>/dev/null
wait $run
until_state '"stopped":"interrupted"' && pass "a run that was interrupted has ended" || fail "a run that was interrupted has ended" "$(head -c 300 state)"
"$HEDDLE" run -q -o going short.c >out 2>err
until_state '"program":"short.c"' && pass "a run in its place is followed" || fail "a run in its place is followed" "$(head -c 300 state)"

# A run that is killed has not ended: nobody says so but the lock that is gone.
nice -n 19 "$HEDDLE" run -q -o going -t 120 long.c >out 2>err &
run=$!
until_state '"state":"running"'
kill -KILL $run
wait $run 2>/dev/null
until_state '"state":"silent"' && pass "a run that was killed is said to be silent" || fail "a run that was killed is said to be silent" "$(head -c 200 state)"
kill -TERM $server
wait $server
say "SIGTERM ends it too" "$([ $? -eq 0 ] || echo "status $?")"
[ "$failures" -eq 0 ]

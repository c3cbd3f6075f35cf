#!/bin/bash
# Programs that attack the machine which tests them: nothing outside is harmed, and what they try is told.
#
#     HEDDLE=build/heddle tests/confined.sh      prints "ok - NAME" or "not ok - NAME: reason"
#
# They aim at files and at a process that this test makes, and at nothing else.  As root everything is tried as an
# ordinary user too.
. "$(dirname "$0")/tool/script.sh"
TMPDIR=/tmp enter # an ordinary user cannot enter the directory that tests/run makes
[ "$("$HEDDLE" run -v -q -o probe "$here/confined/calls.c" '-DVICTIM=""' 2>&1 | grep -c 'is confined by: seccomp.*landlock')" = 1 ] || {
    skip "programs are confined" "this kernel has neither seccomp nor landlock, or not both"
    exit 0
}
sleep 3600 &
prey=$!
trap 'kill $prey 2>/dev/null; rm -rf "$work"' EXIT

# prepare USER: what is attacked, and where it happens.
prepare() {
    mkdir -p "$1/given" "$1/victim/folder" "$1/secret" "$1/cache"
    echo data >"$1/victim/file"
    echo word >"$1/secret/key"
    cp "$here"/confined/*.c "$1/given"
    [ "$1" = root ] || chown -R nobody "$1"
    chmod 755 . "$1"
}
# What the disk has: names, contents, owners, modes and times.
look() { (cd "$1" && find victim secret -exec stat -c '%n %U %a %Y %s' {} + && sha256sum victim/file secret/key) 2>&1; }
# as USER COMMAND...
as() {
    local who=$1
    shift
    if [ "$who" = root ]; then "$@"; else setpriv --reuid=nobody --clear-groups env HOME="$PWD/.." XDG_CACHE_HOME="$PWD/../cache" "$@"; fi
}
# attack USER PROGRAM: status, output in out.
attack() {
    (cd "$1/given" && as "$1" "$limited" 120 "$HEDDLE" run -q --no-leaks --json -o ../"$2" -DVICTIM="\"$work/$1/victim\"" "$2.c" -- $prey >../out 2>../err)
}
# The lines of findings of a kind, by the innermost of their frames that is marked so; the marked lines of the program.
found() { python3 - "$@" <<'P'
import json, re, sys
who, kind, source = sys.argv[1:]
output = f"{who}/out"
marks = {n: line.split('//')[-1].split() for n, line in enumerate(open(source), 1) if '//' in line}
marked = {n for n, words in marks.items() if kind in words}
seen = []
try:
    findings = json.load(open(output))['findings']
except (OSError, ValueError, KeyError) as e:
    sys.exit(print(f"nothing was told: {e}"))
for f in findings:
    lines = [int(n) for n in re.findall(r'\.c:(\d+)', str(f.get('stack', ''))) ] + [f.get('line')]
    seen += [next((n for n in lines if n in marked), 0)]
missing = sorted(marked - set(seen))
print(f"line {missing[0]} was not told" if missing else '')
P
}
try_as() {
    local who=$1 before told
    prepare "$who"
    before=$(look "$who")
    attack "$who" calls
    [ $? = 1 ] || tail -n 2 "$who/err" >&2
    told=$(found "$who" FORBIDDEN "$here/confined/calls.c")
    say "$who: every system call by hand is a finding" "$told"
    attack "$who" library
    told=$(found "$who" FORBIDDEN "$here/confined/library.c")
    say "$who: what was not given is not read" "${told}$(grep -o '"secret"' "$who/out" | head -n 1)"
    say "$who: attacks on memory are findings" "$(found "$who" BAD "$here/confined/library.c")"
    say "$who: files are as they were" "$(diff <(echo "$before") <(look "$who") | sed -n 2p)"
    say "$who: so is the process" "$(kill -0 $prey 2>&1)"
    # Replayed, the same: the record is as it was.
    told=$("$HEDDLE" findings --json "$who/calls" | sed -n 's/.*"test":\([0-9]*\).*/\1/p' | head -n 1)
    before=$(sha256sum "$who/calls/run.db")
    (cd "$who/given" && as "$who" "$limited" 60 "$HEDDLE" replay ../calls "$told" >../out 2>&1)
    say "$who: a replay is confined" "$(grep -q 'is forbidden' "$who/out" || tail -n 1 "$who/out")"
    say "$who: and leaves the record alone" "$([ "$before" = "$(sha256sum "$who/calls/run.db")" ] || echo changed)"
}
try_as "$([ "$(id -u)" = 0 ] && echo root || id -un)"
[ "$(id -u)" != 0 ] || try_as nobody

# Descriptors that the caller left open are not the program's: there it finds none.
mkdir inherited
cat >inherited/write.c <<'C'
#include <heddle.h>
extern long __write(int, const void *, unsigned long);
int main(void) {
    char x;
    heddle_input(x);
    if (x == 'x')
        __write(5, "gone", 4);
    return 0;
}
C
echo data >inherited/file
for way in "run -q -o out write.c" "run -q --partition ssp -o out write.c" "replay out 1" "replay out 2"; do
    # shellcheck disable=SC2086
    (cd inherited && "$limited" 60 "$HEDDLE" $way $([[ $way == run* ]] && echo --external __write) 5>>file >/dev/null 2>&1)
done
say "descriptors of the caller are closed" "$([ "$(cat inherited/file)" = data ] || echo "something was written")"

# What a user opens is open.
mkdir -p open/given open/more
echo word >open/more/key
cat >open/given/read.c <<'C'
#include <heddle.h>
#include <stdio.h>
int main(void) {
    char word[8] = "";
    FILE *f = fopen("../more/key", "r");
    if (f && fgets(word, sizeof word, f))
        heddle_reach("read");
    return 0;
}
C
open_with() { (cd open/given && "$limited" 60 "$HEDDLE" run "$@" -o ../out read.c 2>&1); }
say "what is elsewhere is not read" "$(open_with | grep -q "reading '.*/more/key' is forbidden" || echo "it was")"
say "--allow read= opens it" "$(open_with --allow read=../more | grep -q forbidden && echo "it did not")"
say "--allow all opens everything" "$(open_with --allow all | grep -q forbidden && echo "it did not")"
say "a path that is not there is said" "$(open_with --allow read=nowhere | grep -q "cannot allow 'read=nowhere': there is no such file" || echo "it was not")"
say "what cannot be allowed is said" "$(open_with --allow everything | grep -q "'everything' is nothing that can be allowed" || echo "it was not")"
exit $((failures > 0))

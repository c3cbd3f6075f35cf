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

# prepare USER: what is attacked, and where it happens, which is a repository: what lies beside it is not given.
prepare() {
    mkdir -p "$1/given/.git" "$1/victim/folder" "$1/secret" "$1/cache"
    echo data >"$1/victim/file"
    echo word >"$1/secret/key"
    cp "$here"/confined/*.c "$1/given"
    ln -s ../secret/key "$1/given/link.h"
    echo 'int main(void) { return 0; }' >"$1/given/plain.c"
    printf '#include "%s"\nint main(void) { return 0; }\n' "$work/$1/secret/key" >"$1/given/include.c"
    printf '#include "link.h"\nint main(void) { return 0; }\n' >"$1/given/link.c"
    printf '__asm__(".data\\n.incbin \\"%s\\"\\n.text");\nint main(void) { return 0; }\n' "$work/$1/secret/key" >"$1/given/incbin.c"
    printf '#include "/dev/zero"\nint main(void) { return 0; }\n' >"$1/given/endless.c"
    printf '__asm__(".data\\n.incbin \\"/dev/zero\\"\\n.text");\nint main(void) { return 0; }\n' >"$1/given/endless_bytes.c"
    gcc -shared -fPIC -w -DVICTIM="\"$work/$1/victim\"" -DPREY="\"$prey\"" -o "$1/given/plugin.so" "$here/confined/plugin.c"
    [ "$1" = root ] || chown -R 12345:12345 "$1"
    chmod 755 . "$1"
}
# What the disk has: names, contents, owners, modes and times.
look() { (cd "$1" && find victim secret -exec stat -c '%n %U %a %Y %s' {} + && sha256sum victim/file secret/key) 2>&1; }
# as USER COMMAND...
as() {
    local who=$1
    shift
    if [ "$who" = root ]; then "$@"; else setpriv --reuid=12345 --regid=12345 --clear-groups env HOME="$PWD/.." XDG_CACHE_HOME="$PWD/../cache" "$@"; fi
}
# attack USER PROGRAM [WORD]: status, output in out; what was in err before stays there.
attack() {
    (cd "$1/given" && echo before >../err && as "$1" "$limited" 120 "$HEDDLE" run -q --no-leaks --json -o ../"$2" -DVICTIM="\"$work/$1/victim\"" "$2.c" -- $prey ${3:-} >../out 2>>../err)
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
# compile USER FILE [OPTION...]: what is compiled reads and writes nothing else; what was said is in err.
compile() {
    local who=$1
    shift
    (cd "$who/given" && as "$who" "$limited" 60 "$HEDDLE" build -o ../built "$@" >../err 2>&1)
}
try_to_compile_as() {
    local who=$1 source could=
    for source in include link incbin endless endless_bytes; do
        compile "$who" $source.c && could="$could $source.c"
    done
    say "$who: sources do not read what was not given" "${could:+compiled:$could}$(grep -l word "$who"/built/image 2>/dev/null)"
    compile "$who" plain.c -fplugin=./plugin.so
    say "$who: what clang loads is confined" "$(grep -q 'the plugin was here' "$who/err" || echo "it was not loaded"; grep -m 1 'the plugin could' "$who/err")"
    compile "$who" plain.c -Wp,-MD,"$work/$who/victim/new"
    compile "$who" plain.c -ftime-trace="$work/$who/victim/new"
    compile "$who" plain.c
    say "$who: and it compiles" "$([ $? = 0 ] || tail -n 2 "$who/err")"
}
# Programs that go wild, how they end and what is said of them; those that end with the time get a second of it.
wild='
dig 1 stack-overflow
stop 3 a process that is stopped by a signal
sleep 3 more than 100000 loop iterations
pause 1 deadlock
ignore 1 non-termination
output 0 ^complete
wide 3 time limit
fork 3 time limit
threads 3 time limit
open 0 no more
shared 3 1099511627776 bytes of shared memory are too many
file 3 a file of more than 256 MB
anywhere 1 outside any object
around 1 out-of-bounds
over 3 mmap at a fixed address is not modelled
unmap 0 lives
code 3 mprotect of globals
new-code 1 call of a wild function pointer
descriptors 0 ^complete
faults 1 null-pointer
group 1 raised signal 9
trace 3 ptrace.: not modelled
process 3 option of prctl is taken for one that this Linux does not have
limits 0 ^complete
memory-file 3 memfd_create., which has no model
stack 1 out-of-bounds
inputs 1 write of 1099511627776 bytes
'
go_wild_as() {
    local who=$1 name expected words time status bad=
    while read -r name expected words; do
        [ "$name" ] || continue
        time=60s
        [ "$words" != 'time limit' ] || time=1s
        (cd "$who/given" && as "$who" "$limited" 90 "$HEDDLE" run --no-leaks -j 1 --max-steps 100000 --max-time $time -o ../wild wild.c -- $prey "$name" >../out 2>../err </dev/null)
        status=$?
        [ $status = "$expected" ] && grep -q "$words" "$who/out" && ! grep -q 'internal error' "$who/err" ||
            bad="$bad $name: status $status, $(grep -m 1 '^  #1\|^  - ' "$who/out" || tail -n 1 "$who/err");"
    done <<<"$wild"
    say "$who: programs that go wild end as they should" "$bad"
}
try_as() {
    local who=$1 before told
    prepare "$who"
    before=$(look "$who")
    try_to_compile_as "$who"
    attack "$who" calls
    [ $? = 1 ] || tail -n 2 "$who/err" >&2
    told=$(found "$who" FORBIDDEN "$here/confined/calls.c")
    say "$who: every system call by hand is a finding" "$told"
    attack "$who" library
    told=$(found "$who" FORBIDDEN "$here/confined/library.c")
    say "$who: what was not given is not read" "${told}$(grep -o '"secret"' "$who/out" | head -n 1)"
    say "$who: attacks on memory are findings" "$(found "$who" BAD "$here/confined/library.c")"
    attack "$who" more
    told=$?
    [ $told = 1 ] || tail -n 2 "$who/err" >&2
    say "$who: nor do names, links, handlers and labels lead out" "$([ $told = 1 ] || echo "status $told"; grep -m 1 -o '"SECRET"\|"lost-worker"' "$who/out"; grep -m 1 'internal error' "$who/err"; grep -q '"the end"' "$who/out" || echo "not all was tried")$(found "$who" BAD "$here/confined/more.c")"
    attack "$who" taken
    told=$(found "$who" FORBIDDEN "$here/confined/taken.c")
    say "$who: nor does a worker that was taken over reach anybody" "${told}$(grep -m 1 '"kind": "assertion"' "$who/out")"
    attack "$who" taken worker
    told=$?
    say "$who: nor does it take others down" "$([ $told = 1 ] || echo "status $told: $(tail -n 1 "$who/err")"; grep -m 1 '"kind": "assertion"' "$who/out")"
    say "$who: nor change what was written before it" "$([ "$(head -n 1 "$who/err")" = before ] || head -n 1 "$who/err")"
    (cd "$who/given" && as "$who" "$limited" 60 "$HEDDLE" build wild.c >/dev/null 2>&1) # compiling is in the time
    go_wild_as "$who"
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
[ "$(id -u)" != 0 ] || try_as somebody # not nobody, who gets no namespaces

# Descriptors that the caller left open are not the program's: there it finds none.
mkdir inherited
cat >inherited/write.c <<'C'
#include <heddle.h>
extern long __write(int, const void *, unsigned long);
int main(void) {
    char x;
    heddle_input(x);
    if (x == 'x') {
        __write(5, "gone", 4);
        __write(850, "gone", 4);
        __write(1000, "gone", 4);
    }
    return 0;
}
C
echo data >inherited/file
for way in "run -q -o out write.c" "run -q --partition ssp -o out write.c" "replay out 1" "replay out 2"; do
    # shellcheck disable=SC2086
    (cd inherited && "$limited" 60 "$HEDDLE" $way $([[ $way == run* ]] && echo --external __write) 5>>file 850>>file 1000>>file >/dev/null 2>&1)
done
say "descriptors of the caller are closed" "$([ "$(cat inherited/file)" = data ] || echo "something was written")"

# What a function of the library does is told where the program calls it, whatever was on the stack before.
mkdir lines
cat >lines/lines.c <<'C'
#include <heddle.h>
#include <stdlib.h>
#include <utmp.h>
#include <wordexp.h>
static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
static int deep(int *v, int n) {
    volatile char room[64] = {1};
    qsort(v, (size_t)n, sizeof *v, compare);
    return n > 0 ? deep(v, n - 1) + room[0] : 0;
}
static void log_in(void) {
    struct utmp u = {0};
    login(&u); // FORBIDDEN
}
static void expand(void) {
    wordexp_t w;
    wordexp("$(ls)", &w, 0); // FORBIDDEN
}
int main(void) {
    int v[8] = {5, 3, 7, 1, 2, 9, 4, 6};
    unsigned char x;
    heddle_input(x);
    deep(v, 8);
    if (x == 1)
        log_in();
    if (x == 2)
        expand();
    return 0;
}
C
(cd lines && "$limited" 60 "$HEDDLE" run -q --json --external login,wordexp lines.c >out 2>/dev/null)
say "what a library function does is told at the program's line" "$(found lines FORBIDDEN lines/lines.c)"

# Memory without an end is a finding of that execution, and the run goes on.
mkdir eating
cat >eating/eat.c <<'C'
#include <heddle.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char x, *p;
    heddle_input(x);
    for (int i = 0; x == 7 && i < 1024; i++)
        if ((p = malloc(1 << 20)))
            memset(p, 1, 1 << 20);
    heddle_reach(x > 7 ? "more" : "less");
    return 0;
}
C
(cd eating && "$limited" 120 "$HEDDLE" run -q --no-leaks --max-memory 100M eat.c >out 2>&1)
say "who takes too much memory is ended" "$(grep -q 'was killed; it had .* GB of memory' eating/out && grep -q '^complete: every path' eating/out || tail -n 3 eating/out)"

# Files that a program may make it makes, as if there were no walls; those that it may not, it may not.
for who in root somebody; do
    [ -d "$who/given" ] || continue
    cat >"$who/given/making.c" <<'C'
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    FILE *f = fopen("new", "w");
    heddle_assert(f && fputs("word", f) >= 0 && fclose(f) == 0 && access("new", W_OK) == 0);
    heddle_assert(access("making.c", W_OK) == 0 && mkdir("folder", 0700) == 0 && unlink("making.c") == 0);
    int kept = open("/etc/passwd", O_WRONLY);
    heddle_assert(geteuid() == 0 ? kept >= 0 : kept < 0 && errno == EACCES);
    heddle_assert(access("/proc/sys/kernel/ostype", W_OK) < 0 || geteuid() == 0);
    return 0;
}
C
    [ "$who" = root ] || chown 12345:12345 "$who/given/making.c"
    for how in "" "--allow all"; do
        # shellcheck disable=SC2086
        say "$who: files are made as without walls${how:+ ($how)}" "$(cd "$who/given" && as "$who" "$limited" 60 "$HEDDLE" run -q $how -o ../making making.c 2>&1 | grep -q '^complete: .*nothing was found' || echo "they are not"; ls "$work/$who/given/new" 2>/dev/null)"
    done
done

# An ordinary user's program that asks who owns a file is told who does, and not what a namespace makes of it.
if [ "$(id -u)" = 0 ]; then
    cat >somebody/given/owner.c <<'C'
#include <heddle.h>
#include <sys/stat.h>
int main(void) {
    struct stat of_system, own;
    heddle_assert(stat("/etc/passwd", &of_system) == 0 && of_system.st_uid == 0);
    heddle_assert(stat("owner.c", &own) == 0 && own.st_uid == 12345 && own.st_gid == 12345);
    return 0;
}
C
    chown 12345:12345 somebody/given/owner.c
    say "owners of files are who they are" "$(cd somebody/given && as somebody "$limited" 60 "$HEDDLE" run -q -o ../owner owner.c 2>&1 | grep -q '^complete: ' || echo "they are not")"
fi

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

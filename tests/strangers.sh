#!/bin/bash
# What strangers bring, beyond the attacks of tests/confined.sh: every number of a system call by every way to make one, programs that
# use the system's own files, services and the processor's modes, debuggers that run scripts of an image, run directories that say
# what they are allowed, names that are to become code in what is written.
#
#     HEDDLE=build/heddle tests/strangers.sh      prints "ok - NAME" or "not ok - NAME: reason"
#
# They aim at files and at a process that this test makes, and at nothing else.  As root the programs run as an ordinary user too.
. "$(dirname "$0")/tool/script.sh"
TMPDIR=/tmp enter # an ordinary user cannot enter the directory that tests/run makes
echo 'int main(void) { return 0; }' >plain.c
"$HEDDLE" run -v -q -o probe plain.c 2>&1 | grep -q 'is confined by: seccomp.*landlock' || {
    skip "strangers are confined" "this kernel has neither seccomp nor landlock, or not both"
    exit 0
}
sleep 3600 &
prey=$!
trap 'kill $prey 2>/dev/null; rm -rf "$work"' EXIT

prepare() {
    mkdir -p "$1/given/.git" "$1/victim/folder" "$1/cache"
    echo data >"$1/victim/file"
    cp "$here"/confined/{numbers,strange}.c "$1/given"
    [ "$1" = root ] || chown -R 12345:12345 "$1"
    chmod 755 . "$1"
}
look() { (cd "$1" && find victim -exec stat -c '%n %U %a %Y %s' {} + && sha256sum victim/file) 2>&1; }
# as USER COMMAND...
as() {
    local who=$1
    shift
    if [ "$who" = root ]; then "$@"; else setpriv --reuid=12345 --regid=12345 --clear-groups env HOME="$PWD/.." XDG_CACHE_HOME="$PWD/../cache" "$@"; fi
}
# The calls that came back, by their names: none of a program's own.  336 is uprobe, which kernels from 6.14 on do not show to filters; it
# does nothing for who is not probed, and so does uretprobe.  The others are what a worker has (confine/filter.c), all with
# arguments that mean nothing: what is looked at is the list.
open_calls='access alarm brk clock_getres clock_gettime clock_nanosleep clone3 close close_range dup dup2 dup3 faccessat faccessat2 fadvise64 fstat fstatfs futex futex_waitv get_robust_list getcpu getcwd getdents64 getegid geteuid getgid getgroups getitimer getpgid getpgrp getpid getppid getpriority getrandom getrlimit getrusage getsid gettid gettimeofday getuid lseek lstat madvise membarrier mincore mmap mprotect mremap munmap nanosleep newfstatat poll ppoll pread64 preadv process_vm_readv read readlink readlinkat readv recvfrom recvmsg rseq rt_sigaction rt_sigpending rt_sigprocmask sched_getaffinity sched_yield sendmsg sendto set_robust_list set_tid_address setitimer sigaltstack stat statfs statx sysinfo tgkill time times uname wait4 waitid write writev'
came_back() { python3 - "$1" "$open_calls" <<'P'
import json, re, sys
names = {}
for line in open('/usr/include/x86_64-linux-gnu/asm/unistd_64.h'):
    if m := re.match(r'#define __NR_(\w+) (\d+)', line):
        names[int(m[2])] = m[1]
run = json.load(open(sys.argv[1]))
back = [(l.split()[0], int(l.split()[-1])) for l in run['labels'] if 'came back' in l]
own = [names.get(n, n) for way, n in back if way != 'there' and n != 336]
there = ' '.join(sorted(names.get(n, str(n)) for way, n in back if way == 'there' and n != 336))
if own:
    print(f'by hand: {own}')
elif there != sys.argv[2]:
    print(f'not as it should be: {there}')
elif run['executions'] < 2560:
    print(f"only {run['executions']} executions")
P
}
try_as() {
    local who=$1 before status
    prepare "$who"
    before=$(look "$who")
    (cd "$who/given" && as "$who" "$limited" 120 "$HEDDLE" run -q --no-leaks --json -o ../numbers numbers.c >../out 2>../err)
    say "$who: every number of a system call is refused, but those of the list to the worker itself" "$(came_back "$who/out" 2>&1 | tail -n 1)$(grep -m 1 'internal error' "$who/err")"
    (cd "$who/given" && as "$who" "$limited" 120 "$HEDDLE" run -q --no-leaks --json -o ../strange -DVICTIM="\"$work/$who/victim\"" strange.c -- $prey >../out 2>../err)
    status=$?
    say "$who: nor do system files, services, modes of the processor and what comes after main lead out" \
        "$([ $status = 1 ] || echo "status $status: $(tail -n 1 "$who/err")"; grep -m 1 'internal error' "$who/err"; grep -q '"all were tried"' "$who/out" || echo "not all were tried"; grep -m 1 '"kind": "assertion"' "$who/out")"
    say "$who: files are as they were, and so is the process" "$(diff <(echo "$before") <(look "$who") | sed -n 2p; kill -0 $prey 2>&1)"
}
try_as "$([ "$(id -u)" = 0 ] && echo root || id -un)"
[ "$(id -u)" != 0 ] || try_as somebody

# gdb is not confined: it runs no script that an image or a directory brings, also for who lets it run scripts from anywhere.
mkdir -p debugged/home
cat >debugged/scripts.c <<'C'
#include <heddle.h>
__asm__(".pushsection \".debug_gdb_scripts\", \"MS\",%progbits,1\n.byte 4\n.ascii \"gdb.inlined\\n\"\n"
        ".ascii \"open('image-was-here', 'w')\\n\"\n.byte 0\n.popsection");
int main(void) {
    int x;
    heddle_input(x);
    heddle_assert(x != 5);
    return 0;
}
C
echo 'set auto-load safe-path /' >debugged/home/.gdbinit
echo 'shell touch directory-was-here' >debugged/.gdbinit
# found DIR: the test of its first finding.
found() { "$HEDDLE" findings --json "$1" | sed -n 's/.*"test": *\([0-9]*\).*/\1/p' | head -n 1; }
if command -v gdb >/dev/null; then
    (cd debugged && "$HEDDLE" run -q -o out scripts.c >/dev/null 2>&1
        HOME=$PWD/home "$limited" 60 "$HEDDLE" replay out "$(found out)" --gdb </dev/null >told 2>&1)
    say "gdb runs nothing that a program brings" "$(grep -q 'finding: "assertion' debugged/told || tail -n 1 debugged/told; cd debugged && ls ./*-was-here 2>/dev/null)"
else
    skip "gdb runs nothing that a program brings" "there is no gdb"
fi

# What a run directory says it is allowed opens nothing to who has not said it himself.
mkdir brought
cat >brought/all.c <<'C'
#include <heddle.h>
#include <wordexp.h>
int main(void) {
    int x;
    static wordexp_t words;
    heddle_input(x);
    if (x == 5) {
        wordexp("$(touch was-here)", &words, 0);
        heddle_assert(0);
    }
    return 0;
}
C
cd brought || exit 1
HEDDLE_CACHE=$PWD/theirs "$limited" 60 "$HEDDLE" run -q --allow all --external wordexp -o out all.c >/dev/null 2>&1
number=$(found out)
could=$([ -e was-here ] || echo "the program itself was not run")
rm -f was-here
for command in "replay out $number" "replay out $number --trace" "report out" "cover out" "obligations out" "reduce out -o less" "run --resume out"; do
    # shellcheck disable=SC2086
    HEDDLE_CACHE=$PWD/ours "$limited" 60 "$HEDDLE" $command >told 2>&1 </dev/null
    case $command in
    report*) ;; # which says what tests did, not how
    *) grep -q "'--allow all' of .*somebody else, or " told || could="$could $command: nothing was said;" ;;
    esac
    [ ! -e was-here ] || could="$could $command;"
    rm -f was-here
done
say "a run directory opens nothing by itself" "$could"
HEDDLE_CACHE=$PWD/ours "$limited" 60 "$HEDDLE" run -q --resume out --allow all >told 2>&1
HEDDLE_CACHE=$PWD/ours "$limited" 60 "$HEDDLE" replay out "$number" >told 2>&1
say "who says so opens it" "$([ -e was-here ] || tail -n 2 told)"
rm -f was-here
HEDDLE_CACHE=$PWD/theirs "$limited" 60 "$HEDDLE" replay out "$number" >told 2>&1
say "and so it is for who made the run" "$([ -e was-here ] || tail -n 2 told)"
# What was said of one program was not said of another.
sed 's/x == 5/x == 6/' all.c >other.c
HEDDLE_CACHE=$PWD/theirs "$limited" 60 "$HEDDLE" run -q --allow all --external wordexp -o other other.c >/dev/null 2>&1
rm -f was-here
HEDDLE_CACHE=$PWD/ours "$limited" 60 "$HEDDLE" replay other "$(found other)" >told 2>&1
say "another program is not opened" "$([ ! -e was-here ] && grep -q 'somebody else' told || tail -n 2 told)"
cd .. || exit 1

# Links, devices and pipes where a run directory has files: nothing that they lead to is changed, read without an end or waited for.
mkdir -p linked/victim
cat >linked/reads.c <<'C'
#include <heddle.h>
#include <stdio.h>
int main(void) {
    char x;
    heddle_input(x);
    return getchar() == 'z' && x > 3;
}
C
echo data >linked/victim/file
cd linked || exit 1
echo zzz | "$limited" 60 "$HEDDLE" run -q -o whole reads.c >/dev/null 2>&1
bad=
for file in stdin module/image module/types module/sources module/fingerprint run.db; do
    for kind in link pipe device; do
        for command in "replay out 1" "report out" "run -q -o out reads.c"; do
            rm -rf out && cp -r whole out && rm out/$file
            case $kind in link) ln -s "$PWD/victim/file" out/$file ;; pipe) mkfifo out/$file ;; device) ln -s /dev/zero out/$file ;; esac
            # shellcheck disable=SC2086
            echo yyy | (ulimit -v 20000000000 && timeout 30 "$HEDDLE" $command >told 2>&1)
            [ $? -lt 124 ] && ! grep -q 'internal error\|out of memory' told && [ "$(cat victim/file)" = data ] || bad="$bad $kind $file, $command;"
            echo data >victim/file
        done
        [ $kind = link ] || [ "${SOAK:-}" ] || [ $file = module/image ] || break # the rest in make soak
    done
done
say "what stands in a run directory for a file is not followed" "$bad"
cd .. || exit 1

# Names and arguments that would be code in an exported test, and would be pages in a report.
mkdir named
cat >named/names.c <<'C'
#include <heddle.h>
int main(void) {
    char b[1];
    heddle_bytes(b, 1, "*/ int evil = 1; /* \\\n*\\/ evil *\x01/ evil *?\?/\n/ evil \"); evil(); (\" \n#error evil\n");
    heddle_reach("</script><script>evil()</script><img src=x onerror=evil()>");
    heddle_assert(b[0] != 5);
    return 0;
}
C
cd named || exit 1
"$HEDDLE" run -q -o out names.c -- '*/ evil /*' $'\n#error evil\n' '*\/ evil' >/dev/null 2>&1
"$HEDDLE" export --c out -o tests >/dev/null
gcc -w -I "$top/include" -o run tests/test_0002.c names.c 2>errors && ./run >/dev/null 2>&1
status=$?
"$HEDDLE" report out -o page.html >/dev/null
say "names do not become code" "$([ $status = 0 ] || echo "status $status: $(head -n 1 errors)"; [ -s page.html ] || echo "no page"; grep -m 1 '<script>evil\|<img src=x' page.html)"
exit $((failures > 0))

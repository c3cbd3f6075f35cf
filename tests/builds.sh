#!/bin/bash
# Builds: what make, archives and libraries have made with 'heddle cc' is an ordinary program, and is explored from its sources.
#
#     HEDDLE=build/heddle tests/builds.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter

# Each source has macros and folders of its own; names have blanks, quotes and backslashes; the compiler runs in other folders than this one.
mkdir -p project/src project/include "project/more headers"
cat >project/src/main.c <<'C'
#include "limits.inc"
#include <stdio.h>
#include <string.h>
int scale(int);
int main(void) {
    int c = getchar();
    printf("%s %d\n", WORDS, scale(c == EOF ? 2 : c));
    return strcmp(WORDS, "a \"b\" \\c") ? 3 : 0;
}
C
cat >project/src/scale.c <<'C'
#include <assert.h>
#include <scale.h>
int scale(int x) {
    assert(x != 'q'); // BUG
    return x * FACTOR + OFFSET;
}
C
echo '#define LIMIT 7' >project/src/limits.inc
echo '#define OFFSET 1' >project/include/scale.h
echo '#define FACTOR 3' >"project/more headers/factor.h"
cat >project/Makefile <<'M'
all: program
program: src/main.o libscale.a
	$(CC) -o $@ $^
src/main.o: src/main.c
	cd src && $(CC) -O2 -g0 -Wall -Wextra -DWORDS='"a \"b\" \\c"' -DFACTOR=1 -MMD -MF main.d -c main.c -o main.o
libscale.a: src/scale.c
	$(CC) -O3 -Iinclude -include 'more headers/factor.h' -fstack-protector-strong -D_FORTIFY_SOURCE=2 -c $< -o src/scale.o
	ar rcs $@ src/scale.o
M
make -s -C project CC="$HEDDLE cc" >out 2>&1
status=$?
say "make builds with heddle cc" "$([ $status -eq 0 ] || tail -n 1 out)"
say "what it builds is an ordinary program" "$([ "$(project/program </dev/null)" = 'a "b" \c 7' ] || project/program </dev/null)"
say "heddle cc is clang" "$(diff <("$HEDDLE" cc --version) <(clang-19 --version) | head -n 1)"
"$HEDDLE" cc -c nowhere.c >out 2>&1
say "heddle cc fails as clang does" "$([ $? -eq 1 ] && grep -q "no such file or directory: 'nowhere.c'" out || tail -n 1 out)"

cat >driver.c <<'C'
#include <heddle.h>
int scale(int);
int main(void) {
    int x;
    heddle_input(x);
    heddle_assume(x >= 0 && x < 1000);
    return scale(x) == 0;
}
C
cd project || exit 1
is() { # is NAME STATUS PATTERN -- ARGUMENTS: of heddle
    local name=$1 wanted=$2 pattern=$3
    shift 4
    "$limited" 60 "$HEDDLE" "$@" >../out 2>&1 </dev/null
    local status=$?
    say "$name" "$([ $status -eq "$wanted" ] && grep -qE -- "$pattern" ../out || { echo "status $status: $(tail -n 1 ../out)"; })"
}
is "a program is explored from its sources" 1 '^ *at: src/scale\.c:4 in scale' -- run -o ../program.run --stdin 1 program
say "each source has its own options" "$("$limited" 60 "$HEDDLE" replay ../program.run all 2>/dev/null |
    awk '/^a "b" .c / {n++; if (($NF - 1) % 3) print} END {if (!n) print "no test printed anything"}')"
say "no other status: words and macros are those of the build" "$(grep -q 'complete: every path' ../out || tail -n 1 ../out)"
is "the same module again" 0 '^module: ' -- build program
is "an archive beside a driver" 1 "src/scale\.c:4 in scale" -- run -o ../archive.run ../driver.c libscale.a
is "an object file and a function of it" 1 'src/scale\.c:4 in scale' -- run -o ../object.run --function scale src/scale.o
is "a function of a program that has a main" 1 'src/scale\.c:4 in scale' -- run -o ../function.run --function scale program
is "coverage of a program" 0 'src/scale\.c' -- cover ../program.run
is "options of the command line have the last word" 0 'complete' -- run -q -o ../last.run -DNDEBUG --function scale src/scale.o -std=gnu11 --checks none
touch -d '+1 hour' src/main.c
is "a source that is newer is said" 1 "'src/main\.c' is newer than 'program'" -- run -o ../newer.run --stdin 1 program

# A node of a scenario is such a program too.
cat >net.yaml <<'Y'
nodes:
  - name: one
    program: program
    stdin: q
Y
is "a node is a program that was built" 1 'src/scale\.c:4' -- run -o ../net.run --net net.yaml

# What cannot be gathered is one sentence.
strip -o stripped program
is "a program without debug information" 2 "'stripped' does not say what it was made of" -- run stripped
gcc -g -DFACTOR=1 -Iinclude -c src/scale.c -o other.o
is "an object of another compiler" 2 "'other\.o' does not say what it was made of" -- run other.o
"$HEDDLE" cc -o mixed src/main.o other.o
is "part of a program is of another compiler" 3 "note: not gathered, .*'src/scale\.c'" -- run -o ../part.run --stdin 1 mixed
printf '#!/bin/sh\n' >script
is "a script" 2 "'script' is a script" -- run script
printf '\177ELF nothing' >broken
is "a damaged program" 2 "cannot read the debug information of 'broken'" -- run broken
mv src/scale.c src/elsewhere.c
is "a source that is gone" 2 "cannot read '.*src/scale\.c', which 'program' was made of" -- run program
mv src/elsewhere.c src/scale.c

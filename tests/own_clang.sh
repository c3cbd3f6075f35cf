#!/bin/bash
# The clang that is linked into heddle-compile (src/compile/compiler/own_clang.h) against clang-19: the same bytes for programs of all kinds, the same
# words where something is wrong with them, and none where another clang-19 comes first.
#
#     HEDDLE=build/heddle tests/own_clang.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
compile=$(realpath "$(dirname "$HEDDLE")/heddle-compile")
if [ ! -e "$(llvm-config-19 --libdir)/libclangCodeGen.a" ]; then
    skip "the clang that is linked in" "libclang-19-dev is not installed"
    exit 0
fi
enter
# Another clang-19, for who looks at its place; it says that it was asked.
mkdir other
printf '#!/bin/sh\necho asked >>"%s"\nexec "%s" "$@"\n' "$work/asked" "$(command -v clang-19)" >other/clang-19
chmod +x other/clang-19

# make_by PATH ARGUMENT...: what comes of it is in made.
make_by() {
    rm -rf made && mkdir made
    PATH=$1 "$limited" 60 "$compile" --output="$work/made" "${@:2}" 2>made/said
    echo "status $?" >>made/said
}

# same NAME ARGUMENT...: both make the same, and only one of them starts a clang-19.  (What is kept has its names from the clang that made it.)
same() {
    local reason='' asked
    rm -rf first asked
    make_by "$PATH" "${@:2}" --allow=write="$work" && mv made first
    make_by "$work/other:$PATH" --allow=write="$work" "${@:2}"
    [ -e asked ] || reason="another clang-19 that comes first is not used"
    asked=$(diff -rq first made 2>&1) || reason=$(head -n 1 <<<"$asked")
    say "$1" "$reason"
}

some=$(find "$top/tests/programs" -name '*.c' | sort | xargs grep -lE '^[ /]\* (run|paths):' | awk 'NR % 23 == 7')
for source in $some; do
    same "the same image of ${source#"$top/"}" --option=-w "$source"
done
cat >two.c <<'END'
int other(int);
int main(void) { return other(3); }
END
cat >other.c <<'END'
#ifdef SOME
#include "some.h"
#endif
int other(int x) { return x / VALUE; }
END
echo '#define VALUE 3' >some.h
same "two sources, options and a header" --option=-DSOME --option=-I. two.c other.c
same "a header by an option, and no passes" --option=-include --option=some.h --option=-O0 two.c other.c
same "counters and what they mean" --option=-fprofile-instr-generate --option=-fcoverage-mapping --option=-DVALUE=1 two.c other.c
same "several programs" --program=a --option=-DVALUE=1 two.c other.c --program=b --option=-DVALUE=2 two.c other.c
# Two at a time would say in any order what is wrong: one source.
same "what is wrong in a source" other.c
same "a header that is not there" --option=-DSOME --option=-DVALUE=1 --option=-Ielsewhere --option=-include --option=none.h other.c
same "an option that clang does not know" --option=-fno-such-thing other.c
same "an option for LLVM" --option=-DVALUE=1 --option=-mllvm --option=-enable-name-compression=false two.c other.c
printf 'int main(void) { int unused; char c = 300; return undeclared(); }\n' >warned.c
same "warnings" --option=-Wall warned.c
same "warnings that are errors" --option=-Wall --option=-Werror warned.c

# started_by OPTION: how many clang-19 are started.
started_by() {
    strace -f -qq -e trace=execve -e status=successful -o trace "$compile" --output="$work/made" --option=-DVALUE=1 "--option=$1" two.c other.c >/dev/null 2>&1
    grep -c 'execve(.*clang-19"' trace
}
say "it is used" "$([ "$(started_by -w)" = 0 ] || echo "clang-19 is started")"
# What it leaves to clang-19: that is started then.
say "a question is left to clang-19" "$([ "$(started_by -v)" = 2 ] || echo "started: $(cut -c 1-80 trace | head -n 1)")"
make_by "$PATH" --option=-DVALUE=1 --option=-v two.c other.c
say "a question about clang is clang-19's" "$(grep -q 'InstalledDir' made/said || head -n 1 made/said)"
exit $((failures > 0))

#!/bin/bash
# Files: what programs see of them is what Linux shows, and nothing of it reaches the disk.
#
#     HEDDLE=build/heddle tests/files.sh      prints "ok - NAME" or "not ok - NAME: reason"
. "$(dirname "$0")/tool/script.sh"
enter
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- # numbers of descriptors are compared: none is left open by who called

mkdir native here
gcc -w -o calls "$here/files/calls.c" || exit 1
(cd native && ../calls >../expected 2>/dev/null)
(cd here && "$limited" 120 "$HEDDLE" run -q -o ../run "$here/files/calls.c" >../out 2>&1)
status=$?
(cd here && "$limited" 120 "$HEDDLE" replay ../run 1 2>/dev/null | grep -v -e '^test 1 ended' -e '^the same trace') >seen
say "files are written nowhere" "$(ls -A here | head -n 1)"
say "a program of files is explored" "$([ $status -eq 0 ] || tail -n 1 out)"
say "functions over files answer as on Linux" "$(diff expected seen | sed -n 2p)"

# Content of the host is seen, also if it changes meanwhile; what is written over it is not.
printf 'one two' >here/text
chmod 644 here/text
cat >read.c <<'C'
#include <assert.h>
#include <heddle.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char x, word[8] = "";
    struct stat s;
    FILE *f = fopen("text", "r+");
    heddle_input(x);
    assert(f && fscanf(f, "%7s", word) == 1);
    assert(word[0] == 'o' && word[2] == 'e');
    rewind(f);
    fputc(x, f);
    rewind(f);
    if (fgetc(f) == 'Z')
        heddle_reach("changed");
    fclose(f);
    assert(stat("text", &s) == 0 && (s.st_mode & 0777) == 0644);
    assert(chmod("text", 0640) == 0 && stat("text", &s) == 0 && s.st_mode == (S_IFREG | 0640));
    assert(chown("text", s.st_uid, s.st_gid) == 0 && stat("text", &s) == 0 && s.st_mode == (S_IFREG | 0640));
    assert(s.st_size == 7 && s.st_ctim.tv_sec == s.st_mtim.tv_sec && s.st_ctim.tv_nsec == s.st_mtim.tv_nsec);
    return 0;
}
C
(cd here && "$limited" 60 "$HEDDLE" run -o ../run ../read.c >../out 2>&1)
status=$?
say "a file of the host is read, and changed for one execution only" \
    "$([ $status -eq 0 ] && grep -q "'changed'" out && grep -q '^complete' out || tail -n 1 out)"
say "the file of the host stays as it was" "$([ "$(cat here/text)" = 'one two' ] || cat here/text)"

# What is too large is not read.
truncate -s 1G here/large
cat >large.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char c;
    printf("%ld\n", (long)read(open("large", O_RDONLY), &c, 1));
    return 0;
}
C
(cd here && "$limited" 60 "$HEDDLE" run -o ../run ../large.c >../out 2>&1)
say "a file that is too large ends the execution" "$(grep -q 'a file of more than' out || tail -n 1 out)"
rm here/large

# Descriptors of Heddle's own are none of the program's: not even by functions nobody has modelled.
cat >stray.c <<'C'
#define _GNU_SOURCE
#include <heddle.h>
#include <sys/types.h>
#include <sys/uio.h>
ssize_t __pwrite64(int, const void *, size_t, off_t); /* the C library's own name: it has no model */
int main(void) {
    unsigned char x;
    char z[64] = {0};
    struct iovec v = {z, 64};
    heddle_input(x);
    for (int i = 3; i < 30; i++) {
        pwritev(i, &v, 1, 0);
        if (HARD)
            __pwrite64(i, z, 64, 0);
    }
    heddle_assert(x != 9);
    return 0;
}
C
# Whatever is allowed: the descriptors are not there.  Where nothing is, the call itself is refused.
for way in "0 assertion" "1 forbidden" "1 assertion --allow all"; do
    read -r hard kind allow <<<"$way"
    # shellcheck disable=SC2086
    "$limited" 60 "$HEDDLE" run -q $allow --external __pwrite64 -DHARD=$hard -o stray stray.c >out 2>&1
    number=$(sed -n 's/.*test \([0-9]*\)).*/\1/p' out | head -n 1)
    "$HEDDLE" findings stray >before 2>&1
    "$limited" 60 "$HEDDLE" replay stray "${number:-1}" >out 2>&1
    "$HEDDLE" findings stray >after 2>&1
    say "a replay cannot write to its record (HARD=$hard${allow:+ $allow})" \
        "$(grep -q "^#1 $kind" before && { grep -q "$kind\|is forbidden" out || tail -n 1 out; } && diff before after | sed -n 2p || head -n 1 before)"
done

# A terminal is one, and what is none is not.
cat >terminal.c <<'C'
#include <heddle.h>
#include <unistd.h>
int main(void) {
    int p[2];
    pipe(p);
    heddle_reach(isatty(p[0]) || isatty(99) ? "a pipe" : isatty(0) == 1 && isatty(1) == 1 ? "terminal" : "none");
    return 0;
}
C
script -qec "'$HEDDLE' run -o run terminal.c" /dev/null </dev/null >out 2>&1
say "standard input of a terminal is one" "$(grep -q "'terminal'" out || tail -n 3 out | paste -sd ' ')"
"$HEDDLE" run -o run terminal.c </dev/null >out 2>&1
say "standard input that is no terminal is none" "$(grep -q "'none'" out || tail -n 3 out | paste -sd ' ')"

# shellcheck shell=bash
# runs.sh -- what tests have in common whose runs are shared, killed and gone on with; they source it, and it sources script.sh:
#
#     make_programs INPUTS THREADS MESSAGES MIXED
#                 writes inputs.c, threads.c, messages.c and mixed.c: about a thousand paths each (mixed.c fewer), so that there is something
#                 to share.  The numbers say how slow each path is, in thousands of rounds of a loop; -DSLOW=N says otherwise: runs that
#                 others are compared with are not slow, and have the same paths.
#     explore     heddle run -q --tests all, to be run in the background, where $! is heddle itself
#     await_record, doze MILLISECONDS
#                 until there is something to go on with in "killed"; for 20 milliseconds and up to so many more
#     paths, verdict, number
#                 of a run that has ended
#     same        compares one with another that nobody disturbed
#
# $said is the file with the last words of a run that went wrong.
. "$(dirname "${BASH_SOURCE[0]}")/script.sh"
said=log

make_programs() {
    cat >slow.h <<'END'
static void be_slow(void) {
    volatile unsigned sink = 0;
    for (unsigned i = 0; i < SLOW * 1000; i++)
        sink += i;
}
END
    local name
    for name in inputs threads messages mixed; do
        printf '#ifndef SLOW\n#define SLOW %s\n#endif\n#include "slow.h"\n' "$1" >"$name.c"
        shift
    done
    cat >>inputs.c <<'END'
#include <heddle.h>
static volatile int sink;
int main(void) {
    unsigned char b[10];
    int n = 0;
    heddle_bytes(b, sizeof b, "b");
    be_slow();
    for (unsigned i = 0; i < sizeof b; i++)
        if (b[i] > 100 + i)
            sink = n++;
    heddle_assert(n != 10);
    return 0;
}
END
    cat >>threads.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int i = 1, j = 1;
static void *first(void *unused) {
    for (int k = 0; k < 4; k++)
        i += j;
    return unused;
}
static void *second(void *unused) {
    for (int k = 0; k < 4; k++)
        j += i;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    be_slow();
    assert(i < 55 || j < 34);
    return 0;
}
END
    cat >>messages.c <<'END'
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 4 };
int main(void) {
    int p[2];
    char c, last = 0;
    if (pipe(p))
        return 1;
    for (int i = 0; i < N; i++)
        if (fork() == 0)
            _exit(write(p[1], &"abcdefg"[i], 1) != 1);
    close(p[1]);
    while (read(p[0], &c, 1) == 1)
        last = c;
    for (int i = 0; i < N; i++)
        wait(0);
    be_slow();
    assert(last != 'a');
    return 0;
}
END
    # Threads that decide on inputs: such a search is split by its inputs.
    cat >>mixed.c <<'END'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *add(void *input) {
    if (*(unsigned char *)input > 9)
        sum += 1;
    else
        sum -= 1;
    return 0;
}
int main(void) {
    pthread_t t[3];
    unsigned char b[3];
    heddle_bytes(b, sizeof b, "b");
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, &b[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    be_slow();
    return sum;
}
END
}

explore() { exec "$HEDDLE" run -q --tests all "$@" >log 2>&1 </dev/null; }
# On a busy machine a run may take its time to begin.
await_record() { until "$HEDDLE" tests killed >/dev/null 2>&1; do sleep 0.01; done; }
doze() { sleep "0.$(printf %03d $((20 + RANDOM % $1)))"; }

# paths DIR [repeats]: the hashes of all recorded paths, in DIR.paths; false if there are none, or one twice that may not be.
paths() {
    "$HEDDLE" tests "$1" --json 2>/dev/null | grep -o '"path_hash":"[0-9a-f]*"' | sort >"$1.all"
    sort -u "$1.all" >"$1.paths"
    [ -s "$1.paths" ] && { [ "${2:-}" ] || [ -z "$(uniq -d "$1.all")" ]; }
}

# What `heddle run --json` says of a run; one that has not ended is gone on with.
summary() { "$HEDDLE" run --resume="$1" -j 1 --tests all --json </dev/null 2>log; }
verdict() { summary "$1" | grep -oE '"(complete|paths)": *[a-z0-9]+|"kind": *"[^"]*"' | sort -u; }
# number DIR NAME: a number of the summary.
number() { summary "$1" | grep -oE "\"$2\": *[0-9.]+" | grep -oE '[0-9.]+$'; }

# undisturbed NAME DIR [repeats]: DIR is what others are compared with.
undisturbed() {
    paths "$2" "${3:-}" || fail "$1" "undisturbed: no paths, or one twice: $(tail -n1 "$said")"
    verdict "$2" >"$2.verdict"
    grep -q '"complete": *true' "$2.verdict" || fail "$1" "undisturbed: not complete"
}

# same NAME DIR UNDISTURBED [repeats]: DIR has the paths and the verdict of the other run.
same() {
    if ! paths "$2" "${4:-}"; then
        fail "$1" "a path was recorded twice, or none: $(uniq -d "$2.all" | wc -l) of $(wc -l <"$2.all"); $(tail -n1 "$said")"
    elif ! cmp -s "$3.paths" "$2.paths"; then
        fail "$1" "$(comm -23 "$3.paths" "$2.paths" | wc -l) paths missing, $(comm -13 "$3.paths" "$2.paths" | wc -l) new"
    elif [ "$(verdict "$2")" != "$(cat "$3.verdict")" ]; then
        fail "$1" "another verdict: $(verdict "$2" | tr '\n' ' ')"
    else
        pass "$1"
    fi
}

#!/bin/bash
# heddle report: the page of a run, in a browser and without one; what hostile programs cannot do with it or with a terminal.
#
#     HEDDLE=build/heddle tests/report.sh      prints "ok - NAME" or "not ok - NAME: reason"
#
# The browser is Chromium (tools/browser installs it); without one those tests are skipped, and say so.  Screenshots are
# kept in SHOTS (default: the build's folder shots).
. "$(dirname "$0")/tool/script.sh"
SHOTS=${SHOTS:-$(dirname "$HEDDLE")/shots}
mkdir -p "$SHOTS"
enter

# has NAME PATTERN FILE, lacks NAME PATTERN FILE
has() { grep -qE -e "$2" "$3" && pass "$1" || fail "$1" "nothing matches '$2'"; }
lacks() { grep -qaP -e "$2" "$3" && fail "$1" "$(grep -aoP -m1 -e ".{0,40}$2" "$3" | cat -v)" || pass "$1"; }

cat >race.c <<'END_OF_SOURCE'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int balance, visits;
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static void *pay(void *amount) {
    pthread_mutex_lock(&door);
    visits++;
    pthread_mutex_unlock(&door);
    int before = balance;
    balance = before + *(int *)amount;
    return NULL;
}
int main(void) {
    pthread_t a, b;
    int first = 1, second = (int)heddle_choose(1, 3);
    pthread_create(&a, NULL, pay, &first);
    pthread_create(&b, NULL, pay, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 1 + second);
    return 0;
}
END_OF_SOURCE
"$HEDDLE" run -q -o race race.c >out 2>err
"$HEDDLE" report race >out 2>err || fail "a report is written" "$(head -n1 err)"
has "a report says where it is" '^report: race/report.html$' out
has "the page has its findings without scripts" 'id="finding-2".*assertion' race/report.html
has "and their source lines" '<span>    assert\(balance == 1 \+ second\);</span>' race/report.html
has "and the story" 'class="story".*' race/report.html
lacks "and asks nobody else for anything" '(src|href)="(https?:)?//|@import|url\(' race/report.html

# ---- sources that have changed ----
sed -i 's/visits++/visits += 1/' race.c
"$HEDDLE" report race -o changed.html >/dev/null 2>err
has "a source that has changed is said" 'This file has changed since' changed.html
has "and what is shown is what was compiled" '"    visits\+\+;"' changed.html
mv race.c gone.c
"$HEDDLE" report race -o gone.html >/dev/null 2>err
has "a source that is gone is said" 'This file is gone' gone.html
mv gone.c race.c
rm race/module/sources
"$HEDDLE" report race -o unkept.html >/dev/null 2>err
has "a run without copies of its sources says so" 'kept no copy' unkept.html

# ---- what can be wrong ----
# bad NAME PATTERN ARGUMENTS...
bad() {
    "$HEDDLE" "${@:3}" >out 2>err
    local status=$?
    [ $status -eq 2 ] && grep -q "^heddle: error: .*$2" err && grep -q '^  hint: ' err && pass "$1" || fail "$1" "status $status: $(head -n1 err)"
}
bad "a report of nothing" 'no run directory' report
bad "a report of no run" "no run of Heddle in '.*'" report nowhere
bad "a report of two runs" 'too many arguments' report race race
bad "a page that cannot be written" "cannot write '/nonexistent/x'" report race -o /nonexistent/x
cp -r race damaged && printf 'x%.0s' {1..4000} | dd of=damaged/run.db-wal bs=1 seek=9000 conv=notrunc 2>/dev/null
bad "a report of a damaged run" "damaged" report damaged
cp -r race without && rm -rf without/module
"$HEDDLE" report without -o without.html >out 2>err && has "a run without its module has its findings" 'The interleaving is not drawn' without.html ||
    fail "a run without its module has its findings" "$(head -n1 err)"
"$HEDDLE" report race --replay-time 0 -o idle.html >out 2>err
has "without time no test is run again" 'not drawn: the time for running tests again was over' idle.html

# ---- hostile programs ----
folder=$'<img src=x onerror=alert(1)>\e[31m'
mkdir "$folder"
cat >"$folder/evil.c" <<'END_OF_SOURCE'
#include <heddle.h>
#include <pthread.h>
/* </script><script>alert('source')</script> <!-- */
#define EVIL "\033]0;owned\007\033[2J</script><script>alert('label')</script>\"'><img src=x onerror=alert(2)>\nheddle: complete \342\200\256"
static int shared;
static void *work(void *unused) {
    shared++;
    return unused;
}
int main(void) {
    char bytes[2];
    pthread_t t;
    heddle_bytes(bytes, 2, EVIL);
    pthread_create(&t, NULL, work, NULL);
    shared++;
    pthread_join(t, NULL);
    heddle_reach(EVIL);
    if (bytes[0] == '<')
        heddle_error(EVIL);
    return 0;
}
END_OF_SOURCE
{
    "$HEDDLE" run -o evil "$folder/evil.c" -- "$(printf 'a\033[31m</code>')"
    "$HEDDLE" run -q -o evil "$folder/evil.c" -- "$(printf 'a\033[31m</code>')"
    "$HEDDLE" findings evil
    for i in 1 2 3; do "$HEDDLE" findings evil $i; "$HEDDLE" tests evil $i; "$HEDDLE" explain evil $i; "$HEDDLE" replay evil $i; "$HEDDLE" replay evil $i --trace; done
    "$HEDDLE" tests evil
    "$HEDDLE" run -o evil -v "$folder/evil.c"
    "$HEDDLE" report evil -o evil.html
    "$HEDDLE" findings $'no\e[31mrun'
    "$HEDDLE" $'\e[31m' --$'\e[31m'
    "$HEDDLE" run $'\e[31m.c'
} >said 2>&1
lacks "nothing of a hostile program drives the terminal" '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' said
lacks "nor does it make lines of its own" '^heddle: complete' said
has "its words are shown" '\\x1b\]0;owned' said
lacks "its words are no elements of the page" '<script>alert|<img' evil.html
lacks "nor control characters of it" '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae' evil.html
has "but they are in it" 'alert\(&#39;label&#39;\)' evil.html

# Forgetting it is seen: who prints, prints with hd_print, or what is written in the source itself.  Files for other tools
# (run_files.c) have escapes of their own formats.
grep -rnE '(^|[^a-z_])(vf?|f)?printf\(|(^|[^a-z_])f?puts\(' "$top/src/report" "$top/src/cli" --include='*.c' --exclude=run_files.c | grep -vE '(puts|printf)\($|puts\("|puts\((t->text, stdout|CLEAR, stdout|list->n)' >past
say "whatever is printed goes through one function" "$(head -n 2 past)"

# ---- large runs (docs/report.md has 10^5 executions) ----
{
    echo '#include <heddle.h>'
    echo 'int main(void) { long x = heddle_choose(0, 249); int n = 0;'
    for i in $(seq 0 249); do echo "if (x == $i) n++;"; done
    echo 'return n != 1; }'
} >large.c
"$HEDDLE" run -q -o large large.c >out 2>err
begun=$(date +%s%N)
"$HEDDLE" report large >out 2>err
took=$((($(date +%s%N) - begun) / 1000000)) size=$(stat -c %s large/report.html)
[ "$took" -lt 5000 ] && [ "$size" -lt 5000000 ] && [ "$("$HEDDLE" tests large | wc -l)" -ge 250 ] && pass "a large run: less than 5 s and 5 MB" ||
    fail "a large run: less than 5 s and 5 MB" "$took ms, $size bytes, $("$HEDDLE" tests large | wc -l) tests"

# ---- coverage, memory, ways that nobody took ----
cat >list.c <<'END_OF_SOURCE'
#include <heddle.h>
#include <stddef.h>
struct cell {
    signed char value;
    struct cell *next;
};
static int is_odd(int a, int b, int c) {
    if (a > 0 && (b > 0 || c == 7))
        return 1;
    if (a > 5 && a < 3)
        return 2;
    return 0;
}
int main(void) {
    struct cell *p;
    heddle_input(p);
    if (p == NULL)
        return 0;
    int odd = is_odd(p->value, p->value - 3, p->value + 6);
    if (p->next && p->next->next == p)
        heddle_error("a ring");
    return odd;
}
END_OF_SOURCE
"$HEDDLE" run -q --mcdc --tests all -o list list.c >out 2>err
"$HEDDLE" report list --cover >out 2>err || fail "a report with coverage" "$(head -n1 err)"
"$HEDDLE" obligations list --json >obligations.json 2>err
"$HEDDLE" cover list --lcov lcov.info --json >cover.json 2>err
"$HEDDLE" tests list --json >tests.json 2>err
python3 "$here/tool/check_page.py" list/report.html obligations.json cover.json lcov.info tests.json >told 2>err || fail "the data of the page is looked at" "$(tail -n1 err)"
cat told
failures=$((failures + $(grep -c '^not ok' told)))
"$HEDDLE" report list -o plain.html >out 2>err
lacks "without being asked there is none" 'id="coverage"' plain.html
sed -i 's/a < 3/a < 4/' list.c
"$HEDDLE" report list --cover -o changed.html >out 2>err
has "coverage of sources that changed is refused" 'There is no coverage here: .*list.c&#39; has changed' changed.html

# ---- threads that no test let go on ----
cat >orders.c <<'END_OF_SOURCE'
#include <pthread.h>
static int sum, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *count(void *unused) {
    __atomic_fetch_add(&other, 1, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_create(&c, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return sum + other != 3;
}
END_OF_SOURCE
"$HEDDLE" run -q --tests all -o orders orders.c >out 2>err
"$HEDDLE" run -q --tests all --por none -o every orders.c >out 2>err
"$HEDDLE" report orders >out 2>err && "$HEDDLE" report every >out 2>err
python3 "$here/tool/check_tree.py" orders/report.html every/report.html >told 2>err || fail "the tree is looked at" "$(tail -n1 err)"
cat told
failures=$((failures + $(grep -c '^not ok' told)))
"$HEDDLE" run -q --tests all -n 1 -o begun orders.c >out 2>err
"$HEDDLE" report begun >out 2>err
has "of a search that is not complete they may be open" '"other_turns":"open"' begun/report.html

# ---- in a browser ----
"$HEDDLE" run -q -o ring -n 200 --net "$top/examples/leader_udp/scenario.yaml" >out 2>err
"$HEDDLE" report ring >out 2>err
cp race.c again.c && "$HEDDLE" run -q -o again again.c >out 2>err && true
"$HEDDLE" report again >out 2>err
if python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import browser; sys.exit(browser.find() is None)' "$here/tool" 2>/dev/null; then
    python3 "$here/tool/drive_report.py" "$SHOTS" again/report.html ring/report.html evil.html large/report.html list/report.html orders/report.html >told 2>err || tail -n 3 err | sed 's/^/# /'
    cat told
    failures=$((failures + $(grep -c '^not ok' told)))
    grep -q '^ok - the browser is closed' told || fail "the page is driven to its end" "$(tail -n1 err)"
else
    for name in "from the summary to a line of source" "messages of processes" "a hostile page" "a large page" "coverage and memory" "threads that sleep"; do
        skip "$name, in a browser" "NO CHROMIUM: 'tools/browser' installs it"
    done
fi
[ "$failures" -eq 0 ]

#!/bin/bash
# The README tells the truth: its tour is what the tool prints, and its commands work.
cd "$(dirname "$0")/.." || exit 1
heddle=$(realpath "${HEDDLE:-build/heddle}")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

say() { # NAME STATUS
    if [ "$2" = 0 ]; then echo "ok - $1"; else echo "not ok - $1"; fi
}

# Everything but the lines that hold times.
timeless() {
    grep -vE '^(executions|time|solver) ' | sed 's/ *$//'
}

# What the README says that a command prints, up to the verdict.
told() { # FILE
    sed -n "/^    [$] heddle run examples.$1/,/^    complete/p" README.md | sed '1d; s/^    //' | timeless
}

# The chart in a document.
chart() { # FILE
    sed -n '/story: actor 1/,/X /p' "$1" | sed 's/^ *story: //; s/^ *//'
}

told bank.c >"$scratch/told"
told bank_threads.c >"$scratch/told_threads"
chart README.md >"$scratch/told_chart"
chart docs/messages.md >"$scratch/told_messages"
cp -r examples include "$scratch" && cd "$scratch" || exit 1
"$heddle" run examples/bank_threads.c 2>&1 | timeless >shown_threads
diff told_threads shown_threads >/dev/null
say "the tour with threads is what the tool prints" $?
"$heddle" run examples/shop.c >shop 2>&1
chart shop >shown_chart
[ -s shown_chart ] && diff told_chart shown_chart >/dev/null && diff told_messages shown_chart >/dev/null
say "the chart of the shop is what the tool draws" $?
"$heddle" run examples/bank.c 2>&1 | timeless >shown
diff told shown >/dev/null
say "the tour of the README is what the tool prints" $?

"$heddle" findings heddle-out >findings && grep -q 'bank.c:63' findings
say "heddle findings" $?
"$heddle" tests heddle-out >tests && [ "$(wc -l <tests)" = 4 ]
say "heddle tests" $?
"$heddle" replay heddle-out 1 >replay 2>&1 && grep -q "total() == before" replay
say "heddle replay" $?
"$heddle" export --c heddle-out -o tests-in-c >/dev/null && ls tests-in-c/*.c >/dev/null
say "heddle export --c" $?
file=$(ls tests-in-c/*3.c | head -n 1)
cc -Iinclude -o exported "$file" examples/bank.c 2>errors && ./exported >/dev/null 2>&1
say "an exported test compiles without Heddle and ends as recorded" $?
"$heddle" run -q -DFIXED -o fixed examples/bank.c >/dev/null 2>&1
say "the repaired bank is clean" $?
cat >half.c <<'END'
int half(int x) { return x / 2; }
END
"$heddle" run -q --function half -o half half.c >/dev/null 2>&1
say "heddle run --function" $?
"$heddle" run -q -n 2 -o part examples/bank.c >/dev/null 2>&1
"$heddle" run -q --resume part >resumed 2>&1
grep -q 'complete: every path' resumed
say "heddle run --resume" $?

#!/bin/bash
# One word for one thing, in src/: names of types and of files, numbered invariants, first words of comments.
#
#     tests/words.sh      prints "ok - NAME" or "not ok - NAME: reason"
#
# What may break a rule is on a list in tests/words/, a line each: what, and behind "#" why.  A line that is not needed
# any more fails too, so that the lists get shorter.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
lists=tests/words
failures=0

# check NAME: good if standard input is empty, which is read in whole.
check() {
    local wrong
    wrong=$(cat)
    if [ -z "$wrong" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1: $(head -n ${MOST:-3} <<<"$wrong" | paste -sd ";")"
        failures=$((failures + 1))
    fi
}

listed() { sed -E 's/[[:space:]]*(#.*)?$//; /^$/d' "$lists/$1" | sort -u; }

# against LIST WHAT: what breaks a rule is on standard input, first word of each line; all of it must be on the list, and
# nothing else may be.
against() {
    awk -v what="$2" 'FILENAME != "-" { allowed[$1]; next }
         !($1 in allowed) { print what ": " $0; next } { seen[$1] }
         END { for (a in allowed) if (!(a in seen)) print "not needed any more in tests/words: " a }' <(listed "$1") -
}

sources() { find src -name '*.[ch]' | sort; }

# Lines "KEY FILE..." of keys that stand before several files on standard input.
several() { sort -u | awk '{ n[$1]++; at[$1] = at[$1] " " $2 } END { for (k in n) if (n[k] > 1) print k at[k] }' | sort; }

# ---- types ----

# Lines "TYPE FILE": structs with their members, enumerations, and names of other types.
types() {
    sources | xargs awk '
        FNR == 1 { is_typedef = 0 }
        match($0, /^(typedef )?(struct|union|enum) [a-z_0-9]+ \{/) {
            name = $0; sub(/ \{.*/, "", name); sub(/.* /, "", name); print name, FILENAME
        }
        /^typedef / { is_typedef = 1 }
        is_typedef && /^\} [a-z_0-9]+;/ { name = $2; sub(/;.*/, "", name); print name, FILENAME }
        /^typedef .*;/ && !/^typedef (struct|union|enum) [a-z_0-9]+ [a-z_0-9]+;/ {
            name = $0; sub(/;.*/, "", name)
            sub(/ __attribute__.*/, "", name)
            if (name ~ /\(\*[a-z_0-9]+\)/) { sub(/.*\(\*/, "", name); sub(/\).*/, "", name) }
            else { if (name !~ /hd_vec\(|\{/) sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
            print name, FILENAME
        }
        /;[ \t]*(\/\*.*)?$/ && !/^[ \t]/ { is_typedef = 0 }'
}
types | several | against types "defined twice" | check "no name of a type is defined twice"
[ "$(types | wc -l)" -gt 400 ] || echo "only $(types | wc -l) types were found" | check "types are found"

# ---- files ----

sources | sed -E 's|(.*/)(.*)|\2 \1\2|' | several | against files "two files" | check "no file name is there twice"

# ---- invariants ----

# Lines "HEADER:NAME" of numbered invariants that no assertion cites: none in a file of the header's folder, nor in one that
# includes it.  HD_INVARIANT(NAME, ...), HD_CHECK_INVARIANT(NAME, ...), and the text of any other assertion.
uncited() {
    find src -name '*.h' -printf '%P\n' | sort | while read -r header; do
        names=$(sed -nE 's/^ \* ([A-Z][0-9]+)\. .*/\1/p' "src/$header")
        [ "$names" ] || continue
        citing=$({ find "src/$(dirname "$header")" -name '*.[ch]'; grep -rl "#include \"$header\"" src --include='*.[ch]'; } | sort -u)
        for name in $names; do
            grep -qE "INVARIANT\($name,|\"[^\"]*\b$name\b" $citing || echo "$header:$name"
        done
    done
}
uncited | against invariants "no assertion cites" | check "every numbered invariant of a header is cited by an assertion, or said to be seen otherwise"

# Lines "FOLDER:NAME HEADER" of numbered invariants: who cites one must mean one.
numbered() {
    find src -name '*.h' | sort | while read -r header; do
        sed -nE "s|^ \* ([A-Z][0-9]+)\. .*|${header%/*}:\1 $header|p" "$header"
    done
}
numbered | several | check "no folder has the name of an invariant in two headers"
grep -rnE '^( \*|/\*) .*[a-z.;)] [A-Z][0-9]+\. [A-Z]' src --include='*.h' | check "every numbered invariant begins a line"

# What a header promises and no assertion can see is no invariant: "Promise (TEST, ...): ..." names the tests that see it.
promised() { grep -rnoE '^ \* Promise\b[^:]*:' src --include='*.h'; }
promised | while IFS= read -r line; do
    tests=$(sed -nE 's/.* Promise \(([^)]*)\):$/\1/p' <<<"$line")
    [ "$tests" ] || echo "$line names no test"
    for test in ${tests//,/ }; do [ -e "$test" ] || echo "$line: there is no $test"; done
done | check "promises of headers name the tests that hold them"
[ "$(promised | wc -l)" -ge 20 ] || echo "only $(promised | wc -l)" | check "promises are found"

# Assertions for each 1,000 lines of code, in the rooms where a wrong state becomes a wrong verdict: at least 24.
density() {
    find "src/$1" -name '*.[ch]' -print0 | xargs -0 awk -v room="$1" -v least=24 '
        FNR == 1 { is_comment = 0 }
        { line = $0 }
        is_comment { is_comment = index(line, "*/") == 0; next }
        line ~ /^[ \t]*(\/\/.*)?$/ || line ~ /^[ \t]*\/\*.*\*\/[ \t]*$/ { next }
        line ~ /^[ \t]*\/\*/ { is_comment = index(line, "*/") == 0; next }
        { lines++; if (line ~ /(^|[^A-Z_])HD_(ASSERT|CHECK|INVARIANT|CHECK_INVARIANT|BUG)\(/) n++ }
        END { if (1000 * n < least * lines) printf "src/%s has %d in %d lines, %.1f\n", room, n, lines, 1000 * n / lines }'
}
for room in explore solve symbolic machine; do density $room; done | check "rooms of the search have 24 assertions for each 1,000 lines of code"

# ---- comments ----

# A comment begins with its noun: one that begins with a pronoun loses its subject when code moves.
pronouns='The same|It|Its|They|Their|Them|This|That|These|Those|Same|Ditto|Likewise|(Is|Was|Has|Does|Can|May|Could) it|(Are|Were|Have|Do) they'
riddles() {
    grep -rnE "(/\*+|//) *($pronouns)\b" src --include='*.[ch]' --include='*.def' | cut -d: -f1,2 |
        awk -F: '{ folder = $1; sub(/\/[^\/]*$/, "", folder); n[folder]++; at[folder] = at[folder] " " $1 ":" $2 }
                 END { for (f in n) print f, at[f] }' | sort
}
riddles | against comments "begins with a pronoun" | check "comments begin with their noun"

# ---- scripts ----

# Behind a script's `exit` tests stood once that nobody ran.  Where there is no shellcheck nothing is said.
unreached() {
    command -v shellcheck >/dev/null &&
        shellcheck --include=SC2317 --severity=info --format=gcc tests/*.sh tests/tool/*.sh tests/mutate | cut -d: -f1,2
}
unreached | check "every line of a script can be reached"

# ---- the glossary ----

glossary() { sed -nE 's/^\| ([^|]*[^ |]) +\|.*/\1/p' docs/glossary.md | sed 1d | tr ',' '\n' | sed 's/^ *//'; }
glossary | sort | uniq -d | check "no word has two entries in docs/glossary.md"
diff <(glossary) <(glossary | sort -f) | sed -n 's/^< /not in its place: /p' | check "words of docs/glossary.md are in order"

exit $((failures > 0))

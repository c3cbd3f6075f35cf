# changes.awk -- the changes of C files that tests/mutate tries.
#
#     awk -f changes.awk FILE.c...              lists them: "FILE:LINE KIND", the changed line and the line as it is, separated by tabs
#     awk -v on=LIST -f changes.awk FILE.c      the file with those of LIST in it, lines "LINE KIND NUMBER": each is made when its number is
#                                               asked for at run time (mutant.h), and nothing is changed otherwise
#
# A change deletes a statement, negates a condition or adds one to a constant.  Only inside functions: there lines are indented.

BEGIN {
    while (on && (getline row < on) > 0) {
        split(row, f, " ")
        number_of[f[1] " " f[2]] = f[3]
    }
}

function mutant(kind) { return on ? number_of[FNR " " kind] : "" }
function tell(kind, text) { if (!on) printf "%s:%d %s\t%s\t%s\n", FILENAME, FNR, kind, text, $0 }
function count(text, what) { return gsub(what, "&", text) }

# Where the first number of the line is that can be changed: sets at and width.  Not what must be known when it is compiled.
function find_constant(text) {
    if (text ~ /__builtin_frame_address/ || !match(text, /[ (=<>+-][0-9]+[;), ]/))
        return 0
    at = RSTART + 1
    width = RLENGTH - 2
    return index(text, "/*") == 0 || at < index(text, "/*")
}

# The line with a number that is one higher if the mutant is asked for; in a string it is the whole string.
function with_constant(text, k,    before, after, value) {
    before = substr(text, 1, at - 1)
    after = substr(text, at + width)
    value = substr(text, at, width)
    if (count(before, "\"") % 2 == 0)
        return before "(" value " + HD_MUTANT(" k "))" after
    match(before, /"[^"]*$/)
    tail = substr(before, RSTART)
    before = substr(before, 1, RSTART - 1)
    match(after, /^[^"]*"/)
    head = substr(after, 1, RLENGTH)
    return before "(HD_MUTANT(" k ") ? " tail (value + 1) head " : " tail value head ")" substr(after, RLENGTH + 1)
}

# A condition that is whole in this line: sets head, rest and tail.
function find_condition(text) {
    if (!match(text, /^ *(if|while) \(/) || text !~ /\)( {)?$/)
        return 0
    head = substr(text, 1, RLENGTH)
    rest = substr(text, RLENGTH + 1)
    tail = rest ~ / {$/ ? ") {" : ")"
    rest = substr(rest, 1, length(rest) - length(tail))
    return count(rest, "\\(") == count(rest, "\\)")
}

# A whole statement: the line before ends one too, and nothing is declared.
function is_statement(text) {
    return text ~ /;$/ && previous ~ /[;{})]$|:$/ && previous !~ /^ *(if|while|for|else)/ &&
        text !~ /^ *(return|break|continue|const|static|struct|hd_[a-z_]+ |u?int|bool|char|void|size_t|double|unsigned|for|goto|case|default)/
}

FNR == 1 { in_comment = 0 }
/^ *\/\*/ { in_comment = 1 }
in_comment { if (/\*\//) in_comment = 0; if (on) print; next }
!/^    / || /HD_ASSERT|HD_CHECK|HD_INVARIANT/ { previous = $0; if (on) print; next }
{
    text = $0
    deleted = is_statement($0)
    if (deleted) tell("delete", "")
    if (find_condition($0)) tell("negate", head "!(" rest ")" tail)
    if (find_constant($0)) {
        tell("constant", substr($0, 1, at - 1) (substr($0, at, width) + 1) substr($0, at + width))
        if (mutant("constant")) text = with_constant($0, mutant("constant"))
    }
    if (mutant("negate") && find_condition(text)) text = head "HD_MUTANT(" mutant("negate") ") != !!(" rest ")" tail
    if (mutant("delete") && deleted) text = "{ if (!HD_MUTANT(" mutant("delete") ")) " text " }"
    if (on) print text
    previous = $0
}

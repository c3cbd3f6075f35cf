# Flatten one JSON object to lines `path value`: {"a": {"b": [1, true]}} gives
#     a.b.0 1
#     a.b.1 true
# Strings come out as they stand, without their quotes.  Shell scripts then need only grep.

{ text = text $0 "\n" }

END {
    while (match(text, /^[ \t\r\n]*("([^"\\]|\\.)*"|[{}\[\],:]|[^ \t\r\n{}\[\],:"]+)/)) {
        token = substr(text, RSTART, RLENGTH)
        text = substr(text, RLENGTH + 1)
        sub(/^[ \t\r\n]+/, "", token)
        take(token)
    }
}

function take(token) {
    if (token == "{" || token == "[") {
        is_array[++depth] = token == "["
        name[depth] = is_array[depth] ? 0 : ""
        awaits_name = !is_array[depth]
    } else if (token == "}" || token == "]") {
        depth--
        awaits_name = 0
    } else if (token == ",") {
        if (is_array[depth])
            name[depth]++
        awaits_name = !is_array[depth]
    } else if (token == ":") {
        awaits_name = 0
    } else {
        if (token ~ /^"/)
            token = substr(token, 2, length(token) - 2)
        if (awaits_name)
            name[depth] = token
        else
            print path(), token
    }
}

function path(    i, p) {
    for (i = 1; i <= depth; i++)
        p = p (i > 1 ? "." : "") name[i]
    return p
}

/* A recogniser of JSON over SIZE bytes; the counts are those of all feasible paths, confirmed
 * by brute force over the significant characters (tests/brute/paths).
 * With BUG a failed literal or a missing colon steps over the terminating NUL.
 *
 * run: -DSIZE=3
 * verdict: complete
 * paths: 343
 *
 * run: -DSIZE=5
 * verdict: complete
 * paths: 5305
 *
 * run: -DSIZE=5 -DBUG
 * finding: out-of-bounds */
#include <heddle.h>

static const char *p;
static int depth;
static int value(void);

static void skip_space(void) {
    while (*p == ' ' || *p == '\n')
        p++;
}

#ifdef BUG
static int literal(const char *s) {
    while (*s)
        if (*p++ != *s++)
            return 0;
    return 1;
}
#else
static int literal(const char *s) {
    while (*s) {
        if (*p != *s)
            return 0;
        p++;
        s++;
    }
    return 1;
}
#endif

static int string(void) {
    p++;
    while (*p != '"') {
        if (*p == '\0')
            return 0;
        if (*p == '\\') {
            p++;
            if (*p != 'n' && *p != '"' && *p != '\\')
                return 0;
        }
        p++;
    }
    p++;
    return 1;
}

static int number(void) {
    if (*p == '-')
        p++;
    if (*p < '0' || *p > '9')
        return 0;
    if (*p == '0') {
        p++;
        return 1;
    }
    while (*p >= '0' && *p <= '9')
        p++;
    return 1;
}

static int array(void) {
    p++;
    skip_space();
    if (*p == ']') {
        p++;
        return 1;
    }
    for (;;) {
        if (!value())
            return 0;
        if (*p == ']') {
            p++;
            return 1;
        }
        if (*p != ',')
            return 0;
        p++;
    }
}

static int colon(void) {
#ifdef BUG
    return *p++ == ':';
#else
    if (*p != ':')
        return 0;
    p++;
    return 1;
#endif
}

static int object(void) {
    p++;
    skip_space();
    if (*p == '}') {
        p++;
        return 1;
    }
    for (;;) {
        skip_space();
        if (*p != '"' || !string())
            return 0;
        skip_space();
        if (!colon())
            return 0;
        if (!value())
            return 0;
        if (*p == '}') {
            p++;
            return 1;
        }
        if (*p != ',')
            return 0;
        p++;
    }
}

static int value(void) {
    int r;
    if (++depth > 8)
        return 0;
    skip_space();
    if (*p == '{')
        r = object();
    else if (*p == '[')
        r = array();
    else if (*p == '"')
        r = string();
    else if (*p == 't')
        r = literal("true");
    else if (*p == 'f')
        r = literal("false");
    else if (*p == 'n')
        r = literal("null");
    else
        r = number();
    skip_space();
    depth--;
    return r;
}

int main(void) {
    char b[SIZE + 1];
    heddle_input(b);
    heddle_assume(b[SIZE] == '\0');
    p = b;
    int ok = value() && *p == '\0';
    return ok;
}

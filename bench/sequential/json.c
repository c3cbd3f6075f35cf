/* A recogniser of JSON over SIZE bytes: objects, arrays, strings with three escapes, integers,
 * the three literals, blanks; at most eight levels deep.
 *
 * No closed formula.  The brute force tries one byte of each class that the program tells
 * apart; tried so, sizes 5 and 6 give 5305 and 21083, too (a minute).
 *
 * values: 0,10,32-34,44,45,48,53,58,91-93,97,101,102,108,110,114-117,122,123,125
 * brute: -DSIZE=3 bytes values -> 343
 * brute: -DSIZE=4 bytes values -> 1366
 * paths: -DSIZE=4 -> 1366
 * paths: -DSIZE=5 -> 5305
 * paths: -DSIZE=6 -> 21083
 * paths: -DSIZE=7 -> 87473 */
#include <heddle.h>
#ifndef SIZE
#define SIZE 7
#endif

static const char *p;
static int depth;

static int value(void);

static void skip_blanks(void) {
    while (*p == ' ' || *p == '\n')
        p++;
}

static int literal(const char *s) {
    while (*s) {
        if (*p != *s)
            return 0;
        p++;
        s++;
    }
    return 1;
}

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
    skip_blanks();
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

static int member(void) {
    skip_blanks();
    if (*p != '"' || !string())
        return 0;
    skip_blanks();
    if (*p != ':')
        return 0;
    p++;
    return value();
}

static int object(void) {
    p++;
    skip_blanks();
    if (*p == '}') {
        p++;
        return 1;
    }
    for (;;) {
        if (!member())
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
    int ok;
    if (++depth > 8)
        return 0;
    skip_blanks();
    if (*p == '{')
        ok = object();
    else if (*p == '[')
        ok = array();
    else if (*p == '"')
        ok = string();
    else if (*p == 't')
        ok = literal("true");
    else if (*p == 'f')
        ok = literal("false");
    else if (*p == 'n')
        ok = literal("null");
    else
        ok = number();
    skip_blanks();
    depth--;
    return ok;
}

int main(void) {
    char b[SIZE + 1];
    heddle_bytes(b, SIZE, "b");
    b[SIZE] = '\0';
    p = b;
    int ok = value() && *p == '\0';
    return ok;
}

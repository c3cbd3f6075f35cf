/* A matcher of regular expressions: SIZE bytes of pattern searched in a fixed text.
 *
 * A pattern is a row of items; an item is a character or '.', then '*' or nothing; '^' and
 * '$' anchor.  Repeats are greedy and give back one character at a time, so the paths are
 * long and share long prefixes.
 *
 * No closed formula.  The brute force tries every character with a meaning, every character
 * of the text, and one other.
 *
 * brute: -DSIZE=4 bytes 0,36,42,46,94,101,104,108,111,122 -> 565
 * brute: -DSIZE=5 bytes 0,36,42,46,94,101,104,108,111,122 -> 1967
 * paths: -DSIZE=5 -> 1967
 * paths: -DSIZE=6 -> 6553 */
#include <heddle.h>
#include <stdbool.h>
#ifndef SIZE
#define SIZE 6
#endif

struct item {
    char what;
    int least, most;
};

static const char *read_item(const char *pattern, struct item *item) {
    item->what = *pattern++;
    item->least = item->most = 1;
    if (*pattern == '*') {
        item->least = 0;
        item->most = 1 << 20;
        pattern++;
    }
    return pattern;
}

static bool accepts(char what, char c) {
    if (c == '\0')
        return false;
    if (what == '.')
        return true;
    if (what == c)
        return true;
    return false;
}

static bool match_here(const char *pattern, const char *text) {
    if (*pattern == '\0')
        return true;
    if (*pattern == '$' && pattern[1] == '\0')
        return *text == '\0';
    struct item item;
    const char *rest = read_item(pattern, &item);
    int n = 0;
    while (n < item.most && accepts(item.what, text[n]))
        n++;
    for (; n >= item.least; n--) {
        if (match_here(rest, text + n))
            return true;
    }
    return false;
}

static bool search(const char *pattern, const char *text) {
    if (*pattern == '^')
        return match_here(pattern + 1, text);
    do {
        if (match_here(pattern, text))
            return true;
    } while (*text++);
    return false;
}

int main(void) {
    char pattern[SIZE + 1];
    heddle_bytes(pattern, SIZE, "pattern");
    pattern[SIZE] = '\0';
    return search(pattern, "hello");
}

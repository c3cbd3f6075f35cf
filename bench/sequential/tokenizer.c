/* A tokenizer of a C-like language over SIZE bytes: names, decimal and hexadecimal numbers,
 * strings, comments, operators of one and two characters.
 *
 * No closed formula.  The brute force tries one byte of each class: the bytes that are
 * compared with, and for each range its two ends and a byte just outside.
 *
 * values: 0,9,10,32-34,38,42,43,45,47-49,58,60-62,64,65,71,91,95-97,103,120,121,123,124
 * brute: -DSIZE=2 bytes 0-255 -> 337
 * brute: -DSIZE=3 bytes values -> 4869
 * brute: -DSIZE=4 bytes values -> 70475
 * paths: -DSIZE=3 -> 4869
 * paths: -DSIZE=4 -> 70475 */
#include <heddle.h>
#include <stdbool.h>
#ifndef SIZE
#define SIZE 4
#endif

enum token { END, NAME, NUMBER, STRING, OPERATOR, BAD };

static const unsigned char *p;

static bool is_digit(unsigned char c) {
    if (c < '0')
        return false;
    if (c > '9')
        return false;
    return true;
}

static bool is_letter(unsigned char c) {
    if (c == '_')
        return true;
    if (c >= 'a' && c <= 'z')
        return true;
    if (c >= 'A' && c <= 'Z')
        return true;
    return false;
}

static bool is_hexadecimal(unsigned char c) {
    if (is_digit(c))
        return true;
    if (c >= 'a' && c <= 'f')
        return true;
    if (c >= 'A' && c <= 'F')
        return true;
    return false;
}

/* Blanks and comments; false if a comment does not end. */
static bool skip_blanks(void) {
    for (;;) {
        if (*p == ' ' || *p == '\t' || *p == '\n') {
            p++;
        } else if (*p == '/' && p[1] == '*') {
            p += 2;
            while (*p != '*' || p[1] != '/') {
                if (*p == '\0')
                    return false;
                p++;
            }
            p += 2;
        } else {
            return true;
        }
    }
}

static enum token number(void) {
    if (*p == '0' && p[1] == 'x') {
        p += 2;
        if (!is_hexadecimal(*p))
            return BAD;
        while (is_hexadecimal(*p))
            p++;
    } else {
        while (is_digit(*p))
            p++;
    }
    if (is_letter(*p))
        return BAD;
    return NUMBER;
}

static enum token string(void) {
    p++;
    while (*p != '"') {
        if (*p == '\0' || *p == '\n')
            return BAD;
        p++;
    }
    p++;
    return STRING;
}

static enum token operator_of(unsigned char c) {
    static const char doubled[] = "&+-<=>|";
    for (const char *d = doubled; *d; d++) {
        if (c == *d) {
            p++;
            if (*p == c || *p == '=')
                p++;
            return OPERATOR;
        }
    }
    return BAD;
}

static enum token next(void) {
    if (!skip_blanks())
        return BAD;
    if (*p == '\0')
        return END;
    if (is_digit(*p))
        return number();
    if (*p == '"')
        return string();
    if (is_letter(*p)) {
        while (is_letter(*p) || is_digit(*p))
            p++;
        return NAME;
    }
    return operator_of(*p);
}

int main(void) {
    /* Two zeros at the end: the tokenizer looks one character ahead. */
    unsigned char text[SIZE + 2] = {0};
    heddle_bytes(text, SIZE, "text");
    p = text;
    int n = 0;
    for (;;) {
        enum token t = next();
        if (t == END || t == BAD)
            return n + (t == BAD);
        n++;
    }
}

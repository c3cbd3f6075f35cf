/* Are N bytes UTF-8?  Overlong forms, surrogates and numbers above 0x10ffff are not.
 *
 * brute: -DN=2 bytes 0-255 -> 11
 * brute: -DN=3 bytes 0-255 -> 26
 * paths: -DN=2 -> 11
 * paths: -DN=3 -> 26
 * paths: -DN=8 -> 1125 */
#include <heddle.h>
#ifndef N
#define N 8
#endif

/* How many bytes follow, or -1. */
static int n_following(unsigned char lead, unsigned *code) {
    if (lead < 0x80) {
        *code = lead;
        return 0;
    }
    if ((lead & 0xe0) == 0xc0) {
        *code = lead & 0x1f;
        return 1;
    }
    if ((lead & 0xf0) == 0xe0) {
        *code = lead & 0x0f;
        return 2;
    }
    if ((lead & 0xf8) == 0xf0) {
        *code = lead & 0x07;
        return 3;
    }
    return -1;
}

static int is_utf8(const unsigned char *text) {
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    for (int i = 0; i < N;) {
        unsigned code;
        int n = n_following(text[i++], &code);
        if (n < 0 || i + n > N)
            return 0;
        for (int k = 0; k < n; k++, i++) {
            if ((text[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (text[i] & 0x3f);
        }
        if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return 0;
    }
    return 1;
}

int main(void) {
    unsigned char text[N];
    heddle_input(text);
    if (is_utf8(text))
        heddle_reach("valid");
    return 0;
}

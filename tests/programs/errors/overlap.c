/* Copies between places that overlap, for some inputs only; the same place, and structs, are none.
 *
 * run: --no-leaks
 * verdict: complete
 * finding: overlap 5 */
#include <heddle.h>
#include <string.h>

struct block {
    char bytes[16];
};

static volatile int sink;

int main(void) {
    unsigned which, n;
    char text[64] = "abcdefg";
    struct block block = {{1}}, *p = &block, *volatile q = p;
    heddle_input(which);
    heddle_input(n);
    heddle_assume(n < 8);
    switch (which) {
    case 0:
        memcpy(text, text + 4, n); // BUG overlap
        break;
    case 1:
        memcpy(text + n, text, 4); // BUG overlap
        break;
    case 2:
        strcpy(text + 8 - n, text); // BUG overlap
        break;
    case 3:
        strncpy(text, text + 3, n); // BUG overlap
        break;
    case 4:
        strcat(text, text + n); // BUG overlap
        break;
    case 5:
        memmove(text, text + 1, n);
        break;
    case 6:
        memcpy(text, text, n);
        break;
    default:
        *p = *q;
    }
    sink += text[0] + p->bytes[0];
    return 0;
}

/* Concrete work: split a text of 8 KiB into words and numbers, ROUNDS times; then two symbolic
 * tests.  The inputs come after the work.
 *
 * brute: -DROUNDS=1 ints -2000000000,0,2000000000 -> 4
 * paths: -DROUNDS=20 -> 4 */
#include <heddle.h>
#include <stdint.h>
#ifndef ROUNDS
#define ROUNDS 1200
#endif
enum { SIZE = 8192 };

static char text[SIZE + 1];

struct counts {
    uint32_t words, numbers, others, sum;
};

static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void make_text(void) {
    static const char from[] =
        "the 39 looms, 1024 threads; a weaver's heddle lifts every 2nd warp. ";
    for (int i = 0; i < SIZE; i++)
        text[i] = from[(i + i / 997) % (int)(sizeof from - 1)];
}

static void scan(const char *p, struct counts *c) {
    while (*p) {
        if (is_letter(*p)) {
            while (is_letter(*p))
                c->sum = c->sum * 31 + (unsigned char)*p++;
            c->words++;
        } else if (is_digit(*p)) {
            uint32_t n = 0;
            while (is_digit(*p))
                n = n * 10 + (uint32_t)(*p++ - '0');
            c->sum ^= n;
            c->numbers++;
        } else {
            c->others++;
            p++;
        }
    }
}

int main(void) {
    int x[2];
    struct counts c = {0};
    make_text();
    for (int round = 0; round < ROUNDS; round++)
        scan(text, &c);
    heddle_input(x);
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (x[i] > (int)((c.sum ^ c.words ^ c.numbers ^ c.others) & 0xffff))
            n++;
    }
    return n;
}

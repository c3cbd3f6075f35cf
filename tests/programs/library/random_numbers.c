/* Functions that give random bytes: how many, which flags, and that no bit of them stays the same.
 *
 * run:
 * verdict: incomplete
 * reason: bytes of getrandom, which are always the same
 * reason: bytes of getentropy
 * reason: numbers of arc4random, which
 * reason: numbers of arc4random_uniform
 * reason: bytes of arc4random_buf
 * label: done */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

uint32_t arc4random(void), arc4random_uniform(uint32_t);
void arc4random_buf(void *, size_t);

static unsigned char bytes[600];

/* So many bytes are filled in, and none behind them; each of them is another one some time. */
static void is_filled(void (*fill)(size_t), size_t n) {
    unsigned char any[600] = {0};
    for (int k = 0; k < 8; k++) {
        memset(bytes, 0, sizeof bytes);
        fill(n);
        for (size_t i = 0; i < sizeof bytes; i++)
            any[i] |= bytes[i];
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        heddle_assert((any[i] != 0) == (i < n));
}

static void by_getrandom(size_t n) {
    heddle_assert(getrandom(bytes, n, 0) == (ssize_t)n);
}
static void by_entropy(size_t n) {
    heddle_assert(getentropy(bytes, n) == 0);
}
static void by_buffer(size_t n) {
    arc4random_buf(bytes, n);
}

static int refuses(unsigned flags) {
    errno = 0;
    return getrandom(bytes, 4, flags) == -1 && errno == EINVAL;
}

static void numbers(void) {
    uint32_t all = 0, both = UINT32_MAX;
    unsigned seen = 0;
    for (int k = 0; k < 100; k++) {
        uint32_t n = arc4random(), below = arc4random_uniform(7);
        heddle_assert(below < 7);
        all |= n;
        both &= n;
        seen |= 1u << below;
    }
    heddle_assert(all == UINT32_MAX && both == 0 && seen == 127);
    heddle_assert(arc4random_uniform(0) == 0 && arc4random_uniform(1) == 0);
}

int main(void) {
    is_filled(by_getrandom, 0);
    is_filled(by_getrandom, 1);
    is_filled(by_getrandom, 300);
    is_filled(by_entropy, 256);
    is_filled(by_buffer, 17);
    heddle_assert(getrandom(bytes, 4, GRND_NONBLOCK) == 4 && getrandom(bytes, 4, GRND_RANDOM) == 4);
    heddle_assert(getrandom(bytes, 4, GRND_INSECURE | GRND_NONBLOCK) == 4);
    heddle_assert(refuses(GRND_RANDOM | GRND_INSECURE) && refuses(8));
    errno = 0;
    heddle_assert(getentropy(bytes, 257) == -1 && errno == EIO);
    numbers();
    heddle_reach("done");
    return 0;
}

/* random.c -- rand, random and the drand48 family: the sequences of glibc.
 *
 * Each of the two generators is shared by all threads and, as in glibc, used by one at a time:
 * every call is one event that updates it, and no data race. */
#include "program/abi.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

#define SEQUENTIALLY_CONSISTENT 5 /* memory_order of stdatomic.h */
#define UPDATE                                                                                     \
    (HD_SHARED_WRITE | HD_SHARED_ATOMIC | HD_SHARED_UPDATE | SEQUENTIALLY_CONSISTENT << 8)

/* Known to the compiler: what follows, through the result, is this event. */
void *__hd_announce(const void *p, size_t n, unsigned how);

/* -- rand and random --------------------------------------------------------------------------- */

#define N_STATE 31
#define LAG     3

typedef struct generator {
    int32_t state[N_STATE];
    unsigned front, is_seeded;
} generator;
static generator shared;

static int32_t next_random(generator *g) {
    unsigned back = (g->front + N_STATE - LAG) % N_STATE;
    uint32_t sum = (uint32_t)g->state[g->front] + (uint32_t)g->state[back];
    g->state[g->front] = (int32_t)sum;
    g->front = (g->front + 1) % N_STATE;
    return (int32_t)(sum >> 1);
}

static void seed_generator(generator *g, unsigned seed) {
    int64_t x = seed ? (int32_t)seed : 1;
    for (unsigned i = 0; i < N_STATE; i++) {
        g->state[i] = (int32_t)x;
        x = 16807 * x % 2147483647;
        x += x < 0 ? 2147483647 : 0;
    }
    g->is_seeded = 1;
    g->front = LAG;
    for (unsigned i = 0; i < 10 * N_STATE; i++)
        next_random(g);
}

WEAK void srand(unsigned seed) {
    seed_generator(__hd_announce(&shared, sizeof shared, UPDATE), seed);
}

WEAK int rand(void) {
    generator *g = __hd_announce(&shared, sizeof shared, UPDATE);
    if (!g->is_seeded)
        seed_generator(g, 1);
    return next_random(g);
}

WEAK void srandom(unsigned seed) {
    srand(seed);
}

WEAK long random(void) {
    return rand();
}

WEAK int rand_r(unsigned *seed) {
    unsigned next = *seed, result;
    next = next * 1103515245u + 12345u;
    result = next / 65536u % 2048u;
    next = next * 1103515245u + 12345u;
    result = result << 10 ^ next / 65536u % 1024u;
    next = next * 1103515245u + 12345u;
    result = result << 10 ^ next / 65536u % 1024u;
    *seed = next;
    return (int)result;
}

/* -- drand48 and its family -------------------------------------------------------------------- */

#define MASK48     UINT64_C(0xffffffffffff)
#define MULTIPLIER UINT64_C(0x5deece66d)

/* Both as they are added to the standard ones, so that the first state is all zeros. */
static struct generator48 { uint64_t x, multiplier, increment; } shared48;
static unsigned short old_seed[3];

static uint64_t following(uint64_t x, const struct generator48 *g) {
    return (x * (g->multiplier ^ MULTIPLIER) + (g->increment ^ 11)) & MASK48;
}

static uint64_t next48(void) {
    struct generator48 *g = __hd_announce(&shared48, sizeof shared48, UPDATE);
    g->x = following(g->x, g);
    return g->x;
}

static uint64_t join(const unsigned short *part) {
    return (uint64_t)part[2] << 32 | (uint64_t)part[1] << 16 | part[0];
}

static void split(uint64_t x, unsigned short *part) {
    part[0] = (unsigned short)x;
    part[1] = (unsigned short)(x >> 16);
    part[2] = (unsigned short)(x >> 32);
}

static uint64_t next_of(unsigned short *part) {
    struct generator48 *g = __hd_announce(&shared48, sizeof shared48, UPDATE);
    struct generator48 now = *g;
    uint64_t x = following(join(part), &now);
    split(x, part);
    return x;
}

static double as_real(uint64_t x) {
    return (double)x / 281474976710656.0;
}

WEAK double drand48(void) {
    return as_real(next48());
}

WEAK double erand48(unsigned short *part) {
    return as_real(next_of(part));
}

WEAK long lrand48(void) {
    return (long)(next48() >> 17);
}

WEAK long nrand48(unsigned short *part) {
    return (long)(next_of(part) >> 17);
}

WEAK long mrand48(void) {
    return (int32_t)(next48() >> 16);
}

WEAK long jrand48(unsigned short *part) {
    return (int32_t)(next_of(part) >> 16);
}

static void set48(uint64_t x, uint64_t multiplier, uint64_t increment) {
    struct generator48 *g = __hd_announce(&shared48, sizeof shared48, UPDATE);
    g->x = x;
    g->multiplier = multiplier ^ MULTIPLIER;
    g->increment = increment ^ 11;
}

WEAK void srand48(long seed) {
    set48((uint64_t)(uint32_t)seed << 16 | 0x330e, MULTIPLIER, 11);
}

WEAK unsigned short *seed48(unsigned short *part) {
    uint64_t x = join(part);
    struct generator48 *g = __hd_announce(&shared48, sizeof shared48, UPDATE);
    uint64_t before = g->x;
    g->x = x;
    g->multiplier = g->increment = 0;
    split(before, old_seed);
    return old_seed;
}

WEAK void lcong48(unsigned short *part) {
    set48(join(part), join(part + 3), part[6]);
}

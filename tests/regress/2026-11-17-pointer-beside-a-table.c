/* A write through an index made patchwork of the pointer that lies in the same object: nobody knew
 * where it points to, and with more than 1024 objects -- the records of clang's checks were counted
 * as such -- inputs were treated as constants and executions strayed.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: low
 * label: high
 *
 * Many objects, and the pointer behind the table, where the write may hit it.
 * run: -DBEHIND -DBLOCKS=1500 --no-leaks
 * verdict: complete
 * paths: 3
 * finding: misaligned 1
 * finding: out-of-bounds 1
 * label: low
 * label: high
 *
 * An address that is a number, among many objects.
 * run: -DNUMBER -DBLOCKS=1500 --no-leaks
 * verdict: complete
 * paths: 2
 * label: last
 * label: first
 *
 * Memory that nobody wrote may be in the index, and was taken out of it before anybody asked what
 * was indexed: the way into another object was no finding.
 * run: -DUNWRITTEN
 * verdict: complete
 * paths: 2
 * finding: out-of-bounds 1
 */
#include <heddle.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef BLOCKS
#define BLOCKS 1
#endif

static struct state {
#ifdef BEHIND
    uint16_t work[4];
    int *next;
#else
    int *next;
    uint16_t work[4];
#endif
    int codes[8];
} *state;

static int *blocks[BLOCKS];

static void put(uint16_t *work, unsigned i, uint16_t value) {
    work[i] = value;
}
int main(void) {
    uint8_t at, i;
    for (int n = 0; n < BLOCKS; n++)
        *(blocks[n] = malloc(sizeof(int))) = n;
    state = calloc(1, sizeof *state);
    state->next = state->codes;
    heddle_input(at);
    heddle_input(i);
#ifdef NUMBER
    heddle_assume(i < 2);
    uint64_t number =
        (uint64_t)blocks[0] ^ i * ((uint64_t)blocks[0] ^ (uint64_t)blocks[BLOCKS - 1]);
    if (*(int *)number)
        heddle_reach("last");
    else
        heddle_reach("first");
#elif defined UNWRITTEN
    static int here[4], there[4];
    long offsets[4];
    heddle_assume(i > 0 && i < 3);
    offsets[1] = 3;
    offsets[2] = there - here;
    int *table = here;
    table[offsets[i]] = 1;
    (void)at;
#else
    heddle_assume(at <= 4 && i < 8);
    put(state->work, at, 7);
    state->next[i] = at;
    if (state->codes[2] == 3)
        heddle_reach("low");
    else
        heddle_reach("high");
#endif
    for (int n = 0; n < BLOCKS; n++)
        free(blocks[n]);
    free(state);
}

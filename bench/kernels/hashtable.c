/* Concrete work: a hash table with linear probing, 3,000 insertions and 9,000 look-ups, ROUNDS
 * times; then two symbolic tests.  The inputs lie in memory during the work, untouched.
 *
 * brute: -DROUNDS=1 ints 0,1000,2000000000 -> 4
 * paths: -DROUNDS=10 -> 4 */
#include <heddle.h>
#include <stdint.h>
#include <string.h>
#ifndef ROUNDS
#define ROUNDS 300
#endif
enum { CAPACITY = 4096, N_KEYS = 3000 };

static uint32_t keys[CAPACITY], values[CAPACITY];

static uint32_t place_of(uint32_t key) {
    uint32_t i = (key * 2654435769u) >> 20;
    while (keys[i] && keys[i] != key)
        i = (i + 1) % CAPACITY;
    return i;
}

static void insert(uint32_t key, uint32_t value) {
    uint32_t i = place_of(key);
    keys[i] = key;
    values[i] = value;
}

static uint32_t look_up(uint32_t key) {
    uint32_t i = place_of(key);
    return keys[i] ? values[i] : 0;
}

int main(void) {
    int x[2];
    uint32_t sum = 0;
    heddle_input(x);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        memset(keys, 0, sizeof keys);
        for (uint32_t i = 1; i <= N_KEYS; i++)
            insert(i * 7919u + round, i);
        for (uint32_t i = 1; i <= 3 * N_KEYS; i++)
            sum += look_up(i * 7919u + round);
    }
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (x[i] > (int)(sum & 0xffff))
            n++;
    }
    return n;
}

/* A hash table of structs: keys that are inputs go to the slot `key % SLOTS`, and on where that is taken.
 *
 * brute: -DN=2 ints 0-20 -> 9
 * brute: -DN=3 ints 0-20 -> 48
 * paths: -DN=2 -> 9
 * paths: -DN=3 -> 48 */
#include <heddle.h>
#ifndef N
#define N 3
#endif
enum { SLOTS = 7 };

struct slot {
    unsigned key;
    int is_used, n_found;
};

int main(void) {
    struct slot slots[SLOTS] = {0};
    unsigned keys[N];
    heddle_input(keys);
    for (int i = 0; i < N; i++) {
        unsigned at = keys[i] % SLOTS;
        while (slots[at].is_used && slots[at].key != keys[i])
            at = (at + 1) % SLOTS;
        slots[at].key = keys[i];
        slots[at].is_used = 1;
        slots[at].n_found++;
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].n_found > 1)
            heddle_reach("a key twice");
    return 0;
}

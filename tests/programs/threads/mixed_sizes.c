/* Conflicts are of bytes: neighbouring bytes do not conflict, a word conflicts with each of its
 * bytes, bit-fields of one word conflict.
 *
 * run: -DNEIGHBOURS
 * verdict: complete
 * paths: 1
 *
 * run: -DWORD
 * verdict: complete
 * paths: 2
 * finding: data-race
 *
 * run: -DFIELDS
 * verdict: complete
 * finding: data-race */
#include <pthread.h>
#include <stddef.h>

static union {
    unsigned word;
    unsigned char bytes[4];
    struct {
        unsigned low : 4, high : 4;
    } fields;
} shared;

static void *work(void *unused) {
#ifdef FIELDS
    shared.fields.high = 5; // BUG data-race
#else
    shared.bytes[2] = 1; // BUG data-race
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#if defined NEIGHBOURS
    shared.bytes[1] = 2;
#elif defined WORD
    shared.word = 3; // BUG data-race
#else
    shared.fields.low = 4; // BUG data-race
#endif
    pthread_join(thread, NULL);
    return 0;
}

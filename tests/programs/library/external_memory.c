/* Memory that a library function without a model hands out is not the program's, and yet not a
 * mistake to use: reads go on with what is there, writes end the execution, both are named.
 *
 * run: -DREAD
 * verdict: incomplete
 * reason: read of memory of external code
 * reason-at: LOSS
 * label: text 1
 * label: copy 1
 * label: struct 1
 * label: printed 1
 * label: duplicate 1
 *
 * run: -DMODEL
 * verdict: incomplete
 * reason: read of memory of external code
 * reason-at: LOSS
 *
 * run: -DWRITE
 * verdict: incomplete
 * rejected: 1
 * reason: write to memory of external code
 * reason-at: LOSS
 * no-label: written
 *
 * run: -DFREE --external __libc_malloc
 * verdict: incomplete
 * reason: free of memory of external code
 * reason-at: LOSS
 * label: freed 1
 *
 * run: -DINDEX
 * verdict: incomplete
 * reason: symbolic read of memory of external code
 * reason-at: LOSS
 *
 * run: -DWILD
 * finding: out-of-bounds 3
 * finding: null-pointer 1 */
#include <heddle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *l64a(long number); /* answers a static buffer */
void *__libc_malloc(size_t size);

static struct {
    char text[5];
} whole;

int main(void) {
    int x;
    heddle_input(x);
#ifdef READ
    const char *text = l64a(12345);
    if (x == 1 && text[0] == 't') // LOSS
        heddle_reach("text");
    char copy[16];
    if (x == 2 && strcpy(copy, text)[0] == 't')
        heddle_reach("copy");
    memcpy(&whole, text, sizeof whole);
    if (x == 3 && whole.text[0] == 't')
        heddle_reach("struct");
    if (x == 4 && puts(text) > 0)
        heddle_reach("printed");
    char *duplicate = strdup(text);
    if (x == 5 && strcmp(duplicate, text) == 0)
        heddle_reach("duplicate");
    free(duplicate);
#elif defined MODEL
    if (x == 1 && strlen(l64a(12345)) > 5) // LOSS
        heddle_reach("long");
#elif defined WRITE
    char *text = l64a(12345);
    if (x == 1) {
        text[0] = 'a'; // LOSS
        heddle_reach("written");
    }
#elif defined FREE
    char *text = __libc_malloc(10);
    if (x == 1) {
        free(text); // LOSS
        heddle_reach("freed");
    }
#elif defined INDEX
    const char *text = l64a(12345);
    if (x >= 0 && x < 3 && text[x] == 't') // LOSS
        return 1;
#else
    uintptr_t wild = 0x7654321; /* nothing is there */
    if (x == 1)
        return *(volatile int *)wild; // BUG out-of-bounds
    if (x == 2)
        *(volatile long *)(wild << 36) = 1; // BUG out-of-bounds
    if (x == 3)
        memset((void *)(wild << 20), 0, 3); // BUG out-of-bounds
    if (x == 4)
        ((volatile int *)0)[100] = 1; // BUG null-pointer
#endif
    return 0;
}

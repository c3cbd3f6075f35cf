/* free and realloc of a pointer that depends on an input: every block is another path.
 *
 * run:
 * verdict: complete
 * finding: bad-free
 * run: -DTABLE
 * verdict: complete
 * finding: double-free
 * label: both-freed
 * run: -DREALLOC
 * verdict: complete
 * finding: bad-free */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    unsigned char a, b;
    heddle_input(a);
    heddle_input(b);
    heddle_assume(a < 2 && b < 2);
    char *blocks[2] = {malloc(8), malloc(8)};
#if defined TABLE
    free(blocks[a]);
    free(blocks[b]); // BUG double-free
    heddle_reach("both-freed");
#elif defined REALLOC
    free(realloc(blocks[0] + a, 9)); // BUG bad-free
    free(blocks[1]);
#else
    free(blocks[0] + a); // BUG bad-free
    free(blocks[1]);
#endif
    return 0;
}

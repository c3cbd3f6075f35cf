/* What is freed but cannot be, in the words for it; objects behind input pointers can, once.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: bad-free 6
 * finding: double-free 3
 * finding: use-after-free 2
 * says: free of a pointer to the inside of a heap block
 * says: free of a pointer to a global object
 * says: free of a pointer to a local object
 * says: free of a pointer to the inside of an input object
 * says: free of a pointer to no object
 * says: the input object of 8 bytes is freed a second time
 * says: a heap block of 24 bytes is freed a second time
 * label: freed 1
 * label: grown 1 */
#include <heddle.h>
#include <stdint.h>
#include <stdlib.h>

struct two {
    int a, b;
};
static int global[4], *block;

int main(void) {
    unsigned char x;
    struct two *p, *q;
    int local[4];
    block = malloc(24);
    heddle_input(x);
    heddle_input(p);
    heddle_input(q);
    heddle_assume(p && q && p != q);
    switch (x) {
    case 0:
        free(block + 1); // BUG bad-free
        break;
    case 1:
        free(global + 1); // BUG bad-free
        break;
    case 2:
        free(local + 1); // BUG bad-free
        break;
    case 3:
        free(&q->b); // BUG bad-free
        break;
    case 4:
        free((void *)(uintptr_t)(64 + x)); // BUG bad-free
        break;
    case 5:
        free(q);
        free(q); // BUG double-free
        break;
    case 6:
        free(block);
        free(block); // BUG double-free
        break;
    case 7:
        free(p);
        free(q);
        x = q->a; // BUG use-after-free
        break;
    case 8:
        free(q);
        p->a = q->b; // BUG use-after-free
        break;
    case 9:
        free(p);
        q->a = 1; /* the other one is still there */
        heddle_reach("freed");
        break;
    case 10:
        q->b = 7;
        q = realloc(q, 16);
        q[1].a = q->b;
        if (q[1].a == 7)
            heddle_reach("grown");
        free(q);
        break;
    case 11:
        q = realloc(&q->b, 16); // BUG bad-free
        break;
    case 12:
        free(q);
        q = realloc(q, 16); // BUG double-free
        break;
    default:
        break;
    }
    return 0;
}

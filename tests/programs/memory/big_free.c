/* Big blocks are poisoned whole when they are freed, and empty when they are used again.
 *
 * run:
 * finding: use-after-free 1
 * label: again */
#include <heddle.h>
#include <stdlib.h>

#define SIZE 100000000

int main(void) {
    int x;
    heddle_input(x);
    char *p = malloc(SIZE);
    p[SIZE / 2] = 1;
    free(p);
    if (x == 5)
        return p[SIZE / 2]; // BUG use-after-free
    char *q = malloc(SIZE - 4096);
    q[SIZE / 2] = 2;
    if (q[SIZE / 3] == 0)
        heddle_reach("again");
    free(q);
    return 0;
}

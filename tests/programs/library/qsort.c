/* qsort calls the program's own comparison; whatever the paths, the result is sorted, and
 * bsearch finds in it.
 *
 * run:
 * verdict: complete
 * label: ordered */
#include <heddle.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (x < y)
        return -1;
    return x > y;
}

int main(void) {
    int a[3];
    heddle_input(a);
    int key = a[0];
    qsort(a, 3, sizeof *a, compare);
    heddle_assert(a[0] <= a[1]);
    heddle_assert(a[1] <= a[2]);
    heddle_assert(bsearch(&key, a, 3, sizeof *a, compare) != NULL);
    heddle_reach("ordered");
    return 0;
}

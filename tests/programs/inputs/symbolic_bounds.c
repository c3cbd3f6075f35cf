/* What there is to choose from, and how many inputs there are, depends on inputs: one path for each.
 *
 * run: --strategy dfs -DCHOOSE
 * verdict: complete
 * paths: 10
 * label: 0 3
 * label: 1 4
 * label: 2 3
 *
 * run: --strategy dfs
 * verdict: complete
 * paths: 6
 * rejected: 1
 * label: 1-inputs 2
 * label: 2-inputs 2
 * label: 3-inputs 2 */
#include <heddle.h>

static const char *const names[] = {"0", "1", "2", "1-inputs", "2-inputs", "3-inputs"};

int main(void) {
    unsigned char x, y, some[4] = {9, 9, 9, 9};
    heddle_input(x);
    heddle_assume(x < 3);
#ifdef CHOOSE
    heddle_input(y);
    heddle_assume(y < 3);
    long chosen = heddle_choose(x, y);
    for (int i = 0; i < 3; i++)
        if (chosen == i)
            heddle_reach(names[i]);
#else
    (void)y;
    heddle_input_array(some, (unsigned)x + 1);
    int n = 0;
    while (n < 3 && x != n)
        n++;
    if (some[n] == 7) /* the last of them is one */
        heddle_reach(names[3 + n]);
    else if (some[n + 1] == 9) /* and what is behind it is none */
        heddle_reach(names[3 + n]);
#endif
    return 0;
}

/* Every function of heddle.h about inputs does what it says: what can be chosen, which inputs an
 * assumption leaves, what is said beside the verdict, where an assertion failed.
 *
 * run: --strategy dfs
 * verdict: incomplete
 * paths: 40
 * rejected: 5
 * finding: assertion 1
 * finding: out-of-bounds 4
 * reason: only small ones are looked at
 * label: choose-low 1
 * label: choose-high 1
 * label: choose-middle 1
 * no-label: choose-outside
 * label: only-one 1
 * no-label: none-to-choose
 * label: assumed 1
 * no-label: not-assumed
 * label: array 4
 * label: bytes 1
 * label: bound 1
 * label: some-bytes 3
 * label: first 3
 * label: second 3
 * no-label: too-many */
#include <heddle.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct pair {
    short a, b;
} pair;

static void chooses(void) {
    long x = heddle_choose(-1, 1);
    if (x == -1)
        heddle_reach("choose-low");
    else if (x == 1)
        heddle_reach("choose-high");
    else if (x == 0)
        heddle_reach("choose-middle");
    else
        heddle_reach("choose-outside");
}

static void array_of(unsigned n) {
    pair some[4] = {{7, 7}, {7, 7}, {7, 7}, {7, 7}};
    heddle_input_array(some, n);
    if (some[0].a == 3 && some[1].b == 5 && some[2].a == 7 && some[3].b == 7)
        heddle_reach("array");
}

int main(void) {
    unsigned char which, x;
    unsigned char b[3] = {9, 9, 9}, two[2] = {9, 9};
    heddle_input(which);
    switch (which) {
    case 0:
        chooses();
        break;
    case 1:
        if (heddle_choose(4, 4) == 4)
            heddle_reach("only-one");
        break;
    case 2:
        heddle_choose(5, 4);
        heddle_reach("none-to-choose");
        break;
    case 3:
        heddle_input(x);
        heddle_assume(x > 200);
        if (x > 200)
            heddle_reach("assumed");
        else
            heddle_reach("not-assumed");
        break;
    case 4:
        array_of(2);
        break;
    case 5:
        heddle_bytes(b, 2, "b");
        if (b[0] == 1 && b[1] == 2 && b[2] == 9)
            heddle_reach("bytes");
        break;
    case 6:
        __heddle_bound("only small ones are looked at");
        heddle_reach("bound");
        break;
    case 7:
        heddle_input(x);
        heddle_assert(x != 77); // BUG assertion
        break;
    case 8:
        heddle_bytes(malloc(3), 4, "short"); // BUG out-of-bounds
        break;
    case 9:
        heddle_input(*(uint32_t *)malloc(3)); // BUG out-of-bounds
        break;
    case 10:
        heddle_input_array((pair *)malloc(7), 2); // BUG out-of-bounds
        break;
    case 11:
        heddle_input_array((pair *)malloc(7), SIZE_MAX / 2); // BUG out-of-bounds
        break;
    case 12:
        heddle_input(x);
        heddle_assume(x < 3);
        heddle_bytes(b, x, "so many"); /* one path for each number */
        heddle_reach(b[x] == 9 ? "some-bytes" : "too-many");
        break;
    case 13:
        heddle_input(x);
        heddle_assume(x < 3);
        array_of(2 + x);
        break;
    case 14: /* which object it is, is decided */
    case 15:
    case 16:
        heddle_input(x);
        heddle_assume(x < 2);
        if (which == 14)
            heddle_input(two[x]);
        else if (which == 15)
            heddle_input_array(&two[x], 1);
        else
            heddle_bytes(&two[x], 1, "one");
        heddle_assume(two[x] != 9);
        heddle_reach(two[0] == 9 ? "second" : "first");
        break;
    default:
        break;
    }
    return 0;
}

/* An index past an array that is a member: what is behind it belongs to the same object, so that it
 * was said to be outside of one.  The last array of a struct may go on.
 *
 * run:
 * verdict: complete
 * finding: member-bounds 3
 * finding: out-of-bounds 1 */
#include <heddle.h>
#include <stdlib.h>

struct record {
    char name[4];
    int grid[2][3];
    int secret;
};

struct message {
    int n;
    char text[1];
};

static struct record table[2];
static int plain[4];

static int at(const struct record *r, int i) {
    return r->name[i]; // BUG member-bounds
}

int main(void) {
    int i, way = (int)heddle_choose(0, 4);
    struct record mine = {"abc", {{0}}, 7};
    heddle_input(i);
    heddle_assume(i >= 0 && i <= 4);
    if (way == 0)
        return at(&mine, i) > 200;
    if (way == 1)
        return table[1].grid[0][i % 4]; // BUG member-bounds
    if (way == 2)
        return table[i / 2].secret > 0; // BUG out-of-bounds
    if (way == 3)
        mine.name[i] = 0; // BUG member-bounds
    struct message *m = malloc(sizeof *m + 8);
    if (!m)
        return 0;
    m->text[i] = 1;
    free(m);
    return plain[i & 3] + mine.secret - 7;
}

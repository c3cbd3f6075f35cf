/* A cycle through a pointer to a pointer: p == *q and p->owner == q at once.
 *
 * run: --function look
 * verdict: complete
 * paths: 7
 * label: cycle 1 */
#include <heddle.h>

struct node {
    int value;
    struct node **owner;
};

void look(struct node *p, struct node **q) {
    if (!p || !q || !*q)
        return;
    int is_held = 0;
    if (p == *q)
        is_held = 1;
    if (p->owner == q)
        if (is_held)
            heddle_reach("cycle");
}

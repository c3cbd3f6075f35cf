/* Three list pointers of one type: which are NULL and which are equal.  The program asks in a
 * fixed order, so the paths are: a NULL; b NULL; a == b; (a != b, both there) c == a; c == b
 * (NULL counts as different); neither.
 *
 * run:
 * verdict: complete
 * paths: 6
 * label: first 1
 * label: second 1 */
#include <heddle.h>

struct list {
    struct list *next;
};

int main(void) {
    struct list *a, *b, *c;
    heddle_input(a);
    heddle_input(b);
    heddle_input(c);
    if (!a)
        return 0;
    if (!b)
        return 0;
    if (a == b)
        return 0;
    if (c == a)
        heddle_reach("first");
    else if (c == b)
        heddle_reach("second");
    return 0;
}

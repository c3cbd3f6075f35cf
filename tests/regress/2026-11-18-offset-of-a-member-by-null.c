/* &((T *)0)->member, which is how offsetof was written for long, was a null pointer dereference. Who
 * reads or writes there is still told.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: null-pointer 1 */
#include <heddle.h>

struct entry {
    int value;
    struct link {
        struct link *next;
    } link;
};

#define ENTRY(p, type, member) ((type *)((char *)(p) - (unsigned long)(&((type *)0)->member)))

int main(void) {
    struct entry e = {.value = 7};
    struct link *l = &e.link;
    _Bool b;
    heddle_assert(ENTRY(l, struct entry, link)->value == 7);
    heddle_input(b);
    if (b)
        return ((struct entry *)0)->link.next != 0;
    return 0;
}

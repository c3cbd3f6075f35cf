/* Constants that hold addresses (tables of strings, of pointers, of functions) lay in writable memory, were written without
 * a word and brought back after each execution: "complete, nothing was found", where the ordinary program is ended by SIGSEGV.
 *
 * run:
 * verdict: complete
 * paths: 5
 * finding: read-only 3 */
#include <heddle.h>
static int a, b;
static int *const table[2] = {&a, &b};
static const char *const names[] = {"x", "y"};
static int first(void) { return 1; }
static int (*const calls[])(void) = {first, first};
static const struct { const char *name; int n; } rows[] = {{"one", 1}, {"two", 2}};

int main(void) {
    switch (heddle_choose(0, 4)) {
    case 0:
        *(int **)&table[1] = &a;
        break;
    case 1:
        ((const char **)names)[1] = "z";
        break;
    case 2:
        *(int *)&rows[1].n = 3;
        break;
    case 3:
        *table[1] = 7; /* what they point to is no constant */
        break;
    }
    return calls[0]() == 1 && names[1][0] == 'y' && rows[1].n == 2 && table[1] == &b ? 0 : 1;
}

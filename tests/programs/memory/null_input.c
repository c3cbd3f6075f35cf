/* An input pointer that nobody tested for NULL.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: null-pointer 1 */
#include <heddle.h>

struct person {
    char name[8];
    int age;
};

int main(void) {
    struct person *p;
    heddle_input(p);
    p->age = 5; // BUG null-pointer
    return 0;
}

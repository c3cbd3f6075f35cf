/* longjmp out of a nested call, with a value that tells why: three paths.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: small 1
 * label: large 1
 * label: fine 1 */
#include <heddle.h>
#include <setjmp.h>

static jmp_buf out;

static void check(int x) {
    if (x < 0)
        longjmp(out, 1);
    if (x > 100)
        longjmp(out, 2);
}

int main(void) {
    int x;
    heddle_input(x);
    switch (setjmp(out)) {
    case 0:
        check(x);
        heddle_reach("fine");
        heddle_assert(x >= 0 && x <= 100);
        break;
    case 1:
        heddle_reach("small");
        break;
    case 2:
        heddle_reach("large");
        break;
    }
    return 0;
}

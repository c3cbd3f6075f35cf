/* A function that is declared weak and that nobody defines was to be linked, which ld refused: it is at address 0, and
 * programs ask about that.
 *
 * run:
 * verdict: complete
 *
 * run: -DCALLED
 * verdict: complete
 * finding: null-pointer 1 */
#include <assert.h>
#include <heddle.h>
#include <stddef.h>

extern int nowhere(int x) __attribute__((weak));
extern int no_object __attribute__((weak));
extern size_t strnlen(const char *s, size_t n) __attribute__((weak));
__attribute__((weak)) int here(int x) {
    return x + 1;
}

int main(void) {
    int x = heddle_choose(0, 1) ? 3 : 4;
    assert(here(x) == x + 1);
    assert(&no_object == NULL && strnlen && strnlen("abc", 2) == 2);
#ifdef CALLED
    if (x == 3)
        return nowhere(x); // BUG null-pointer
#endif
    return nowhere ? nowhere(x) : 0;
}

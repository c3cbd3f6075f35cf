/* getenv answered with the environment of this machine; it is empty, and what the program puts there
 * lasts for one execution.
 *
 * run:
 * verdict: complete
 * paths: 2 */
#include <assert.h>
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int x;
    heddle_input(x);
    assert(!getenv("PATH") && !getenv("NAME"));
    if (x == 7)
        assert(setenv("NAME", "1", 0) == 0);
    assert(setenv("NAME", "2", 0) == 0 && strcmp(getenv("NAME"), x == 7 ? "1" : "2") == 0);
    assert(putenv("OTHER=text") == 0 && strcmp(getenv("OTHER"), "text") == 0);
    assert(unsetenv("NAME") == 0 && !getenv("NAME") && setenv("A=B", "", 1) == -1);
    return 0;
}

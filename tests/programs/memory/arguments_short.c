/* Arguments of main end with their last byte.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds
 * label: whole */
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    size_t n = strlen(argv[0]);
    if (argv[argc] == NULL && argv[0][n] == '\0' && !getenv("NOTHING"))
        heddle_reach("whole");
    return argv[0][n + 1]; // BUG out-of-bounds
}

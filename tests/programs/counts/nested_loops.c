/* n and m from 0 to 3: m matters only if n > 0, so 1 + 3*4 = 13 paths.
 *
 * run:
 * verdict: complete
 * paths: 13 */
#include <heddle.h>

int main(void) {
    unsigned char n, m;
    unsigned steps = 0;
    heddle_input(n);
    heddle_input(m);
    heddle_assume(n <= 3);
    heddle_assume(m <= 3);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            steps++;
    heddle_assert(steps == (unsigned)n * m);
    return 0;
}

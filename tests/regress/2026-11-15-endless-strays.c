/* A value that floating point made concrete decides where inputs are stored, so nearly every
 * prediction fails.  Executions that strayed into explored parts of the tree opened them again,
 * and the search did not end; now it ends, and says that it is incomplete.
 *
 * run:
 * verdict: incomplete
 * reason: floating
 * reason: left the path
 * strays: floating point makes a value constant, which is listed */
#include <heddle.h>

int main(void) {
    unsigned char a, b, cells[4] = {0, 7, 0, 0};
    heddle_input(a);
    heddle_input(b);
    heddle_assume(a < 16 && b < 16);
    int n = (int)(a * 0.7 + 1.5);
    cells[n & 3] = a;
    cells[(n + 1) & 3] = b;
    int sum = 0, ones = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 2 + cells[i];
    for (int i = 0; i < 6; i++)
        if (sum >> i & 1)
            ones++;
    return ones;
}

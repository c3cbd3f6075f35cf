/* Calls through a table that has a function of another type were told on the path of another
 * function: the execution ended before it had said which function it called, and counted as one
 * that strayed.
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: wrong-function
 * label: called 2 */
#include <heddle.h>

static int same(int x) {
    return x;
}
static double real(double x) {
    return x;
}
static int other(unsigned x) { /* travels as the right one does: the execution goes on */
    return (int)x;
}

int main(void) {
    unsigned k;
    void *table[] = {same, real, other};
    heddle_input(k);
    heddle_assume(k < 3);
    int (*f)(int) = (int (*)(int))table[k];
    int y = f(3); // BUG wrong-function
    heddle_reach("called");
    return y != 3;
}

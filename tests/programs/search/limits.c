/* Limits stop the search, are said, and give status 3.
 *
 * run: --max-executions 100
 * verdict: incomplete
 * executions: 100
 * exit: 3
 *
 * run: -DENDLESS --max-time 3
 * verdict: incomplete
 * exit: 3 */
#include <heddle.h>

int main(void) {
    unsigned char b[30];
    int n = 0;
    heddle_input(b);
    for (int i = 0; i < 30; i++)
        if (b[i] > 77)
            n++;
    return n == 100;
}

/* Program arguments after -- reach main.
 *
 * run: -- one two
 * verdict: complete
 * paths: 2
 * label: two 2 */
#include <heddle.h>
#include <string.h>

int main(int argc, char **argv) {
    int x;
    heddle_input(x);
    heddle_assert(argc == 3);
    if (strcmp(argv[2], "two") == 0)
        heddle_reach("two");
    if (x == 3)
        heddle_reach("three");
    return 0;
}

/* Printing is no loss when what is printed is concrete, and never spoils the JSON summary.
 *
 * run:
 * verdict: complete
 * paths: 2 */
#include <heddle.h>
#include <stdio.h>

int main(void) {
    int x;
    heddle_input(x);
    printf("start {\n");
    puts("\"json\": [");
    if (x > 5)
        fprintf(stderr, "large\n");
    fflush(stdout);
    return 0;
}

/* strcpy, strcat, strncpy, strdup keep what is symbolic; the overrun of strcpy is found.
 *
 * run:
 * verdict: complete
 * label: joined
 *
 * run: -DSHORT
 * finding: out-of-bounds */
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char s[4];
    heddle_input(s);
    s[3] = 0;
#ifdef SHORT
    char to[3];
    strcpy(to, s);
#else
    char to[12] = "<";
    strcat(to, s);
    strcat(to, ">");
    char *copy = strdup(to);
    if (strcmp(copy, "<ok>") == 0)
        heddle_reach("joined");
    free(copy);
#endif
    return to[0] == 'x';
}

/* Functions without a model looked for inputs in the first 256 bytes of their text only.
 *
 * run:
 * verdict: incomplete
 * reason: call of 'strtod' on symbolic memory
 * reason-at: LOSS */
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char text[400];
    char c;
    heddle_input(c);
    memset(text, ' ', 300);
    text[300] = c;
    return strtod(text, NULL) > 6.0; // LOSS
}

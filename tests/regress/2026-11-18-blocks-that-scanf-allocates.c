/* What "%ms" allocates was larger than the text, so that a read behind it was not found; and if it was lost, it was lost at no
 * place.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds
 * finding: leak */
#define _GNU_SOURCE
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char given[] = "abc def", *word = NULL, letters[4] = "";
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 3);
    if (sscanf(given, "%ms %3c", &word, letters) != 2) // BUG leak
        return 1;
    if (x == 0)
        return 0;
    int last = word[2 + x]; // BUG out-of-bounds
    free(word);
    return last == 0 && letters[2] == 'f' ? 0 : 2;
}

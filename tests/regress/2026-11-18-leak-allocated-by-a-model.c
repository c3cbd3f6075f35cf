/* A block that strdup or fclose of open_memstream had allocated was lost at no place: the finding
 * had no line.
 *
 * run:
 * verdict: complete
 * finding: leak
 *
 * run: -DSTREAM
 * verdict: complete
 * finding: leak */
#define _GNU_SOURCE
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lose(int n) {
#ifdef STREAM
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputc('a' + n, f);
    fclose(f); // BUG leak
    size_t length = size;
#else
    char *first = strndup("hello", (size_t)n);
    char *text = strdup(first); // BUG leak
    free(first);
    size_t length = strlen(text);
#endif
    if (n != 3)
        free(text);
    text = NULL;
    return (int)length;
}

int main(void) {
    int n;
    heddle_input(n);
    heddle_assume(n >= 0 && n < 5);
    return lose(n) > 9;
}

/* Streams of memory had no model.  What goes through them keeps what it depends on, and the block that
 * open_memstream tells of is the program's: it must be freed, and is not to be used afterwards.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: big
 * label: small
 *
 * run: -DLEAK
 * verdict: complete
 * finding: leak
 *
 * run: -DSHORT
 * verdict: complete
 * finding: out-of-bounds
 *
 * run: -DTWO
 * verdict: complete
 * label: ab
 * label: ba */
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t n;

#ifdef TWO
static FILE *f;

static void *puts_one(void *what) {
    fputs(what, f);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    f = open_memstream(&text, &n);
    pthread_create(&a, NULL, puts_one, "a");
    pthread_create(&b, NULL, puts_one, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fclose(f);
    heddle_reach(strcmp(text, "ab") == 0 ? "ab" : "ba");
    free(text);
}
#elif defined SHORT
int main(void) {
    char small[4];
    FILE *f = fmemopen(small, 5, "w");
    fputs("abcde", f);
    fclose(f); // BUG out-of-bounds
}
#else
static void write_all(unsigned char input) {
    FILE *f = open_memstream(&text, &n);
    fputc('x', f);
    fputc(input, f);
    fclose(f);
}

int main(void) {
    unsigned char input;
    heddle_input(input);
    write_all(input);
    FILE *f = fmemopen(text, n, "r");
    fgetc(f);
    int c = fgetc(f);
    if (c > 100)
        heddle_reach("big");
    else
        heddle_reach("small");
    fclose(f);
#ifdef LEAK
    text = NULL;
#endif
    free(text);
}
#endif

/* What is no stream, or no more: said where it is used.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: use-after-free 5
 * finding: null-pointer 1
 * finding: out-of-bounds 1
 * label: good 1 */
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *nowhere;

int main(void) {
    unsigned char x;
    char *block = malloc(1);
    FILE *f = fopen("none.txt", "w"), *old = f;
    heddle_input(x);
    switch (x) {
    case 0:
        fclose(f);
        fputc('a', old); // BUG use-after-free
        break;
    case 1:
        fclose(f);
        fclose(old); // BUG use-after-free
        break;
    case 2:
        fputc('a', (FILE *)block); // BUG use-after-free
        break;
    case 3:
        free(block);
        fgetc((FILE *)block); // BUG use-after-free
        break;
    case 4:
        fflush((FILE *)(block + 1)); // BUG out-of-bounds
        break;
    case 5:
        fputs("a", nowhere); // BUG null-pointer
        break;
    case 6:
        fclose(f);
        f = fopen("other.txt", "w"); /* not the same stream again */
        fprintf(f, "a");
        ftell(old); // BUG use-after-free
        break;
    default:
        fputc('a', f);
        heddle_reach("good");
        break;
    }
    if (x != 3)
        free(block);
    fclose(f);
    return 0;
}

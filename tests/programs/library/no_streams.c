/* What is no stream, or no more: said where it is used.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: use-after-free 9
 * finding: null-pointer 2
 * finding: null-argument 1
 * finding: out-of-bounds 2
 * says: use of something that is no directory stream, or of one that was closed
 * says: use of something that is no stream, or of one that was closed
 * label: good 1 */
#include <dirent.h>
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *nowhere;
static DIR *no_list;

int main(void) {
    unsigned char x;
    char *block = malloc(1);
    FILE *f = fopen("none.txt", "w"), *old = f;
    DIR *all = opendir("/"), *old_list = all;
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
    case 7:
        closedir(all);
        readdir(all); // BUG use-after-free
        break;
    case 8:
        closedir(all);
        closedir(all); // BUG use-after-free
        break;
    case 9:
        readdir((DIR *)block); // BUG use-after-free
        break;
    case 10:
        rewinddir(no_list); // BUG null-pointer null-argument
        break;
    case 11:
        telldir((DIR *)(block + 1)); // BUG out-of-bounds
        break;
    case 12:
        closedir(all);
        all = opendir("."); /* not the same again */
        dirfd(all);
        seekdir(old_list, 0); // BUG use-after-free
        break;
    default:
        readdir(all);
        fputc('a', f);
        heddle_reach("good");
        break;
    }
    if (x != 3)
        free(block);
    if (x != 7 && x != 8)
        closedir(all);
    fclose(f);
    return 0;
}

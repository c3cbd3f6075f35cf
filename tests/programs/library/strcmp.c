/* A secret compared by strcmp, strncmp and memcmp: the solver spells it.
 *
 * run: -DSTRCMP
 * verdict: complete
 * label: open 1
 *
 * run: -DSTRNCMP
 * verdict: complete
 * label: open
 *
 * run: -DMEMCMP
 * verdict: complete
 * label: open */
#include <heddle.h>
#include <string.h>

int main(void) {
    char word[8];
    heddle_input(word);
    word[7] = 0;
#if defined STRCMP
    if (strcmp(word, "sesame") == 0) {
#elif defined STRNCMP
    if (strncmp(word, "sesame street", 6) == 0) {
#else
    if (memcmp(word, "sesame", 6) == 0) {
#endif
        heddle_reach("open");
        heddle_assert(word[0] == 's' && word[5] == 'e');
    }
    return 0;
}

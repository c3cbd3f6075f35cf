/* Character classes and case conversion of symbolic characters.
 *
 * run:
 * verdict: complete
 * label: digit
 * label: upper
 * label: space */
#include <ctype.h>
#include <heddle.h>

int main(void) {
    unsigned char c;
    heddle_input(c);
    if (isdigit(c)) {
        heddle_reach("digit");
        heddle_assert(c >= '0' && c <= '9');
    } else if (isalpha(c) && toupper(c) == 'Q') {
        heddle_reach("upper");
        heddle_assert(c == 'q' || c == 'Q');
    } else if (isspace(c)) {
        heddle_reach("space");
    }
    return 0;
}

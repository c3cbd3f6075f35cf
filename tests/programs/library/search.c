/* strchr, strrchr, memchr, strstr, strspn and strcspn over symbolic bytes.
 *
 * run:
 * verdict: complete
 * label: pair
 * label: inside */
#include <heddle.h>
#include <string.h>

int main(void) {
    char s[5];
    heddle_input(s);
    s[4] = 0;
    char *equals = strchr(s, '=');
    if (equals && equals != s && strrchr(s, '=') == equals && equals[1] == '7') {
        heddle_reach("pair");
        heddle_assert(memchr(s, '=', 4) == equals);
        heddle_assert(strcspn(s, "=") == (size_t)(equals - s));
    }
    char *found = strstr(s, "ab");
    if (found == s + 1) {
        heddle_reach("inside");
        heddle_assert(s[1] == 'a' && s[2] == 'b');
    }
    return 0;
}

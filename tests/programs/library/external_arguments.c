/* Functions without a model may take arguments on the stack, more than registers hold: they come.
 *
 * run: --external strfmon
 * verdict: incomplete
 * reason: call of 'strfmon', which has no model
 * label: all 1 */
#include <heddle.h>
#include <monetary.h>
#include <string.h>

int main(void) {
    char text[256] = "";
    long n = strfmon(text, sizeof text, "%!n,%!n,%!n,%!n,%!n,%!n,%!n,%!n,%!n,%!n,%!n,%!n", 1.0, 2.0, 3.0,
                     4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0);
    heddle_assert(n > 0);
    heddle_assert(strcmp(text, "1.00,2.00,3.00,4.00,5.00,6.00,7.00,8.00,9.00,10.00,11.00,12.00") == 0);
    heddle_reach("all");
    return 0;
}

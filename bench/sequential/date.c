/* Is it a date?  Year, month and day as numbers, with leap years by the Gregorian rule.
 *
 * brute: -DYEARS=400 ints 0-32,99,100,199,200,399-401 -> 21
 * paths: -DYEARS=400 -> 21
 * paths: -DYEARS=9999 -> 21 */
#include <heddle.h>
#ifndef YEARS
#define YEARS 9999
#endif

static int is_leap(unsigned year) {
    if (year % 4 != 0)
        return 0;
    if (year % 100 != 0)
        return 1;
    return year % 400 == 0;
}

static unsigned days_of(unsigned year, unsigned month) {
    if (month == 2)
        return is_leap(year) ? 29 : 28;
    if (month == 4 || month == 6 || month == 9 || month == 11)
        return 30;
    return 31;
}

int main(void) {
    unsigned x[3]; /* year, month, day */
    heddle_input(x);
    if (x[0] < 1 || x[0] > YEARS)
        return 1;
    if (x[1] < 1 || x[1] > 12)
        return 2;
    if (x[2] < 1 || x[2] > days_of(x[0], x[1]))
        return 3;
    heddle_reach("a date");
    return 0;
}

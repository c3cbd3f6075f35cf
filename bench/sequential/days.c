/* Days since the beginning of a calendar to a year, month and day, without loops and tables: the
 * month and the day are always possible ones.
 *
 * paths: -DBELOW=80000000 -> 2 */
#include <heddle.h>
#ifndef BELOW
#define BELOW 80000000
#endif

int main(void) {
    unsigned days;
    heddle_input(days);
    if (days >= BELOW)
        return 1;
    unsigned of_era = days - days / 146097 * 146097;
    unsigned year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
    unsigned month = (5 * of_year + 2) / 153, day = of_year - (153 * month + 2) / 5 + 1;
    heddle_assert(month < 12);
    heddle_assert(day >= 1 && day <= 31);
    return 0;
}

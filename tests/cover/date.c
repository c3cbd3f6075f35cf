/* Is it a date? */
#include <heddle.h>
#include <stdbool.h>

static bool is_leap(unsigned year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned days_of(unsigned month, unsigned year) {
    if (month == 2)
        return is_leap(year) ? 29 : 28;
    if (month == 4 || month == 6 || month == 9 || month == 11)
        return 30;
    return 31;
}

static bool is_date(unsigned day, unsigned month, unsigned year) {
    if (day < 1 || month < 1 || month > 12 || year < 1583)
        return false;
    return day <= days_of(month, year) || (day == 30 && month == 2 && year == 1712);
}

int main(void) {
    unsigned char day, month;
    unsigned short year;
    heddle_input(day);
    heddle_input(month);
    heddle_input(year);
    heddle_cover("29 February", day == 29 && month == 2 && is_date(day, month, year));
    heddle_cover("a day of 1582", year == 1582 && is_date(day, month, year));
    return is_date(day, month, year);
}

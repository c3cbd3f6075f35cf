/* strftime looks at the members of its conversions, and at no others: those must have been written.
 *
 * run: -DRIGHT
 * verdict: complete
 * label: done
 *
 * run:
 * verdict: complete
 * finding: uninitialised 33 */
#include <heddle.h>
#include <time.h>

enum {
    SECOND = 1 << 0,
    MINUTE = 1 << 1,
    HOUR = 1 << 2,
    MDAY = 1 << 3,
    MONTH = 1 << 4,
    YEAR = 1 << 5,
    WDAY = 1 << 6,
    YDAY = 1 << 7,
    IS_DST = 1 << 8,
    OFFSET = 1 << 9,
    ZONE = 1 << 10
};

static char out[64];

static void fill(struct tm *t, unsigned members) {
    int *const all[] = {&t->tm_sec, &t->tm_min,  &t->tm_hour, &t->tm_mday, &t->tm_mon,
                        &t->tm_year, &t->tm_wday, &t->tm_yday, &t->tm_isdst};
    for (int i = 0; i < 9; i++)
        if (members >> i & 1)
            *all[i] = 1;
    if (members & OFFSET)
        t->tm_gmtoff = 3600;
    if (members & ZONE)
        t->tm_zone = "UTC";
}

#define T(format, members)                                                                         \
    do {                                                                                           \
        struct tm t;                                                                               \
        fill(&t, members);                                                                         \
        strftime(out, sizeof out, format, &t);                                                     \
    } while (0)

#ifdef RIGHT
int main(void) {
    T("%a", WDAY);
    T("%_A", WDAY);
    T("%-u", WDAY);
    T("%w", WDAY);
    T("%_b", MONTH);
    T("%-B", MONTH);
    T("%h", MONTH);
    T("%_m", MONTH);
    T("%-c", SECOND | MINUTE | HOUR | MDAY | MONTH | YEAR | WDAY);
    T("%C", YEAR);
    T("%_Y", YEAR);
    T("%-y", YEAR);
    T("%d", MDAY);
    T("%_e", MDAY);
    T("%-D", MDAY | MONTH | YEAR);
    T("%F", MDAY | MONTH | YEAR);
    T("%_x", MDAY | MONTH | YEAR);
    T("%-H", HOUR);
    T("%I", HOUR);
    T("%_k", HOUR);
    T("%-l", HOUR);
    T("%p", HOUR);
    T("%_P", HOUR);
    T("%-g", YEAR | YDAY | WDAY);
    T("%G", YEAR | YDAY | WDAY);
    T("%_V", YEAR | YDAY | WDAY);
    T("%-j", YDAY);
    T("%M", MINUTE);
    T("%_z", IS_DST | OFFSET);
    T("%-Z", ZONE);
    T("%r", SECOND | MINUTE | HOUR);
    T("%_T", SECOND | MINUTE | HOUR);
    T("%-X", SECOND | MINUTE | HOUR);
    T("%R", HOUR | MINUTE);
    T("%_S", SECOND);
    T("%-U", YDAY | WDAY);
    T("%W", YDAY | WDAY);
    T("%n%t%%", 0);
    T("%%a %%", 0);
    T("%Y-%m", YEAR | MONTH);
    heddle_reach("done");
    return 0;
}
#else
/* clang-format off: a line each */
int main(void) {
    switch (heddle_choose(0, 32)) {
    case 0: T("%a", 0); break; // BUG uninitialised
    case 1: T("%b", 0); break; // BUG uninitialised
    case 2: T("%c", MINUTE | HOUR | MDAY | MONTH | YEAR | WDAY); break; // BUG uninitialised
    case 3: T("%c", SECOND | HOUR | MDAY | MONTH | YEAR | WDAY); break; // BUG uninitialised
    case 4: T("%c", SECOND | MINUTE | MDAY | MONTH | YEAR | WDAY); break; // BUG uninitialised
    case 5: T("%c", SECOND | MINUTE | HOUR | MONTH | YEAR | WDAY); break; // BUG uninitialised
    case 6: T("%c", SECOND | MINUTE | HOUR | MDAY | YEAR | WDAY); break; // BUG uninitialised
    case 7: T("%c", SECOND | MINUTE | HOUR | MDAY | MONTH | WDAY); break; // BUG uninitialised
    case 8: T("%c", SECOND | MINUTE | HOUR | MDAY | MONTH | YEAR); break; // BUG uninitialised
    case 9: T("%C", 0); break; // BUG uninitialised
    case 10: T("%d", 0); break; // BUG uninitialised
    case 11: T("%D", MONTH | YEAR); break; // BUG uninitialised
    case 12: T("%F", MDAY | YEAR); break; // BUG uninitialised
    case 13: T("%x", MDAY | MONTH); break; // BUG uninitialised
    case 14: T("%H", 0); break; // BUG uninitialised
    case 15: T("%g", YDAY | WDAY); break; // BUG uninitialised
    case 16: T("%G", YEAR | WDAY); break; // BUG uninitialised
    case 17: T("%V", YEAR | YDAY); break; // BUG uninitialised
    case 18: T("%j", 0); break; // BUG uninitialised
    case 19: T("%M", 0); break; // BUG uninitialised
    case 20: T("%z", OFFSET); break; // BUG uninitialised
    case 21: T("%z", IS_DST); break; // BUG uninitialised
    case 22: T("%r", MINUTE | HOUR); break; // BUG uninitialised
    case 23: T("%T", SECOND | HOUR); break; // BUG uninitialised
    case 24: T("%X", SECOND | MINUTE); break; // BUG uninitialised
    case 25: T("%R", MINUTE); break; // BUG uninitialised
    case 26: T("%R", HOUR); break; // BUG uninitialised
    case 27: T("%S", 0); break; // BUG uninitialised
    case 28: T("%U", WDAY); break; // BUG uninitialised
    case 29: T("%W", YDAY); break; // BUG uninitialised
    case 30: T("%%%Y", 0); break; // BUG uninitialised
    case 31: T("%m-%d", MONTH); break; // BUG uninitialised
    case 32: T("%s", SECOND); break; // BUG uninitialised
    }
    return 0;
}
#endif

/* Results that the C library keeps in memory of its own are objects of the program here, one for all
 * calls as natively: nothing is lost, and the program may write to them.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: all 1
 *
 * run: -DSYMBOLIC
 * verdict: incomplete
 * reason: call of 'gmtime_r' on symbolic memory
 * reason-at: LOSS */
#include <heddle.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <time.h>

int main(void) {
    int x;
    heddle_input(x);
    time_t when = 86400 * 365;
#ifdef SYMBOLIC
    when = x;
    return gmtime(&when)->tm_year == 70; // LOSS
#endif
    struct tm *local = localtime(&when);
    char zone = local->tm_zone[0];
    struct tm *date = gmtime(&when);
    date->tm_mon += 2;
    if (x == 7 && date->tm_year == 71 && local->tm_mon == 2 && zone && date == local &&
        strcmp(date->tm_zone, "GMT") == 0 && strstr(asctime(date), "Mar") &&
        strstr(ctime(&when), "197") && localeconv()->decimal_point[0] == '.' &&
        strcmp(strsignal(SIGSEGV), "Segmentation fault") == 0)
        heddle_reach("all");
    return 0;
}

/* Functions of the C library that run as they are look at nothing but what their row says: each gets
 * a block that is one byte too short for what it reads or writes, or text without an end.
 *
 * run: --strategy dfs
 * finding: out-of-bounds 25
 * finding: null-pointer 2
 * label: number
 * label: null-is-nothing 1
 * verdict: incomplete
 * reason: call of 'strtod' on symbolic memory
 * reason: call of 'strverscmp' on symbolic memory
 * reason: call of 'sysconf' with a symbolic argument */
#define _GNU_SOURCE
#include <fenv.h>
#include <fnmatch.h>
#include <heddle.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* A block of n - 1 bytes, for something of n. */
static void *S(size_t n) {
    return calloc(1, n - 1);
}
/* Text that has no end. */
static char *unended(void) {
    return memcpy(malloc(3), "123", 3);
}
static wchar_t *wide(void) {
    return memcpy(malloc(3 * sizeof(wchar_t)), L"123", 3 * sizeof(wchar_t));
}

static regex_t expression;
static char *nowhere; /* null, which nobody knows */

int main(void) {
    unsigned char x, y;
    char *end, text[8] = "1.5";
    void *kept = NULL;
    heddle_input(x);
    switch (x) {
    case 0:
        strtod(unended(), &end); // BUG out-of-bounds
        break;
    case 1:
        strtod(text, S(8)); // BUG out-of-bounds
        break;
    case 2:
        heddle_input(y);
        text[3] = (char)y;
        if (strtod(text, NULL) == 1.5)
            heddle_reach("number");
        break;
    case 3:
        frexp(4.5, S(4)); // BUG out-of-bounds
        break;
    case 4:
        modf(4.5, S(8)); // BUG out-of-bounds
        break;
    case 5:
        uname(S(390)); // BUG out-of-bounds
        break;
    case 6:
        strerror_r(2, S(16), 16); // BUG out-of-bounds
        break;
    case 7:
        getrlimit(RLIMIT_CORE, S(16)); // BUG out-of-bounds
        break;
    case 8:
        getrusage(RUSAGE_SELF, S(144)); // BUG out-of-bounds
        break;
    case 9:
        times(S(32)); // BUG out-of-bounds
        break;
    case 10:
        getloadavg(S(24), 3); // BUG out-of-bounds
        break;
    case 11:
        strptime("2024", "%Y", S(56)); // BUG out-of-bounds
        break;
    case 12:
        strptime(unended(), "%d", &(struct tm){0}); // BUG out-of-bounds
        break;
    case 13:
        fnmatch("1*", unended(), 0); // BUG out-of-bounds
        break;
    case 14:
        fnmatch(unended(), "1", 0); // BUG out-of-bounds
        break;
    case 15:
        sigorset(S(128), &(sigset_t){0}, &(sigset_t){0}); // BUG out-of-bounds
        break;
    case 16:
        sigandset(&(sigset_t){0}, &(sigset_t){0}, S(128)); // BUG out-of-bounds
        break;
    case 17:
        fegetenv(S(32)); // BUG out-of-bounds
        break;
    case 18:
        wcstol(wide(), NULL, 10); // BUG out-of-bounds
        break;
    case 19:
        wcsncasecmp(wide(), L"1234", 4); // BUG out-of-bounds
        break;
    case 20:
        wcsncasecmp(kept = wide(), L"123", 3);
        break;
    case 21:
        mblen(unended() + 1, 3); // BUG out-of-bounds
        break;
    case 22:
        mblen(kept = unended(), 3);
        break;
    case 23:
        basename(unended()); // BUG out-of-bounds
        break;
    case 24:
        regcomp(S(64), "a", 0); // BUG out-of-bounds
        break;
    case 25:
        if (regcomp(&expression, "a", 0) == 0)
            regexec(&expression, "a", 2, S(16), 0); // BUG out-of-bounds
        break;
    case 26:
        statvfs("/", S(112)); // BUG out-of-bounds
        break;
    case 27:
        sincos(1, S(8), &(double){0}); // BUG out-of-bounds
        break;
    case 28:
        frexp(4.5, (int *)nowhere); // BUG null
        break;
    case 29:
        heddle_input(y);
        text[0] = (char)y;
        strverscmp("abc", text);
        break;
    case 30:
        fnmatch("a", nowhere, 0); // BUG null
        break;
    case 31:
        heddle_input(y);
        sysconf(y);
        break;
    case 32:
        times(NULL);
        mblen(NULL, 0);
        strtod("1", NULL);
        heddle_reach("null-is-nothing");
        break;
    default:
        break;
    }
    free(kept);
    return 0;
}

/* Functions of the C library that run as they are, through the gateway: numbers, text and memory on
 * both sides of it. */
#include "calls.h"

#include <fenv.h>
#include <fnmatch.h>
#include <langinfo.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

char *basename(const char *);
char *dirname(char *);

#define D(call)                                                                                    \
    do {                                                                                           \
        errno = 0;                                                                                 \
        double result_ = (double)(call);                                                           \
        int error_ = errno;                                                                        \
        printf("%d %s = %.17g %d\n", __LINE__, #call, result_, error_);                            \
    } while (0)

/* Results in registers of both kinds, through pointers, and behind errors. */
static void numbers(void) {
    static const char *const texts[] = {"12.5x", "-0x1p3", "inf", "nan", "", "1e999", "1e-999", " +7"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end = NULL;
        D(strtod(texts[i], &end));
        T(end - texts[i]);
        D(strtod(texts[i], NULL));
        D(strtof(texts[i], &end));
        T(end - texts[i]);
        D(strtold(texts[i], &end));
        T(end - texts[i]);
        D(atof(texts[i]));
    }
    int exponent = 77;
    double whole = 7;
    float whole_f = 7, sine_f, cosine_f;
    double sine, cosine;
    D(frexp(48.5, &exponent));
    T(exponent);
    D(frexpf(0.125f, &exponent));
    T(exponent);
    D(modf(-3.25, &whole));
    D(whole);
    D(modff(3.75f, &whole_f));
    D(whole_f);
    D(lgamma_r(-0.5, &exponent));
    T(exponent);
    D(remquo(29.0, 8.0, &exponent));
    T(exponent);
    sincos(1.25, &sine, &cosine);
    D(sine);
    D(cosine);
    sincosf(0.5f, &sine_f, &cosine_f);
    D(sine_f);
    D(cosine_f);
    T(isnan(nan("7")));
    T(a64l("zzz"));
    show_text("digits", l64a(12345));
    char text[32];
    show_text("digits", gcvt(3.25, 10, text));
}

/* Memory that is read and written as a row says, and no more of it. */
static void memory(void) {
    struct {
        char before, text[24], behind;
    } room = {'b', "", 'e'};
    TP(strerror_r(ENOENT, room.text, sizeof room.text));
    show_text("error", strerror_r(ENOENT, room.text, sizeof room.text));
    T(room.before == 'b' && room.behind == 'e');
    T(strverscmp("a9", "a10") < 0);
    T(strverscmp("a10", "a9") > 0);
    T(strverscmp("same", "same"));
    T(fnmatch("a*[0-9].c", "abc7.c", 0));
    T(fnmatch("a*", "b", 0) == FNM_NOMATCH);
    T(fnmatch("a*", "a/b", FNM_PATHNAME) == FNM_NOMATCH);
    char path[] = "/usr/lib/name.so", none[] = "", slash[] = "/";
    show_text("base", basename(path));
    show_text("folder", dirname(path));
    show_text("path", path);
    show_text("folder", dirname(none));
    show_text("folder", dirname(slash));
    show_text("folder", dirname(NULL));
    struct tm when = {.tm_mday = 9, .tm_year = 1};
    const char *date = "2024-03-05 rest";
    show_text("behind", strptime(date, "%Y-%m-%d", &when));
    T(when.tm_year);
    T(when.tm_mon);
    T(when.tm_mday);
    T(strptime("xx", "%Y", &when) != NULL);
    sigset_t a, b, c;
    sigemptyset(&a);
    sigemptyset(&b);
    sigaddset(&a, 3);
    sigaddset(&b, 5);
    T(sigorset(&c, &a, &b));
    T(sigismember(&c, 3) + 2 * sigismember(&c, 5));
    T(sigandset(&c, &a, &b));
    T(sigisemptyset(&c));
    T(sigisemptyset(&a));
    show_text("point", nl_langinfo(RADIXCHAR));
}

static void system_values(void) {
    struct utsname name;
    struct rlimit limit = {1, 2};
    struct rusage usage;
    struct tms spent;
    T(uname(&name));
    show_text("system", name.sysname);
    show_text("machine", name.machine);
    T(getpagesize());
    T(sysconf(_SC_PAGESIZE));
    T(sysconf(-5));
    T(getrlimit(RLIMIT_CORE, &limit));
    T(limit.rlim_cur <= limit.rlim_max);
    T(getrlimit(-1, &limit));
    T(getrusage(RUSAGE_SELF, &usage));
    T(getrusage(77, &usage));
    T(times(&spent) != -1);
    T(times(NULL) != -1);
    T(getuid() == geteuid());
    T(getgid() == getegid());
    T(getpriority(77, 0));
    struct statvfs disk;
    T(statvfs("/", &disk));
    T(disk.f_bsize > 0);
    T(statvfs("/no/such", &disk));
}

static void rounding(void) {
    fenv_t kept;
    T(fegetround());
    T(fesetround(FE_UPWARD));
    T(fegetround() == FE_UPWARD);
    T(fegetenv(&kept));
    T(fesetround(FE_TONEAREST));
    T(fesetenv(&kept));
    T(fegetround() == FE_UPWARD);
    T(fesetround(FE_TONEAREST));
    T(feclearexcept(FE_ALL_EXCEPT));
    T(fetestexcept(FE_ALL_EXCEPT));
    T(feraiseexcept(FE_DIVBYZERO));
    T(fetestexcept(FE_DIVBYZERO) != 0);
    T(feholdexcept(&kept));
    T(fetestexcept(FE_DIVBYZERO) != 0);
    T(feupdateenv(&kept));
    T(fetestexcept(FE_DIVBYZERO) != 0);
}

static void wide(void) {
    wchar_t *end;
    wchar_t text[] = L"-12z";
    mbstate_t state = {0};
    T(wcstol(text, &end, 10));
    T(end - text);
    T(wcstoul(L"ff", NULL, 16));
    D(wcstod(L"2.5q", &end));
    T(wcscasecmp(L"ABC", L"abd") < 0);
    T(wcsncasecmp(L"ABC", L"abd", 2));
    T(wcswidth(L"abc", 2));
    T(wcwidth(L'a'));
    T(btowc('x') == L'x');
    T(wctob(L'y'));
    T(iswctype(L'7', wctype("digit")) != 0);
    T(iswctype(L'x', wctype("digit")) != 0);
    T(wctype("none") != 0);
    T(towctrans(L'a', wctrans("toupper")));
    T(mblen("ab", 2));
    T(mblen(NULL, 0));
    T(mbrlen("ab", 2, &state));
    T(mbsinit(&state) != 0);
    T(mbsinit(NULL) != 0);
}

static void expressions(void) {
    regex_t r;
    regmatch_t where[2] = {{7, 7}, {7, 7}};
    char why[16];
    T(regcomp(&r, "b(c+)", REG_EXTENDED));
    T(r.re_nsub);
    T(regexec(&r, "abccd", 2, where, 0));
    T(where[0].rm_so * 1000 + where[0].rm_eo * 100 + where[1].rm_so * 10 + where[1].rm_eo);
    T(regexec(&r, "xyz", 0, NULL, 0));
    T(regerror(REG_NOMATCH, &r, why, sizeof why));
    show_text("why", why);
    T(regerror(REG_NOMATCH, &r, NULL, 0));
    regfree(&r);
    T(regcomp(&r, "(", REG_EXTENDED) != 0);
}

/* More arguments than registers hold, of both kinds, and errno on both ways. */
static void errors(void) {
    errno = EDOM;
    strtod("1", NULL);
    T(errno);
    errno = 7;
    double d = strtod("1e999", NULL);
    printf("%d %d\n", d > 1, errno);
    errno = 9;
    fnmatch("a", "b", 0);
    printf("%d\n", errno);
}

int main(void) {
    numbers();
    memory();
    system_values();
    rounding();
    wide();
    expressions();
    errors();
    return 0;
}

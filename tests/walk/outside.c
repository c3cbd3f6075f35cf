/* Functions whose state is not the machine's: executions are processes of their own. */
#include "walk.h"

#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>
#include <regex.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <utmp.h>

WALK(tmpnam) {
    char b[L_tmpnam] = "abc";
    SEE(tmpnam(W(0, b)) == b);
    SEEM(b, 5);
}
WALK(mprotect) {
    char *p[2];
    for (int i = 0; i < 2; i++)
        p[i] = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SEE(mprotect(A(0, p)[0], C(1, 8192, 4096), C(2, PROT_READ | PROT_WRITE, PROT_READ)));
}
WALK(dlerror) {
    SEE(dlerror() == 0);
}
WALK(uname) {
    struct utsname u;
    memset(&u, 0, sizeof u);
    SEE(uname(W(0, &u)));
    SEES(u.sysname);
}
WALK(regcomp) {
    regex_t r;
    memset(&r, 0, sizeof r);
    SEE(regcomp(W(0, &r), M(1, (char[8]){"a[bc]"}, 0, 4), C(2, 0, REG_EXTENDED, REG_ICASE)));
}
#define REGEX                                                                                      \
    regex_t r;                                                                                     \
    regmatch_t m[2] = {{7, 7}, {8, 8}};                                                            \
    memset(&r, 0, sizeof r);                                                                       \
    regcomp(&r, "a([bc]+)", REG_EXTENDED)
WALK(regexec) {
    REGEX;
    SEE(regexec(M(0, &r, 63), S(1, "xabcb"), C(2, 2, 1, 0), W(3, m), C(4, 0, REG_NOTBOL)));
    SEEM(m, 16);
}
WALK(regerror) {
    REGEX;
    char b[64] = "abc";
    SEE(regerror(V(0, 1), M(1, &r, 63), W(2, b), VS(3, 20, 1)));
    SEEM(b, 30);
    (void)m;
}
WALK(regfree) {
    REGEX;
    regfree(M(0, &r, 63));
    SEE(1);
    (void)m;
}
WALK(getpwnam) {
    struct passwd *p = getpwnam(N(0, "root"));
    errno = 0;
    SEE(p ? (long)p->pw_uid : -5L);
}
WALK(getpwuid) {
    struct passwd *p = getpwuid(V(0, 0));
    errno = 0;
    SEES(p ? p->pw_name : "-");
}
WALK(getgrnam) {
    struct group *p = getgrnam(N(0, "root"));
    errno = 0;
    SEE(p ? (long)p->gr_gid : -5L);
}
WALK(getgrgid) {
    struct group *p = getgrgid(V(0, 0));
    errno = 0;
    SEES(p ? p->gr_name : "-");
}
WALK(getpwnam_r) {
    struct passwd p = {0}, *found = 0;
    char texts[200] = "";
    int e = getpwnam_r(N(0, "root"), W(1, &p), W(2, texts), (size_t)VS(3, 60, 40), W(4, &found));
    errno = 0;
    SEE(e);
    SEES(found ? found->pw_dir : "-");
}
WALK(getpwuid_r) {
    struct passwd p = {0}, *found = 0;
    char texts[200] = "";
    int e = getpwuid_r((uid_t)V(0, 0), W(1, &p), W(2, texts), (size_t)VS(3, 60, 40), W(4, &found));
    errno = 0;
    SEE(e);
    SEES(found ? found->pw_name : "-");
}
WALK(getgrnam_r) {
    struct group g = {0}, *found = 0;
    char texts[200] = "";
    int e = getgrnam_r(N(0, "root"), W(1, &g), W(2, texts), (size_t)VS(3, 100, 20), W(4, &found));
    errno = 0;
    SEE(e);
    SEE(found ? found->gr_mem[0] == 0 : -5L);
}
WALK(getgrgid_r) {
    struct group g = {0}, *found = 0;
    char texts[200] = "";
    int e = getgrgid_r((gid_t)V(0, 0), W(1, &g), W(2, texts), (size_t)VS(3, 100, 20), W(4, &found));
    errno = 0;
    SEE(e);
    SEES(found ? found->gr_name : "-");
}
WALK(getgrouplist) {
    gid_t all[8] = {0};
    int n = 2;
    int e = getgrouplist(N(0, "root"), (gid_t)V(1, 0), W(2, all), W(3, &n));
    errno = 0;
    SEE(e);
    SEE(all[0]);
}
WALK(setutent) {
    setutent();
    SEE(1);
}
WALK(getutent) {
    SEE(getutent() != 0);
}
WALK(endutent) {
    endutent();
    SEE(1);
}
WALK(getlogin) {
    char *s = getlogin();
    errno = 0;
    SEE(s != 0);
}
WALK(statvfs) {
    struct statvfs s;
    memset(&s, 0, sizeof s);
    SEE(statvfs(N(0, "."), W(1, &s)));
    SEE(s.f_bsize > 0);
}

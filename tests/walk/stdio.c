/* Streams. */
#include "walk.h"

#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* A stream over a file with text in it. */
static FILE *stream(const char *text) {
    FILE *f = tmpfile();
    fputs(text, f);
    rewind(f);
    return f;
}
static void see_stream(FILE *f) {
    char b[64] = "";
    rewind(f);
    long n = (long)fread(b, 1, 60, f);
    SEE(n);
    SEEM(b, 60);
}
#define TWO(a, b) FILE *f[2] = {stream(a), stream(b)}
#define SEE2      see_stream(f[0]), see_stream(f[1])
/* Descriptor `d` becomes a file, which is seen afterwards. */
static int divert(int d) {
    int f = fileno(tmpfile());
    dup2(f, d);
    return f;
}
static void see_diverted(int f) {
    fflush(0);
    lseek(f, 0, SEEK_SET);
    walk_see_all(f);
}
static void feed(const char *text) {
    int p = walk_pipe(text);
    dup2(p, 0);
    close(p);
}

WALK(printf) {
    int d = divert(1);
    SEE(printf(M(0, (char[16]){"a%d%s"}, 0), (int)V(1, 8), S(1, "abc")));
    see_diverted(d);
}
static int v_printf(const char *f, ...);
WALK(vprintf) {
    int d = divert(1);
    SEE(v_printf(M(0, (char[16]){"a%d%s"}, 0), (int)V(1, 8), S(1, "abc")));
    see_diverted(d);
}
static int v_printf(const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vprintf(f, a);
    va_end(a);
    return r;
}
WALK(fprintf) {
    TWO("", "");
    SEE(fprintf(A(0, f)[0], M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
    SEE2;
}
static int v_fprintf(FILE *s, const char *f, ...);
WALK(vfprintf) {
    TWO("", "");
    SEE(v_fprintf(A(0, f)[0], M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
    SEE2;
}
static int v_fprintf(FILE *s, const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vfprintf(s, f, a);
    va_end(a);
    return r;
}
WALK(dprintf) {
    FILE *t = tmpfile();
    SEE(dprintf(VS(0, fileno(t), 50), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
    see_diverted(fileno(t));
}
static int v_dprintf(int d, const char *f, ...);
WALK(vdprintf) {
    FILE *t = tmpfile();
    SEE(v_dprintf(VS(0, fileno(t), 50), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
    see_diverted(fileno(t));
}
static int v_dprintf(int d, const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vdprintf(d, f, a);
    va_end(a);
    return r;
}
WALK(puts) {
    int d = divert(1);
    SEE(puts(S(0, "abc")) >= 0);
    see_diverted(d);
}
WALK(putchar) {
    int d = divert(1);
    SEE(putchar(V(0, 'a')));
    see_diverted(d);
}
WALK(putchar_unlocked) {
    int d = divert(1);
    SEE(putchar_unlocked(V(0, 'a')));
    see_diverted(d);
}
#define WALK_FPUTS(g)                                                                              \
    WALK(g) {                                                                                      \
        TWO("", "");                                                                               \
        SEE(g(S(0, "abc"), A(1, f)[0]) >= 0);                                                      \
        SEE2;                                                                                      \
    }
#define WALK_PUTC(name, g)                                                                         \
    WALK(name) {                                                                                   \
        TWO("", "");                                                                               \
        SEE((int)g(VS(0, 'a', 70), A(1, f)[0]));                                                   \
        SEE2;                                                                                      \
    }
WALK_FPUTS(fputs)
WALK_FPUTS(fputs_unlocked)
int _IO_putc(int, FILE *), _IO_getc(FILE *);
WALK_PUTC(putc, putc)
WALK_PUTC(fputc, fputc)
WALK_PUTC(putc_unlocked, putc_unlocked)
WALK_PUTC(fputc_unlocked, fputc_unlocked)
WALK_PUTC(_IO_putc, _IO_putc)
#define WALK_FWRITE(g)                                                                             \
    WALK(g) {                                                                                      \
        TWO("", "");                                                                               \
        SEE(g(M(0, (char[32]){"abcdefghijklmno"}, 0, 2), V(1, 1), V(2, 2), A(3, f)[0]));           \
        SEE2;                                                                                      \
    }
WALK_FWRITE(fwrite)
WALK_FWRITE(fwrite_unlocked)
WALK(fflush) {
    TWO("", "");
    fputs("abc", f[0]);
    fputs("de", f[1]);
    SEE(fflush(A(0, f)[0]));
    SEE2;
}
WALK(fflush_unlocked) {
    TWO("", "");
    fputs("abc", f[0]);
    fputs("de", f[1]);
    SEE(fflush_unlocked(A(0, f)[0]));
    SEE2;
}
WALK(perror) {
    int d = divert(2);
    errno = ENOENT;
    perror(S(0, "abc"));
    see_diverted(d);
}
WALK(herror) {
    int d = divert(2);
    h_errno = 2;
    herror(S(0, "abc"));
    see_diverted(d);
}
WALK(setvbuf) {
    TWO("", "");
    static char b[2][128];
    SEE(setvbuf(A(0, f)[0], A(1, b)[0], C(2, _IOFBF, _IONBF, _IOLBF), VS(3, 64, 1)));
    fputs("x", f[0]);
    struct stat s;
    fstat(fileno(f[0]), &s);
    SEE(s.st_size);
}
WALK(setbuf) {
    TWO("", "");
    static char b[2][BUFSIZ];
    setbuf(A(0, f)[0], A(1, b)[0]);
    fputs("x", f[0]);
    SEE2;
}
WALK(setlinebuf) {
    TWO("", "");
    setlinebuf(A(0, f)[0]);
    fputs("x\n", f[0]);
    struct stat s;
    fstat(fileno(f[0]), &s);
    SEE(s.st_size);
}
/* Behind the name of the program. */
static void see_complaint(int f) {
    char b[128] = "", *text = b;
    fflush(0);
    lseek(f, 0, SEEK_SET);
    SEE(read(f, b, 120) > 0);
    while (*text && *text != ' ')
        text++;
    SEES(text);
}
WALK(warn) {
    int d = divert(2);
    errno = ENOENT;
    warn(M(0, (char[16]){"a%d%s"}, 0), (int)V(1, 8), S(1, "abc"));
    see_complaint(d);
}
WALK(warnx) {
    int d = divert(2);
    warnx(M(0, (char[16]){"a%d%s"}, 0), (int)V(1, 8), S(1, "abc"));
    see_complaint(d);
}
static void v_warn(const char *f, ...), v_warnx(const char *f, ...);
WALK(vwarn) {
    int d = divert(2);
    errno = ENOENT;
    v_warn(M(0, (char[16]){"a%d%s"}, 0), (int)V(1, 8), S(1, "abc"));
    see_complaint(d);
}
static void v_warn(const char *f, ...) {
    va_list a;
    va_start(a, f);
    vwarn(f, a);
    va_end(a);
}
WALK(vwarnx) {
    int d = divert(2);
    v_warnx(M(0, (char[16]){"a%d%s"}, 0), (int)V(1, 8), S(1, "abc"));
    see_complaint(d);
}
static void v_warnx(const char *f, ...) {
    va_list a;
    va_start(a, f);
    vwarnx(f, a);
    va_end(a);
}
/* In a child, since it ends; its output and its status. */
#define ENDING(call)                                                                               \
    int d = divert(2), status = 0;                                                                 \
    if (fork() == 0) {                                                                             \
        errno = ENOENT;                                                                            \
        call;                                                                                      \
        _exit(99);                                                                                 \
    }                                                                                              \
    wait(&status);                                                                                 \
    SEE(WEXITSTATUS(status));                                                                      \
    see_complaint(d)
static void v_err(int code, const char *f, ...), v_errx(int code, const char *f, ...);
WALK(err) {
    ENDING(err(V(0, 3), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
}
WALK(errx) {
    ENDING(errx(V(0, 3), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
}
WALK(verr) {
    ENDING(v_err(V(0, 3), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
}
static void v_err(int code, const char *f, ...) {
    va_list a;
    va_start(a, f);
    verr(code, f, a);
    va_end(a);
}
WALK(verrx) {
    ENDING(v_errx(V(0, 3), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc")));
}
static void v_errx(int code, const char *f, ...) {
    va_list a;
    va_start(a, f);
    verrx(code, f, a);
    va_end(a);
}
WALK(error) {
    ENDING(error(V(0, 0), V(1, 0), M(2, (char[16]){"a%d%s"}, 0), (int)V(3, 8), S(3, "abc")));
}

/* Reading. */
#define WALK_GETC(name, g)                                                                         \
    WALK(name) {                                                                                   \
        TWO("ab", "cd");                                                                           \
        int c = g(A(0, f)[0]);                                                                     \
        SEE(c);                                                                                    \
        fseek(f[0], 0, SEEK_SET);                                                                  \
        char b = 'z';                                                                              \
        b = (char)V(0, 'z');                                                                       \
        fputc(b, f[0]);                                                                            \
        rewind(f[0]);                                                                              \
        c = g(f[0]);                                                                               \
        SEE(c);                                                                                    \
    }
WALK_GETC(fgetc, fgetc)
WALK_GETC(getc, getc)
WALK_GETC(fgetc_unlocked, fgetc_unlocked)
WALK_GETC(getc_unlocked, getc_unlocked)
WALK_GETC(_IO_getc, _IO_getc)
WALK(getchar) {
    feed("ab");
    SEE(getchar());
    SEE(getchar());
    SEE(getchar());
}
WALK(getchar_unlocked) {
    feed("ab");
    SEE(getchar_unlocked());
    SEE(getchar_unlocked());
    SEE(getchar_unlocked());
}
WALK(ungetc) {
    TWO("ab", "cd");
    int c = ungetc(VS(0, 'x', 60), A(1, f)[0]);
    SEE(c);
    SEE(fgetc(f[0]));
    SEE(fgetc(f[0]));
    SEE(fgetc(f[1]));
}
WALK(fgets) {
    TWO("ab\ncdefg", "xy");
    char b[16] = "0123456789";
    SEEP(fgets(W(0, b), V(1, 2), A(2, f)[0]), b);
    SEEM(b, 16);
}
WALK(fread) {
    TWO("abcdefgh", "xyzuvw");
    char b[32] = "0123456789";
    SEE(fread(W(0, b), V(1, 1), V(2, 2), A(3, f)[0]));
    SEEM(b, 32);
}
WALK(getline) {
    TWO("ab\ncd\n", "xyz\n");
    char *b[2] = {malloc(8), malloc(8)};
    size_t n[2] = {8, 8};
    strcpy(b[0], "0123");
    strcpy(b[1], "4567");
    SEE(getline(A(0, b), M(1, n, 0), A(2, f)[0]));
    SEES(b[0]);
    SEES(b[1]);
    M(0, b[0], 0);
    SEE(getline(b, n, f[0]));
    SEES(b[0]);
}
#define WALK_DELIM(name, g)                                                                        \
    WALK(name) {                                                                                   \
        TWO("ab\ncd\n", "xyz\n");                                                                  \
        char *b[2] = {malloc(8), malloc(8)};                                                       \
        size_t n[2] = {8, 8};                                                                      \
        strcpy(b[0], "0123");                                                                      \
        strcpy(b[1], "4567");                                                                      \
        SEE(g(A(0, b), M(1, n, 0), V(2, 'a'), A(3, f)[0]));                                        \
        SEES(b[0]);                                                                                \
        SEES(b[1]);                                                                                \
        M(0, b[0], 0);                                                                             \
        SEE(g(b, n, 'd', f[0]));                                                                   \
        SEES(b[0]);                                                                                \
    }
ssize_t __getdelim(char **, size_t *, int, FILE *);
WALK_DELIM(getdelim, getdelim)
WALK_DELIM(__getdelim, __getdelim)
int walk_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int walk_scanf(const char *, ...) __asm__("scanf");
int walk_vfscanf_(FILE *, const char *, va_list) __asm__("vfscanf");
int walk_vscanf_(const char *, va_list) __asm__("vscanf");
int __isoc99_fscanf(FILE *, const char *, ...), __isoc99_scanf(const char *, ...);
int __isoc99_vfscanf(FILE *, const char *, va_list), __isoc99_vscanf(const char *, va_list);
int walk23_fscanf(FILE *, const char *, ...) ISOC23(fscanf);
int walk23_scanf(const char *, ...) ISOC23(scanf);
int walk23_vfscanf(FILE *, const char *, va_list) ISOC23(vfscanf);
int walk23_vscanf(const char *, va_list) ISOC23(vscanf);
static int v_fscan(int (*scan)(FILE *, const char *, va_list), FILE *s, const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = scan(s, f, a);
    va_end(a);
    return r;
}
static int v_scan(int (*scan)(const char *, va_list), const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = scan(f, a);
    va_end(a);
    return r;
}
#define WALK_FSCANF(name, g)                                                                       \
    WALK(name) {                                                                                   \
        TWO("12 abc", "34 xyz");                                                                   \
        int a[2] = {1, 2};                                                                         \
        char b[8] = "xyz";                                                                         \
        SEE(g(A(0, f)[0], M(1, (char[8]){"%d%3s"}, 3), A(2, a), W(2, b)));                         \
        SEEM(a, 8);                                                                                \
        SEEM(b, 8);                                                                                \
    }
#define WALK_SCANF(name, g)                                                                        \
    WALK(name) {                                                                                   \
        feed("12 abc");                                                                            \
        int a[2] = {1, 2};                                                                         \
        char b[8] = "xyz";                                                                         \
        SEE(g(M(0, (char[8]){"%d%3s"}, 3), A(1, a), W(1, b)));                                     \
        SEEM(a, 8);                                                                                \
        SEEM(b, 8);                                                                                \
    }
#define WALK_VFSCANF(name, g)                                                                      \
    WALK(name) {                                                                                   \
        TWO("12 abc", "34 xyz");                                                                   \
        int a[2] = {1, 2};                                                                         \
        char b[8] = "xyz";                                                                         \
        SEE(v_fscan(g, A(0, f)[0], M(1, (char[8]){"%d%3s"}, 3), A(2, a), W(2, b)));                \
        SEEM(a, 8);                                                                                \
        SEEM(b, 8);                                                                                \
    }
#define WALK_VSCANF(name, g)                                                                       \
    WALK(name) {                                                                                   \
        feed("12 abc");                                                                            \
        int a[2] = {1, 2};                                                                         \
        char b[8] = "xyz";                                                                         \
        SEE(v_scan(g, M(0, (char[8]){"%d%3s"}, 3), A(1, a), W(1, b)));                             \
        SEEM(a, 8);                                                                                \
        SEEM(b, 8);                                                                                \
    }
WALK_FSCANF(fscanf, walk_fscanf)
WALK_FSCANF(__isoc99_fscanf, __isoc99_fscanf)
WALK_FSCANF(__isoc23_fscanf, walk23_fscanf)
WALK_SCANF(scanf, walk_scanf)
WALK_SCANF(__isoc99_scanf, __isoc99_scanf)
WALK_SCANF(__isoc23_scanf, walk23_scanf)
WALK_VFSCANF(vfscanf, walk_vfscanf_)
WALK_VFSCANF(__isoc99_vfscanf, __isoc99_vfscanf)
WALK_VFSCANF(__isoc23_vfscanf, walk23_vfscanf)
WALK_VSCANF(vscanf, walk_vscanf_)
WALK_VSCANF(__isoc99_vscanf, __isoc99_vscanf)
WALK_VSCANF(__isoc23_vscanf, walk23_vscanf)

/* The state of streams. */
WALK(open_memstream) {
    char *p = 0;
    size_t n = 7;
    FILE *s = open_memstream(W(0, &p), W(1, &n));
    fputs("abc", s);
    fflush(s);
    SEE(n);
    SEES(p);
    fputc('d', s);
    fclose(s);
    SEE(n);
    SEES(p);
    free(p);
}
WALK(fmemopen) {
    char b[12] = "abcdefgh", read[12] = "";
    FILE *s = fmemopen(M(0, b, 0, 2), V(1, 3), N(2, "r"));
    SEE(s != 0);
    if (!s)
        return;
    SEE(fread(read, 1, 8, s));
    SEEM(read, 12);
    fclose(s);
    s = fmemopen(b, V(1, 3), "w");
    fputc(read[0], s);
    fputs("xy", s);
    SEE(fclose(s));
    SEEM(b, 12);
}
WALK(fdopen) {
    int d = fileno(tmpfile());
    FILE *s = fdopen(C(0, d, 77), N(1, "w"));
    SEE(s != 0);
    SEE(s ? fputs("abc", s) >= 0 : 0);
    see_diverted(d);
}
WALK(fclose) {
    TWO("ab", "cd");
    SEE(fclose(A(0, f)[0]));
    SEE(way == 0 ? 0 : fgetc(f[1]));
}
WALK(fileno) {
    TWO("ab", "cd");
    SEE(fileno(A(0, f)[0]));
}
WALK(fileno_unlocked) {
    TWO("ab", "cd");
    SEE(fileno_unlocked(A(0, f)[0]));
}
#define WALK_EOF(g)                                                                                \
    WALK(g) {                                                                                      \
        TWO("ab", "");                                                                             \
        fgetc(f[1]);                                                                               \
        fgetc(f[0]);                                                                               \
        SEE(g(A(0, f)[0]) != 0);                                                                   \
    }
WALK_EOF(feof)
WALK_EOF(feof_unlocked)
WALK_EOF(ferror)
WALK_EOF(ferror_unlocked)
WALK(clearerr) {
    TWO("", "");
    fgetc(f[0]);
    fgetc(f[1]);
    clearerr(A(0, f)[0]);
    SEE(feof(f[0]) != 0);
    SEE(feof(f[1]) != 0);
}
WALK(clearerr_unlocked) {
    TWO("", "");
    fgetc(f[0]);
    fgetc(f[1]);
    clearerr_unlocked(A(0, f)[0]);
    SEE(feof(f[0]) != 0);
    SEE(feof(f[1]) != 0);
}
#define WALK_SEEK(g)                                                                               \
    WALK(g) {                                                                                      \
        TWO("abcdefgh", "ijklmnop");                                                               \
        SEE(g(A(0, f)[0], V(1, 0), C(2, SEEK_SET, SEEK_END, SEEK_CUR, 9)));                        \
        SEE(ftell(f[0]));                                                                          \
        SEE(ftell(f[1]));                                                                          \
        SEE(fgetc(f[0]));                                                                          \
    }
WALK_SEEK(fseek)
WALK_SEEK(fseeko)
WALK_SEEK(fseeko64)
#define WALK_TELL(g)                                                                               \
    WALK(g) {                                                                                      \
        TWO("abcdefgh", "ijklmnop");                                                               \
        fgetc(f[1]);                                                                               \
        fgetc(f[1]);                                                                               \
        SEE(g(A(0, f)[0]));                                                                        \
    }
WALK_TELL(ftell)
WALK_TELL(ftello)
WALK_TELL(ftello64)
WALK(rewind) {
    TWO("abcdefgh", "ijklmnop");
    fgetc(f[0]);
    fgetc(f[1]);
    rewind(A(0, f)[0]);
    SEE(ftell(f[0]));
    SEE(ftell(f[1]));
}
WALK(flockfile) {
    TWO("ab", "cd");
    flockfile(A(0, f)[0]);
    SEE(fgetc_unlocked(f[0]));
    funlockfile(A(0, f)[0]);
}
WALK(ftrylockfile) {
    TWO("ab", "cd");
    SEE(ftrylockfile(A(0, f)[0]));
    funlockfile(A(0, f)[0]);
}
WALK(funlockfile) {
    TWO("ab", "cd");
    flockfile(f[0]);
    flockfile(f[1]);
    funlockfile(A(0, f)[0]);
    SEE(fgetc(f[0]));
}
#define WALK_FOPEN(g)                                                                              \
    WALK(g) {                                                                                      \
        FILE *t = fopen("nama", "w");                                                              \
        fputs("abc", t);                                                                           \
        fclose(t);                                                                                 \
        t = g(N(0, "nama"), M(1, (char[4]){"r"}, 0));                                              \
        SEE(t != 0);                                                                               \
        SEE(t ? fgetc(t) : -5);                                                                    \
    }
WALK_FOPEN(fopen)
WALK_FOPEN(fopen64)
#define WALK_FREOPEN(g)                                                                            \
    WALK(g) {                                                                                      \
        TWO("ab", "cd");                                                                           \
        FILE *t = fopen("nama", "w");                                                              \
        fputs("abc", t);                                                                           \
        fclose(t);                                                                                 \
        t = g(N(0, "nama"), M(1, (char[4]){"r"}, 0), A(2, f)[0]);                                  \
        SEE(t != 0);                                                                               \
        SEE(t ? fgetc(t) : -5);                                                                    \
    }
WALK_FREOPEN(freopen)
WALK_FREOPEN(freopen64)
WALK(tmpfile) {
    SEE(tmpfile() != 0);
}
WALK(tmpfile64) {
    SEE(tmpfile64() != 0);
}
WALK(popen) {
    FILE *t = popen(N(0, "echo abc"), N(1, "r"));
    SEE(t != 0);
    SEE(t ? fgetc(t) : -5);
}

/* ---- the log of the system, of which nobody sees anything ---- */

#include <syslog.h>

static void v_syslog(int priority, const char *f, ...);
WALK(syslog) {
    int counts[2] = {0};
    syslog(LOG_DEBUG, "%.*s%n", (int)V(3, 0), "abcdef", &counts[0]);
    syslog(LOG_DEBUG, "%u%n", (unsigned)VS(4, 9, 40), &counts[1]);
    SEE(counts[0] + 16 * counts[1]);
    syslog((int)V(0, LOG_DEBUG), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc"));
    SEE(errno);
}
WALK(vsyslog) {
    int count = 0;
    v_syslog(LOG_DEBUG, "%.*s%d%n", (int)V(3, 0), "abcdef", (int)VS(4, 9, 40), &count);
    SEE(count);
    v_syslog((int)V(0, LOG_DEBUG), M(1, (char[16]){"a%d%s"}, 0), (int)V(2, 8), S(2, "abc"));
    SEE(errno);
}
static void v_syslog(int priority, const char *f, ...) {
    va_list a;
    va_start(a, f);
    vsyslog(priority, f, a);
    va_end(a);
}
WALK(openlog) {
    static char names[2][8] = {"walk", "other"};
    openlog(P(0, names[0], names[1]), (int)V(1, 0), C(2, LOG_USER, LOG_DAEMON, LOG_LOCAL0));
    SEE(errno);
}
WALK(closelog) {
    closelog();
    SEE(errno);
}
WALK(setlogmask) {
    SEE(setlogmask((int)V(0, 0)));
    SEE(setlogmask(0));
}

/* ---- places ---- */

#define WALK_GETS_PLACE(get, set, type)                                                            \
    WALK(get) {                                                                                    \
        TWO("hello", "world");                                                                     \
        type at[2] = {0};                                                                          \
        fseek(f[0], 2, SEEK_SET);                                                                  \
        SEE(get((FILE *)C(0, (long)f[0], (long)f[1]), W(1, &at[0])));                              \
        fgetc(f[0]);                                                                               \
        set(f[0], &at[0]);                                                                         \
        SEE(fgetc(f[0]));                                                                          \
        SEE2;                                                                                      \
    }
#define WALK_SETS_PLACE(set, get, type)                                                            \
    WALK(set) {                                                                                    \
        TWO("hello", "world");                                                                     \
        type at[2] = {0};                                                                          \
        fseek(f[0], 2, SEEK_SET);                                                                  \
        get(f[0], &at[1]);                                                                         \
        SEE(set((FILE *)C(0, (long)f[0], (long)f[1]), A(1, at)));                                  \
        SEE(fgetc(f[0]));                                                                          \
        SEE(fgetc(f[1]));                                                                          \
        SEE2;                                                                                      \
    }
WALK_GETS_PLACE(fgetpos, fsetpos, fpos_t)
WALK_GETS_PLACE(fgetpos64, fsetpos64, fpos64_t)
WALK_SETS_PLACE(fsetpos, fgetpos, fpos_t)
WALK_SETS_PLACE(fsetpos64, fgetpos64, fpos64_t)

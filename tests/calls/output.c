/* Printing, to everywhere; complaints. */
#include "calls.h"

#include <err.h>
#include <error.h>
#include <sys/wait.h>
#include <syslog.h>

static int vf(FILE *f, const char *format, ...) {
    va_list a;
    va_start(a, format);
    int n = vfprintf(f, format, a);
    va_end(a);
    return n;
}
static int v(const char *format, ...) {
    va_list a;
    va_start(a, format);
    int n = vprintf(format, a);
    va_end(a);
    return n;
}
static int vd(int d, const char *format, ...) {
    va_list a;
    va_start(a, format);
    int n = vdprintf(d, format, a);
    va_end(a);
    return n;
}
static int vs(char *out, const char *format, ...) {
    va_list a;
    va_start(a, format);
    int n = vsprintf(out, format, a);
    va_end(a);
    return n;
}
static int vsn(char *out, size_t size, const char *format, ...) {
    va_list a;
    va_start(a, format);
    int n = vsnprintf(out, size, format, a);
    va_end(a);
    return n;
}
static int vas(char **out, const char *format, ...) {
    va_list a;
    va_start(a, format);
    int n = vasprintf(out, format, a);
    va_end(a);
    return n;
}

static void to_memory(void) {
    char b[16], *p = NULL, long_text[700];
    memset(b, 'x', 16);
    T(snprintf(b, 16, "%d %s", 12, "abc"));
    show("b", b, 16);
    memset(b, 'x', 16);
    T(snprintf(b, 4, "%s", "abcdef"));
    show("b", b, 16);
    T(snprintf(b, 7, "%s", "abcdef"));
    show("b", b, 16);
    T(snprintf(b, 6, "%s", "abcdef"));
    show("b", b, 16);
    T(snprintf(b, 1, "%s", "abcdef"));
    show("b", b, 16);
    memset(b, 'x', 16);
    T(snprintf(b, 0, "%s", "abcdef"));
    show("b", b, 16);
    T(snprintf(NULL, 0, "%1000d", 3));
    T(vsn(b, 5, "%c%c%c", 'a', 0, 'b'));
    show("b", b, 16);
    T(sprintf(b, "%x", 255));
    show("b", b, 16);
    T(vs(b, "%05.2f", 3.14159));
    show("b", b, 16);
    T(sprintf(long_text, "%511d", 7));
    T(strlen(long_text));
    T(sprintf(long_text, "%512d", 7));
    T(strlen(long_text));
    T(long_text[511]);
    T(snprintf(long_text, 600, "%650d", 7));
    T(strlen(long_text));
    T(asprintf(&p, "%s-%d", "text", 5));
    show_text("p", p);
    free(p);
    T(vas(&p, "%s", ""));
    show_text("p", p);
    free(p);
    T(vas(&p, "%600d", 1));
    T(strlen(p));
    free(p);
    strcpy(b + 4, "abc"); /* side by side */
    T(sprintf(b, "%s", b + 4));
    show("b", b, 8);
    strcpy(b, "xyz");
    T(sprintf(b + 4, "%s", b));
    show("b", b, 8);
    errno = ENOENT;
    sprintf(b, "%.10m");
    show_text("%m", b);
}

static void to_streams(void) {
    int p[2], other[2];
    pipe(p);
    pipe(other);
    FILE *f = fdopen(p[1], "w"), *in = fdopen(other[0], "r");
    T(fprintf(f, "%d", 12345));
    T(vf(f, "%s", "abc"));
    T(fprintf(f, "%s", ""));
    T(fputs("text", f));
    T(fputc('c', f));
    T(fputc(0x1ff, f));
    T(putc('d', f));
    T(fwrite("0123456789", 2, 3, f));
    T(fwrite("0123456789", 0, 3, f));
    T(fwrite("0123456789", 3, 0, f));
    show_ready(p[0]);
    T(fflush(f));
    show_ready(p[0]);
    fputs("again", f);
    T(fflush(NULL));
    show_ready(p[0]);
    errno = EACCES;
    fprintf(f, "%m");
    fflush(f);
    show_ready(p[0]);
    T(fprintf(in, "x"));
    T(ferror(in));
    clearerr(in);
    T(fputs("x", in));
    T(fputc('x', in));
    T(fwrite("x", 1, 1, in));
    T(dprintf(p[1], "%s %d", "at once", 3));
    show_ready(p[0]);
    T(dprintf(p[1], "%s", ""));
    T(vd(p[1], "%c", 'z'));
    show_ready(p[0]);
    T(dprintf(99, "x"));
    T(dprintf(p[0], "x"));
    T(printf("%s\n", "to the user"));
    T(v("%d\n", 7));
    T(puts("a line"));
    T(putchar('!'));
    T(fputs("\n", stdout) >= 0);
    T(fputc('\n', stdout));
    T(fwrite("abc\n", 1, 4, stdout));
    T(fwrite("abc\n", 2, 2, stdout));
    T(fwrite("abc\n", 0, 2, stdout));
    T(dprintf(1, "at once to the user\n"));
    T(fflush(stdout));
    fclose(f);
    fclose(in);
}

/* Standard output and standard error that are pipes. */
static void redirected(void) {
    int p[2], out = dup(1), complaints = dup(2);
    pipe(p);
    fflush(stdout);
    dup2(p[1], 1);
    dup2(p[1], 2);
    int a = printf("to a pipe %d", 5), b = puts("!"), c = putchar('x'), d = fflush(stdout);
    fputs("error", stderr);
    errno = ENOENT;
    perror("perror");
    errno = EACCES;
    perror(NULL);
    errno = EACCES;
    perror("");
    errno = ENOENT;
    warn("warn %d", 1);
    errno = ENOENT;
    warn(NULL);
    warnx("warnx %s", "x");
    warnx(NULL);
    error(0, EPERM, "error %d", 3);
    error(0, 0, "error %d", 4);
    dup2(out, 1);
    dup2(complaints, 2);
    printf("%d %d %d %d\n", a, b, c, d);
    char text[512];
    long n = read(p[0], text, sizeof text - 1), k = 0;
    text[n] = '\0';
    /* the name of the program is another one */
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), k++)
        show_text("line", k > 3 && strchr(line, ':') ? strchr(line, ':') : line);
    close(p[0]), close(p[1]), close(out), close(complaints);
}

/* Ends: the status, and what is said. */
static void ends(void) {
    for (int i = 0; i < 6; i++) {
        int p[2], status = -1;
        char b[256] = "", *colon;
        pipe(p);
        fflush(stdout);
        if (fork() == 0) {
            dup2(p[1], 2);
            errno = ENOENT;
            i == 0   ? err(3, "err %d", 1)
            : i == 1 ? errx(4, "errx %d", 2)
            : i == 2 ? error(5, EPERM, "error %d", 3)
            : i == 3 ? error(0, EPERM, "error %d", 3)
            : i == 4 ? err(6, NULL)
                     : errx(7, NULL);
            _exit(9);
        }
        close(p[1]);
        wait(&status);
        T(status);
        read(p[0], b, 255);
        colon = strchr(b, ':');
        show_text("said", colon ? colon : b);
        close(p[0]);
    }
}

/* What is said to the log nobody reads here: of what it is made matters all the same. */
static void take_log(int priority, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsyslog(priority, format, arguments);
    va_end(arguments);
}
static void logged(void) {
    int n = -1;
    syslog(LOG_DEBUG, "%d%n", 123, &n);
    T(n);
    take_log(LOG_DEBUG, "%s%n", "abcd", &n);
    T(n);
}

/* No format at all. */
static void without_format(void) {
    const char *volatile none = NULL;
    char *made = "unchanged";
    FILE *f = fopen("none", "w");
    T(fprintf(f, none));
    T(dprintf(fileno(f), none));
    T(asprintf(&made, none));
    T(ftell(f));
    fclose(f);
}

int main(void) {
    logged();
    without_format();
    T(dprintf(3, "x")); /* before anything was opened */
    T(dprintf(2, ""));
    to_memory();
    to_streams();
    redirected();
    ends();
    return 0;
}

/* Streams: opening, state, places, bytes that are pushed back, buffers. */
#include "calls.h"

#include <sys/stat.h>
#include <sys/uio.h>
#include <wchar.h>

static long size_of(const char *path) {
    struct stat s;
    return stat(path, &s) < 0 ? -1 : (long)s.st_size;
}
static void content(const char *path) {
    char b[64] = "";
    int d = open(path, O_RDONLY);
    long n = d < 0 ? 0 : read(d, b, 63);
    show(path, b, n);
    close(d);
}

static void opening(void) {
    FILE *f;
    int p[2], d;
    char b[16];
    TP(fopen("none", "r"));
    TP(fopen("none", "r+"));
    TP(fopen("a", "q"));
    TP(fopen("a", ""));
    struct stat s;
    T(umask(0));
    TP(f = fopen("mode", "w"));
    T(fstat(fileno(f), &s));
    T(s.st_mode);
    T(fclose(f));
    T(umask(022));
    T(unlink("mode"));
    TP(f = fopen("a", "w"));
    T(fileno(f));
    T(fcntl(fileno(f), F_GETFL) & (O_ACCMODE | O_APPEND));
    T(fcntl(fileno(f), F_GETFD));
    T(fgetc(f));
    T(ferror(f));
    T(feof(f));
    clearerr(f);
    T(ferror(f));
    T(fputs("0123456789", f) >= 0);
    T(size_of("a"));
    T(fclose(f));
    T(size_of("a"));
    TP(f = fopen("a", "re"));
    T(fcntl(fileno(f), F_GETFD));
    T(fputc('x', f));
    T(ferror(f));
    T(fgetc(f));
    T(fclose(f));
    TP(fopen("a", "wx"));
    TP(f = fopen("a", "a+"));
    T(fcntl(fileno(f), F_GETFL) & (O_ACCMODE | O_APPEND));
    T(fputs("abc", f) >= 0);
    T(fflush(f));
    T(fseek(f, 0, SEEK_SET));
    T(fgetc(f));
    T(fclose(f));
    TP(f = fopen("a", "r+"));
    T(fcntl(fileno(f), F_GETFL) & (O_ACCMODE | O_APPEND));
    T(fputc('X', f));
    T(fclose(f));
    content("a");
    TP(f = fopen("a", "w+"));
    T(size_of("a"));
    T(fputs("new", f) >= 0);
    rewind(f);
    T(fgetc(f));
    T(fclose(f));
    T(pipe(p));
    TP(fdopen(p[0], "w"));
    TP(fdopen(p[0], "q"));
    TP(fdopen(99, "r"));
    TP(f = fdopen(p[0], "r"));
    T(fileno(f) == p[0]);
    T(write(p[1], "xy", 2));
    T(fgetc(f));
    T(fseek(f, 0, SEEK_SET));
    T(ftell(f));
    T(fclose(f));
    T(fcntl(p[0], F_GETFD));
    T(d = open("a", O_RDWR));
    TP(f = fdopen(d, "a"));
    T(fcntl(d, F_GETFL) & (O_ACCMODE | O_APPEND));
    T(fputs("end", f) >= 0);
    T(fclose(f));
    content("a");
    TP(f = tmpfile());
    T(fputs("temporary", f) >= 0);
    rewind(f);
    T(fread(b, 1, 16, f));
    T(feof(f));
    T(fclose(f));
    close(p[1]);
}

static void reopening(void) {
    FILE *f = fopen("b", "w"), *g;
    char b[16] = "";
    int d = fileno(f);
    fputs("first", f);
    T((g = freopen("c", "w+", f)) == f);
    T(fileno(f) == d);
    content("b");
    fputs("second", f);
    rewind(f);
    T(fgetc(f));
    T((g = freopen("b", "r", f)) == f);
    content("c");
    T(fputc('x', f));
    T(ferror(f));
    T((g = freopen("b", "r", f)) == f);
    T(ferror(f));
    T(fread(b, 1, 3, f));
    show_text("b", b);
    T((g = freopen("b", "a", f)) == f);
    T(fputs("!", f) >= 0);
    T(fclose(f));
    content("b");
    f = fopen("b", "r");
    d = fileno(f);
    TP(freopen("none/x", "r", f));
    T(fcntl(d, F_GETFD));
}

static void places(void) {
    FILE *f = fopen("p", "w+");
    T(ftell(f));
    fputs("0123456789", f);
    T(ftell(f));
    T(fseek(f, 3, SEEK_SET));
    T(ftell(f));
    T(fgetc(f));
    T(ftell(f));
    T(fseek(f, 2, SEEK_CUR));
    T(fgetc(f));
    T(fseek(f, -1, SEEK_END));
    T(fgetc(f));
    T(fgetc(f));
    T(feof(f));
    T(ftell(f));
    T(fseek(f, -1, SEEK_SET));
    T(feof(f));
    T(fseek(f, 0, 9));
    T(fseek(f, 1, SEEK_SET));
    T(feof(f));
    T(ungetc('u', f));
    T(ftell(f));
    T(fgetc(f));
    T(fgetc(f));
    T(ungetc(0x1f0, f));
    T(fgetc(f));
    T(ungetc(EOF, f));
    T(ungetc('v', f));
    T(fseek(f, 0, SEEK_CUR));
    T(fgetc(f));
    T(ungetc('w', f));
    rewind(f);
    T(fgetc(f));
    while (fgetc(f) != EOF)
        ;
    T(feof(f));
    T(ungetc('z', f));
    T(feof(f));
    T(fgetc(f));
    T(fgetc(f));
    T(fclose(f));
    f = fopen("p", "w");
    fputs("abc", f);
    T(ftell(f));
    rewind(f);
    T(ftell(f));
    T(fclose(f));
}

static void buffers(void) {
    FILE *f = fopen("q", "w");
    T(setvbuf(f, NULL, _IONBF, 0));
    fputs("a", f);
    T(size_of("q"));
    T(fclose(f));
    f = fopen("q", "w");
    T(setvbuf(f, NULL, _IOLBF, 0));
    fputs("a", f);
    T(size_of("q"));
    fputs("b\nc", f);
    T(size_of("q") >= 3);
    T(fclose(f));
    f = fopen("q", "w");
    T(setvbuf(f, NULL, 77, 0));
    fputs("a\n", f);
    T(size_of("q"));
    setlinebuf(f);
    fputs("b\n", f);
    T(size_of("q"));
    setbuf(f, NULL);
    fputs("c", f);
    T(size_of("q"));
    T(fclose(f));
    char own[BUFSIZ];
    f = fopen("q", "w");
    setbuf(f, own);
    fputs("c\n", f);
    T(size_of("q"));
    flockfile(f);
    T(ftrylockfile(f));
    funlockfile(f);
    funlockfile(f);
    for (int i = 0; i < 20000; i++)
        fputc('x', f);
    T(size_of("q") >= 16384 && size_of("q") <= 20002);
    T(fclose(f));
    T(size_of("q"));
    f = fopen("/dev/full", "w");
    T(fputs("x", f) >= 0);
    T(fflush(f));
    T(ferror(f));
    T(fclose(f));
    f = fopen("/dev/full", "w");
    T(fputs("x", f) >= 0);
    T(fseek(f, 0, SEEK_SET));
    T(fputs("x", f) >= 0);
    T(fclose(f));
    f = fopen("q", "r");
    T(setvbuf(f, NULL, _IONBF, 0));
    T(fgetc(f));
    T(lseek(fileno(f), 0, SEEK_CUR)); /* no further than that */
    T(fclose(f));
    f = fopen("q", "r");
    close(fileno(f));
    T(fgetc(f));
    T(ferror(f));
    T(fclose(f));
}

/* What is left in a buffer is written at the end. */
static void files(void) {
    int f = open("r", O_RDWR | O_CREAT, 0644), w, r;
    char b[16] = "";
    struct stat s;
    T(write(f, "0123456789", 10));
    T(pread(f, b, 4, 3));
    show("b", b, 5);
    T(pwrite(f, "AB", 2, 8));
    T(lseek(f, 0, SEEK_CUR));
    T(pread(f, b, 4, -1));
    T(pwrite(f, b, 4, -1));
    T(pread(f, b, 4, 100));
    T(pwrite(f, "z", 1, 12));
    content("r");
    struct iovec v[2] = {{b, 2}, {b + 4, 3}};
    T(preadv(f, v, 2, 1));
    show("b", b, 8);
    T(preadv(f, v, 0, 1));
    T(preadv(f, v, -1, 1));
    T(preadv(f, v, 2, -1));
    T(preadv(99, v, 2, 0));
    T(pwritev(f, v, 2, 2));
    T(pwritev(f, v, 0, 2));
    T(pwritev(f, v, -1, 2));
    T(pwritev(99, v, 2, 0));
    T(pwritev(f, v, 2, -1));
    content("r");
    T(lseek(f, 5, SEEK_SET));
    T(lseek(f, -6, SEEK_CUR));
    T(lseek(f, 0, SEEK_CUR));
    T(lseek(f, -3, SEEK_END));
    T(lseek(f, 0, 99));
    T(lseek(f, 0, SEEK_DATA));
    T(lseek(f, 0, SEEK_HOLE));
    T(lseek(f, 13, SEEK_HOLE));
    T(lseek(f, 13, SEEK_DATA));
    T(lseek(f, INT64_MAX, SEEK_END));
    T(lseek(99, 0, SEEK_SET));
    T(ftruncate(f, 4));
    T(lseek(f, 0, SEEK_END));
    T(ftruncate(f, 6));
    content("r");
    T(ftruncate(f, -1));
    T(w = open("r", O_WRONLY | O_APPEND));
    T(r = open("r", O_RDONLY));
    T(ftruncate(r, 1));
    T(ftruncate(99, 1));
    T(read(w, b, 1));
    T(pread(w, b, 1, 0));
    T(write(r, b, 1));
    T(pwrite(r, b, 1, 0));
    T(pwrite(w, "end", 3, 0));
    T(lseek(w, 0, SEEK_CUR));
    T(write(w, "!", 1));
    T(lseek(w, 0, SEEK_CUR));
    content("r");
    T(posix_fallocate(f, 0, 20));
    T(fstat(f, &s));
    T(s.st_size);
    T(posix_fallocate(f, 0, 5));
    T(fstat(f, &s));
    T(s.st_size);
    T(posix_fallocate(f, -1, 5));
    T(posix_fallocate(f, 0, 0));
    T(posix_fallocate(r, 0, 5));
    T(fsync(f));
    T(fdatasync(f));
    T(isatty(f));
    T(open("/dev/null", O_RDWR));
    T(open("/dev/zero", O_RDWR));
    T(open("/dev/full", O_RDWR));
    T(open(".", O_RDONLY));
    memset(b, 7, 16);
    for (int d = r + 1; d < r + 5; d++) {
        errno = 0;
        T(read(d, b, 4));
        show("b", b, 5);
        T(write(d, b, 4));
        T(lseek(d, 3, SEEK_SET));
        T(ftruncate(d, 1));
    }
    for (int d = f; d < r + 5; d++)
        close(d);
}

static void wide(void) {
    wchar_t line[8];
    FILE *f = fopen("wide.txt", "w+"), *g = fopen("wide.txt", "r");
    T(fwide(f, 0));
    T(fwprintf(f, L"%ls-%d%s\n", L"ab", 7, "c"));
    T(fwide(f, -1));
    T(fputws(L"second", f) >= 0);
    T(fputwc(L'!', f));
    T(putwc(L'?', f));
    T(fflush(f));
    T(fgetwc(g));
    T(ungetwc(L'x', g));
    T(ungetwc(WEOF, g));
    T(fgetws(line, 4, g) == line);
    T((int)(line[0] + 1000 * line[2] + line[3]));
    T(fgetws(line, 8, g) == line);
    T((int)wcslen(line));
    T(fgetws(line, 8, g) == line);
    T(fgetws(line, 8, g) == line);
    T(feof(g));
    T(fgetws(line, 8, g) == line);
    T(getwc(g) == WEOF);
    T(fwide(g, 0) > 0);
    fclose(f);
    fclose(g);
    f = fopen("wide.txt", "r+");
    T(fgetc(f));
    T(fwide(f, 1) < 0);
    T(fgetwc(f) == WEOF);
    T(fputwc(L'a', f) == WEOF);
    T(fputws(L"a", f));
    T(fwprintf(f, L"a"));
    T(fgetws(line, 8, f) == NULL);
    T(fgetc(f));
    T(freopen("wide.txt", "r", f) == f);
    T(fwide(f, 0));
    T(fwide(f, 5) > 0);
    T(fgetwc(f));
    fclose(f);
    T(unlink("wide.txt"));
}

/* What the first use of a stream makes of it: one of bytes, or nothing yet. */
static FILE *fresh_one;
static char taken[16];
static void first_use(int way) {
    char *line = NULL;
    size_t room = 0;
    switch (way) {
    case 0:
        fgetc(fresh_one);
        break;
    case 1:
        getc_unlocked(fresh_one);
        break;
    case 2:
        fgets(taken, 4, fresh_one);
        break;
    case 3:
        fread(taken, 1, 2, fresh_one);
        break;
    case 4:
        ungetc('x', fresh_one);
        break;
    case 5:
        fputc('x', fresh_one);
        break;
    case 6:
        fputs("xy", fresh_one);
        break;
    case 7:
        fwrite("xy", 1, 2, fresh_one);
        break;
    case 8:
        fprintf(fresh_one, "%d", 1);
        break;
    case 9:
        fscanf(fresh_one, "%3s", taken);
        break;
    case 10:
        getline(&line, &room, fresh_one);
        break;
    case 11:
        getdelim(&line, &room, 'c', fresh_one);
        break;
    case 12:
        fseek(fresh_one, 1, SEEK_SET);
        break;
    case 13:
        ftell(fresh_one);
        break;
    case 14:
        fflush(fresh_one);
        break;
    case 15:
        feof(fresh_one), ferror(fresh_one), clearerr(fresh_one);
        break;
    case 16:
        setvbuf(fresh_one, NULL, _IONBF, 0);
        break;
    case 17:
        rewind(fresh_one);
        break;
    case 19:
        putc_unlocked('x', fresh_one);
        break;
    case 20:
        ungetc(EOF, fresh_one);
        break;
    case 21:
        fread(taken, 1, 0, fresh_one);
        break;
    case 22:
        fwrite(taken, 0, 1, fresh_one);
        break;
    }
    free(line);
}
static void orientation(void) {
    for (int way = 0; way < 23; way++) {
        fresh_one = fopen("fresh.txt", "w+");
        first_use(way);
        printf("%d: ", way);
        T(fwide(fresh_one, 0) < 0 ? -1 : fwide(fresh_one, 0) > 0);
        fclose(fresh_one);
    }
    T(unlink("fresh.txt"));
}

int main(void) {
    wide();
    orientation();
    opening();
    reopening();
    places();
    buffers();
    files();
    return 0;
}

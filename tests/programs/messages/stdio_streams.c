/* Facts about streams over descriptors, which hold on Linux as they do here.
 *
 * -DINPUT: a symbolic byte that goes through a stream is the same byte behind it.
 * -DTHREADS: two threads print whole lines into one stream.
 * -DCLOSED: a stream that was closed is used.
 *
 * run:
 * verdict: complete
 * executions: 1
 *
 * run: -DINPUT
 * verdict: complete
 * executions: 3
 *
 * run: -DTHREADS
 * verdict: complete
 * executions: 2
 *
 * run: -DCLOSED
 * verdict: complete
 * finding: use-after-free */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef INPUT
#include "heddle.h"
#endif

static FILE *in, *out;

static void open_pair(void) {
    int ends[2];
    if (pipe(ends))
        exit(1);
    in = fdopen(ends[0], "r");
    out = fdopen(ends[1], "w");
    assert(in && out && fileno(in) == ends[0]);
}

static void check_formats(void) {
    int number, hexadecimal, n;
    float small;
    double large;
    short signed_one;
    char word[8], three[3], set[8], last;
    fprintf(out, "12 abc 1.5 2e3 0x1f xyzabc9\n-7%% q");
    fclose(out);
    assert(fscanf(in, "%d %7s %f %lf %n", &number, word, &small, &large, &n) == 4);
    assert(number == 12 && strcmp(word, "abc") == 0 && small == 1.5f && large == 2000 && n == 15);
    assert(fscanf(in, "%i %3c%[a-c]%*d", &hexadecimal, three, set) == 3);
    assert(hexadecimal == 31 && memcmp(three, "xyz", 3) == 0 && strcmp(set, "abc") == 0);
    assert(fscanf(in, "%hd%% %c", &signed_one, &last) == 2 && signed_one == -7 && last == 'q');
    assert(fscanf(in, "%d", &number) == EOF && feof(in));
    fclose(in);
}

static void check_buffers(void) {
    char *line = NULL, byte;
    size_t size = 0;
    setvbuf(out, NULL, _IOLBF, 0);
    assert(fputs("first\nsec", out) >= 0); /* up to the end of the line, at least, is there */
    assert(getline(&line, &size, in) == 6 && strcmp(line, "first\n") == 0);
    assert(fputs("ond\n", out) >= 0);
    assert(getline(&line, &size, in) == 7 && strcmp(line, "second\n") == 0);
    assert(ungetc('!', in) == '!' && fgetc(in) == '!');
    setbuf(out, NULL);
    assert(fputc('x', out) == 'x' && read(fileno(in), &byte, 1) == 1 && byte == 'x');
    free(line);
    assert(fclose(out) == 0 && fgetc(in) == EOF && fclose(in) == 0);
}

static void check_errors(void) {
    char c;
    assert(fputc('x', in) == EOF && errno == EBADF && ferror(in));
    clearerr(in);
    assert(!ferror(in));
    assert(fgetc(out) == EOF && errno == EBADF);
    assert(fseek(in, 0, SEEK_SET) == -1 && errno == ESPIPE);
    assert(ftell(in) == -1 && errno == ESPIPE);
    assert(!fdopen(fileno(in), "w") && errno == EINVAL);
    assert(!fdopen(77, "r") && errno == EBADF);
    assert(fwrite("ab", 1, 2, out) == 2 && fflush(out) == 0 && fread(&c, 1, 1, in) == 1);
    fclose(in);
    fclose(out);
}

static void *print_line(void *text) {
    fprintf(out, "%s", (const char *)text);
    return NULL;
}

static void use_threads(void) {
    pthread_t other;
    char line[8];
    pthread_create(&other, NULL, print_line, "aa\n");
    print_line("bb\n");
    pthread_join(other, NULL);
    fclose(out);
    for (int i = 0; i < 2; i++)
        assert(fgets(line, sizeof line, in) && line[0] == line[1] && line[2] == '\n');
    fclose(in);
}

int main(void) {
    open_pair();
#if defined INPUT
    char c = (char)heddle_choose(0, 255), back[4];
    fputc(c, out);
    fputs("\n", out);
    fclose(out);
    assert(fgets(back, sizeof back, in) && back[0] == c);
    if (back[0] == 'y') /* and neither the end of the line nor this */
        assert(c == 'y');
    fclose(in);
#elif defined THREADS
    use_threads();
#elif defined CLOSED
    fclose(in);
    fclose(out);
    fgetc(in);
#else
    check_formats();
    open_pair();
    check_buffers();
    open_pair();
    check_errors();
    (void)use_threads;
#endif
    return 0;
}

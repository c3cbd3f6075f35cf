/* Streams that differed from glibc: lines that are written out, a freopen that fails, fdopen with "a".
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char text[32];
    assert(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    FILE *f = fdopen(ends[1], "w");
    setvbuf(f, NULL, _IOLBF, 0);
    fputs("a\nb", f);
    assert(read(ends[0], text, sizeof text) == 2);
    fputs("c\n", f);
    assert(read(ends[0], text, sizeof text) == 3 && memcmp(text, "bc\n", 3) == 0);
    assert(ftell(f) == -1 && errno == ESPIPE);
    fclose(f);

    f = tmpfile();
    fputs("one", f);
    rewind(f);
    FILE *end = fdopen(dup(fileno(f)), "a");
    fputs("two", end);
    fclose(end);
    rewind(f);
    assert(fgets(text, sizeof text, f) && strcmp(text, "onetwo") == 0);
    assert(ungetc('x', f) == 'x' && !feof(f) && fgetc(f) == 'x');
    fclose(f);

    assert(!freopen("/nonexistent/file", "w", stderr) && errno == ENOENT);
    assert(write(2, "x", 1) == -1 && errno == EBADF);
    return 0;
}

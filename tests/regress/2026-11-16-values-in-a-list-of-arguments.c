/* Numbers in a va_list that the program made were read without what they depend on: vsnprintf of an
 * input made a constant, and the run was complete.
 *
 * run: -DINTO
 * verdict: complete
 * paths: 2
 * label: five 1
 *
 * run: -DPOINTER
 * verdict: complete
 * paths: 2
 *
 * run: -DFILED
 * verdict: complete
 * paths: 2
 * label: one 1 */
#include <heddle.h>
#include <stdarg.h>
#include <stdio.h>

static int print(char *out, size_t n, FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int r = file ? vfprintf(file, format, arguments) : vsnprintf(out, n, format, arguments);
    va_end(arguments);
    return r;
}

int main(void) {
    static char texts[2][8] = {"one", "two"};
    char out[16] = "";
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 2);
#ifdef POINTER
    print(out, sizeof out, NULL, "%s", texts[0] + 8 * (long)x);
    heddle_reach(out);
#elif defined INTO
    print(out, sizeof out, NULL, "%d %d %d %d", 1, 2, 3, x + 4);
    if (out[6] == '5')
        heddle_reach("five");
#else
    FILE *f = tmpfile();
    print(NULL, 0, f, "%d", x);
    rewind(f);
    if (fgetc(f) == '1')
        heddle_reach("one");
#endif
    (void)texts;
    return 0;
}

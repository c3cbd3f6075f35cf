/* LLVM found out again that atof() and frexp() change no other memory: what the machine noted about a
 * call was not seen behind it, and came out without its place.
 *
 * run:
 * verdict: incomplete
 * reason: call of 'frexp' on symbolic memory
 * reason-at: LOSS */
#include <heddle.h>
#include <math.h>

static unsigned char x;

static void *mark(int *p) {
    *p += x;
    return p;
}

static void look(const void *p, unsigned long n) {
    for (unsigned long i = 0; i < n; i++)
        if (((const char *)p)[i] == 3)
            heddle_reach("three");
}

static void part(void) {
    int exponent = 0;
    double r = frexp(1, mark(&exponent)); // LOSS
    look(&r, sizeof r);
    look(&exponent, sizeof exponent);
}

int main(int argc, char **argv) {
    static void (*const parts[])(void) = {part, part};
    (void)argv;
    heddle_input(x);
    parts[argc & 1]();
    return 0;
}

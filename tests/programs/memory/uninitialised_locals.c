/* Locals without an initialiser: those that stay objects, those that become values, arrays of a
 * length that is computed, members, and locals of a loop, which begin anew.
 *
 * run: -DVALUE
 * verdict: complete
 * paths: 2
 * finding: uninitialised 1
 *
 * run: -DOBJECT
 * verdict: complete
 * paths: 2
 * finding: uninitialised 1
 *
 * run: -DMEMBER
 * finding: uninitialised 1
 *
 * run: -DBITS
 * finding: uninitialised 1
 *
 * run: -DVARIABLE
 * finding: uninitialised 1
 *
 * run: -DAGAIN
 * finding: uninitialised 1
 *
 * run: -DPOINTER
 * finding: uninitialised 1
 * finding: out-of-bounds
 *
 * run: -DPASSED
 * finding: uninitialised 1
 *
 * (One path if its first inputs are those that show it, else two.)
 * run: -DELEMENT
 * verdict: complete
 * finding: uninitialised 1
 *
 * run: -DSTATUS
 * finding: uninitialised 1
 *
 * run: -DRIGHT
 * verdict: complete
 * paths: 3 */
#include <heddle.h>
#include <stdio.h>
#include <string.h>

struct record {
    unsigned low : 3, high : 5;
    int value;
};

__attribute__((noinline)) static void set(int *p, int x) {
    if (x)
        *p = 1;
}

__attribute__((noinline)) static int pass(int x) {
    return x;
}

static int right(int x) {
    int v, w;
    struct record r;
    char text[8];
    if (x > 3)
        v = 1;
    else
        v = 2;
    set(&w, 1);
    r.low = 1;
    r.value = v;
    strcpy(text, "abc");
    if (x > 100)
        return strlen(text) == 3;
    return r.low == 1 && r.value == v && w == 1;
}

int main(void) {
    int x;
    heddle_input(x);
#ifdef VALUE
    int v;
    if (x == 1)
        v = 2;
    if (v == 2) // BUG uninitialised
        puts("two");
    return 0;
#endif
#ifdef OBJECT
    int v;
    set(&v, x);
    if (v == 1) // BUG uninitialised
        puts("one");
#endif
#ifdef MEMBER
    struct record r, s;
    r.low = 1;
    r.high = 2;
    s = r;
    if (s.value) // BUG uninitialised
        puts("some");
#endif
#ifdef BITS
    struct record r;
    r.low = 1;
    if (r.low != 1)
        return 2;
    if (r.high == 4) // BUG uninitialised
        puts("four");
#endif
#ifdef VARIABLE
    volatile int n = 4;
    char a[n];
    a[0] = 1;
    if (a[0] + a[3] == 7) // BUG uninitialised
        puts("seven");
#endif
#ifdef AGAIN
    for (int i = 0; i < 3; i++) {
        int v;
        if (i == 0)
            set(&v, 1);
        if (v == 1) // BUG uninitialised
            puts("set");
    }
#endif
#ifdef POINTER
    int *p;
    return *p; // BUG uninitialised
#endif
#ifdef PASSED
    int v;
    int w = pass(v) + 1;
    if (w > 1) // BUG uninitialised
        puts("more");
#endif
#ifdef ELEMENT
    char a[4];
    heddle_assume(x >= 0 && x < 4);
    a[0] = a[1] = a[3] = 0;
    if (a[x] == 5) // BUG uninitialised
        puts("element");
#endif
#ifdef STATUS
    int v;
    return v; // BUG uninitialised
#endif
#ifdef RIGHT
    return right(x);
#endif
}

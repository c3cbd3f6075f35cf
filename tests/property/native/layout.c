/* Bit-fields, unions, structs by value in all sizes, packed structs, flexible members. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bits {
    unsigned a : 3;
    int b : 7;
    unsigned long long c : 40;
    _Bool d : 1;
};
union number {
    unsigned u;
    float f;
    unsigned char bytes[4];
};
struct small {
    char c;
};
struct medium {
    int x;
    double y;
};
struct large {
    long v[7];
};
struct __attribute__((packed)) tight {
    char c;
    int i;
    short s;
};
struct flexible {
    int n;
    short tail[];
};

static struct small next_small(struct small s) {
    s.c++;
    return s;
}
static struct medium scale(struct medium m, int by) {
    m.x *= by;
    m.y *= by;
    return m;
}
static struct large shift(struct large l, struct small s, struct medium m) {
    for (int i = 6; i > 0; i--)
        l.v[i] = l.v[i - 1];
    l.v[0] = s.c + m.x;
    return l;
}

int main(void) {
    struct bits b = {5, -3, 0x123456789aULL, 1};
    b.b += 2;
    b.c <<= 3;
    b.a--;
    union number n = {.f = 1.5f};
    n.bytes[3] ^= 0x80;
    struct large l = {{1, 2, 3, 4, 5, 6, 7}};
    l = shift(l, next_small((struct small){'a'}), scale((struct medium){3, 2.5}, 4));
    struct tight t = {1, 0x12345678, -2};
    struct flexible *f = malloc(sizeof *f + 5 * sizeof(short));
    f->n = 5;
    for (int i = 0; i < f->n; i++)
        f->tail[i] = (short)(i * i);
    struct large copy;
    memcpy(&copy, &l, sizeof copy);
    printf("%u %d %llx %d %g %u\n", b.a, b.b, (unsigned long long)b.c, b.d, n.f, n.u);
    printf("%ld %ld %d %x %d %zu %d\n", copy.v[0], copy.v[6], t.c, t.i, t.s, sizeof t, f->tail[4]);
    free(f);
    return 0;
}

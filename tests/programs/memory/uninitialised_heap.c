/* Memory of malloc and its like that was never written, where it decides something.  To copy it is
 * no mistake, and what calloc or a store has written is written.
 *
 * run: -DBRANCH
 * verdict: complete
 * paths: 1
 * finding: uninitialised 1
 *
 * run: -DGROWN
 * finding: uninitialised 1
 *
 * run: -DSWITCH
 * finding: uninitialised 1
 *
 * run: -DADDRESS
 * finding: uninitialised 1
 *
 * run: -DLENGTH
 * finding: uninitialised 1
 *
 * run: -DSTRING
 * finding: uninitialised 1
 *
 * run: -DOUTPUT
 * finding: uninitialised 1
 *
 * run: -DPRINTED
 * finding: uninitialised 1
 *
 * run: -DDIVISOR
 * finding: uninitialised 1
 *
 * run: -DCOMPARED
 * finding: uninitialised 1
 *
 * run: -DCOPIED
 * finding: uninitialised 1
 *
 * run: -DSTATUS
 * finding: uninitialised 1
 *
 * run: -DRIGHT
 * verdict: complete
 * paths: 1
 *
 * run: -DBRANCH --checks overflow
 * paths: 1
 *
 * run: -DBRANCH --checks none
 * paths: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pair {
    int a;
    char b; /* three bytes behind it are nobody's */
    int c;
};

static void right(void) {
    unsigned *p = malloc(4 * sizeof *p), *q = calloc(4, sizeof *q), *r;
    memcpy(q + 1, p + 1, 2 * sizeof *p);
    p[0] = 3;
    r = realloc(p, 8 * sizeof *p);
    r[5] = r[6] + r[1];
    if (r[0] == 3 && q[0] == 0 && q[3] == 0)
        puts("written");
    unsigned masked = r[7] & 0, other = r[7] ^ r[7];
    if (masked || other)
        puts("no");
    r[7] |= 1;
    if (r[7] & 1)
        puts("one bit");
    struct pair *x = malloc(sizeof *x), y;
    x->a = 1;
    x->b = 2;
    x->c = 3;
    y = *x;
    if (y.a == 1 && y.b == 2 && y.c == 3)
        puts("all members");
    free(x);
    free(r);
    free(q);
}

int main(void) {
    static char table[256];
    unsigned char *p = malloc(16), *q = malloc(16);
    memset(p, 1, 4);
#ifdef BRANCH
    if (p[4] > 3) // BUG uninitialised
        puts("more");
#endif
#ifdef GROWN
    memset(p, 0, 16);
    p = realloc(p, 32);
    if (p[16] == 0) // BUG uninitialised
        puts("none");
#endif
#ifdef SWITCH
    switch (p[5]) { // BUG uninitialised
    case 1:
        puts("one");
        break;
    case 2:
        puts("two");
    }
#endif
#ifdef ADDRESS
    table[p[6]] = 1; // BUG uninitialised
#endif
#ifdef LENGTH
    memset(table, 0, p[7]); // BUG uninitialised
#endif
#ifdef STRING
    p[15] = 0;
    table[0] = strlen((char *)p) > 5; // BUG uninitialised
#endif
#ifdef OUTPUT
    if (write(1, p, 5) < 0) // BUG uninitialised
        return 0;
#endif
#ifdef PRINTED
    printf("%d\n", p[8]); // BUG uninitialised
#endif
#ifdef DIVISOR
    table[0] = 100 / p[8]; // BUG uninitialised
#endif
#ifdef COMPARED
    memset(q, 1, 16);
    table[0] = memcmp(p, q, 5) == 0; // BUG uninitialised
#endif
#ifdef COPIED
    memcpy(q, p, 16);
    unsigned sum = q[0] + q[9] * 2u;
    q[3] = (unsigned char)sum;
    if (q[3] == 9) // BUG uninitialised
        puts("nine");
    if (q[3] == 8) /* the same value: told once */
        puts("eight");
#endif
#ifdef STATUS
    int status = p[9];
    free(p);
    free(q);
    exit(status & 1); // BUG uninitialised
#endif
#ifdef RIGHT
    right();
#endif
    free(p);
    free(q);
    return 0;
}

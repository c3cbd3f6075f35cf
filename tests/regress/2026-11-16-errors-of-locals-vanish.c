/* Accesses outside of locals at constant offsets, and library calls whose results nobody uses, were
 * gone before they could be checked: sroa makes nothing of the first, and LLVM drops the second.
 * Each case is one error; the last ones are none.
 *
 * run: -w
 * verdict: complete
 * finding: out-of-bounds 23 */
#include <heddle.h>
#include <string.h>

struct pair {
    int a, b;
};

struct big {
    int head;
    int body[40];
};

static int *kept;

static int third(int *p) {
    return p[2]; // BUG out-of-bounds
}

static void set_third(int *p) {
    p[2] = 1; // BUG out-of-bounds
}

static int through_two(int *p) {
    return third(p);
}

static struct pair pair_at(const int *p) {
    return *(const struct pair *)p; // BUG out-of-bounds
}

static void constants(int way) {
    int x = 3, two[2] = {1, 2}, *p = &x, unused;
    switch (way) {
    case 0:
        memcpy(two, &x, 8); // BUG out-of-bounds
        break;
    case 1:
        third(two);
        break;
    case 2:
        set_third(two);
        break;
    case 3:
        unused = through_two(two);
        break;
    case 4:
        p++;
        unused = *p; // BUG out-of-bounds
        break;
    case 5:
        p[-1] = 4; // BUG out-of-bounds
        break;
    case 6:
        (void)p[1]; // BUG out-of-bounds
        break;
    case 7:
        memset(two, 0, 9); // BUG out-of-bounds
        break;
    case 8:
        *(long *)p = 4; // BUG out-of-bounds
        break;
    case 9:
        for (int i = 0; i <= 2; i++)
            (&two[0])[i] = i; // BUG out-of-bounds
    }
}

static void copies(int way) {
    int x = 3, *p = &x;
    struct pair first, second = {1, 2};
    struct big one = {1}, other, *q = &one;
    switch (way) {
    case 10:
        first = *(struct pair *)p; // BUG out-of-bounds
        break;
    case 11:
        *(struct pair *)p = second; // BUG out-of-bounds
        break;
    case 12:
        first = pair_at(p);
        break;
    case 13:
        other = q[1]; // BUG out-of-bounds
        break;
    case 14:
        other = *q;
        break;
    case 15:
        *(struct pair *)((char *)q + sizeof one - 4) = second; // BUG out-of-bounds
    }
    (void)first.a;
}

static void calls(int way) {
    char word[3] = {'a', 'b', 'c'}, other[3] = {'a', 'b', 'c'}, room[8] = "";
    switch (way) {
    case 16:
        strlen(word); // BUG out-of-bounds
        break;
    case 17:
        strcmp(word, other); // BUG out-of-bounds
        break;
    case 18:
        memcmp(word, other, 5); // BUG out-of-bounds
        break;
    case 19:
        strchr(word, 'z'); // BUG out-of-bounds
        break;
    case 20:
        if (strlen(word) == 0) // BUG out-of-bounds
            kept = NULL;
        break;
    case 21:
        strcat(word, ""); // BUG out-of-bounds
        break;
    case 22:
        strcpy(room, word); // BUG out-of-bounds
        break;
    case 23:
        memchr(word, 'z', 4); // BUG out-of-bounds
    }
}

/* What is allowed: one behind the end, without an access; parts of objects; other types. */
static int allowed(void) {
    int two[2] = {1, 2}, *end = two + 2, sum = 0;
    struct big one = {1}, *p = &one;
    union {
        int i;
        char c[4];
    } u = {.i = 7};
    for (int *at = two; at != end; at++)
        sum += *at;
    memcpy(p->body, two, sizeof two);
    memcpy(&one.body[38], two, sizeof two);
    return sum + p->body[39] + u.c[3] + (int)strlen("abc") - 5;
}

int main(void) {
    int way = (int)heddle_choose(0, 24);
    constants(way);
    copies(way);
    calls(way);
    return way == 24 ? allowed() - 3 : 0;
}

/* Pointers to locals whose scope has ended: blocks, bodies of loops, cases, statement expressions,
 * variable-length arrays.  A loop that enters a scope again makes its locals new; whoever stays in
 * the scope is right.
 *
 * run: -w
 * verdict: complete
 * finding: use-after-scope 12 */
#include <heddle.h>
#include <string.h>

struct pair {
    int a, b;
};

static int *kept;

static void keep(int *p) {
    kept = p;
}

static struct pair make(int a) {
    return (struct pair){a, a};
}

static int scopes(int way) {
    int *p = &way;
    struct pair *q = NULL;
    char *text = NULL;
    switch (way) {
    case 0: {
        {
            int x = 3;
            kept = &x;
        }
        return *kept; // BUG use-after-scope
    }
    case 1: {
        {
            int x = 3;
            p = &x;
        }
        return *p; // BUG use-after-scope
    }
    case 2: {
        if (way == 2) {
            int x = 4;
            p = &x;
        }
        *p = 5; // BUG use-after-scope
        return 0;
    }
    case 3: {
        for (int i = 0; i < 3; i++) {
            int x = i;
            keep(&x);
        }
        return *kept; // BUG use-after-scope
    }
    case 4:
        switch (way) {
        case 4: {
            int x[4] = {1, 2, 3, 4};
            p = &x[2];
            break;
        }
        }
        return *p; // BUG use-after-scope
    case 5: {
        {
            struct pair x = make(3);
            q = &x;
        }
        return q->b; // BUG use-after-scope
    }
    case 6:
        p = ({
            int x = way;
            &x;
        });
        return *p; // BUG use-after-scope
    case 7: {
        {
            int n = way, x[n];
            x[0] = 1;
            p = x;
        }
        return *p; // BUG use-after-scope
    }
    case 8: {
        {
            char x[32];
            strcpy(x, "hello");
            text = x;
        }
        return (int)strlen(text); // BUG use-after-scope
    }
    case 9:
        for (int i = 0; i < 2; i++) {
            if (i == 1)
                return *p; // BUG use-after-scope
            int x = 1;
            p = &x;
        }
        return 0;
    case 10: {
        {
            struct pair x = {1, 2};
            q = &x;
        }
        struct pair copy = *q; // BUG use-after-scope
        return 0;
    }
    case 11:
        for (int *i = NULL; i == NULL; i = p)
            for (int k = 0; k < 1; k++)
                p = &k;
        return *p; // BUG use-after-scope
    }
    return 0;
}

static int again(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int x = 1;
        keep(&x);
        *kept += i;
        sum += x;
    }
    return sum;
}

static int jumps(int n) {
    int *p;
    int sum = 0;
back: {
    int x = n;
    p = &x;
    sum += *p;
    if (n-- > 0)
        goto back;
}
    switch (sum) {
        int y;
    default:
        y = 1;
        p = &y;
        sum += *p;
    }
    return sum;
}

int main(void) {
    int way = (int)heddle_choose(0, 12);
    if (way < 12)
        return scopes(way);
    return again(3) == 6 && jumps(2) == 4 ? 0 : *(int *)0;
}

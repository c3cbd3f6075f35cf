/* Function pointers in structs, passed and returned; mutual recursion; a callback with data.
 *
 * run:
 * verdict: complete
 * label: even
 * label: odd
 * label: six 1 */
#include <heddle.h>

struct visitor {
    void (*visit)(void *data, int v);
    void *data;
};

static int is_odd(unsigned n);
static int is_even(unsigned n) {
    return n == 0 ? 1 : is_odd(n - 1);
}
static int is_odd(unsigned n) {
    return n == 0 ? 0 : is_even(n - 1);
}

static void add(void *data, int v) {
    *(int *)data += v;
}

static struct visitor make_adder(int *sum) {
    struct visitor v = {add, sum};
    return v;
}

int main(void) {
    unsigned char x;
    int sum = 0;
    heddle_input(x);
    unsigned n = x & 7;
    struct visitor v = make_adder(&sum);
    if (is_even(n)) {
        heddle_reach("even");
        v.visit(v.data, (int)n);
        v.visit(v.data, (int)n);
        if (sum == 12)
            heddle_reach("six");
    } else {
        heddle_reach("odd");
    }
    return 0;
}

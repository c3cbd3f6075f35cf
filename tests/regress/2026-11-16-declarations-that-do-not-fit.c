/* Functions called by other types than they are defined with: an internal error when a result that
 * depends on inputs had another width than its caller expected, and null pointers from allocations
 * that nobody had declared, because clang was told not to know them.
 *
 * run: -w
 * verdict: complete
 * paths: 10
 * label: odd 6
 * label: high 4
 * label: fifth 2
 * label: pointer 10 */
struct pair {
    long id;
    char name[16];
};

void heddle_reach(const char *label);

static _Bool own_narrow(char c) {
    return c & 1;
}

static long own_wide(long n) {
    return n;
}

static int own_several(int a, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, a);
    int b = __builtin_va_arg(list, int), c = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return b == 2 ? c : 0;
}

static int own_fewer(int a, char *b) {
    return b != 0; /* nobody passed it: any value */
}

static char own_more(char a) {
    return a;
}

/* What another file would say, or nobody. */
int narrow() __attribute__((alias("own_narrow")));
int wide() __attribute__((alias("own_wide")));
int several() __attribute__((alias("own_several")));
int fewer() __attribute__((alias("own_fewer")));
int more() __attribute__((alias("own_more")));

int main(void) {
    struct pair *p = malloc(sizeof(struct pair)), *q = calloc(1, sizeof *q);
    unsigned char c = __VERIFIER_nondet_uchar() & 7; /* an int, says the call */
    p->id = 1, q->id = 2;
    if (narrow(c + 256)) /* takes a char, returns a _Bool */
        heddle_reach("odd");
    if (wide(c) >= 6) /* takes and returns a long */
        heddle_reach("high");
    if (several(1, 2, c + 0) == 5) /* variadic */
        heddle_reach("fifth");
    if (fewer(c) == 0 && more(1, c, 3) == 1)
        heddle_reach("pointer");
    if (__VERIFIER_nondet_bool() && c == 8)
        return 1;
    free(p);
    free(realloc(q, 64));
    return 0;
}

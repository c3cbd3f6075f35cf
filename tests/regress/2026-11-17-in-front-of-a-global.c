/* What lies in the image of a program and is no object of it could be read and written: tables and
 * counters of Heddle, the rest of pages, and so what is in front of the first global.
 *
 * run: -DWAY=1
 * verdict: complete
 * finding: out-of-bounds 1
 *
 * run: -DWAY=2
 * verdict: complete
 * finding: out-of-bounds 1
 *
 * run: -DWAY=3
 * verdict: complete
 * finding: out-of-bounds 1
 *
 * run: -DWAY=4
 * verdict: complete */
static int zeroes[4];
static int numbers[4] = {1, 2, 3, 4};
static const char text[] = "text";

int main(int argc, char **argv) {
    (void)argv;
    volatile int sum = 0;
#if WAY == 1
    int *p = zeroes + 1;
    sum += p[-argc - 1]; // BUG out-of-bounds
#elif WAY == 2
    int *volatile p = numbers;
    p[-400 * argc] = 1; // BUG out-of-bounds
#elif WAY == 3
    const char *volatile p = text;
    sum += p[-argc]; // BUG out-of-bounds
#else
    const char *code = (const char *)main; /* may be read */
    for (int i = 0; i < 4; i++)
        sum += zeroes[i] + numbers[i] + text[i] + code[i];
#endif
    return 0;
}

/* Recursion, mutual recursion, arrays of arrays. */
#include <stdio.h>

static int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) {
    return n == 0 ? 1 : is_odd(n - 1);
}
static int is_odd(unsigned n) {
    return n == 0 ? 0 : is_even(n - 1);
}

static int queens(int n, int row, int *at) {
    if (row == n)
        return 1;
    int found = 0;
    for (int c = 0; c < n; c++) {
        int ok = 1;
        for (int r = 0; r < row && ok; r++)
            ok = at[r] != c && at[r] - c != row - r && c - at[r] != row - r;
        if (ok) {
            at[row] = c;
            found += queens(n, row + 1, at);
        }
    }
    return found;
}

int main(void) {
    int at[8], table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            sum = sum * 3 + table[i][j];
    printf("%d %d %d %d %d\n", ackermann(2, 5), is_even(101), is_odd(101), queens(7, 0, at), sum);
    return 0;
}

/* Variable-length arrays, alloca, pointers to arrays, compound literals, string functions. */
#include <alloca.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total(int n, int m, int a[n][m]) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += a[i][j];
    return sum;
}

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
    for (int n = 1; n < 5; n++) {
        int a[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++)
                a[i][j] = i * j + n;
        char *text = alloca((size_t)n + 1);
        memset(text, 'a' + n, (size_t)n);
        text[n] = 0;
        printf("%d %s\n", total(n, n + 1, a), text);
    }
    int numbers[40];
    srand(5);
    for (int i = 0; i < 40; i++)
        numbers[i] = rand() % 100;
    qsort(numbers, 40, sizeof *numbers, by_value);
    for (int i = 0; i < 40; i++)
        printf("%d ", numbers[i]);
    char *words[] = {"pear", "apple", "fig", "quince", "date"};
    qsort(words, 5, sizeof *words, by_text);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    char line[] = "one, two;three  ,four", *rest = line, upper[8];
    for (char *t; (t = strtok_r(rest, ", ;", &rest));)
        printf("<%s>", t);
    size_t n = 0;
    for (const char *p = "MiXed 1!"; *p; p++)
        if (isalpha((unsigned char)*p) && n < 7)
            upper[n++] = (char)toupper((unsigned char)*p);
    upper[n] = 0;
    printf("\n%s %ld %ld %d %lu\n", upper, strtol("-0x1fz", NULL, 0), strtol("077", NULL, 8),
           atoi(" 12ab"), strtoul("99999999999999999999", NULL, 10));
    printf("%d %d %s %s %zu\n", strcmp("abc", "abd") < 0, strncmp("abc", "abd", 2),
           strstr("haystack", "st"), strrchr("a/b/c", '/'), strspn("aabbc", "ab"));
    int *key = &(int){numbers[7]};
    printf("%d\n", *(int *)bsearch(key, numbers, 40, sizeof *numbers, by_value));
    return (int[]){3, 4, 5}[1];
}

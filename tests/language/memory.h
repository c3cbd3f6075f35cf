/* Cases about memory, the library, and little machines made of both (cases.c). */
#ifndef HD_TESTS_LANGUAGE_MEMORY_H
#define HD_TESTS_LANGUAGE_MEMORY_H
#include "odd.h"

/* ---- Memory -------------------------------------------------------------------------------------
 */

static const u8 primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

static int constant_table(u8 a, u8 b) {
    return primes[a & 15] == 31 ? 1 : primes[primes[b & 7] & 15] % 4 + 2;
}

static uint16_t big_table[20000];

static int large_table(u8 a, u8 b) {
    for (u32 i = 0; i < 20000; i += 1000)
        big_table[i] = (uint16_t)(i / 1000);
    big_table[(a & 3) * 1000u] += 9;
    return big_table[(b & 3) * 1000u];
}

/* Places and lengths that inputs decide, in little room: none of them is certainly inside. */
static u8 *arena_block(u8 *arena, u32 *used, u32 n) {
    u32 at = *used;
    if (at + n > 16)
        return NULL;
    *used = (at + n + 3) & ~3u;
    return arena + at;
}

static int blocks_of_an_arena(u8 a, u8 b) {
    u8 arena[16] = {0};
    u32 used = 0, n = a & 15, k = b & 7;
    u8 *first = arena_block(arena, &used, n), *second = arena_block(arena, &used, k);
    if (second)
        memset(second, 3, k);
    if (first)
        memset(first, 1, n);
    return arena[0] + arena[8] * 4 + arena[15] * 16;
}

static int nothing_to_copy(u8 a, u8 b) {
    u8 from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
    u32 at = a & 7, n = b & 15;
    if (n > 8 - at)
        n = 0;
    memmove(to + at, from, n);
    memcpy(from, to + (at & 6), n & 2);
    return to[7] + from[0] * 8;
}

static int negative_index(u8 a, u8 b) {
    int v[8] = {10, 11, 12, 13, 14, 15, 16, 17}, *middle = v + 4;
    return middle[(a & 7) - 4] + (b > 128 ? middle[-1] : 0);
}

static int pointer_walk(u8 a, u8 b) {
    u8 v[6] = {a, 2, 3, b, 5, 0};
    const u8 *p = v, *end = v + 6;
    while (p < end && *p != 5)
        p += *p > 100 ? 2 : 1;
    return (int)(p - v);
}

static int pointer_difference(u8 a, u8 b) {
    int v[8], *p = v + (a & 7), *q = &v[b & 7];
    return p == q ? 8 : p < q ? (int)(q - p) : 16 + (int)(p - q);
}

static int pointer_as_integer(u8 a, u8 b) {
    static int v[4] = {1, 2, 3, 4};
    uintptr_t p = (uintptr_t)v + (a & 3) * sizeof *v;
    return *(int *)p + ((p & 3) == (b & 3)) * 8;
}

static int tagged_pointer(u8 a, u8 b) {
    static long value[2] = {7, 9};
    uintptr_t p = (uintptr_t)&value[a & 1] | (b & 7);
    long *q = (long *)(p & ~(uintptr_t)7);
    return (int)*q + (int)(p & 7) * 4;
}

static int xor_swap(u8 a, u8 b) {
    a ^= b, b ^= a, a ^= b;
    return a > b ? a & 31 : 32 + (b & 31);
}

static int matrix(u8 a, u8 b) {
    int m[3][4], sum = 0;
    for (int i = 0; i < 12; i++)
        m[i / 4][i % 4] = i;
    m[a % 3][b & 3] = 20;
    for (int i = 0; i < 3; i++)
        sum += m[i][i];
    return sum;
}

static int variable_array(u8 a, u8 b) {
    int n = 1 + (a & 3), v[n], sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = b & i;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum + (int)(sizeof v / sizeof *v) * 8;
}

static int variable_matrix(u8 a, u8 b) {
    int n = 1 + (a & 1), m[2][n];
    m[0][0] = 5, m[0][n - 1] = b & 3, m[1][0] = 4;
    return m[b & 1][0] * (n == 1 || (b & 1)) + n * 8;
}

static int reallocated(u8 a, u8 b) {
    u32 n = 2, used = 0;
    u8 *v = malloc(n);
    for (u32 i = 0; i < (a & 7u); i++) {
        if (used == n)
            v = realloc(v, n *= 2);
        v[used++] = (u8)(b + i);
    }
    int r = used ? v[used - 1] == 4 ? 1 : 2 : 3;
    free(v);
    return r * 8 + (int)n;
}

struct pool {
    _Alignas(8) u8 room[64];
    u32 used;
};

static void *take(struct pool *p, u32 n) {
    void *at = p->room + p->used;
    p->used += (n + 7) & ~7u;
    return p->used <= sizeof p->room ? at : NULL;
}

static int memory_pool(u8 a, u8 b) {
    struct pool pool = {.used = 0};
    u8 *first = take(&pool, 1 + (a & 15)), *second = take(&pool, 8 + (b & 63));
    if (!second)
        return 1;
    first[0] = a, second[0] = b;
    return (int)(second - first) / 8 + (second[0] == 9) * 4 + 2;
}

struct node {
    struct node *left, *right;
    int key;
};

static struct node *insert(struct node *t, struct node *n) {
    if (!t)
        return n;
    if (n->key < t->key)
        t->left = insert(t->left, n);
    else
        t->right = insert(t->right, n);
    return t;
}

static int height(const struct node *t) {
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}

static int search_tree(u8 a, u8 b) {
    struct node n[4] = {{.key = 100}, {.key = a}, {.key = b}, {.key = a ^ b}}, *t = NULL;
    for (int i = 0; i < 4; i++)
        t = insert(t, &n[i]);
    return height(t) * 4 + (t->left != NULL);
}

static int linked_list(u8 a, u8 b) {
    struct node n[3] = {{.key = a}, {.key = b}, {.key = 50}}, *head = &n[0];
    n[0].right = &n[1], n[1].right = &n[2];
    struct node **p = &head;
    while (*p)
        if ((*p)->key > 100)
            *p = (*p)->right;
        else
            p = &(*p)->right;
    int count = 0;
    for (struct node *at = head; at; at = at->right)
        count++;
    return count;
}

static int hash_table(u8 a, u8 b) {
    int slot[4] = {-1, -1, -1, -1}, keys[3] = {a & 15, b & 15, 6}, steps = 0;
    for (int i = 0; i < 3; i++) {
        int h = keys[i] * 5 & 3;
        while (slot[h] >= 0 && slot[h] != keys[i])
            h = (h + 1) & 3, steps++;
        slot[h] = keys[i];
    }
    return steps * 4 + (slot[2] >= 0);
}

static int overlapping_copies(u8 a, u8 b) {
    u8 v[8] = {a, b, 2, 3, 4, 5, 6, 7};
    memmove(v + 1 + (a & 1), v, 4);
    memcpy(v, v + 6, 2);
    return v[2] == b ? 1 : v[1] == 7 && v[3] == 3 ? 2 : 3;
}

static int copies_of_any_length(u8 a, u8 b) {
    u8 from[8] = {1, 2, 3, b, 5, 6, 7, 8}, to[8] = {0};
    memcpy(to, from, a & 7);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += to[i] != 0;
    return sum * 4 + (to[3] == 9);
}

static int type_punned_copy(u8 a, u8 b) {
    u8 bytes[4] = {a, b, a, 0};
    int32_t n;
    memcpy(&n, bytes, sizeof n);
    return n == 0x050605 ? 1 : n % 3 == 0 ? 2 : 3;
}

static int volatile_access(u8 a, u8 b) {
    volatile u8 v = a;
    v += b;
    return v == 0 ? 1 : v < a ? 2 : 3;
}

static int restrict_pointers(u8 a, u8 b) {
    int x = a, y = b;
    int *restrict p = &x, *restrict q = &y;
    *p += *q;
    return *p > 300 ? 1 : *q == 3 ? 2 : 3;
}

static int generic_selection(u8 a, u8 b) {
#define SIZE_CLASS(x) _Generic((x), u8: 1, int: 2, long: 3, default: 4)
    return SIZE_CLASS(a) + SIZE_CLASS(a + b) * (a > b) + SIZE_CLASS(1L + a) * (a == b);
}

/* ---- The library ------------------------------------------------------------------------------
 */

static int by_value(const void *x, const void *y) {
    return *(const u8 *)x - *(const u8 *)y;
}

static int sorting(u8 a, u8 b) {
    u8 v[4] = {a, 100, b, 50};
    qsort(v, 4, 1, by_value);
    return v[0] == 50 ? 1 : v[3] == 100 ? 2 : v[1] == v[2] ? 3 : 4;
}

static int searching(u8 a, u8 b) {
    u8 v[5] = {10, 20, 30, 40, (u8)(41 + (b & 63))}, *p = bsearch(&a, v, 5, 1, by_value);
    return p ? (int)(p - v) : 9;
}

static int strings(u8 a, u8 b) {
    char s[8] = {(char)(a & 3 ? 'a' : 0), (char)b, 'c', 0};
    return (int)strlen(s) + (strcmp(s, "abc") == 0) * 8 + (strchr(s, 'c') != NULL) * 16;
}

static int more_strings(u8 a, u8 b) {
    char s[16] = "key=", t[4] = {(char)('a' + (a & 3)), (char)(b & 1 ? 'b' : 0)};
    strcat(s, t);
    char *v = strchr(s, '=') + 1;
    return strncmp(v, "ab", 2) == 0 ? 1 : strstr(s, "=b") ? 2 : (int)strspn(v, "cd") + 3;
}

static int tokens(u8 a, u8 b) {
    char s[] = {(char)(a & 1 ? ',' : 'x'), 'y', (char)(b & 1 ? ',' : 'z'), 'w', 0};
    int n = 0;
    for (char *t = strtok(s, ","); t; t = strtok(NULL, ","))
        n += (int)strlen(t) * 4 + 1;
    return n;
}

static int numbers(u8 a, u8 b) {
    char s[4] = {(char)a, (char)b, 0}, *end;
    long n = strtol(s, &end, 10);
    return n == 42 ? 1 : n < 0 ? 2 : end == s ? 3 : *end ? 4 : 5;
}

static int hexadecimal(u8 a, u8 b) {
    char s[5] = {'0', 'x', (char)a, (char)b, 0};
    return (int)(strtoul(s, NULL, 0) & 63);
}

static int characters(u8 a, u8 b) {
    return !!isalpha(a) | !!isdigit(b) << 1 | !!isspace(a) << 2 | (toupper(b) == 'Q') << 3 |
           !!ispunct(a) << 4 | !!isxdigit(b) << 5;
}

static int memory_functions(u8 a, u8 b) {
    u8 v[4] = {1, a, 3, b};
    u8 *p = memchr(v, 3, 4), *q = memchr(v, b, 4);
    return (int)(p - v) * 8 + (int)(q - v) + (memcmp(v, "\1\2", 2) > 0) * 4;
}

static int absolute_values(u8 a, u8 b) {
    return abs((signed char)b) % 16 + (labs((long)a - b) > 100) * 16;
}

static int quotient_and_remainder(u8 a, u8 b) {
    div_t d = div((signed char)a, 7);
    return (d.rem < 0) + (d.quot == 3) * 2 + (b > 9) * 4;
}

static int error_numbers(u8 a, u8 b) {
    char s[24] = "9999999999999999999";
    s[a & 15] = (char)('0' + b % 10);
    if ((a & 15) < 15)
        s[18 - (a & 1)] = 0;
    errno = 0;
    strtol(s, NULL, 10);
    return errno == ERANGE ? 1 : errno == 0 ? 2 : 3;
}

/* ---- Little machines --------------------------------------------------------------------------
 */

static int parser(u8 a, u8 b) {
    char text[] = {(char)a, (char)b, '1', ')', 0};
    int depth = 0, digits = 0;
    for (const char *p = text; *p; p++)
        if (*p == '(')
            depth++;
        else if (*p == ')' && --depth < 0)
            return 40;
        else if (*p >= '0' && *p <= '9')
            digits++;
    return depth * 8 + digits;
}

static int utf8(u8 a, u8 b) {
    if (a < 0x80)
        return 1;
    if (a < 0xc2 || a > 0xdf)
        return 2;
    if ((b & 0xc0) != 0x80)
        return 3;
    int code = (a & 0x1f) << 6 | (b & 0x3f);
    return code == 0xe9 ? 4 : code > 0x400 ? 5 : 6;
}

static int bytecode(u8 a, u8 b) {
    u8 program[] = {(u8)(a & 3), (u8)(b & 3), 2, 3}, stack[8] = {1, 2};
    int top = 2;
    for (u32 pc = 0; pc < 4; pc++)
        switch (program[pc]) {
        case 0:
            stack[top] = (u8)(stack[top - 1] + 1), top++;
            break;
        case 1:
            if (top > 2)
                top--, stack[top - 1] = (u8)(stack[top - 1] * stack[top]);
            break;
        case 2:
            stack[top] = stack[top - 1], top++;
            break;
        default:
            return stack[top - 1] * 4 + top;
        }
    return 63;
}

static int tic_tac_toe(u8 a, u8 b) {
    static const u8 lines[][3] = {{0, 1, 2}, {3, 4, 5}, {0, 4, 8}, {2, 4, 6}};
    u8 board[9] = {[4] = 1};
    board[a % 9] = 1;
    board[b % 9] = 1;
    for (int i = 0; i < 4; i++)
        if (board[lines[i][0]] && board[lines[i][1]] && board[lines[i][2]])
            return i + 1;
    return 0;
}

static int run_lengths(u8 a, u8 b) {
    u8 in[4] = {(u8)(a & 1), (u8)(b & 1), (u8)(a >> 7), 1}, out[8];
    int n = 0;
    for (int i = 0, j; i < 4; i = j) {
        for (j = i; j < 4 && in[j] == in[i];)
            j++;
        out[n++] = in[i];
        out[n++] = (u8)(j - i);
    }
    return n * 4 + out[1];
}
#endif

/* Which known name a misspelt word most likely meant: the smallest edit distance
 * (insert, delete, replace, swap neighbours), if it is small for the word's length. */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

#define LONGEST 32

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static unsigned edit_distance(const char *a, const char *b) {
    unsigned n = (unsigned)strlen(a), m = (unsigned)strlen(b);
    unsigned d[LONGEST + 1][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return UINT32_MAX;
    for (unsigned i = 0; i <= n; i++)
        for (unsigned j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                            least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *hd_nearest_name(const char *word, const char *const *names) {
    const char *best = NULL;
    unsigned distance = 1 + (unsigned)strlen(word) / 3;
    unsigned n = (unsigned)strlen(word);
    for (; *names; names++) {
        unsigned m = (unsigned)strlen(*names), apart = n > m ? n - m : m - n;
        unsigned d = apart > distance ? UINT32_MAX : edit_distance(word, *names);
        if (d < distance || (d == distance && !best)) {
            best = *names;
            distance = d;
        }
    }
    return best;
}

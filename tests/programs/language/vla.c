/* An array whose length is an input: one path per length.
 *
 * run:
 * paths: 4
 * label: four 1 */
#include <heddle.h>

int main(void) {
    int n = (int)heddle_choose(1, 4);
    int v[n], sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = i;
    for (int i = 0; i < n; i++)
        sum += v[i];
    heddle_assert(sum == n * (n - 1) / 2);
    if (sum == 6)
        heddle_reach("four");
    return 0;
}

/* Three workers split the search by its inputs before one of them comes to an input pointer, with
 * which conditions may be about other variables: the search must begin anew, unrestricted.
 *
 * run:
 * verdict: complete
 * paths: 896 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct cell {
    int v;
    struct cell *next;
};
static atomic_int sum;
static unsigned char b[6];
static struct cell *list;
static void *add(void *a) {
    int n = *(int *)a;
    for (int k = 0; k < 2; k++) {
        if (b[3 * n + k] > 9)
            sum += 1;
        else
            sum -= 1;
    }
    if (b[3 * n + 2] > 200 && n == 1) {
        heddle_input(list);
        if (list && list->v > 3)
            sum += 5;
    }
    return 0;
}
int main(void) {
    pthread_t t[2];
    int n[2] = {0, 1};
    heddle_bytes(b, sizeof b, "b");
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, &n[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}

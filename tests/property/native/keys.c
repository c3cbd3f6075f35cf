/* Keys of threads with destructors that set values again: in which order they run, and how often,
 * for scripts that are drawn. */
#include <pthread.h>
#include <stdio.h>

#define KEYS 4
static pthread_key_t keys[KEYS];
static unsigned drawn = 1, n_sets;
static char order[256];
static unsigned length;

static unsigned draw(unsigned n) {
    drawn = drawn * 1103515245u + 12345u;
    return (drawn >> 16) % n;
}

/* Which keys others have set is seen too. */
static void note(unsigned k) {
    unsigned set = 0;
    for (unsigned i = 0; i < KEYS; i++)
        set = set * 2 + (pthread_getspecific(keys[i]) != NULL);
    if (length + 3 < sizeof order)
        length += (unsigned)sprintf(order + length, "%u%x ", k, set);
}

static void end_key(void *value) {
    unsigned long k = (unsigned long)value - 1;
    note((unsigned)k % KEYS);
    if (n_sets > 0 && n_sets-- > 0)
        pthread_setspecific(keys[draw(KEYS)], (void *)(k + 1 + draw(3)));
}

static void *work(void *leaves) {
    for (unsigned i = 0; i < KEYS; i++)
        if (draw(3))
            pthread_setspecific(keys[i], (void *)(unsigned long)(1 + i));
    if (leaves)
        pthread_exit(NULL);
    return NULL;
}

static void run(unsigned number) {
    pthread_t thread;
    length = 0;
    order[0] = 0;
    for (unsigned i = 0; i < KEYS; i++)
        pthread_key_create(&keys[i], draw(4) ? end_key : NULL);
    n_sets = draw(3) ? draw(6) : 1000;
    pthread_create(&thread, NULL, work, draw(2) ? order : NULL);
    pthread_join(thread, NULL);
    printf("%u: %s\n", number, order);
    for (unsigned i = 0; i < KEYS; i++)
        pthread_key_delete(keys[(i * 3 + number) % KEYS]);
}

int main(void) {
    for (unsigned i = 0; i < 300; i++)
        run(i);
    return 0;
}

/* A reader announces the block that it is going to read; the writer frees it when nobody has it
 * announced.  With -DBROKEN the reader does not look again after it announced the block.
 *
 * run:
 * verdict: complete
 *
 * run: -DBROKEN --no-races
 * verdict: complete
 * finding: use-after-free */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct box {
    int value;
} box;

static _Atomic(box *) current, announced;

static box *make(int value) {
    box *b = malloc(sizeof *b);
    b->value = value;
    return b;
}

static void *reads(void *unused) {
    box *b;
    do {
        b = atomic_load(&current);
        atomic_store(&announced, b);
#ifdef BROKEN
    } while (0);
#else
    } while (b != atomic_load(&current));
#endif
    int value = b->value; // BUG use-after-free
    assert(value == 1 || value == 2);
    atomic_store(&announced, NULL);
    return unused;
}

static void *replaces(void *unused) {
    box *old = atomic_exchange(&current, make(2));
    while (atomic_load(&announced) == old) {
    }
    free(old);
    return unused;
}

int main(void) {
    pthread_t reader, writer;
    atomic_store(&current, make(1));
    pthread_create(&reader, NULL, reads, NULL);
    pthread_create(&writer, NULL, replaces, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    free(atomic_load(&current));
    return 0;
}

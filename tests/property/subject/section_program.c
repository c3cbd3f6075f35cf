/* Threads that do what the arguments say, mostly in atomic sections: for property_sections.c.
 *
 * One hexadecimal number for each of up to three threads; each 13 bits of it are two statements of
 * six bits, and whether they are outside of a section. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { MAX_THREADS = 3, STATEMENT = 6, ITEM = 2 * STATEMENT + 1 };

static atomic_int x[4];
static int seen[MAX_THREADS];

static void do_statement(unsigned code, int *mine) {
    unsigned a = code >> 2 & 3, b = code >> 4 & 3;
    switch (code & 3) {
    case 0:
        x[a] = (int)b;
        break;
    case 1:
        x[a] = x[b] + 1;
        break;
    case 2:
        *mine = *mine * 7 + x[a];
        break;
    default:
        if (x[a] == 0)
            x[b] = 5;
    }
}

static void *work(void *code) {
    int mine = 0;
    uintptr_t rest = (uintptr_t)code >> 2;
    for (; rest; rest >>= ITEM) {
        if (rest >> 2 * STATEMENT & 1) {
            do_statement(rest & 63, &mine);
            continue;
        }
        __VERIFIER_atomic_begin();
        do_statement(rest & 63, &mine);
        do_statement(rest >> STATEMENT & 63, &mine);
        __VERIFIER_atomic_end();
    }
    seen[(uintptr_t)code & 3] = mine;
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[MAX_THREADS];
    int n = argc - 1 < MAX_THREADS ? argc - 1 : MAX_THREADS;
    char label[100];
    for (int i = 0; i < n; i++) {
        uintptr_t code = strtoull(argv[i + 1], NULL, 16) << 2 | (unsigned)i;
        pthread_create(&threads[i], NULL, work, (void *)code);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    snprintf(label, sizeof label, "%d %d %d %d, seen %d %d %d", x[0], x[1], x[2], x[3], seen[0],
             seen[1], seen[2]);
    heddle_reach(label);
    return 0;
}

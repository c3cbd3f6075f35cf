/* Memory that one thread gives back while another looks at it; calls whose place among the steps of
 * other threads is no choice, which is said.
 *
 * run: -DWAY=0
 * verdict: complete
 * finding: use-after-free 1
 * finding: data-race 1
 * says: thread 0 frees the block of 4096 bytes
 * label: first 1
 * label: done 1
 *
 * run: -DWAY=1
 * verdict: complete
 * finding: use-after-free 1
 * finding: data-race 1
 * says: thread 0 frees the block of 8192 bytes
 * label: first 1
 * label: done 1
 *
 * run: -DWAY=2
 * verdict: complete
 * finding: use-after-free 1
 * finding: data-race 1
 * label: first 2
 * label: done 2
 *
 * run: -DWAY=3
 * verdict: complete
 * label: first 1
 * label: done 2
 *
 * run: -DWAY=4
 * verdict: incomplete
 * reason-at: // LOSS
 * reason: fork while other threads run is no choice of order
 * label: done */
#define _GNU_SOURCE
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int *volatile at;
static int seen;

static void *look(void *unused) {
    seen = *at; // BUG use-after-free data-race
    return unused;
}

static void give_back(void) {
#if WAY == 0
    free((void *)at);
#elif WAY == 1
    munmap((void *)at, 4096);
#elif WAY == 2
    at = realloc((void *)at, 5000);
#elif WAY == 3
    munmap((char *)at + 4096, 4096); /* another page */
    *at = 2;
#elif WAY == 4
    int child = fork(); // LOSS
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
#endif
}

int main(void) {
    pthread_t t;
#if WAY == 1 || WAY == 3
    at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#else
    at = malloc(4096);
#endif
    *at = 1;
    pthread_create(&t, NULL, look, NULL);
    give_back();
    pthread_join(t, NULL);
    if (seen == 1)
        heddle_reach("first");
    heddle_reach("done");
#if WAY == 2 || WAY > 3
    free((void *)at);
#endif
    return 0;
}

/* Protections of mmap were not looked at, and a write that ends a real process was nothing; mprotect was
 * the system's own, and its faults were "outside any object".
 *
 * run: -DMAPPED
 * verdict: complete
 * paths: 6
 * finding: read-only 5
 *
 * run: -DCLOSED
 * verdict: complete
 * paths: 6
 * finding: assertion
 * finding: read-only
 * finding: out-of-bounds 2
 * finding: use-after-free
 *
 * run: -DFORKED
 * verdict: complete
 * finding: read-only
 *
 * run: -DTHREADS --no-races
 * verdict: complete
 * finding: read-only
 *
 * run: -DSHARED
 * verdict: complete
 * finding: read-only
 *
 * run: -DTWICE
 * verdict: incomplete
 * reason: shared memory that is mapped for reading and for writing may be written to
 * reason-at: LOSS */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static char *get(int n, int protection) {
    char *p = mmap(NULL, (size_t)n * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED);
    return p;
}

/* By the program, by functions that are copied with it, by the C library, by the machine. */
static void write_to(char *p, int how, int from) {
    if (how == 0)
        p[10] = 1; // BUG read-only
    if (how == 1)
        memset(p, 0, 4); // BUG read-only
    if (how == 2)
        read(from, p, 1); // BUG read-only
    if (how == 3)
        p[0] = (char)heddle_choose(0, 1); // BUG read-only
    if (how == 4)
        memcpy(p + 1, "ab", 2); // BUG read-only
}

static void mapped(void) {
    int ends[2];
    pipe(ends);
    write(ends[1], "x", 1);
    char *p = get(1, PROT_READ);
    assert(p[0] == 0);
    write_to(p, heddle_choose(0, 5), ends[0]);
}

/* What is open again holds what it held, inputs too. */
static void closed(void) {
    int x = heddle_choose(0, 9);
    char *p = get(3, PROT_READ | PROT_WRITE);
    p[PAGE] = (char)x;
    assert(mprotect(p, 3 * PAGE, PROT_NONE) == 0);
    assert(mprotect(p + PAGE, PAGE, PROT_READ) == 0);
    assert(mprotect(p + 1, PAGE, PROT_READ) == -1 && errno == EINVAL);
    assert(p[PAGE] != 7); // BUG assertion
    if (x == 2)
        p[0] = p[1]; // BUG out-of-bounds
    if (x == 3)
        p[0] = p[2 * PAGE]; // BUG out-of-bounds
    if (x == 4)
        p[PAGE] = 1; // BUG read-only
    munmap(p, 3 * PAGE);
    if (x == 5)
        p[0] = p[PAGE]; // BUG use-after-free
}

/* Of each process its own. */
static void forked(void) {
    char *p = get(1, PROT_READ | PROT_WRITE), c;
    int ends[2];
    pipe(ends);
    if (!fork()) {
        assert(mprotect(p, PAGE, PROT_READ) == 0);
        read(ends[0], &c, 1);
        assert(p[1] == 0);
        p[0] = 1; // BUG read-only
    }
    p[0] = p[1] = 3;
    write(ends[1], "x", 1);
    wait(NULL);
    assert(p[0] == 3);
}

static void shared(int twice) {
    int f = shm_open("/memory", O_RDWR | O_CREAT, 0600), g = shm_open("/memory", O_RDONLY, 0);
    ftruncate(f, PAGE);
    char *p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, g, 0);
    assert(p != MAP_FAILED && mprotect(p, PAGE, PROT_READ | PROT_WRITE) == -1 && errno == EACCES);
    if (twice)
        p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0); // LOSS
    p[0] = 1; // BUG read-only
}

static char *block;

static void *use(void *unused) {
    block[0] = 1; // BUG read-only
    return unused;
}

static void threads(void) {
    pthread_t t;
    block = get(1, PROT_READ | PROT_WRITE);
    pthread_create(&t, NULL, use, NULL);
    mprotect(block, PAGE, PROT_READ);
    pthread_join(t, NULL);
}

int main(void) {
#if defined MAPPED
    mapped();
#elif defined CLOSED
    closed();
#elif defined FORKED
    forked();
#elif defined THREADS
    threads();
#else
#ifdef TWICE
    shared(1);
#else
    shared(0);
#endif
#endif
    return 0;
}

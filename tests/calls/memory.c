/* malloc and its family; mmap; memory with names. */
#include "calls.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

static int is_zero(const char *p, long n) {
    while (n-- > 0)
        if (*p++)
            return 0;
    return 1;
}

static void blocks(void) {
    char *p, *q;
    void *out = NULL;
    p = malloc(20);
    T((long)p & 15);
    strcpy(p, "0123456789");
    T(malloc_usable_size(p) >= 20);
    T(malloc_usable_size(NULL));
    T((p = realloc(p, 2000)) != NULL);
    show_text("longer", p);
    for (int n = 1; n < 200; n += 13) { /* aligned for everything */
        T((p = realloc(p, n)) != NULL);
        T((long)p & 15);
        T((long)(q = calloc(n, 3)) & 15);
        T((out = malloc(n), (long)out & 15));
        free(q);
        free(out);
    }
    T((p = realloc(p, 20)) != NULL);
    strcpy(p, "0123456789");
    T((p = realloc(p, 5)) != NULL);
    show("shorter", p, 5);
    T((p = reallocarray(p, 3, 7)) != NULL);
    show("again", p, 5);
    TP(reallocarray(p, (size_t)1 << 63, 4));
    show("still", p, 5);
    TP(realloc(p, (size_t)1 << 62));
    show("still", p, 5);
    TP(p = realloc(p, 0));
    TP(q = realloc(NULL, 3));
    free(q);
    TP(q = reallocarray(NULL, 2, 3));
    free(q);
    TP(q = calloc(10, 10));
    T(is_zero(q, 100));
    memset(q, 1, 100);
    free(q);
    TP(q = calloc(25, 4));
    T(is_zero(q, 100));
    free(q);
    TP(calloc((size_t)1 << 33, (size_t)1 << 33));
    TP(malloc((size_t)1 << 62));
    TP(q = aligned_alloc(64, 128));
    T((long)q & 63);
    free(q);
    TP(q = aligned_alloc(4096, 4096));
    T((long)q & 4095);
    free(q);
    T(posix_memalign(&out, 256, 10));
    T((long)out & 255);
    free(out);
    out = &out;
    T(posix_memalign(&out, 3, 10));
    T(posix_memalign(&out, 4, 10));
    T(posix_memalign(&out, 0, 10));
    int full = posix_memalign(&out, 8, (size_t)1 << 62); /* errno may be set */
    T(full);
    T(out == &out);
    T(posix_memalign(&out, 8, 1));
    free(out);
    free(NULL);
}

static void maps(void) {
    char *p, *q;
    int f = open("map.txt", O_RDWR | O_CREAT, 0600), w = open("map.txt", O_WRONLY);
    T(write(f, "abcdef", 6));
    T((p = mmap(NULL, 8192, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != MAP_FAILED);
    T((long)p & 4095);
    T(is_zero(p, 8192));
    T(munmap(p + 4096, 4096));
    p[5] = 1;
    T(munmap(p, 4096));
    T(munmap(p + 1, 4096));
    T(munmap(p, 0));
    T(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, w, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, f, 1) == MAP_FAILED);
    T((q = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, f, 0)) != MAP_FAILED);
    show_text("mapped", q);
    q[0] = 'X';
    T(lseek(f, 0, SEEK_SET));
    show_ready(f);
    T(msync(q, 4096, MS_SYNC));
    T(msync(q, 4096, MS_SYNC | MS_ASYNC));
    T(msync(q + 1, 4096, MS_SYNC));
    T(msync(q, 4096, 64));
    T(munmap(q, 4096));
    T(unlink("map.txt"));
}

#define NAME "/heddle-calls-memory"
static void names(void) {
    int a, b, status;
    struct stat s;
    char *p, *q;
    shm_unlink(NAME);
    T(shm_open(NAME, O_RDWR, 0600));
    T((a = shm_open(NAME, O_RDWR | O_CREAT | O_EXCL, 0600)) >= 0);
    T(shm_open(NAME, O_RDWR | O_CREAT | O_EXCL, 0600));
    T((b = shm_open(NAME, O_RDONLY, 0)) >= 0);
    T(fcntl(a, F_GETFD));
    T(fstat(a, &s));
    T(s.st_size);
    T(ftruncate(a, 100));
    T(ftruncate(b, 50));
    T(ftruncate(a, -1));
    T(fstat(b, &s));
    T(s.st_size);
    T(S_ISREG(s.st_mode));
    T(mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, b, 0) == MAP_FAILED);
    T((p = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, a, 0)) != MAP_FAILED);
    T((q = mmap(NULL, 100, PROT_READ, MAP_SHARED, b, 0)) != MAP_FAILED);
    T(is_zero(p, 100));
    strcpy(p, "shared");
    show_text("the other", q);
    if (fork() == 0) {
        strcpy(p + 50, "by a child");
        _exit(0);
    }
    T(wait(&status) > 0);
    show_text("then", q + 50);
    T(ftruncate(a, 52));
    T(fstat(b, &s));
    T(s.st_size);
    T(ftruncate(a, 100));
    show("cut", q + 48, 10);
    T(shm_open(NAME, O_RDWR | O_TRUNC, 0) >= 0);
    T(fstat(b, &s));
    T(s.st_size);
    T(shm_unlink(NAME));
    T(shm_unlink(NAME));
    T(shm_open(NAME, O_RDWR, 0600));
    T(ftruncate(a, 60));
    show("kept", p, 8);
    T(shm_open("/", O_RDWR | O_CREAT, 0600));
    T(shm_open("", O_RDWR | O_CREAT, 0600));
    T(shm_open("/a/b", O_RDWR | O_CREAT, 0600));
    T(shm_unlink("/a/b"));
    T(shm_unlink("/"));
    char name[300] = "/";
    memset(name + 1, 'x', 256);
    T(shm_open(name, O_RDWR | O_CREAT, 0600));
    T(shm_unlink(name));
    T((a = shm_open("//heddle-calls-memory", O_RDWR | O_CREAT, 0600)) >= 0);
    T(shm_unlink(NAME));
    close(a);
    close(b);
}

/* Parts of files and of memory with names, and what cannot be mapped. */
static void parts(void) {
    int f = open("parts.txt", O_RDWR | O_CREAT, 0600), r = open("parts.txt", O_RDONLY);
    int folder = open(".", O_RDONLY | O_DIRECTORY), ends[2], a;
    struct stat s;
    char byte = 'a', *p;
    for (int i = 0; i < 5000; i++, byte = byte == 'z' ? 'a' : byte + 1)
        if (write(f, &byte, 1) != 1)
            break;
    T((p = mmap(NULL, 904, PROT_READ, MAP_PRIVATE, f, 4096)) != MAP_FAILED);
    show("part", p, 8);
    show("end", p + 896, 8);
    T(munmap(p, 904));
    T((p = mmap(NULL, 5000, PROT_READ, MAP_SHARED, r, 0)) != MAP_FAILED);
    show("whole", p + 4992, 8);
    T((p = mmap(NULL, 20, PROT_READ, MAP_PRIVATE, r, 0)) != MAP_FAILED);
    show("few", p, 20);
    T(mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, r, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, f, -4096) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, folder, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 99, 1) == MAP_FAILED);
    T(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, 0, 99, 0) == MAP_FAILED);
    T(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, f, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 1) == MAP_FAILED);
    T(mmap(NULL, (size_t)-1, PROT_READ, MAP_PRIVATE, f, 0) == MAP_FAILED);
    T(pipe(ends));
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, ends[0], 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, ends[0], -4096) == MAP_FAILED);
    T(mmap(NULL, (size_t)-1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    T(mmap(NULL, (size_t)1 << 60, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    T(msync(p, 20, MS_ASYNC));
    T(msync(p, 20, MS_SYNC | MS_INVALIDATE));
    T(msync(p, 0, MS_SYNC));
    umask(026);
    T((a = shm_open(NAME, O_RDWR | O_CREAT, 0666)) >= 0);
    T(ftruncate(a, 5000));
    T(mmap(NULL, 100, PROT_READ, MAP_SHARED, a, -4096) == MAP_FAILED);
    T(fstat(a, &s));
    T(s.st_mode);
    T(s.st_nlink);
    T(s.st_size);
    T((p = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, a, 4096)) != MAP_FAILED);
    strcpy(p, "behind");
    T((p = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, a, 0)) != MAP_FAILED);
    show("both", p + 4090, 14);
    T(ftruncate(a, 4098));
    T(ftruncate(a, 4098));
    T(ftruncate(a, 5000));
    show("cut", p + 4090, 14);
    T(shm_unlink(NAME));
    T(fstat(a, &s));
    T(s.st_nlink);
    umask(022);
    int b = shm_open(NAME, O_RDWR | O_CREAT, 0600);
    T(ftruncate(b, 4097)); /* one byte of the second page */
    T((p = mmap(NULL, 4097, PROT_READ | PROT_WRITE, MAP_SHARED, b, 0)) != MAP_FAILED);
    p[4096] = 'e';
    T(ftruncate(b, 8192));
    T(p[4096] + p[8191]);
    T(shm_unlink(NAME));
    T(close(b));
    T(close(a) + close(f) + close(r) + close(folder) + close(ends[0]) + close(ends[1]));
}

static void shared(void) {
    int status;
    char *p = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *q = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    T(is_zero(p, 100));
    if (fork() == 0) {
        p[0] = q[0] = 1;
        _exit(0);
    }
    T(wait(&status) > 0);
    T(p[0]);
    T(q[0]);
    T(munmap(p, 100));
}

static void protections(void) {
    char *p = mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q;
    T(mprotect(p, 100, PROT_READ | PROT_WRITE));
    p[4095] = 1;
    T(mprotect(p + 4096, 8192, PROT_EXEC | PROT_READ));
    T(p[4096] + p[12287]);
    T(mprotect(p, 8192, PROT_NONE));
    T(p[8192]);
    T(mprotect(p, 4096, PROT_READ));
    T(p[4095]);
    T(mprotect(p, 4096, PROT_WRITE));
    p[4095]++;
    T(p[4095]);
    T(mprotect(p + 1, 4096, PROT_READ));
    T(mprotect(p + 1, 0, PROT_READ));
    T(mprotect(p, 0, PROT_NONE));
    p[0] = 1;
    T(mprotect(p, 4096, 64));
    T(mprotect(p, (size_t)-1, PROT_READ));
    T(mprotect((void *)4096, 4096, PROT_READ));
    T(munmap(p + 8192, 4096));
    T(mprotect(p + 8192, 4096, PROT_READ));
    T(mprotect(p, 12288, PROT_READ | PROT_WRITE));
    T(++p[4096]);
    int a = shm_open(NAME, O_RDWR | O_CREAT, 0600), b = shm_open(NAME, O_RDONLY, 0);
    T(ftruncate(a, 5000));
    T((q = mmap(NULL, 5000, PROT_READ, MAP_SHARED, b, 0)) != MAP_FAILED);
    T(mprotect(q, 4096, PROT_READ | PROT_WRITE));
    T(mprotect(q, 8192, PROT_READ));
    T(mprotect(q + 4096, 4096, PROT_WRITE));
    T(munmap(q, 5000));
    T((q = mmap(NULL, 5000, PROT_READ, MAP_SHARED, a, 0)) != MAP_FAILED);
    T(mprotect(q + 4096, 4096, PROT_READ | PROT_WRITE));
    q[4999] = 7;
    T(q[4999]);
    T(shm_unlink(NAME));
}

int main(void) {
    blocks();
    protections();
    maps();
    names();
    parts();
    shared();
    return 0;
}

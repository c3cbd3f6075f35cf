/* What mmap and shm_open refuse, memory that is cut off, and the use of what was unmapped.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: -DUNMAPPED
 * verdict: complete
 * finding: use-after-free */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fails(const void *p, int error) {
    return p == MAP_FAILED && errno == error;
}

int main(void) {
    char *p = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p[9999] = 1;
    assert(munmap(p, 10000) == 0 && munmap(p, 10000) == 0 && munmap(p + 1, 1) == -1);
#ifdef UNMAPPED
    return p[0]; // BUG use-after-free
#endif
    assert(fails(mmap(NULL, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0), EINVAL));
    assert(shm_open("/", O_CREAT | O_RDWR, 0600) == -1 && errno == EINVAL);
    int d = shm_open("/name", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(shm_open("name", O_CREAT | O_EXCL | O_RDWR, 0600) == -1 && errno == EEXIST);
    assert(ftruncate(d, 5000) == 0);
    p = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, d, 0);
    strcpy(p, "hello");
    assert(fails(mmap(NULL, 4096, PROT_READ, MAP_SHARED, d, 100), EINVAL));
    int e = shm_open("/name", O_RDONLY, 0);
    assert(fails(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, e, 0), EACCES));
    assert(ftruncate(e, 1) == -1 && errno == EINVAL);
    assert(ftruncate(d, 3) == 0 && ftruncate(d, 5000) == 0 && strcmp(p, "hel") == 0);
    return 0;
}

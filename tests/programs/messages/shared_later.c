/* Memory with a name that a process maps after it was forked: what it does there is seen by the
 * other, in every order.
 *
 * run:
 * verdict: complete
 * label: both
 * label: lost
 *
 * run: --por none
 * verdict: complete
 * label: both
 * label: lost */
#include <fcntl.h>
#include <heddle.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int *map(int flags) {
    int f = shm_open("/later", flags, 0600);
    if (flags & O_CREAT && ftruncate(f, sizeof(atomic_int)))
        _exit(1);
    return mmap(NULL, sizeof(atomic_int), PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
}

static void add(atomic_int *x) {
    int before = atomic_load(x);
    atomic_store(x, before + 1);
}

int main(void) {
    int ends[2];
    char c;
    pipe(ends);
    if (fork() == 0) {
        read(ends[0], &c, 1);
        add(map(O_RDWR));
        _exit(0);
    }
    atomic_int *x = map(O_RDWR | O_CREAT);
    write(ends[1], "c", 1);
    add(x);
    wait(NULL);
    heddle_reach(atomic_load(x) == 2 ? "both" : "lost");
    return 0;
}

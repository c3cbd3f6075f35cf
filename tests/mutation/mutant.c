/* The change that is in force, taken from the environment before anything else runs. */
#include "tests/mutation/mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char nowhere[HD_MUTANTS];
unsigned hd_mutant;
unsigned char *hd_mutants_seen = nowhere;

/* Shared by all processes, so that nothing is lost of those that are killed. */
__attribute__((constructor)) static void choose(void) {
    const char *number = getenv("HEDDLE_MUTANT"), *path = getenv("HEDDLE_MUTANTS_SEEN");
    hd_mutant = number ? (unsigned)atoi(number) : 0;
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *seen = MAP_FAILED;
    if (fd >= 0) {
        seen = mmap(NULL, HD_MUTANTS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    if (seen != MAP_FAILED)
        hd_mutants_seen = seen;
}

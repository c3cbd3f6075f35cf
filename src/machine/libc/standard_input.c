/* Standard input, kept (see standard_input.h). */
#include "machine/libc/standard_input.h"

#include "base/panic.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CAPACITY (UINT64_C(256) << 20) /* of address space; pages are made when they are used */

#define HIGH 800 /* a descriptor that programs do not get */

typedef struct kept_input {
    uint64_t n;
    bool is_at_end;
    uint8_t bytes[];
} kept_input;

static kept_input *kept;
static int source = STDIN_FILENO;

void hd_standard_input_share(void) {
    if (kept)
        return;
    kept = mmap(NULL, sizeof *kept + CAPACITY, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (kept == MAP_FAILED)
        hd_out_of_memory();
}

void hd_standard_input_keep(void) {
    int copy = source == STDIN_FILENO ? fcntl(source, F_DUPFD_CLOEXEC, HIGH) : source;
    source = copy >= 0 ? copy : source;
}

/* Whoever shares the memory may be a program that writes to it: a number is asked once, and
 * bounded. */
static uint64_t size_of_kept(void) {
    uint64_t n = *(volatile uint64_t *)&kept->n;
    return n < CAPACITY ? n : CAPACITY;
}

/* D1: appended where nothing is yet. */
static int64_t read_more(uint64_t wanted) {
    uint64_t n = size_of_kept(), room = CAPACITY - n;
    if (room == 0) {
        errno = EFBIG;
        return -1;
    }
    int64_t got;
    do
        got = read(source, kept->bytes + n, wanted < room ? wanted : room);
    while (got < 0 && errno == EINTR);
    kept->is_at_end = got == 0;
    kept->n = n + (got > 0 ? (uint64_t)got : 0);
    HD_INVARIANT(D1, size_of_kept() <= CAPACITY);
    return got;
}

int64_t hd_standard_input_read(uint64_t offset, uint64_t wanted, const uint8_t **bytes) {
    hd_standard_input_share();
    while (offset >= size_of_kept() && !kept->is_at_end && wanted > 0)
        if (read_more(wanted) < 0)
            return -1;
    uint64_t n = size_of_kept(), there = offset < n ? n - offset : 0;
    *bytes = kept->bytes + offset;
    return (int64_t)(wanted < there ? wanted : there);
}

uint64_t hd_standard_input_size(void) {
    return kept ? size_of_kept() : 0;
}

static char *path_in(const char *directory) {
    return hd_text_format("%s/stdin", directory);
}

bool hd_standard_input_save(const char *directory, hd_err *err) {
    char *path = path_in(directory);
    if (!kept || (!kept->n && !kept->is_at_end)) {
        unlink(path); /* of a run that was there before */
        free(path);
        return true;
    }
    unlink(path); /* which may be a link to anywhere, in a directory of somebody else */
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    bool is_written = file >= 0;
    uint64_t n = size_of_kept();
    for (uint64_t done = 0; is_written && done < n;) {
        ssize_t now = write(file, kept->bytes + done, n - done);
        is_written = now > 0;
        done += now > 0 ? (uint64_t)now : 0;
    }
    if (!is_written)
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    free(path);
    return is_written;
}

/* What is no plain file of the directory was not written by Heddle: a link may lead anywhere, and a
 * pipe has no end. */
static int open_saved(const char *directory) {
    char *path = path_in(directory);
    struct stat is;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    free(path);
    if (file < 0 || (fstat(file, &is) == 0 && S_ISREG(is.st_mode)))
        return file;
    close(file);
    return -1;
}

void hd_standard_input_load(const char *directory) {
    int file = open_saved(directory);
    if (file < 0)
        return;
    hd_standard_input_share();
    ssize_t got;
    while (kept->n < CAPACITY && (got = read(file, kept->bytes + kept->n, CAPACITY - kept->n)) > 0)
        kept->n += (uint64_t)got;
    HD_INVARIANT(D1, kept->n <= CAPACITY);
    kept->is_at_end = true;
    close(file);
}

/* Changes to an image that was compiled, with a fingerprint that fits: refused or loaded, never a
 * crash.
 *
 * MODULE in the environment is the directory of a module ('heddle build -o DIR').  An input is a
 * list of changes: four bytes of position, eight of what is there then; the last of 12 bytes may
 * cut it off. */
#include "base/text.h"
#include "machine/module.h"
#include "program/module_fingerprint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The fingerprint fits: computing it for each input would take most of the time, and is
 * module_fingerprint's to test.  These two stand before those of the library. */
bool hd_module_is_whole(const char *path) {
    return path != NULL;
}
bool hd_module_has_fingerprint(const char *path) {
    return path != NULL;
}

static char directory[] = "/dev/shm/heddle-fuzz-XXXXXX";
static hd_text original;
static int image_file;

static int make_file(const char *name, const void *bytes, size_t n) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, bytes, n) != (ssize_t)n)
        abort();
    return file;
}

static void leave(void) {
    static const char *const names[] = {"image", "types"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

static void begin(void) {
    const char *module = getenv("MODULE");
    hd_text types = {0};
    char *image = hd_text_format("%s/image", module ? module : ""),
         *path = hd_text_format("%s/types", module ? module : "");
    if (!hd_text_read_file(&original, image) || !hd_text_read_file(&types, path) ||
        !mkdtemp(directory)) {
        fprintf(stderr, "MODULE must be the directory of a module\n");
        exit(2);
    }
    atexit(leave);
    close(make_file("types", types.at, types.n));
    image_file = make_file("image", original.at, original.n);
    hd_text_release(&types);
    free(image);
    free(path);
}

/* Bytes from `at` on, and what was there before when the input is done. */
static void change(size_t at, const void *bytes, size_t n) {
    size_t fits = original.n - at < n ? original.n - at : n;
    if (pwrite(image_file, bytes, fits, (off_t)at) != (ssize_t)fits)
        abort();
}

static size_t place_of(const uint8_t *bytes) {
    uint32_t at;
    memcpy(&at, bytes, 4);
    /* Most of an image is code and debug information: half of the changes are to what is in front.
     */
    return at % (at & 1 ? 4096 : (uint32_t)original.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    hd_err err;
    hd_module m;
    if (!original.n)
        begin();
    for (size_t i = 0; i + 12 <= n; i += 12)
        change(place_of(bytes + i), bytes + i + 4, 8);
    size_t cut = n % 12 == 11 ? (size_t)bytes[n - 1] * 64 : original.n;
    if (cut < original.n && ftruncate(image_file, (off_t)cut) != 0)
        abort();
    if (hd_module_load(&m, directory, &err))
        hd_module_unload(&m);
    if (cut < original.n)
        change(0, original.at, original.n);
    for (size_t i = 0; i + 12 <= n; i += 12)
        change(place_of(bytes + i), original.at + place_of(bytes + i), 8);
    return 0;
}

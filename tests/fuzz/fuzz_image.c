/* Changes to an image that was compiled, with a fingerprint that fits: refused or loaded, never a crash.
 *
 * MODULE in the environment is the directory of a module ('heddle build -o DIR').  An input is a list of changes: four bytes of
 * position, eight of what is there then; the last of 12 bytes may cut it off. */
#include "base/text.h"
#include "machine/module.h"
#include "program/module_fingerprint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/dev/shm/heddle-fuzz-XXXXXX";
static hd_text original;

static void write_file(const char *name, const void *bytes, size_t n) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, bytes, n) != (ssize_t)n)
        abort();
    close(file);
}

static void leave(void) {
    static const char *const names[] = {"image", "types", "fingerprint"};
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
    char *image = hd_text_format("%s/image", module ? module : ""), *path = hd_text_format("%s/types", module ? module : "");
    if (!hd_text_read_file(&original, image) || !hd_text_read_file(&types, path) || !mkdtemp(directory)) {
        fprintf(stderr, "MODULE must be the directory of a module\n");
        exit(2);
    }
    atexit(leave);
    write_file("types", types.at, types.n);
    hd_text_release(&types);
    free(image);
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    hd_err err;
    hd_module m;
    if (!original.n)
        begin();
    hd_text image = {0};
    hd_text_add_bytes(&image, original.at, original.n);
    for (size_t i = 0; i + 12 <= n; i += 12) {
        uint32_t at;
        memcpy(&at, bytes + i, 4);
        /* Most of an image is code and debug information: half of the changes are to what is in front. */
        at %= at & 1 ? 4096 : (uint32_t)image.n;
        memcpy(image.at + at, bytes + i + 4, image.n - at < 8 ? image.n - at : 8);
    }
    size_t cut = n % 12 == 11 ? (size_t)bytes[n - 1] * 64 : image.n;
    write_file("image", image.at, cut < image.n ? cut : image.n);
    if (hd_module_fingerprint(directory, &err) && hd_module_load(&m, directory, &err))
        hd_module_unload(&m);
    hd_text_release(&image);
    return 0;
}

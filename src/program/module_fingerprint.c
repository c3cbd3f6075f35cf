/* The fingerprint of a module: a line "HASH NAME" for each of its files (module_fingerprint.h). */
#include "program/module_fingerprint.h"

#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "fingerprint"
static const char *const parts[] = {"image", "types", "imports", "dependencies"};

static bool add_line(const char *directory, const char *name, hd_text *out) {
    char *path = hd_text_format("%s/%s", directory, name);
    hd_text bytes = {0};
    bool ok = hd_text_read_plain(&bytes, path);
    uint64_t hash = hd_hash_bytes(7, bytes.n ? bytes.at : "", bytes.n);
    hd_text_add(out, "%016" PRIx64 " %s\n", hd_hash_add(hash, bytes.n), name);
    hd_text_release(&bytes);
    free(path);
    return ok;
}

static bool add_lines(const char *directory, hd_text *out) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!add_line(directory, parts[i], out))
            return false;
    return true;
}

bool hd_module_fingerprint(const char *directory, hd_err *err) {
    char *path = hd_text_format("%s/" NAME, directory);
    hd_text lines = {0};
    FILE *out = add_lines(directory, &lines) ? fopen(path, "w") : NULL;
    bool ok = out && fputs(hd_text_string(&lines), out) >= 0;
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    hd_text_release(&lines);
    free(path);
    return ok;
}

bool hd_module_has_fingerprint(const char *directory) {
    char *path = hd_text_format("%s/" NAME, directory);
    bool is_there = access(path, F_OK) == 0;
    free(path);
    return is_there;
}

bool hd_module_is_whole(const char *directory) {
    char *path = hd_text_format("%s/" NAME, directory);
    hd_text text = {0}, now = {0};
    bool ok = hd_text_read_plain(&text, path) && add_lines(directory, &now) && text.n == now.n &&
              memcmp(text.at, now.at, now.n) == 0;
    hd_text_release(&text);
    hd_text_release(&now);
    free(path);
    return ok;
}

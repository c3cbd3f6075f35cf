/* kept_files.c -- what one compilation leaves for the next one of the same request.
 *
 * A kept file is a line "heddle-kept FORMAT HASH BYTES" and bytes.  Its name is what the bytes were
 * made from: a hash of all that went in.  The folder of the last time is read only; what is used of
 * it, and what is new, is written beside the module, where compile/module_cache.c takes it from.
 * So whoever compiles another program can change nothing of this one's (docs/security.md).
 *
 * F1. Bytes that do not fit their hash are not there: they are made again. */
#include "base/hash.h"
#include "compile/compiler/build.h"
#include "compile/kept_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FORMAT 2

/* One step for eight bytes: what is small in the product comes to stand where it counts. */
static uint64_t add_word(uint64_t h, uint64_t word, uint64_t factor) {
    h = (h ^ word) * factor;
    return h << 29 | h >> 35;
}

/* Of bytes that are read once: byte by byte and twice, as hd_hash_bytes() goes, the headers of a
 * small program took as long as reading its bitcode. */
static hd_kept_name hash_twice(uint64_t h, uint64_t k, const char *bytes, size_t n) {
    for (size_t at = 0; at < n; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, n - at < sizeof word ? n - at : sizeof word);
        h = add_word(h, word, 0x9fb21c651e98df25u);
        k = add_word(k, word, 0xd6e8feb86659fd93u);
    }
    return (hd_kept_name){{hd_mix(h), hd_mix(k)}};
}

hd_kept_name hd_kept_name_of(uint64_t kind, const void *bytes, size_t n) {
    return hash_twice(hd_hash_add(kind, n), hd_hash_add(~kind, n), bytes, n);
}

void hd_kept_name_add(hd_kept_name *name, const char *text) {
    for (size_t i = 0; i < 2; i++)
        name->words[i] = hd_hash_bytes(hd_hash_add(name->words[i], i), text, strlen(text) + 1);
}

static char *path_in(const char *folder, const char *prefix, hd_kept_name name) {
    return hd_text_format("%s/%s%016" PRIx64 "%016" PRIx64, folder, prefix, name.words[0],
                          name.words[1]);
}

static uint64_t hash_of(const char *bytes, size_t n) {
    return hd_kept_name_of(11, bytes, n).words[0];
}

static bool is_whole(const hd_text *file, size_t *begin) {
    int format, used = 0;
    uint64_t hash, n;
    if (file->n == 0 ||
        sscanf(file->at, "heddle-kept %d %" SCNx64 " %" SCNu64 "%n", &format, &hash, &n, &used) !=
            3 ||
        format != FORMAT || file->at[used] != '\n' || n != file->n - (size_t)used - 1)
        return false;
    *begin = (size_t)used + 1;
    return hash_of(file->at + *begin, file->n - *begin) == hash; /* F1 */
}

void hd_kept_write(const hd_build *b, hd_kept_name name, const void *bytes, size_t n) {
    char *path = path_in(b->output, HD_KEPT, name);
    FILE *out = fopen(path, "w");
    bool ok = out &&
              fprintf(out, "heddle-kept %d %016" PRIx64 " %zu\n", FORMAT, hash_of(bytes, n), n) > 0;
    ok = ok && fwrite(bytes, 1, n, out) == n;
    if (out && (fclose(out) != 0 || !ok))
        remove(path); /* nobody needs it */
    free(path);
}

bool hd_kept_read(const hd_build *b, hd_kept_name name, hd_text *bytes) {
    char *path = b->kept ? path_in(b->kept, HD_KEPT, name) : NULL;
    hd_text file = {0};
    size_t begin = 0;
    bool ok = path && hd_text_read_file(&file, path) && is_whole(&file, &begin);
    if (ok) {
        hd_text_add_bytes(bytes, file.at + begin, file.n - begin);
        hd_kept_write(b, name, file.at + begin, file.n - begin);
    }
    hd_text_release(&file);
    free(path);
    return ok;
}

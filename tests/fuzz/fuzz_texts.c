/* Any bytes as what lies beside a module: the texts of its sources, and the list of files that it
 * was made of (KEY.manifest of the cache).  Damaged, or read; never a crash.  Sums are made to fit
 * in half of the inputs.  The first byte says which. */
#include "base/panic.h"
#include "compile/module_cache.h"
#include "program/sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void read_sources(const char *bytes, size_t n) {
    hd_sources all = {0};
    hd_sources_parse(&all, bytes, n);
    for (size_t i = 0; i < all.n; i++)
        hd_sources_find(&all, all.at[i].path);
    hd_sources_find(&all, "a.c");
    hd_sources_release(&all);
}

static void read_any_sources(const char *bytes, size_t n) {
    hd_text text = {0};
    hd_text_add_bytes(&text, bytes, n);
    read_sources(hd_text_string(&text), n);
    hd_text_release(&text);
}

/* Paths and texts by turns, each ended by a zero byte. */
static void read_made_sources(const char *bytes, size_t n) {
    hd_text text = {0};
    hd_text_add(&text, "heddle-sources 1\n");
    for (const char *at = bytes, *end = bytes + n; at < end;) {
        size_t path = strnlen(at, (size_t)(end - at)), more = path < (size_t)(end - at);
        size_t length = strnlen(at + path + more, (size_t)(end - at) - path - more);
        const char *body = at + path + more;
        hd_text_add(&text, "%016" PRIx64 " %zu %.*s\n", hd_sources_hash(body, length), length,
                    (int)path, at);
        hd_text_add_bytes(&text, body, length);
        at = body + length + (body + length < end);
    }
    read_sources(text.at, text.n);
    hd_text_release(&text);
}

static bool read_manifest(const char *bytes, size_t n) {
    hd_text text = {0};
    uint64_t module;
    size_t files;
    hd_text_add_bytes(&text, bytes, n);
    bool ok = hd_cache_check_manifest((char *)hd_text_string(&text), &module, &files);
    HD_ASSERT(!ok || files > 0);
    hd_text_release(&text);
    return ok;
}

static void read_made_manifest(const char *bytes, size_t n) {
    hd_text text = {0}, lines = {0};
    hd_text_add_bytes(&lines, bytes, n);
    hd_cache_write_manifest(&text, 5, hd_text_string(&lines));
    read_manifest(text.at, text.n);
    hd_text_release(&text);
    hd_text_release(&lines);
}

static void check_example(void) {
    static const char line[] = "10 20 30 /usr/include/stdio.h\n";
    hd_text text = {0};
    hd_cache_write_manifest(&text, 5, line);
    HD_ASSERT(read_manifest(text.at, text.n));
    hd_text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static bool has_begun;
    if (!has_begun)
        check_example();
    has_begun = true;
    const char *rest = (const char *)bytes + 1;
    switch (n ? bytes[0] % 4 : 4) {
    case 0:
        read_any_sources(rest, n - 1);
        break;
    case 1:
        read_made_sources(rest, n - 1);
        break;
    case 2:
        read_manifest(rest, n - 1);
        break;
    case 3:
        read_made_manifest(rest, n - 1);
        break;
    }
    return 0;
}

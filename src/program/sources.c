/* The file is "heddle-sources 1\n", then for each text a line "HASH SIZE PATH" and its bytes. */
#include "program/sources.h"

#include "base/hash.h"
#include "base/panic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME       "sources"
#define HEAD       "heddle-sources 1\n"
#define MOST_BYTES ((size_t)1 << 20) /* of one text */
#define MOST_ALL   ((size_t)8 << 20)

uint64_t hd_sources_hash(const char *text, size_t n) {
    return hd_hash_add(hd_hash_bytes(11, n ? text : "", n), n);
}

/* ---- writing ---- */

static bool is_of_system(const char *path) {
    return strncmp(path, "/usr/include/", 13) == 0 || strncmp(path, "/usr/lib/", 9) == 0 ||
           strchr(path, '\n');
}

static bool is_text(const hd_text *t) {
    return !t->n || !memchr(t->at, '\0', t->n);
}

static void add_file(hd_text *out, const char *path) {
    hd_text text = {0};
    bool is_kept = !is_of_system(path) && hd_text_read_file(&text, path) && is_text(&text) &&
                   text.n <= MOST_BYTES && out->n + text.n <= MOST_ALL;
    if (is_kept) {
        hd_text_add(out, "%016" PRIx64 " %zu %s\n", hd_sources_hash(text.at, text.n), text.n, path);
        hd_text_add_bytes(out, hd_text_string(&text), text.n);
    }
    hd_text_release(&text);
}

bool hd_sources_write(const char *directory, char *const *paths, size_t n) {
    char *path = hd_text_format("%s/" NAME, directory);
    hd_text all = {0};
    hd_text_add(&all, HEAD);
    for (size_t i = 0; i < n; i++)
        add_file(&all, paths[i]);
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(all.at, 1, all.n, out) == all.n;
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        remove(path);
    hd_text_release(&all);
    free(path);
    return ok;
}

/* ---- reading ---- */

/* "HASH SIZE "; where the path begins, or NULL.  Not with sscanf, which measures all that follows
 * at each text: minutes for a file with many. */
static const char *take_numbers(const char *at, const char *line, hd_source_text *s) {
    char *space, *path;
    s->hash = strtoull(at, &space, 16);
    if (space == at || *space != ' ')
        return NULL;
    s->n = strtoull(space + 1, &path, 10);
    return path > space + 1 && *path == ' ' && path < line ? path + 1 : NULL;
}

/* The text that begins at `at`; NULL if nothing does, or if it is damaged. */
static const char *take_text(const char *at, const char *end, hd_source_text *s) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    const char *path = line ? take_numbers(at, line, s) : NULL;
    if (!path || s->n > (size_t)(end - line - 1) || hd_sources_hash(line + 1, s->n) != s->hash)
        return NULL;
    s->path = hd_text_format("%.*s", (int)(line - path), path);
    s->text = hd_text_format("%.*s", (int)s->n, line + 1);
    return line + 1 + s->n;
}

void hd_sources_parse(hd_sources *all, const char *bytes, size_t n) {
    hd_source_text s;
    const char *end = bytes + n;
    bool ok = n >= strlen(HEAD) && strncmp(bytes, HEAD, strlen(HEAD)) == 0;
    const char *at = ok ? bytes + strlen(HEAD) : NULL;
    while (at && at < end && (at = take_text(at, end, &s)))
        hd_vec_push(all, s);
}

void hd_sources_read(hd_sources *all, const char *directory) {
    char *path = hd_text_format("%s/" NAME, directory);
    hd_text text = {0};
    if (hd_text_read_plain(&text, path))
        hd_sources_parse(all, hd_text_string(&text), text.n);
    hd_text_release(&text);
    free(path);
}

void hd_sources_release(hd_sources *all) {
    for (size_t i = 0; i < all->n; i++) {
        free(all->at[i].path);
        free(all->at[i].text);
    }
    hd_vec_release(all);
}

/* ---- finding ---- */

static const char *without_here(const char *path) {
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

/* Is one of the paths the end of the other, in whole names? */
static bool is_end_of(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    const char *longer = n > m ? a : b, *shorter = n > m ? b : a;
    size_t more = n > m ? n - m : m - n;
    return more && longer[more - 1] == '/' && strcmp(longer + more, shorter) == 0;
}

/* A text with zero bytes in it is cut at the first. */
static bool is_as_compiled(const hd_source_text *s) {
    return strlen(s->text) != s->n || hd_sources_hash(s->text, s->n) == s->hash;
}

const hd_source_text *hd_sources_find(const hd_sources *all, const char *file) {
    const hd_source_text *found = NULL;
    unsigned n = 0;
    file = without_here(file);
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(without_here(all->at[i].path), file) == 0) {
            HD_CHECK_INVARIANT(Y1, is_as_compiled(&all->at[i]));
            return &all->at[i];
        }
    for (size_t i = 0; i < all->n; i++)
        if (is_end_of(without_here(all->at[i].path), file)) {
            found = &all->at[i];
            n++;
        }
    return n == 1 ? found : NULL;
}

/* text.h -- a growing, always NUL-terminated string.
 *
 * A zeroed hd_text is an empty one.
 *
 * T1. at is NULL or at[n] == '\0'. */
#ifndef HD_BASE_TEXT_H
#define HD_BASE_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct hd_text {
    char *at;
    size_t n, capacity;
} hd_text;

void hd_text_add(hd_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hd_text_add_bytes(hd_text *t, const void *bytes, size_t n);
/* Keep the first n bytes. */
void hd_text_cut(hd_text *t, size_t n);
void hd_text_clear(hd_text *t);
void hd_text_release(hd_text *t);
/* Never NULL, even for an empty text. */
const char *hd_text_string(const hd_text *t);
/* A heap copy printed like printf; never NULL, the caller frees it. */
char *hd_text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The whole file into `t` (appended); false with errno set if it cannot be read. */
bool hd_text_read_file(hd_text *t, const char *path);
/* Paths that somebody else has chosen, as a run directory does: plain files, or links to them.
 * Devices and pipes, which may have no end, cannot be read (EINVAL). */
bool hd_text_read_plain(hd_text *t, const char *path);
FILE *hd_file_open_plain(const char *path);
#endif

#include "base/text.h"

#include "base/panic.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_room(hd_text *t, size_t more) {
    HD_CHECK_INVARIANT(T1, !t->at || t->at[t->n] == '\0');
    if (t->n + more + 1 > t->capacity)
        t->at = hd_vec_grown(t->at, &t->capacity, t->n + more + 1, 1);
}

static void add_list(hd_text *t, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    HD_ASSERT(length >= 0);
    make_room(t, (size_t)length);
    vsnprintf(t->at + t->n, (size_t)length + 1, format, again);
    va_end(again);
    t->n += (size_t)length;
}

void hd_text_add(hd_text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_list(t, format, arguments);
    va_end(arguments);
}

void hd_text_add_bytes(hd_text *t, const void *bytes, size_t n) {
    make_room(t, n);
    if (n)
        memcpy(t->at + t->n, bytes, n);
    t->n += n;
    t->at[t->n] = '\0';
}

void hd_text_cut(hd_text *t, size_t n) {
    HD_ASSERT(n <= t->n);
    t->n = n;
    if (t->at)
        t->at[n] = '\0';
}

void hd_text_clear(hd_text *t) {
    t->n = 0;
    if (t->at)
        t->at[0] = '\0';
}

void hd_text_release(hd_text *t) {
    free(t->at);
    *t = (hd_text){0};
}

const char *hd_text_string(const hd_text *t) {
    return t->at ? t->at : "";
}

char *hd_text_format(const char *format, ...) {
    hd_text t = {0};
    va_list arguments;
    va_start(arguments, format);
    add_list(&t, format, arguments);
    va_end(arguments);
    return t.at;
}

static bool read_all(hd_text *t, FILE *file) {
    char chunk[65536];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0)
        hd_text_add_bytes(t, chunk, n);
    int failure = ferror(file) ? errno : 0;
    fclose(file);
    errno = failure;
    return failure == 0;
}

bool hd_text_read_file(hd_text *t, const char *path) {
    FILE *file = fopen(path, "rb");
    return file && read_all(t, file);
}

FILE *hd_file_open_plain(const char *path) {
    struct stat is;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fstat(file, &is) == 0 && S_ISREG(is.st_mode))
        return fdopen(file, "rb");
    if (file >= 0) {
        close(file);
        errno = EINVAL;
    }
    return NULL;
}

bool hd_text_read_plain(hd_text *t, const char *path) {
    FILE *file = hd_file_open_plain(path);
    return file && read_all(t, file);
}

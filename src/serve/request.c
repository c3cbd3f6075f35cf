/* Lines end with CR LF, names of fields are compared without case, and whatever RFC 9112 calls
 * obsolete is refused: who reads a request otherwise than its sender is how requests are smuggled.
 */
#include "serve/request.h"

#include "base/panic.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define HD_STATUSES(X)                                                                             \
    X(200, "OK")                                                                                   \
    X(400, "Bad Request")                                                                          \
    X(404, "Not Found")                                                                            \
    X(405, "Method Not Allowed")                                                                   \
    X(408, "Request Timeout")                                                                      \
    X(413, "Content Too Large")                                                                    \
    X(414, "URI Too Long")                                                                         \
    X(421, "Misdirected Request")                                                                  \
    X(431, "Request Header Fields Too Large")                                                      \
    X(503, "Service Unavailable")                                                                  \
    X(505, "HTTP Version Not Supported")

const char *hd_status_words(int status) {
    switch (status) {
#define X(number, words)                                                                           \
    case number:                                                                                   \
        return words;
        HD_STATUSES(X)
#undef X
    }
    HD_BUG("a status of HTTP without words");
}

/* A piece of the request. */
typedef struct span_of_text {
    const char *at;
    size_t n;
} span_of_text;

static bool is_word(span_of_text s, const char *word) {
    return s.n == strlen(word) && strncasecmp(s.at, word, s.n) == 0;
}

static bool is_token(span_of_text s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.at[i] <= ' ' || s.at[i] > '~' || strchr("\"(),/:;<=>?@[\\]{}", s.at[i]))
            return false;
    return s.n > 0;
}

/* ---- the first line ---- */

/* What stands before the next blank; all of the rest if there is none. */
static span_of_text take_word(span_of_text *line) {
    const char *blank = memchr(line->at, ' ', line->n);
    span_of_text word = {line->at, blank ? (size_t)(blank - line->at) : line->n};
    size_t n = word.n + (blank != NULL);
    *line = (span_of_text){line->at + n, line->n - n};
    return word;
}

/* H2 */
static int take_path(hd_request *r, span_of_text target) {
    const char *query = memchr(target.at, '?', target.n);
    size_t n = query ? (size_t)(query - target.at) : target.n;
    for (size_t i = 0; i < target.n; i++)
        if (target.at[i] <= ' ' || target.at[i] > '~')
            return 400;
    if (!n || target.at[0] != '/')
        return 400;
    if (target.n > HD_PATH_MOST)
        return 414;
    memcpy(r->path, target.at, n);
    r->path[n] = '\0';
    HD_INVARIANT(H2, r->path[0] == '/' && strlen(r->path) == n);
    return 200;
}

static int read_first_line(hd_request *r, span_of_text line) {
    span_of_text method = take_word(&line), target = take_word(&line), version = line;
    if (!is_token(method) || version.n != 8 || memcmp(version.at, "HTTP/", 5) != 0)
        return 400;
    if (memcmp(version.at, "HTTP/1.1", 8) != 0 && memcmp(version.at, "HTTP/1.0", 8) != 0)
        return 505;
    if (method.n != 3 || memcmp(method.at, "GET", 3) != 0)
        return 405;
    return take_path(r, target);
}

/* ---- fields ---- */

/* "localhost", "127.0.0.1" or "[::1]", with any port: a tunnel may have another one than the
 * server. */
static bool is_this_machine(span_of_text host) {
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]), k = n + 1;
        if (host.n < n || strncasecmp(host.at, names[i], n) != 0)
            continue;
        if (host.n == n)
            return true;
        while (k < host.n && host.at[k] >= '0' && host.at[k] <= '9')
            k++;
        return host.at[n] == ':' && k == host.n && host.n <= n + 6;
    }
    return false;
}

static bool is_zero(span_of_text s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.at[i] != '0')
            return false;
    return s.n > 0;
}

static span_of_text trimmed(span_of_text s) {
    for (; s.n && (s.at[0] == ' ' || s.at[0] == '\t'); s.at++)
        s.n--;
    while (s.n && (s.at[s.n - 1] == ' ' || s.at[s.n - 1] == '\t'))
        s.n--;
    return s;
}

static bool is_plain(span_of_text s) {
    for (size_t i = 0; i < s.n; i++)
        if ((s.at[i] >= 0 && s.at[i] < ' ' && s.at[i] != '\t') || s.at[i] == 127)
            return false;
    return true;
}

static int read_field(span_of_text line, unsigned *n_hosts) {
    const char *colon = memchr(line.at, ':', line.n);
    span_of_text name = {line.at, colon ? (size_t)(colon - line.at) : 0};
    if (!colon || !is_token(name))
        return 400;
    span_of_text value = trimmed((span_of_text){colon + 1, line.n - name.n - 1});
    if (!is_plain(value))
        return 400;
    if (is_word(name, "host")) {
        ++*n_hosts;
        return is_this_machine(value) ? 200 : 421;
    }
    if (is_word(name, "transfer-encoding") || (is_word(name, "content-length") && !is_zero(value)))
        return 413;
    return 200;
}

/* ---- all of it ---- */

/* The line at `*at`, which is behind it then; false if its end is not there. */
static bool take_line(const char *bytes, size_t n, size_t *at, span_of_text *line) {
    const char *end = memmem(bytes + *at, n - *at, "\r\n", 2);
    if (!end)
        return false;
    *line = (span_of_text){bytes + *at, (size_t)(end - bytes) - *at};
    *at = (size_t)(end - bytes) + 2;
    return true;
}

static int read_fields(const char *bytes, size_t n, size_t at) {
    unsigned n_hosts = 0;
    for (span_of_text line; take_line(bytes, n, &at, &line);) {
        int status = line.n ? read_field(line, &n_hosts) : 200;
        if (!line.n)
            return n_hosts == 1 ? 200 : 400;
        if (status != 200)
            return status;
    }
    return 0;
}

int hd_request_read(hd_request *r, const char *bytes, size_t n) {
    size_t at = 0;
    span_of_text line;
    bool is_long = n >= HD_REQUEST_MOST;
    size_t looked = is_long ? HD_REQUEST_MOST : n;
    if (!take_line(bytes, looked, &at, &line))
        return is_long ? 414 : 0;
    int status = read_first_line(r, line);
    if (status == 200)
        status = read_fields(bytes, looked, at);
    if (status == 0 && is_long)
        status = 431;
    HD_INVARIANT(H1, status || n < HD_REQUEST_MOST);
    return status;
}

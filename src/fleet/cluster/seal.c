/* Keys, codes and hashes (seal.h).  nettle: it is small, GnuTLS and much of Debian rest on it, and
 * it needs no initialisation; libcrypto costs a millisecond of every start of heddle. */
#include "fleet/cluster/seal.h"

#include "base/panic.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/base16.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define TOKEN_HEAD "heddle-token-1 "
_Static_assert(HD_KEY_SIZE == SHA256_DIGEST_SIZE && HD_SEAL_SIZE == SHA256_DIGEST_SIZE,
               "keys and codes are as long as hashes");

bool hd_run_name_check(const char *name, hd_err *err) {
    size_t n = strlen(name);
    bool is_right = n > 0 && n < HD_RUN_NAME;
    for (size_t i = 0; i < n; i++)
        is_right &= isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '_';
    if (is_right)
        return true;
    hd_err_set(err, "'%.60s' cannot be the name of a run", name);
    return hd_err_hint(err, "use up to %d letters, digits, '-' and '_'", HD_RUN_NAME - 1);
}

/* ---- keys ---- */

bool hd_seal_make(hd_seal *s, const char *run, hd_err *err) {
    *s = (hd_seal){0};
    if (!hd_run_name_check(run, err))
        return false;
    memcpy(s->run, run, strlen(run));
    if (getrandom(s->key, sizeof s->key, 0) == (ssize_t)sizeof s->key)
        return true;
    return hd_err_set(err, "cannot make a key for the run: %s", strerror(errno));
}

static void write_hexadecimal(const uint8_t *bytes, size_t n, char *out) {
    base16_encode_update(out, n, bytes);
    out[BASE16_ENCODE_LENGTH(n)] = '\0';
}

bool hd_seal_write(const hd_seal *s, const char *path, hd_err *err) {
    char digits[2 * HD_KEY_SIZE + 1];
    hd_text line = {0};
    write_hexadecimal(s->key, sizeof s->key, digits);
    hd_text_add(&line, TOKEN_HEAD "%s %s\n", s->run, digits);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && write(fd, line.at, line.n) == (ssize_t)line.n && fsync(fd) == 0;
    if (!ok)
        hd_err_set(err, "cannot write the token '%s': %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    hd_text_release(&line);
    return ok;
}

static bool read_hexadecimal(const char *digits, uint8_t key[HD_KEY_SIZE]) {
    struct base16_decode_ctx c;
    uint8_t bytes[BASE16_DECODE_LENGTH(2 * HD_KEY_SIZE)];
    size_t n = sizeof bytes;
    base16_decode_init(&c);
    if (strlen(digits) != (size_t)2 * HD_KEY_SIZE ||
        !base16_decode_update(&c, &n, bytes, strlen(digits), digits) || n != HD_KEY_SIZE ||
        !base16_decode_final(&c))
        return false;
    memcpy(key, bytes, HD_KEY_SIZE);
    return true;
}

/* "heddle-token-1 NAME KEY\n" */
static bool parse_token(hd_seal *s, char *text) {
    hd_err ignored;
    if (strncmp(text, TOKEN_HEAD, strlen(TOKEN_HEAD)) != 0)
        return false;
    char *rest = text + strlen(TOKEN_HEAD), *name = strsep(&rest, " ");
    char *digits = rest ? strsep(&rest, "\n") : NULL;
    if (!digits || !hd_run_name_check(name, &ignored) || !read_hexadecimal(digits, s->key))
        return false;
    memcpy(s->run, name, strlen(name) + 1);
    return true;
}

bool hd_seal_read(hd_seal *s, const char *path, hd_err *err) {
    hd_text text = {0};
    *s = (hd_seal){0};
    bool ok = hd_text_read_file(&text, path);
    if (!ok) {
        hd_err_set(err, "cannot read the token '%s': %s", path, strerror(errno));
        hd_err_hint(err, "copy it from where the run was started");
    } else if (!(ok = text.n && parse_token(s, text.at))) {
        hd_err_set(err, "'%s' is not the token of a run", path);
        hd_err_hint(err, "copy the file that 'heddle run --cluster' wrote");
    }
    hd_text_release(&text);
    return ok;
}

/* ---- codes ---- */

/* Of the run and the subject too (E2). */
static void find_code(const hd_seal *s, const char *subject, const void *bytes, size_t n,
                      uint8_t code[HD_SEAL_SIZE]) {
    struct hmac_sha256_ctx c;
    hmac_sha256_set_key(&c, sizeof s->key, s->key);
    hmac_sha256_update(&c, strlen(s->run) + 1, (const uint8_t *)s->run);
    hmac_sha256_update(&c, strlen(subject) + 1, (const uint8_t *)subject);
    hmac_sha256_update(&c, n, bytes);
    hmac_sha256_digest(&c, HD_SEAL_SIZE, code);
}

void hd_seal_close(const hd_seal *s, const char *subject, hd_text *message) {
    uint8_t code[HD_SEAL_SIZE];
    find_code(s, subject, hd_text_string(message), message->n, code);
    hd_text_add_bytes(message, code, sizeof code);
    size_t length;
    HD_CHECK_INVARIANT(E1, hd_seal_open(s, subject, message->at, message->n, &length));
    HD_CHECK_INVARIANT(E2, !hd_seal_open(s, subject + 1, message->at, message->n, &length));
}

bool hd_seal_open(const hd_seal *s, const char *subject, const void *bytes, size_t n,
                  size_t *length) {
    uint8_t code[HD_SEAL_SIZE];
    *length = 0;
    if (n < HD_SEAL_SIZE)
        return false;
    find_code(s, subject, bytes, n - HD_SEAL_SIZE, code);
    if (!memeql_sec(code, (const uint8_t *)bytes + n - HD_SEAL_SIZE, HD_SEAL_SIZE))
        return false;
    *length = n - HD_SEAL_SIZE;
    return true;
}

void hd_hash_name(const void *bytes, size_t n, char name[HD_HASH_SIZE]) {
    struct sha256_ctx c;
    uint8_t hash[SHA256_DIGEST_SIZE];
    sha256_init(&c);
    sha256_update(&c, n, bytes);
    sha256_digest(&c, sizeof hash, hash);
    write_hexadecimal(hash, sizeof hash, name);
    HD_ASSERT(strlen(name) == HD_HASH_SIZE - 1);
}

/* Any bytes as what machines of a cluster write to each other: refused, or read, and then what is
 * packed of it is read as the same again; never a crash.  The first byte says which kind. */
#include "base/panic.h"
#include "fleet/cluster/log_entry.h"
#include "fleet/cluster/manifest.h"
#include "fleet/cluster/post.h"
#include "fleet/cluster/seal.h"
#include "fleet/cluster/talk.h"
#include "fleet/last_words.h"
#include "fleet/observer.h"
#include "fleet/turns.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check_same(hd_text *a, hd_text *b) {
    HD_ASSERT(a->n == b->n && memcmp(a->at, b->at, a->n) == 0);
    hd_text_release(a);
    hd_text_release(b);
}

static void check_live(const void *bytes, size_t n) {
    hd_observers *live = hd_observers_new();
    hd_observers_add(live, bytes, n);
    hd_observers_free(live);
}

static void check_entry(const uint8_t *bytes, size_t n) {
    hd_log_entry e, again;
    hd_text packed = {0}, repacked = {0};
    if (!hd_log_entry_unpack(bytes, n, &e))
        return;
    hd_log_entry_pack(&packed, &e);
    HD_ASSERT(hd_log_entry_unpack(packed.at, packed.n, &again));
    hd_log_entry_pack(&repacked, &again);
    check_same(&packed, &repacked);
}

static void check_manifest(const uint8_t *bytes, size_t n) {
    hd_manifest m, again;
    hd_text packed = {0}, repacked = {0};
    hd_err err;
    if (!hd_manifest_unpack(bytes, n, &m))
        return;
    hd_manifest_check(&m, "1", "run", &err);
    hd_manifest_pack(&packed, &m);
    HD_ASSERT(hd_manifest_unpack(packed.at, packed.n, &again));
    hd_manifest_pack(&repacked, &again);
    hd_manifest_release(&m);
    hd_manifest_release(&again);
    check_same(&packed, &repacked);
}

static void check_notice(const uint8_t *bytes, size_t n) {
    hd_notice c, again;
    hd_text packed = {0}, repacked = {0};
    if (!hd_notice_unpack(bytes, n, &c))
        return;
    check_live(c.live, c.n_live);
    hd_notice_pack(&packed, &c);
    HD_ASSERT(hd_notice_unpack(packed.at, packed.n, &again));
    hd_notice_pack(&repacked, &again);
    check_same(&packed, &repacked);
}

static void check_news(const uint8_t *bytes, size_t n) {
    hd_news c, again;
    hd_text packed = {0}, repacked = {0};
    if (!hd_news_unpack(bytes, n, &c))
        return;
    check_live(c.live.at, c.live.n);
    hd_news_pack(&packed, &c);
    HD_ASSERT(hd_news_unpack(packed.at, packed.n, &again));
    hd_news_pack(&repacked, &again);
    hd_news_release(&c);
    hd_news_release(&again);
    check_same(&packed, &repacked);
}

/* A part of a coordinator's snapshot. */
static void check_turns(const uint8_t *bytes, size_t n) {
    hd_turns t = hd_turns_begin(HD_STRATEGY_BFS, 1);
    hd_unpack u = hd_unpack_from(bytes, n);
    hd_text packed = {0};
    if (hd_turns_restore(&t, &u))
        hd_turns_save(&t, &packed);
    hd_text_release(&packed);
    hd_turns_release(&t);
}

/* A file with the key of a run. */
static void check_key(const uint8_t *bytes, size_t n) {
    char path[64];
    hd_seal seal;
    hd_err err;
    int file = memfd_create("key", 0);
    if (file < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, bytes, n) == (ssize_t)n && hd_seal_read(&seal, path, &err))
        HD_ASSERT(strlen(seal.run) < HD_RUN_NAME);
    close(file);
}

/* What nobody has sealed with our key is not opened; what was is, and says the same. */
static void check_sealed(const uint8_t *bytes, size_t n) {
    static hd_seal seal;
    hd_text message = {0};
    hd_err err;
    size_t length;
    if (!seal.run[0])
        HD_ASSERT(hd_seal_make(&seal, "run", &err));
    HD_ASSERT(!hd_seal_open(&seal, "subject", bytes, n, &length));
    hd_text_add_bytes(&message, bytes, n);
    hd_seal_close(&seal, "subject", &message);
    HD_ASSERT(!hd_seal_open(&seal, "another", message.at, message.n, &length));
    HD_ASSERT(hd_seal_open(&seal, "subject", message.at, message.n, &length));
    HD_ASSERT(length == n && memcmp(message.at, bytes, n) == 0);
    hd_text_release(&message);
}

static void check_bale(const uint8_t *bytes, size_t n) {
    hd_unpack u = hd_unpack_from(bytes, n);
    hd_text packed = {0};
    hd_bale bale = hd_bale_unpack(&u);
    if (hd_unpack_ok(&u)) {
        hd_bale_pack(&packed, &bale);
        HD_ASSERT(packed.n == n && memcmp(packed.at, bytes, n) == 0);
    }
    hd_text_release(&packed);
}

static void check_last_words(const uint8_t *bytes, size_t n) {
    hd_unpack u = hd_unpack_from(bytes, n);
    hd_last_words w = hd_last_words_unpack(&u);
    HD_ASSERT(strnlen(w.file, sizeof w.file) < sizeof w.file &&
              strnlen(w.inputs, sizeof w.inputs) < sizeof w.inputs);
}

static void (*const checks[])(const uint8_t *bytes, size_t n) = {
    check_entry, check_manifest, check_notice, check_news,      check_turns,
    check_key,   check_sealed,   check_bale,   check_last_words};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    if (n)
        checks[bytes[0] % (sizeof checks / sizeof *checks)](bytes + 1, n - 1);
    return 0;
}

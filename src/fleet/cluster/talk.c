/* Calls and news as bytes (talk.h). */
#include "fleet/cluster/talk.h"

#include "base/panic.h"
#include "record/stored.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define TRIES 3

static void unpack_word(hd_unpack *u, char *out, size_t size) {
    char *word = hd_unpack_string(u);
    snprintf(out, size, "%s", word);
    free(word);
}

static void pack_order(hd_text *out, const hd_order *o) {
    hd_pack_u8(out, (uint8_t)o->kind);
    hd_pack_u64(out, o->unit);
    hd_pack_u64(out, o->epoch);
    hd_pack_string(out, o->why);
}

static void unpack_order(hd_unpack *u, hd_order *o) {
    uint8_t kind = hd_unpack_u8(u);
    u->failed |= kind > HD_ORDER_STOP;
    o->kind = (hd_order_kind)kind;
    o->unit = hd_unpack_u64(u);
    o->epoch = hd_unpack_u64(u);
    unpack_word(u, o->why, sizeof o->why);
}

void hd_notice_pack(hd_text *out, const hd_notice *c) {
    hd_pack_u64(out, c->coordinator);
    hd_pack_string(out, c->host);
    hd_pack_u8(out, c->has_order);
    if (c->has_order)
        pack_order(out, &c->order);
    hd_pack_bytes(out, c->live ? c->live : "", c->n_live);
}

bool hd_notice_unpack(const void *bytes, size_t n, hd_notice *c) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *c = (hd_notice){.coordinator = hd_unpack_u64(&u)};
    unpack_word(&u, c->host, sizeof c->host);
    c->has_order = hd_unpack_u8(&u);
    if (c->has_order)
        unpack_order(&u, &c->order);
    c->live = hd_unpack_bytes(&u, &c->n_live);
    return hd_unpack_ok(&u) && u.at == u.end;
}

void hd_news_pack(hd_text *out, const hd_news *news) {
    hd_pack_u64(out, news->machine);
    hd_pack_u8(out, news->is_leaving);
    hd_pack_u32(out, news->n_workers);
    hd_pack_u32(out, news->n_idle);
    hd_pack_bytes(out, hd_text_string(&news->live), news->live.n);
    hd_pack_u32(out, (uint32_t)news->held.n);
    for (size_t i = 0; i < news->held.n; i++) {
        hd_pack_u64(out, news->held.at[i].unit);
        hd_pack_u64(out, news->held.at[i].epoch);
    }
}

bool hd_news_unpack(const void *bytes, size_t n, hd_news *news) {
    hd_unpack u = hd_unpack_from(bytes, n);
    size_t n_live;
    *news = (hd_news){.machine = hd_unpack_u64(&u)};
    news->is_leaving = hd_unpack_u8(&u);
    news->n_workers = hd_unpack_u32(&u);
    news->n_idle = hd_unpack_u32(&u);
    const void *live = hd_unpack_bytes(&u, &n_live);
    if (hd_unpack_ok(&u))
        hd_text_add_bytes(&news->live, live, n_live);
    for (uint32_t i = hd_unpack_count(&u, 16); i > 0 && hd_unpack_ok(&u); i--) {
        hd_unit_at held = {.unit = hd_unpack_u64(&u), .epoch = hd_unpack_u64(&u)};
        hd_vec_push(&news->held, held);
    }
    if (hd_unpack_ok(&u) && u.at == u.end)
        return true;
    hd_news_release(news);
    return false;
}

void hd_news_release(hd_news *news) {
    hd_text_release(&news->live);
    hd_vec_release(&news->held);
}

/* A signal, or whoever stands between, may keep the kernel from it once. */
uint64_t hd_number_make(void) {
    uint64_t number;
    for (int i = 0; i < TRIES; i++)
        if (getrandom(&number, sizeof number, 0) == (ssize_t)sizeof number)
            return number | 1; /* never 0 */
    hd_panic(__FILE__, __LINE__, "there are no random numbers");
}

void hd_host_name(char host[64]) {
    if (gethostname(host, 64) != 0)
        snprintf(host, 64, "?");
    host[63] = '\0';
}

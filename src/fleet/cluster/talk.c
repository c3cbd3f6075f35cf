/* Calls and news as bytes (talk.h). */
#include "fleet/cluster/talk.h"

#include "base/panic.h"
#include "record/stored.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

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

static void pack_overview(hd_text *out, const hd_overview *v) {
    hd_counters_pack(out, &v->counters);
    hd_pack_u64(out, v->n_findings);
    hd_pack_u64(out, v->n_units);
    hd_pack_u64(out, v->n_left);
    hd_pack_u64(out, v->n_out);
    hd_pack_double(out, v->elapsed);
}

static hd_overview unpack_overview(hd_unpack *u) {
    return (hd_overview){.counters = hd_counters_unpack(u),
                         .n_findings = hd_unpack_u64(u),
                         .n_units = hd_unpack_u64(u),
                         .n_left = hd_unpack_u64(u),
                         .n_out = hd_unpack_u64(u),
                         .elapsed = hd_unpack_double(u)};
}

void hd_notice_pack(hd_text *out, const hd_notice *c) {
    hd_pack_u64(out, c->coordinator);
    hd_pack_string(out, c->host);
    hd_pack_u8(out, c->has_order);
    if (c->has_order)
        pack_order(out, &c->order);
    else
        pack_overview(out, &c->overview);
}

bool hd_notice_unpack(const void *bytes, size_t n, hd_notice *c) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *c = (hd_notice){.coordinator = hd_unpack_u64(&u)};
    unpack_word(&u, c->host, sizeof c->host);
    c->has_order = hd_unpack_u8(&u);
    if (c->has_order)
        unpack_order(&u, &c->order);
    else
        c->overview = unpack_overview(&u);
    return hd_unpack_ok(&u) && u.at == u.end;
}

void hd_news_pack(hd_text *out, const hd_news *news) {
    hd_pack_u64(out, news->machine);
    hd_pack_string(out, news->host);
    hd_pack_u8(out, news->is_leaving);
    hd_pack_u32(out, news->shift.n_workers);
    hd_pack_u32(out, news->shift.n_idle);
    hd_counters_pack(out, &news->shift.counted);
    hd_pack_u64(out, news->executions);
    hd_pack_u32(out, (uint32_t)news->held.n);
    for (size_t i = 0; i < news->held.n; i++) {
        hd_pack_u64(out, news->held.at[i].unit);
        hd_pack_u64(out, news->held.at[i].epoch);
    }
}

bool hd_news_unpack(const void *bytes, size_t n, hd_news *news) {
    hd_unpack u = hd_unpack_from(bytes, n);
    *news = (hd_news){.machine = hd_unpack_u64(&u)};
    unpack_word(&u, news->host, sizeof news->host);
    news->is_leaving = hd_unpack_u8(&u);
    news->shift.n_workers = hd_unpack_u32(&u);
    news->shift.n_idle = hd_unpack_u32(&u);
    news->shift.counted = hd_counters_unpack(&u);
    news->executions = hd_unpack_u64(&u);
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
    hd_vec_release(&news->held);
}

uint64_t hd_number_make(void) {
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        hd_panic(__FILE__, __LINE__, "there are no random numbers");
    return number | 1; /* never 0 */
}

void hd_host_name(char host[64]) {
    if (gethostname(host, 64) != 0)
        snprintf(host, 64, "?");
    host[63] = '\0';
}

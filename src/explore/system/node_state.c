/* Node states: what they share, and what is under way to them (see node_state.h). */
#include "explore/system/node_state.h"

#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

static void *new (size_t n) {
    void *p = calloc(1, n);
    if (!p)
        hd_out_of_memory();
    return p;
}

static void *copy_of(const void *from, size_t n) {
    void *p = new (n + 1);
    if (n)
        memcpy(p, from, n);
    return p;
}

/* ---- packets ---- */

hd_sent *hd_sent_new(const hd_packet *packet) {
    hd_sent *s = new (sizeof *s);
    uint32_t n = packet->bytes.n;
    s->n_users = 1;
    s->packet = *packet;
    s->packet.bytes.at = copy_of(packet->bytes.at, n);
    if (packet->bytes.words)
        s->packet.bytes.words = copy_of(packet->bytes.words, n * sizeof *packet->bytes.words);
    return s;
}

hd_sent *hd_sent_use(hd_sent *s) {
    if (s)
        s->n_users++;
    return s;
}

void hd_sent_drop(hd_sent *s) {
    HD_INVARIANT(R2, !s || s->n_users);
    if (!s || --s->n_users)
        return;
    free(s->packet.bytes.at);
    free(s->packet.bytes.words);
    hd_vec_release(&s->constraints);
    hd_vec_release(&s->values);
    free(s);
}

/* ---- happenings ---- */

hd_happening *hd_happening_new(hd_happening *before, uint64_t time, hd_sent *sent) {
    hd_happening *h = new (sizeof *h);
    *h = (hd_happening){.n_users = 1,
                        .n = before ? before->n + 1 : 1,
                        .before = hd_happening_use(before),
                        .time = time,
                        .sent = hd_sent_use(sent)};
    return h;
}

hd_happening *hd_happening_use(hd_happening *h) {
    if (h)
        h->n_users++;
    return h;
}

/* Pasts are long: no recursion. */
void hd_happening_drop(hd_happening *h) {
    while (h && !--h->n_users) {
        hd_happening *before = h->before;
        hd_sent_drop(h->sent);
        free(h);
        h = before;
    }
}

/* ---- states ---- */

void hd_exprs_copy(hd_exprs *to, const hd_exprs *from) {
    hd_vec_clear(to);
    for (size_t i = 0; i < from->n; i++)
        hd_vec_push(to, from->at[i]);
}

void hd_node_state_copy(hd_node_state *to, const hd_node_state *from) {
    *to = *from;
    memset(&to->constraints, 0, sizeof to->constraints);
    memset(&to->values, 0, sizeof to->values);
    memset(&to->pending, 0, sizeof to->pending);
    memset(&to->spent, 0, sizeof to->spent);
    memset(&to->covered, 0, sizeof to->covered);
    for (size_t i = 0; i < from->covered.n; i++)
        hd_vec_push(&to->covered, from->covered.at[i]);
    for (size_t i = 0; i < from->spent.n; i++)
        hd_vec_push(&to->spent, from->spent.at[i]);
    hd_happening_use(to->last);
    hd_exprs_copy(&to->constraints, &from->constraints);
    for (size_t i = 0; i < from->values.n; i++)
        hd_vec_push(&to->values, from->values.at[i]);
    for (size_t i = 0; i < from->pending.n; i++)
        hd_vec_push(&to->pending, hd_sent_use(from->pending.at[i]));
}

void hd_node_state_release(hd_node_state *s) {
    hd_happening_drop(s->last);
    for (size_t i = 0; i < s->pending.n; i++)
        hd_sent_drop(s->pending.at[i]);
    hd_vec_release(&s->pending);
    hd_vec_release(&s->spent);
    hd_vec_release(&s->covered);
    hd_vec_release(&s->constraints);
    hd_vec_release(&s->values);
    *s = (hd_node_state){.status = HD_STATE_UNUSED};
}

/* As W1 of machine/tasks/time_order.h has it; what is told at once comes before what arrives then. */
static bool is_before(const hd_sent *one, const hd_sent *other) {
    const hd_packet *a = &one->packet, *b = &other->packet;
    if (a->arrives != b->arrives)
        return a->arrives < b->arrives;
    bool is_told = a->kind == HD_PACKET_CUT, is_other_told = b->kind == HD_PACKET_CUT;
    if (is_told != is_other_told)
        return is_told;
    return a->from != b->from ? a->from < b->from : one->place < other->place;
}

void hd_node_state_give(hd_node_state *s, hd_sent *sent) {
    hd_vec_push(&s->pending, hd_sent_use(sent));
    size_t i = s->pending.n - 1;
    for (; i && is_before(sent, s->pending.at[i - 1]); i--)
        s->pending.at[i] = s->pending.at[i - 1];
    s->pending.at[i] = sent;
}

bool hd_node_state_hears(const hd_node_state *s, const hd_packet *packet) {
    return s->status != HD_STATE_ENDED || (s->may_answer && hd_packet_has_answer(packet->kind));
}

void hd_node_state_forget(hd_node_state *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->pending.n; i++)
        if (hd_node_state_hears(s, &s->pending.at[i]->packet))
            s->pending.at[n++] = s->pending.at[i];
        else
            hd_sent_drop(s->pending.at[i]);
    s->pending.n = n;
}

/* Is what it comes to by itself the next?  Hosts are nodes + 1, as in hd_wait_end. */
static bool is_own_next(const hd_node_state *s) {
    if (!s->pending.n)
        return s->status == HD_STATE_WAITING;
    const hd_packet *first = &s->pending.at[0]->packet;
    return s->own.time < first->arrives ||
           (s->own.time == first->arrives && first->kind != HD_PACKET_CUT &&
            s->own.sender < first->from + 1);
}

uint64_t hd_node_state_next(const hd_node_state *s) {
    if (s->status == HD_STATE_NEW)
        return 0;
    if (s->status == HD_STATE_UNUSED || (s->status == HD_STATE_ENDED && !s->pending.n))
        return UINT64_MAX;
    return is_own_next(s) ? s->own.time : s->pending.at[0]->packet.arrives;
}

bool hd_node_state_is_stuck(const hd_node_state *s) {
    return s->status == HD_STATE_WAITING && !s->own.is_idle && hd_node_state_next(s) == UINT64_MAX;
}

hd_happening *hd_node_state_take(hd_node_state *s) {
    HD_ASSERT(s->status == HD_STATE_WAITING || s->pending.n);
    if (is_own_next(s))
        return hd_happening_new(s->last, s->own.time, NULL);
    hd_sent *sent = s->pending.at[0];
    for (size_t i = 1; i < s->pending.n; i++)
        s->pending.at[i - 1] = s->pending.at[i];
    s->pending.n--;
    hd_happening *h = hd_happening_new(s->last, sent->packet.arrives, sent);
    hd_sent_drop(sent);
    return h;
}

/* ---- models ---- */

void hd_few_values_load(const hd_few_values *values, hd_model *model) {
    for (size_t i = 0; i < values->n; i++)
        if (!hd_model_has(model, values->at[i].variable))
            hd_model_set(model, values->at[i].variable, values->at[i].value);
}

void hd_few_values_keep(hd_few_values *values, const hd_model *model) {
    hd_vec_clear(values);
    for (hd_var v = 0; v < model->n; v++)
        if (hd_model_has(model, v))
            hd_vec_push(values, ((hd_value){v, hd_model_get(model, v)}));
}

/* Traces as JSON.  Words come again and again in them: they are in one list, and steps have
 * numbers. */
#include "report/page.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/shown.h"

#include <inttypes.h>
#include <string.h>

typedef struct json_words {
    hd_map known; /* hash -> 1 + index */
    hd_vec(char *) at;
} json_words;

static void add_string(hd_text *out, const char *text) {
    hd_text shown = {0};
    hd_text_add_shown(&shown, text, strlen(text));
    hd_text_add(out, "\"");
    for (const char *c = hd_text_string(&shown); *c; c++)
        hd_text_add(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    hd_text_add(out, "\"");
    hd_text_release(&shown);
}

static size_t word(json_words *w, const char *text) {
    uint64_t hash = hd_hash_bytes(5, text, strlen(text));
    const uint64_t *known = hd_map_find(&w->known, hash);
    if (known && strcmp(w->at.at[*known - 1], text) == 0)
        return *known - 1;
    hd_vec_push(&w->at, hd_text_format("%s", text));
    hd_map_put(&w->known, hash, w->at.n);
    return w->at.n - 1;
}

static void release_words(json_words *w) {
    for (size_t i = 0; i < w->at.n; i++)
        free(w->at.at[i]);
    hd_vec_release(&w->at);
    hd_map_release(&w->known);
}

/* ---- parts ---- */

static void add_lane(json_words *w, const hd_lane *l, size_t i, hd_text *out) {
    hd_text_add(out, "%s[%zu,%zu,%u]", i ? "," : "", word(w, l->name), word(w, l->file), l->line);
}

static void add_flags(unsigned flags, hd_text *out) {
    static const char letters[] = {
#define X(name, letter) letter,
        HD_STEP_FLAGS(X)
#undef X
    };
    hd_text_add(out, "\"");
    for (unsigned i = 0; i < HD_N_STEP_FLAGS; i++)
        if (flags & 1u << i)
            hd_text_add(out, "%c", letters[i]);
    hd_text_add(out, "\"");
}

static void add_step(json_words *w, const hd_trace_step *s, hd_text *out) {
    hd_text_add(out, "%s[%" PRIu64 ",%u,%u,", out->n && out->at[out->n - 1] != '[' ? "," : "",
                s->event, s->thread, s->process);
    add_flags(s->flags, out);
    hd_text_add(out, ",%zu,%zu,%zu,%u,", word(w, s->words), word(w, s->object), word(w, s->file),
                s->line);
    if (s->has_value)
        hd_text_add(out, "\"%" PRId64 "\"]", (int64_t)s->value);
    else
        hd_text_add(out, "null]");
}

static void add_row(json_words *w, const hd_chart_step *s, size_t i, hd_text *out) {
    hd_text_add(out, "%s[%d,%u,%u,%" PRIu64 ",\"%c\",%zu,%zu,%u,%zu,%u]", i ? "," : "",
                (int)s->kind, s->from, s->to, s->event, s->mark, word(w, s->words),
                word(w, s->file), s->line, word(w, s->sent_file), s->sent_line);
}

/* ---- what is left out ---- */

/* Of too many steps those that nobody else cares about go first, then those in the middle. */
typedef struct chosen_steps {
    hd_vec(const hd_trace_step *) at;
    size_t gap, n_left; /* so many are left out before at[gap] */
} chosen_steps;

static void choose_steps(const hd_trace *t, size_t most, chosen_steps *c) {
    bool only_shared = t->steps.n > most;
    for (size_t i = 0; i < t->steps.n; i++)
        if (!only_shared || t->steps.at[i].flags & HD_STEP_SHARED)
            hd_vec_push(&c->at, &t->steps.at[i]);
    if (c->at.n <= most)
        return;
    c->gap = most / 5;
    c->n_left = c->at.n - most;
    memmove(&c->at.at[c->gap], &c->at.at[c->gap + c->n_left], (most - c->gap) * sizeof *c->at.at);
    c->at.n = most;
}

static void add_lists(const hd_trace *t, const chosen_steps *c, json_words *w, size_t n_rows,
                      hd_text *out) {
    hd_text_add(out, "\"threads\":[");
    for (size_t i = 0; i < t->threads.n; i++)
        add_lane(w, &t->threads.at[i], i, out);
    hd_text_add(out, "],\"processes\":[");
    for (size_t i = 0; i < t->processes.n; i++)
        add_lane(w, &t->processes.at[i], i, out);
    hd_text_add(out, "],\"steps\":[");
    for (size_t i = 0; i < c->at.n; i++)
        add_step(w, c->at.at[i], out);
    hd_text_add(out, "],\"rows\":[");
    for (size_t i = 0; i < n_rows; i++)
        add_row(w, &t->rows.at[t->rows.n - n_rows + i], i, out);
    hd_text_add(out, "]");
}

void hd_trace_write(const hd_trace *t, size_t most, hd_text *out) {
    json_words w = {0};
    chosen_steps c = {0};
    choose_steps(t, most, &c);
    hd_text_add(out, "{");
    add_lists(t, &c, &w, t->rows.n < most ? t->rows.n : most, out);
    if (c.n_left)
        hd_text_add(out, ",\"left_out\":[%zu,%zu]", c.gap, c.n_left);
    hd_text_add(out, ",\"cut\":%s,\"strings\":[", t->is_cut ? "true" : "false");
    for (size_t i = 0; i < w.at.n; i++) {
        hd_text_add(out, "%s", i ? "," : "");
        add_string(out, w.at.at[i]);
    }
    hd_text_add(out, "]}");
    hd_vec_release(&c.at);
    release_words(&w);
}

void hd_sites_write(const hd_image *image, const uint32_t *sites, size_t n, hd_text *out) {
    bool is_first = true;
    hd_text_add(out, "{");
    for (size_t i = 0; i < n; i++) {
        const hd_site *s = sites[i] < image->n_sites ? &image->sites[sites[i]] : NULL;
        if (!s || !s->file || !s->file[0])
            continue;
        const char *slash = strrchr(s->file, '/');
        char *place = hd_text_format("%s:%u", slash ? slash + 1 : s->file, s->line);
        hd_text_add(out, "%s\"%u\":", is_first ? "" : ",", sites[i]);
        add_string(out, place);
        is_first = false;
        free(place);
    }
    hd_text_add(out, "}");
}

/* Notes of an execution, for when nobody is left to tell (last_words.h). */
#include "fleet/last_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_into(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from ? from : "");
}

/* What does not fit is left out. */
static void print_inputs(const hd_variables *variables, const hd_model *model, char *out,
                         size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (hd_var v = 0; v < hd_variables_n(variables); v++) {
        const hd_var_info *info = hd_variables_info(variables, v);
        if (!hd_model_has(model, v))
            continue;
        int n = snprintf(out + used, size - used, "%s%s = %" PRIu64, used ? ", " : "",
                         info->name ? info->name : "?", hd_model_get(model, v));
        if (n < 0 || (size_t)n >= size - used) {
            out[used] = '\0';
            return;
        }
        used += (size_t)n;
    }
}

void hd_last_words_begin(hd_last_words *w, const hd_explorer *x, const hd_variables *variables,
                         const hd_model *model) {
    hd_text schedule = {0};
    *w = (hd_last_words){0};
    print_inputs(variables, model, w->inputs, sizeof w->inputs);
    hd_explorer_print_schedule(x, &schedule);
    copy_into(w->schedule, sizeof w->schedule, hd_text_string(&schedule));
    hd_text_release(&schedule);
    w->is_running = true;
}

void hd_last_words_end(hd_last_words *w) {
    w->is_running = false;
}

/* The end of a long prefix is what counts. */
static void add_word(hd_last_words *w, const char *word) {
    size_t used = strnlen(w->prefix, HD_PREFIX_SHOWN), n = strlen(word) + 1;
    if (used + n > HD_PREFIX_SHOWN) {
        size_t dropped = HD_PREFIX_SHOWN / 2;
        memmove(w->prefix, w->prefix + dropped, used - dropped + 1);
        used -= dropped;
    }
    snprintf(w->prefix + used, HD_PREFIX_SHOWN + 1 - used, "%s%s", used ? " " : "", word);
}

static void note_branch(void *context, uint32_t site, hd_expr condition, bool taken,
                        hd_branch_kind kind) {
    hd_witness *witness = context;
    hd_last_words *w = witness->words;
    const hd_image *image = witness->image;
    const hd_site *at = &image->sites[site < image->n_sites ? site : 0];
    char word[24];
    snprintf(word, sizeof word, "%" PRIu32 "%c", site, taken ? '+' : '-');
    add_word(w, word);
    copy_into(w->file, sizeof w->file, at->file);
    copy_into(w->function, sizeof w->function, at->function);
    w->line = at->line;
    w->n_decisions++;
    if (witness->real->branch)
        witness->real->branch(witness->real->context, site, condition, taken, kind);
}

static uint32_t note_turn(void *context, hd_threads *threads) {
    hd_witness *witness = context;
    uint32_t thread = witness->real->schedule(witness->real->context, threads);
    char word[24];
    snprintf(word, sizeof word, "t%" PRIu32, thread);
    add_word(witness->words, word);
    witness->words->n_turns++;
    return thread;
}

hd_sink hd_witness_sink(hd_witness *witness) {
    hd_sink sink = *witness->real;
    sink.context = witness;
    sink.branch = note_branch;
    sink.schedule = witness->real->schedule ? note_turn : NULL;
    return sink;
}

static void make_text(char *text, size_t size) {
    text[size - 1] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c == 127)
            *c = '?';
}

hd_last_words hd_last_words_read(const hd_last_words *w) {
    hd_last_words copy = *w;
    make_text(copy.file, sizeof copy.file);
    make_text(copy.function, sizeof copy.function);
    make_text(copy.inputs, sizeof copy.inputs);
    make_text(copy.schedule, sizeof copy.schedule);
    make_text(copy.prefix, sizeof copy.prefix);
    return copy;
}

void hd_last_words_pack(hd_text *out, const hd_last_words *w) {
    hd_pack_u8(out, w->is_running);
    hd_pack_u32(out, w->line);
    hd_pack_u64(out, w->n_decisions);
    hd_pack_u64(out, w->n_turns);
    hd_pack_string(out, w->file);
    hd_pack_string(out, w->function);
    hd_pack_string(out, w->inputs);
    hd_pack_string(out, w->schedule);
    hd_pack_string(out, w->prefix);
}

static void unpack_words(hd_unpack *u, char *to, size_t size) {
    char *text = hd_unpack_string(u);
    snprintf(to, size, "%s", text ? text : "");
    free(text);
}

hd_last_words hd_last_words_unpack(hd_unpack *u) {
    hd_last_words w = {.is_running = hd_unpack_u8(u)};
    w.line = hd_unpack_u32(u);
    w.n_decisions = hd_unpack_u64(u);
    w.n_turns = hd_unpack_u64(u);
    unpack_words(u, w.file, sizeof w.file);
    unpack_words(u, w.function, sizeof w.function);
    unpack_words(u, w.inputs, sizeof w.inputs);
    unpack_words(u, w.schedule, sizeof w.schedule);
    unpack_words(u, w.prefix, sizeof w.prefix);
    return hd_last_words_read(&w);
}

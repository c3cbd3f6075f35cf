/* Names and facts that workers agree on (agreement.h). */
#include "fleet/agreement.h"

#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef hd_vec(const char *) words;

static int by_alphabet(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool read_name(hd_agreed_names *names, const char *word) {
    hd_agreed_name name;
    int n = 0;
    if (sscanf(word, "%u:%u%n", &name.parent, &name.nth, &n) != 2 || word[n] ||
        name.parent > names->n)
        return false;
    hd_vec_push(names, name);
    return true;
}

static bool read_word(hd_agreement *a, const char *word, words *facts) {
    if (*word >= '0' && *word <= '9')
        return read_name(&a->threads, word);
    if (*word == 'p')
        return read_name(&a->processes, word + 1);
    hd_vec_push(facts, word);
    return true;
}

bool hd_agreement_read(hd_agreement *a, const char *text) {
    words facts = {0};
    char *copy = hd_text_format("%s", text), *rest = copy, *word;
    bool is_right = true;
    *a = (hd_agreement){0};
    while (is_right && (word = strsep(&rest, " ")))
        is_right = !*word || read_word(a, word, &facts);
    if (facts.n)
        qsort(facts.at, facts.n, sizeof *facts.at, by_alphabet);
    for (size_t i = 0; i < facts.n; i++)
        hd_text_add(&a->facts, "%s%s", i ? " " : "", facts.at[i]);
    hd_vec_release(&facts);
    free(copy);
    if (!is_right)
        hd_agreement_release(a);
    return is_right;
}

static void print_names(const hd_agreed_names *names, const char *kind, hd_text *out) {
    for (size_t i = 0; i < names->n; i++)
        hd_text_add(out, "%s%s%u:%u", out->n ? " " : "", kind, names->at[i].parent,
                    names->at[i].nth);
}

void hd_agreement_print(const hd_agreement *a, hd_text *out) {
    print_names(&a->threads, "", out);
    print_names(&a->processes, "p", out);
    if (a->facts.n)
        hd_text_add(out, "%s%s", out->n ? " " : "", a->facts.at);
}

void hd_agreement_release(hd_agreement *a) {
    hd_vec_release(&a->threads);
    hd_vec_release(&a->processes);
    hd_text_release(&a->facts);
    *a = (hd_agreement){0};
}

static bool is_same(hd_agreed_name a, hd_agreed_name b) {
    return a.parent == b.parent && a.nth == b.nth;
}

static bool fit(const hd_agreed_names *a, const hd_agreed_names *b) {
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (!is_same(a->at[i], b->at[i]))
            return false;
    return true;
}

bool hd_agreement_fits(const hd_agreement *a, const hd_agreement *b) {
    return fit(&a->threads, &b->threads) && fit(&a->processes, &b->processes);
}

static uint32_t index_of(hd_agreed_names *names, hd_agreed_name name) {
    for (uint32_t i = 0; i < names->n; i++)
        if (is_same(names->at[i], name))
            return i + 1;
    hd_vec_push(names, name);
    return (uint32_t)names->n;
}

static void learn(hd_agreed_names *names, const hd_agreed_names *from) {
    hd_vec(uint32_t) index = {0}; /* of theirs, here */
    hd_vec_push(&index, 0);
    for (size_t i = 0; i < from->n; i++) {
        HD_INVARIANT(A1, from->at[i].parent < index.n);
        hd_agreed_name name = {index.at[from->at[i].parent], from->at[i].nth};
        hd_vec_push(&index, index_of(names, name));
    }
    hd_vec_release(&index);
}

void hd_agreement_learn_names(hd_agreement *a, const hd_agreement *from) {
    learn(&a->threads, &from->threads);
    learn(&a->processes, &from->processes);
}

bool hd_agreement_has_same_facts(const hd_agreement *a, const hd_agreement *b) {
    return strcmp(hd_text_string(&a->facts), hd_text_string(&b->facts)) == 0;
}

void hd_agreement_copy_facts(hd_agreement *a, const hd_agreement *from) {
    hd_text_clear(&a->facts);
    hd_text_add_bytes(&a->facts, from->facts.at, from->facts.n);
}

/* The table of finding kinds, expanded into names and words; and which findings are the same. */
#include "program/finding.h"

#include "base/hash.h"
#include "program/abi.h"

#include <string.h>

static const char *const names[] = {"none",
#define X(name, text, words) text,
                                    HD_FINDING_KINDS(X)
#undef X
};

static const char *const words_of[] = {"nothing wrong",
#define X(name, text, words) words,
                                       HD_FINDING_KINDS(X)
#undef X
};

const char *hd_finding_kind_name(hd_finding_kind kind) {
    return kind < HD_N_FINDING_KINDS ? names[kind] : "unknown";
}

const char *hd_finding_kind_words(hd_finding_kind kind) {
    return kind < HD_N_FINDING_KINDS ? words_of[kind] : "unknown finding";
}

uint64_t hd_finding_signature(const hd_finding *f) {
    uint64_t h = hd_hash_add(0, f->kind);
    for (uint32_t i = 0; i < f->n_stack; i++) {
        uint32_t first = 0;
        while (f->stack[first] != f->stack[i])
            first++;
        if (first == i) /* each frame counts once */
            h = hd_hash_add(h, f->stack[i] - HD_IMAGE_BASE);
    }
    if (f->n_stack == 0) {
        h = hd_hash_bytes(hd_hash_add(h, f->line), f->file, strlen(f->file));
        h = hd_hash_bytes(h, f->message, strlen(f->message));
    }
    return h;
}

bool hd_finding_is_alike(const hd_finding *a, const hd_finding *b) {
    if (a->kind != b->kind)
        return false;
    if (a->n_stack && b->n_stack)
        return a->stack[0] == b->stack[0];
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

#ifndef HD_MODELS
#define HD_MODELS "<heddle>/"
#endif

/* HD_MODELS is made from the contents of the models when Heddle is built: no file of a user begins
 * with it. */
bool hd_finding_is_model(const char *file) {
    return strncmp(file, HD_MODELS, sizeof HD_MODELS - 1) == 0;
}

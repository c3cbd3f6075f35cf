/* The table of finding kinds, expanded into names and words. */
#include "machine/finding.h"

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

/* The table of finding kinds, expanded into names and words. */
#include "machine/finding.h"

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

bool hd_finding_is_model(const char *file) {
    return file[0] == '<' || strncmp(file, "models/", 7) == 0 || strstr(file, "src/models/");
}

/* Words for faults (fault.h). */
#include "machine/fault.h"

#include "base/panic.h"

#include <stdio.h>
#include <string.h>

static const struct row {
    const char *word, *words;
    hd_fault_subject subject;
} rows[HD_N_FAULTS] = {
#define X(name, word, subject, words) [HD_FAULT_##name] = {word, words, subject},
    HD_FAULTS(X)
#undef X
};

const char *hd_fault_word(hd_fault_kind kind) {
    HD_ASSERT(kind < HD_N_FAULTS);
    return rows[kind].word;
}

const char *hd_fault_words(hd_fault_kind kind) {
    HD_ASSERT(kind < HD_N_FAULTS);
    return rows[kind].words;
}

hd_fault_subject hd_fault_subject_of(hd_fault_kind kind) {
    HD_ASSERT(kind < HD_N_FAULTS);
    return rows[kind].subject;
}

void hd_fault_name(hd_fault_kind kind, const char *from, const char *to, uint32_t nth, char *out,
                   size_t size) {
    if (rows[kind].subject == HD_FAULT_OF_NODES)
        snprintf(out, size, "%s %s #%u", rows[kind].word, from, nth);
    else
        snprintf(out, size, "%s %s->%s #%u", rows[kind].word, from, to, nth);
}

/* Inputs have names of C, in which no blank stands before a '#'. */
bool hd_fault_is_name(const char *name) {
    for (unsigned i = 0; i < HD_N_FAULTS; i++) {
        size_t n = strlen(rows[i].word);
        if (strncmp(name, rows[i].word, n) == 0 && name[n] == ' ' && strstr(name + n, " #"))
            return true;
    }
    return false;
}

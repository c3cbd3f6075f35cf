/* Little programs of operations: printed, changed, searched (see code.h). */
#include "property/model/code.h"
#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

bool code_has(const code *c, unsigned kind) {
    for (unsigned t = 0; t < c->n_threads; t++)
        for (unsigned i = 0; i < c->n[t]; i++)
            if (c->at[t][i].kind == kind)
                return true;
    return false;
}

void code_insert(code *c, unsigned t, unsigned at, operation o) {
    memmove(&c->at[t][at + 1], &c->at[t][at], (c->n[t] - at) * sizeof o);
    c->at[t][at] = o;
    c->n[t]++;
}

void code_remove(code *c, unsigned t, unsigned at) {
    memmove(&c->at[t][at], &c->at[t][at + 1], (c->n[t] - at - 1u) * sizeof(operation));
    c->n[t]--;
}

static void print_operation(const operation *o, const char *text, hd_text *out) {
    for (const char *c = text; *c; c++) {
        if (*c != '%') {
            hd_text_add(out, "%c", *c);
            continue;
        }
        c++;
        hd_text_add(out, "%u",
                    *c == 'o'   ? o->object
                    : *c == 'p' ? o->other
                    : *c == 'v' ? o->value
                                : o->extra);
    }
}

void code_print(const code *c, const char *const *texts, char letter, const char *created,
                hd_text *out) {
    for (unsigned t = 0; t < c->n_threads; t++) {
        hd_text_add(out, "%c%u", letter, t);
        if (t >= c->n_initial)
            hd_text_add(out, " (%s)", created);
        hd_text_add(out, ":");
        for (unsigned i = 0; i < c->n[t]; i++) {
            hd_text_add(out, " ");
            print_operation(&c->at[t][i], texts[c->at[t][i].kind], out);
            hd_text_add(out, ";");
        }
        hd_text_add(out, "\n");
    }
}

unsigned below(uint64_t *random, unsigned n) {
    return (unsigned)(hd_random_next(random) % n);
}

unsigned features_of(const char *all, const char *letters) {
    unsigned set = 0;
    for (; *letters; letters++) {
        const char *at = strchr(all, *letters);
        HD_ASSERT(at);
        set |= 1u << (at - all);
    }
    return set;
}

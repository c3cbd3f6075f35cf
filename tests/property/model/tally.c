/* How much searches did (see tally.h). */
#include "property/model/tally.h"
#include "base/hostile.h"
#include "base/panic.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "optimal, resumed: executions 12 ..." */
static void print_line(const tally *t, unsigned variant, hd_text *out) {
    static const char *const others[] = {"bounded", "walk", "pct"};
    if (variant < TALLY_BOUNDED)
        hd_text_add(out, "%s%s:", hd_reduction_name(variant / 2), variant % 2 ? ", resumed" : "");
    else
        hd_text_add(out, "%s:", others[variant - TALLY_BOUNDED]);
#define X(name) hd_text_add(out, " %s %llu", #name, (unsigned long long)t->name);
    TALLY_ITEMS(X)
#undef X
    hd_text_add(out, "\n");
}

static void read_file(const char *path, hd_text *out) {
    FILE *f = fopen(path, "r");
    char line[1024];
    while (f && fgets(line, sizeof line, f))
        hd_text_add(out, "%s", line);
    if (f)
        fclose(f);
}

static void write_file(const char *path, const hd_text *text) {
    FILE *f = fopen(path, "w");
    HD_ASSERT(f && fwrite(text->at, 1, text->n, f) == text->n && fclose(f) == 0);
}

/* The first line of `have` that is not in its place in `want`. */
static void tell_difference(const char *path, const char *have, const char *want, char *why,
                            unsigned size) {
    const char *from = have;
    for (; *have && *have == *want; have++, want++)
        if (*have == '\n')
            from = have + 1;
    snprintf(why, size, "%s is another one now (TALLY=write if it should be): %.*s", path,
             (int)strcspn(from, "\n"), from);
}

bool tally_compare(const tally *all, const char *name, char *why, unsigned size) {
    hd_text have = {0}, want = {0};
    char path[128];
    const char *how = getenv("TALLY");
    snprintf(path, sizeof path, "tests/property/tallies/%s%s", name, HD_HOSTILE("", ".hostile"));
    for (unsigned v = 0; v < N_TALLIES; v++)
        if (all[v].executions)
            print_line(&all[v], v, &have);
    if (how && strcmp(how, "write") == 0)
        write_file(path, &have);
    read_file(path, &want);
    bool is_same = strcmp(hd_text_string(&have), hd_text_string(&want)) == 0;
    if (!is_same)
        tell_difference(path, hd_text_string(&have), hd_text_string(&want), why, size);
    hd_text_release(&have);
    hd_text_release(&want);
    return is_same;
}

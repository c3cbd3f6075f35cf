/* Any bytes as the coverage mapping of a module: refused, or read, and then every tally has a
 * value; never a crash, and never for ever.  Two bytes say how long the section of files is and two
 * that of functions; the list of counters is what is left.
 *
 * An input that begins with 255 is a list of changes to an example: one byte of position, one of
 * value. */
#include "base/panic.h"
#include "base/text.h"
#include "cover/source_map.h"
#include "tool/mapping_example.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COUNTERS 4096

static void add_values(const hd_mapped *m, const uint64_t *counters) {
    volatile uint64_t sum = 0;
    for (size_t i = 0; i < m->functions.n; i++) {
        const hd_mapped_function *f = &m->functions.at[i];
        for (size_t k = 0; f->words && k < f->regions.n; k++)
            sum += hd_tally_value(f, f->regions.at[k].executed, counters);
        for (size_t k = 0; f->words && k < f->branches.n; k++)
            sum += hd_tally_value(f, f->branches.at[k].taken[0], counters) +
                   hd_tally_value(f, f->branches.at[k].taken[1], counters);
    }
}

static bool check(const uint8_t *files, size_t n_files, const uint8_t *functions,
                  size_t n_functions, const uint8_t *rest, size_t n) {
    static const uint64_t counters[MOST_COUNTERS];
    hd_mapped m;
    hd_text counted = {0};
    hd_text_add_bytes(&counted, rest, n);
    hd_mapped_bytes bytes = {files, functions, n_files, n_functions,
                             (char *)hd_text_string(&counted)};
    bool ok = hd_mapped_parse(&m, &bytes);
    if (ok && m.n_counters <= MOST_COUNTERS)
        add_values(&m, counters);
    if (ok)
        hd_mapped_release(&m);
    hd_text_release(&counted);
    return ok;
}

static bool check_parts(const uint8_t *at, size_t n) {
    size_t length[2];
    const uint8_t *part[2];
    for (int i = 0; i < 2; i++) {
        if (n < 2)
            return false;
        length[i] = at[0] | at[1] << 8;
        part[i] = at + 2;
        length[i] = length[i] < n - 2 ? length[i] : n - 2;
        at += 2 + length[i];
        n -= 2 + length[i];
    }
    return check(part[0], length[0], part[1], length[1], at, n);
}

static void check_changed(const uint8_t *bytes, size_t n) {
    uint8_t changed[sizeof mapping_example];
    memcpy(changed, mapping_example, sizeof mapping_example);
    for (size_t i = 0; i + 2 <= n; i += 2)
        changed[bytes[i] % sizeof mapping_example] = bytes[i + 1];
    check_parts(changed, sizeof changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static bool has_begun;
    HD_ASSERT(has_begun || check_parts(mapping_example, sizeof mapping_example));
    has_begun = true;
    if (n && bytes[0] == 255)
        check_changed(bytes + 1, n - 1);
    else
        check_parts(bytes, n);
    return 0;
}

/* Any bytes as fields of run.db: refused or read, never a crash.  The first byte says which field.
 */
#include "cli/run_options.h"
#include "explore/follow.h"
#include "fleet/agreement.h"
#include "fleet/fleet_int.h"
#include "record/stored.h"
#include "record/stored_words.h"

#include <string.h>

static void read_observed(const uint8_t *bytes, size_t n) {
    size_t size;
    hd_scenarios scenarios = {0};
    hd_growth growth = {0};
    hd_firsts firsts = {0};
    hd_ends ends = {0};
    hd_observed_find(bytes, n, "growth", &size);
    if (hd_scenarios_unpack(bytes, n, &scenarios))
        hd_scenarios_release(&scenarios);
    hd_growth_unpack(bytes, n, &growth);
    hd_firsts_unpack(bytes, n, &firsts);
    hd_ends_unpack(bytes, n, &ends);
    hd_vec_release(&growth);
    hd_vec_release(&firsts);
}

static void read_agreement(const char *text) {
    hd_agreement a = {0};
    hd_text printed = {0};
    if (hd_agreement_read(&a, text))
        hd_agreement_print(&a, &printed);
    hd_agreement_release(&a);
    hd_text_release(&printed);
}

/* "0*9999999" is as long as it says, and takes as long as a thousand other inputs: most runs have
 * four digits at most. */
static void shorten_runs(char *text) {
    char *to = text;
    for (unsigned digits = 0; *text; text++) {
        digits = *text >= '0' && *text <= '9' ? digits + 1 : 0;
        if (digits <= 4)
            *to++ = *text;
    }
    *to = '\0';
}

static void read_schedule(char *text) {
    static unsigned n;
    hd_schedule schedule = {0};
    if (n++ % 1000)
        shorten_runs(text);
    hd_schedule_parse(text, &schedule);
    hd_vec_release(&schedule);
}

static void read_words(const char *text) {
    hd_test_reason reason;
    hd_end end;
    hd_unit_state state;
    hd_finding_kind kind;
    hd_test_reason_parse(text, &reason);
    hd_end_parse(text, &end);
    hd_unit_state_parse(text, &state);
    hd_finding_kind_parse(text, &kind);
}

static void read_search(const char *text) {
    hd_kept_options kept = {0};
    hd_run_values values;
    hd_err err;
    hd_search_parse(text, &kept, &values, &err);
    hd_kept_release(&kept);
}

static void read_inputs(const uint8_t *bytes, size_t n) {
    uint32_t count;
    hd_unpack u = hd_unpack_from(bytes, n);
    hd_stored_input *inputs = hd_inputs_unpack(&u, &count);
    hd_inputs_free(inputs, count);
}

static void read_counters(const uint8_t *bytes, size_t n) {
    hd_unpack u = hd_unpack_from(bytes, n);
    hd_counters_unpack(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    if (n == 0)
        return 0;
    char *text = hd_text_format("%.*s", (int)n - 1, (const char *)bytes + 1);
    switch (bytes[0] % 7) {
    case 0:
        read_observed(bytes + 1, n - 1);
        break;
    case 1:
        read_agreement(text);
        break;
    case 2:
        read_schedule(text);
        break;
    case 3:
        read_words(text);
        break;
    case 4:
        read_search(text);
        break;
    case 5:
        read_inputs(bytes + 1, n - 1);
        break;
    case 6:
        read_counters(bytes + 1, n - 1);
        break;
    }
    free(text);
    return 0;
}

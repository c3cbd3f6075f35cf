/* Any bytes as what is left of a search, as a run directory or the snapshot of a coordinator has
 * it: refused with a sentence, or restored, and then what is saved of it is restored as the same
 * again, and units can be handed out; never a crash.
 *
 * An input that begins with 0 is a list of changes to an example: two bytes of position, one of
 * value. */
#include "base/panic.h"
#include "fleet/coordinator.h"

#include <string.h>

#define MOST_UNITS 16

static void check_saved(const hd_coordinator *c) {
    hd_text once = {0}, twice = {0};
    hd_err err = {0};
    hd_coordinator_save(c, &once);
    hd_coordinator *again = hd_coordinator_restore_exactly(once.at, once.n, &err);
    HD_ASSERT(again);
    hd_coordinator_save(again, &twice);
    HD_ASSERT(once.n == twice.n && memcmp(once.at, twice.at, once.n) == 0);
    hd_coordinator_free(again);
    hd_text_release(&once);
    hd_text_release(&twice);
}

static void hand_out(hd_coordinator *c) {
    hd_waiting_list waiting = {0};
    hd_unit unit;
    hd_coordinator_list_waiting(c, &waiting);
    HD_ASSERT(waiting.n == hd_coordinator_n_waiting(c));
    for (unsigned i = 0; i < MOST_UNITS && hd_coordinator_hand_out(c, i, i & 1, &unit); i++)
        HD_ASSERT(hd_coordinator_is_out(c, unit.number, unit.epoch));
    hd_vec_release(&waiting);
}

static void check_handed_out(const void *bytes, size_t n) {
    hd_err err = {0};
    hd_coordinator *c = hd_coordinator_restore(bytes, n, &err);
    HD_ASSERT(c);
    hand_out(c);
    check_saved(c);
    hd_coordinator_free(c);
}

/* Inputs of odd lengths are restored as they are, others with all units back: half of the time. */
static void check(const void *bytes, size_t n, bool is_odd) {
    hd_err err = {0};
    hd_coordinator *exact = hd_coordinator_restore_exactly(bytes, n, &err);
    HD_ASSERT(exact || err.message[0]);
    if (exact && is_odd)
        check_saved(exact);
    else if (exact)
        check_handed_out(bytes, n);
    if (exact)
        hd_coordinator_free(exact);
}

/* Two parts, of which one is somebody's. */
static void save_example(hd_text *out) {
    hd_text parts[2] = {{0}};
    hd_unit unit;
    hd_text_add(&parts[0], "one journal");
    hd_text_add(&parts[1], "another");
    hd_coordinator *c = hd_coordinator_new_parts(parts, 2, true);
    hd_coordinator_hand_out(c, 0, false, &unit);
    hd_coordinator_save(c, out);
    hd_coordinator_free(c);
    hd_text_release(&parts[0]);
    hd_text_release(&parts[1]);
}

static void check_changed(const uint8_t *bytes, size_t n) {
    static hd_text example;
    hd_text text = {0};
    if (!example.n)
        save_example(&example);
    hd_text_add_bytes(&text, example.at, example.n);
    for (size_t i = 0; i + 3 <= n; i += 3)
        text.at[(bytes[i] | bytes[i + 1] << 8) % text.n] = (char)bytes[i + 2];
    check(text.at, text.n, n & 1);
    hd_text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    if (n && !bytes[0])
        check_changed(bytes + 1, n - 1);
    else
        check(bytes, n, n & 1);
    return 0;
}

/* The decoders of frames under libFuzzer: any bytes are refused, or give a value whose packed form
 * unpacks to the same bytes again (W1).  The first byte says which one. */
#include "base/panic.h"
#include "fleet/observer.h"
#include "fleet/wire.h"
#include "tool/wire_example.h"

#include <string.h>

static void check_bundle(const uint8_t *bytes, size_t n) {
    hd_bundle b, again;
    hd_text packed = {0}, repacked = {0};
    if (!hd_wire_unpack_bundle(bytes, n, &b))
        return;
    hd_wire_pack_bundle(&packed, &b);
    HD_ASSERT(hd_wire_unpack_bundle(packed.at, packed.n, &again));
    hd_wire_pack_bundle(&repacked, &again);
    HD_ASSERT(packed.n == repacked.n && memcmp(packed.at, repacked.at, packed.n) == 0);
    hd_bundle_release(&b);
    hd_bundle_release(&again);
    hd_text_release(&packed);
    hd_text_release(&repacked);
}

static void check_work(const uint8_t *bytes, size_t n) {
    hd_work w;
    hd_text packed = {0};
    if (!hd_wire_unpack_work(bytes, n, &w))
        return;
    hd_wire_pack_work(&packed, &w);
    HD_ASSERT(packed.n == n && memcmp(packed.at, bytes, n) == 0);
    hd_work_release(&w);
    hd_text_release(&packed);
}

static void check_works(const uint8_t *bytes, size_t n) {
    hd_works works = {0};
    hd_wire_unpack_works(bytes, n, &works);
    hd_works_release(&works);
}

static void check_numbers(const uint8_t *bytes, size_t n) {
    hd_unit_numbers units;
    hd_text packed = {0};
    if (hd_wire_unpack_numbers(bytes, n, &units)) {
        hd_wire_pack_numbers(&packed, &units);
        HD_ASSERT(packed.n == n && memcmp(packed.at, bytes, n) == 0);
    }
    hd_vec_release(&units);
    hd_text_release(&packed);
}

static void check_glance(const void *bytes, size_t n) {
    hd_observers *live = hd_observers_new();
    hd_observers_add(live, bytes, n);
    hd_observers_free(live);
}

static void check_frames(const uint8_t *bytes, size_t n) {
    hd_inbox in = {0};
    hd_frame_type type;
    const void *payload;
    size_t length;
    bool is_damaged;
    hd_text_add_bytes(&in.bytes, bytes, n);
    while (hd_inbox_next(&in, &type, &payload, &length, &is_damaged)) {
        hd_err err;
        if (type == HD_FRAME_BUNDLE)
            check_bundle(payload, length);
        else if (type == HD_FRAME_GLANCE)
            check_glance(payload, length);
        else if (type == HD_FRAME_WORK)
            check_works(payload, length);
        else if (type == HD_FRAME_RETURNED)
            check_numbers(payload, length);
        else if (type == HD_FRAME_REFUSED)
            hd_wire_unpack_error(payload, length, &err);
    }
    hd_inbox_release(&in);
}

/* The input as a list of changes to the example: two bytes of position, one of value. */
static void check_changed(const uint8_t *bytes, size_t n) {
    static hd_text example;
    hd_text text = {0};
    if (!example.n)
        pack_example(&example);
    hd_text_add_bytes(&text, example.at, example.n);
    for (size_t i = 0; i + 3 <= n; i += 3)
        text.at[(bytes[i] | bytes[i + 1] << 8) % text.n] = (char)bytes[i + 2];
    check_bundle((const uint8_t *)text.at, text.n);
    hd_text_release(&text);
}

static void (*const checks[])(const uint8_t *bytes, size_t n) = {check_bundle, check_work,
                                                                 check_changed, check_frames};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    if (n)
        checks[bytes[0] % (sizeof checks / sizeof *checks)](bytes + 1, n - 1);
    return 0;
}

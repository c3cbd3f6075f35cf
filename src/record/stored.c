/* Explicit bytes rather than structs: a run directory may be read by another build of Heddle,
 * and what a worker sends may be damaged by the program that it was running. */
#include "record/stored.h"

#include "base/panic.h"

#include <stdlib.h>

#define INPUT_LEAST 48 /* bytes of an input without a name */

void *hd_allocate(size_t n, size_t size) {
    if (n == 0)
        return NULL;
    void *at = calloc(n, size);
    if (!at)
        hd_out_of_memory();
    return at;
}

uint8_t hd_unpack_below(hd_unpack *u, unsigned limit) {
    uint8_t value = hd_unpack_u8(u);
    if (value < limit)
        return value;
    u->failed = true;
    return 0;
}

static void pack_input(hd_text *out, const hd_stored_input *in) {
    hd_pack_string(out, in->name);
    hd_pack_u8(out, in->kind);
    hd_pack_u8(out, in->width);
    hd_pack_u8(out, in->is_root);
    hd_pack_u8(out, in->is_signed);
    hd_pack_u32(out, in->owner);
    hd_pack_u32(out, in->number);
    hd_pack_u32(out, in->type);
    hd_pack_u32(out, in->request);
    hd_pack_u64(out, in->value);
    hd_pack_u64(out, in->bit_offset);
    hd_pack_u64(out, in->object_size);
}

void hd_inputs_pack(hd_text *out, const hd_stored_input *inputs, uint32_t n) {
    hd_pack_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        pack_input(out, &inputs[i]);
}

static void unpack_input(hd_unpack *u, hd_stored_input *in) {
    in->name = hd_unpack_string(u);
    in->kind = hd_unpack_below(u, HD_VAR_POINTER + 1);
    in->width = hd_unpack_below(u, 65);
    in->is_root = hd_unpack_below(u, 2);
    in->is_signed = hd_unpack_below(u, 2);
    in->owner = hd_unpack_u32(u);
    in->number = hd_unpack_u32(u);
    in->type = hd_unpack_u32(u);
    in->request = hd_unpack_u32(u);
    in->value = hd_unpack_u64(u);
    in->bit_offset = hd_unpack_u64(u);
    in->object_size = hd_unpack_u64(u);
}

/* Only pointers own objects, and pointers point to such objects. */
static bool is_possible(const hd_stored_input *inputs, uint32_t n, uint32_t i) {
    const hd_stored_input *in = &inputs[i];
    if (in->width == 0)
        return false;
    if (!in->is_root && (in->owner >= n || inputs[in->owner].kind != HD_VAR_POINTER))
        return false;
    if (in->kind != HD_VAR_POINTER || in->value == 0)
        return true;
    return in->value <= n && inputs[in->value - 1].kind == HD_VAR_POINTER;
}

hd_stored_input *hd_inputs_unpack(hd_unpack *u, uint32_t *n) {
    *n = hd_unpack_count(u, INPUT_LEAST);
    hd_stored_input *inputs = hd_allocate(*n, sizeof *inputs);
    for (uint32_t i = 0; i < *n; i++)
        unpack_input(u, &inputs[i]);
    for (uint32_t i = 0; i < *n && !u->failed; i++)
        u->failed = !is_possible(inputs, *n, i);
    if (!u->failed)
        return inputs;
    hd_inputs_free(inputs, *n);
    *n = 0;
    return NULL;
}

void hd_inputs_free(hd_stored_input *inputs, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        free(inputs[i].name);
    free(inputs);
}

/* Explicit bytes rather than structs: a run directory may be read by another build of Heddle,
 * and what a worker sends may be damaged by the program that it was running. */
#include "record/stored.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

#define INPUT_LEAST 15 /* bytes of an input without a name */

void *hd_allocate(size_t n, size_t size) {
    if (n == 0)
        return NULL;
    void *at = calloc(n, size);
    if (!at)
        hd_out_of_memory();
    return at;
}

char *hd_copy(const char *text) {
    char *copy = strdup(text);
    if (!copy)
        hd_out_of_memory();
    return copy;
}

uint8_t hd_unpack_below(hd_unpack *u, unsigned limit) {
    uint8_t value = hd_unpack_u8(u);
    if (value < limit)
        return value;
    u->failed = true;
    return 0;
}

/* Seven bits a byte, low ones first: most of these numbers are small. */
static void pack_number(hd_text *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        hd_pack_u8(out, (uint8_t)(value | 0x80));
    hd_pack_u8(out, (uint8_t)value);
}

static uint64_t unpack_number(hd_unpack *u) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = hd_unpack_u8(u);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    u->failed = true;
    return 0;
}

static void pack_input(hd_text *out, const hd_stored_input *in) {
    hd_pack_string(out, in->name);
    hd_pack_u8(out, in->kind);
    hd_pack_u8(out, in->width);
    hd_pack_u8(out, in->is_root);
    hd_pack_u8(out, in->is_signed);
    pack_number(out, in->owner);
    pack_number(out, in->number);
    pack_number(out, in->type);
    pack_number(out, in->request);
    pack_number(out, in->value);
    pack_number(out, in->bit_offset);
    pack_number(out, in->object_size);
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
    in->owner = (uint32_t)unpack_number(u);
    in->number = unpack_number(u);
    in->type = (uint32_t)unpack_number(u);
    in->request = unpack_number(u);
    in->value = unpack_number(u);
    in->bit_offset = unpack_number(u);
    in->object_size = unpack_number(u);
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

/* The memory operand of an x86-64 instruction: which address it meant.
 *
 * An access through an address that is not even canonical faults without telling the address,
 * so it is computed from the instruction and its registers.  Only the addressing is decoded:
 * prefixes, the length of the opcode, and then ModRM, SIB and displacement (Intel's manual,
 * volume 2, chapter 2). */
#include "machine/memory/memory.h"

#define NO_REGISTER 0xff
#define MAPPABLE    (UINT64_C(1) << 47) /* user space ends here */

/* How the bytes before ModRM extend its register numbers. */
typedef struct prefix {
    unsigned extend_base, extend_index; /* 0 or 8 */
    bool has_modrm;
    unsigned unit; /* of displacements of one byte */
} prefix;

/* Legacy prefixes that do not change the address; others (FS, GS, 32-bit addresses) do. */
static bool is_harmless_prefix(uint8_t byte) {
    return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0 || byte == 0x2e ||
           byte == 0x3e;
}

static bool one_byte_has_modrm(uint8_t opcode) {
    if (opcode < 0x40)
        return (opcode & 7) < 4;
    return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b || (opcode & 0xf0) == 0x80 ||
           opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 ||
           (opcode >= 0xd0 && opcode <= 0xd3) || (opcode & 0xf8) == 0xd8 ||
           (opcode & 0xfe) == 0xf6 || opcode >= 0xfe;
}

/* Bits X and B of REX; VEX and EVEX have them inverted in bits 6 and 5. */
static void extend(prefix *p, bool x, bool b) {
    p->extend_index = x ? 8 : 0;
    p->extend_base = b ? 8 : 0;
}

static const uint8_t *skip_escape(const uint8_t *at, prefix *p) {
    if (*at != 0x0f) {
        p->has_modrm = one_byte_has_modrm(*at);
        return at + 1;
    }
    p->has_modrm = true;
    return at + (at[1] == 0x38 || at[1] == 0x3a ? 3 : 2);
}

/* The index is a vector: there is no single address. */
static bool is_gather(unsigned map, uint8_t opcode) {
    return map == 2 && ((opcode >= 0x90 && opcode <= 0x93) || (opcode >= 0xa0 && opcode <= 0xa3));
}

/* Everything before ModRM. */
static const uint8_t *skip_opcode(const uint8_t *at, prefix *p) {
    const uint8_t *start = at;
    *p = (prefix){.has_modrm = true, .unit = 1};
    while (is_harmless_prefix(*at) && at < start + 8)
        at++;
    switch (*at) {
    case 0xc5: /* VEX, two bytes */
        return at + 3;
    case 0xc4: /* VEX, three bytes */
        extend(p, !(at[1] & 0x40), !(at[1] & 0x20));
        p->has_modrm = !is_gather(at[1] & 3, at[3]);
        return at + 4;
    case 0x62: /* EVEX: the unit is the length of the vector, or (not told here) a part of it */
        extend(p, !(at[1] & 0x40), !(at[1] & 0x20));
        p->has_modrm = !is_gather(at[1] & 7, at[4]);
        p->unit = 16u << (at[3] >> 5 & 3);
        return at + 5;
    }
    if ((*at & 0xf0) == 0x40) {
        extend(p, *at & 2, *at & 1);
        at++;
    }
    return skip_escape(at, p);
}

static int64_t displacement(const uint8_t *at, unsigned bytes) {
    HD_ASSERT(bytes == 0 || bytes == 1 || bytes == 4);
    int32_t wide = 0;
    memcpy(&wide, at, bytes);
    return bytes == 1 ? (int8_t)wide : wide;
}

static uint64_t value_of(const uint64_t *registers, unsigned number) {
    HD_ASSERT(number == NO_REGISTER || number < 16);
    return number == NO_REGISTER ? 0 : registers[number];
}

bool hd_operand_decode(const uint8_t *code, const uint64_t *registers, hd_operand *out) {
    prefix p;
    const uint8_t *at = skip_opcode(code, &p);
    unsigned mode = *at >> 6, rm = *at & 7;
    if (!p.has_modrm || mode == 3 || (mode == 0 && rm == 5))
        return false; /* no memory, or relative to the program counter */
    unsigned bytes = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    *out = (hd_operand){.base = rm + p.extend_base, .index = NO_REGISTER, .scale = 1};
    at++;
    if (rm == 4) {
        unsigned index = (*at >> 3 & 7) + p.extend_index;
        out->base = (*at & 7) + p.extend_base;
        out->index = index == 4 ? NO_REGISTER : index;
        out->scale = 1u << (*at >> 6);
        if (mode == 0 && (*at & 7) == 5) {
            out->base = NO_REGISTER;
            bytes = 4;
        }
        at++;
    }
    out->has_base = out->base != NO_REGISTER;
    out->has_index = out->index != NO_REGISTER;
    out->displacement = displacement(at, bytes) * (bytes == 1 ? (int64_t)p.unit : 1);
    out->address = value_of(registers, out->base) + value_of(registers, out->index) * out->scale +
                   (uint64_t)out->displacement;
    return true;
}

/* Four times an address loses its two highest bits, unless the factor is in the instruction:
 * enough for addresses that may be mapped. */
bool hd_operand_unshadow(const hd_operand *o, const uint64_t *registers, uint64_t *address) {
    *address = o->address / 4;
    if (o->has_base || !o->has_index || o->scale != 4)
        return *address < MAPPABLE;
    *address = registers[o->index] + (uint64_t)(o->displacement / 4);
    return true;
}

bool hd_operand_move(const hd_operand *o, uint64_t to, unsigned *number, uint64_t *change) {
    HD_ASSERT(o->scale && (o->scale & (o->scale - 1)) == 0);
    uint64_t distance = to - o->address;
    if (o->has_base && o->has_index && o->base == o->index)
        return false;
    *number = o->has_base ? o->base : o->index;
    *change = o->has_base ? distance : (uint64_t)((int64_t)distance / (int64_t)o->scale);
    return (o->has_base || o->has_index) && *number != HD_OPERAND_RSP &&
           (o->has_base || distance % o->scale == 0);
}

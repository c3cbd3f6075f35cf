/* Offsets to names of fields (see fields.h). */
#include "program/fields.h"

#include "base/map.h"
#include "base/panic.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 32

struct hd_fields {
    Dwarf *dwarf;
    hd_map globals; /* address -> offset of the entry of its variable */
    bool is_ready;
};

hd_fields *hd_fields_new(Dwarf *dwarf) {
    hd_fields *f = calloc(1, sizeof *f);
    if (!f)
        hd_out_of_memory();
    f->dwarf = dwarf;
    return f;
}

void hd_fields_free(hd_fields *f) {
    if (!f)
        return;
    hd_map_release(&f->globals);
    free(f);
}

/* ---- reading ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
        return false;
    *number = value;
    return true;
}

static uint64_t size_of(Dwarf_Die *type) {
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

/* Was the type written in a header of the system? */
static bool is_of_system(Dwarf_Die *type) {
    const char *file = dwarf_decl_file(type);
    return file && strncmp(file, "/usr/", 5) == 0;
}

/* Without typedefs and qualifiers; false for void, and for what is the system's own affair. */
static bool peel(Dwarf_Die *type) {
    for (;;) {
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
            if (is_of_system(type))
                return false;
            [[fallthrough]];
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
            if (!type_of(type, type))
                return false;
            break;
        default:
            return true;
        }
    }
}

/* ---- going down ---- */

static bool describe(Dwarf_Die *type, uint64_t offset, unsigned depth, hd_text *out);

/* Where it begins, and how long it is; a bit-field is where its first bit is. */
static void place_member(Dwarf_Die *member, uint64_t *from, uint64_t *size) {
    uint64_t bit, n_bits;
    Dwarf_Die type;
    *from = *size = 0;
    if (number_of(member, DW_AT_bit_size, &n_bits) &&
        number_of(member, DW_AT_data_bit_offset, &bit)) {
        *from = bit / 8;
        *size = (bit + n_bits + 7) / 8 - *from;
        return;
    }
    number_of(member, DW_AT_data_member_location, from);
    *size = type_of(member, &type) ? size_of(&type) : 0;
}

static bool describe_member(Dwarf_Die *member, uint64_t offset, unsigned depth, hd_text *out) {
    Dwarf_Die type;
    const char *name = dwarf_diename(member);
    if (name)
        hd_text_add(out, ".%s", name);
    return !type_of(member, &type) || describe(&type, offset, depth + 1, out);
}

static bool begins_at(Dwarf_Die *type, uint64_t offset, unsigned depth);

/* The member that has the byte at `*offset`, which is that in the member then.  One of a union in
 * which something begins there, if it must; others cut through a number. */
static bool find_member(Dwarf_Die *type, uint64_t *offset, bool must_begin, unsigned depth,
                        Dwarf_Die *member) {
    if (dwarf_child(type, member) != 0)
        return false;
    do {
        uint64_t from, size;
        Dwarf_Die inner;
        if (dwarf_tag(member) != DW_TAG_member)
            continue;
        place_member(member, &from, &size);
        if (*offset < from || *offset - from >= size)
            continue;
        if (must_begin &&
            !(type_of(member, &inner) && begins_at(&inner, *offset - from, depth + 1)))
            continue;
        *offset -= from;
        return true;
    } while (dwarf_siblingof(member, member) == 0);
    return false;
}

/* Does a number or pointer begin at this byte of the type? */
static bool begins_at(Dwarf_Die *type, uint64_t offset, unsigned depth) {
    Dwarf_Die inner;
    if (depth > MAX_DEPTH || !peel(type))
        return true;
    switch (dwarf_tag(type)) {
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        return is_of_system(type) || find_member(type, &offset, true, depth, &inner);
    case DW_TAG_array_type:
        return type_of(type, &inner) && size_of(&inner) &&
               begins_at(&inner, offset % size_of(&inner), depth + 1);
    default:
        return offset == 0;
    }
}

static bool describe_struct(Dwarf_Die *type, uint64_t offset, unsigned depth, hd_text *out) {
    Dwarf_Die member;
    if (!(find_member(type, &offset, true, depth, &member) ||
          find_member(type, &offset, false, depth, &member)))
        return offset == 0; /* else it lies between members */
    return describe_member(&member, offset, depth, out);
}

static uint64_t count_of(Dwarf_Die *range) {
    uint64_t number;
    if (number_of(range, DW_AT_count, &number))
        return number;
    return number_of(range, DW_AT_upper_bound, &number) ? number + 1 : 0;
}

/* int a[2][3] is one entry with two ranges. */
static bool describe_array(Dwarf_Die *type, uint64_t offset, unsigned depth, hd_text *out) {
    Dwarf_Die element, range;
    uint64_t step = size_of(type);
    if (!type_of(type, &element) || step == 0 || dwarf_child(type, &range) != 0)
        return false;
    do {
        uint64_t count = dwarf_tag(&range) == DW_TAG_subrange_type ? count_of(&range) : 0;
        if (count == 0)
            return false;
        step /= count;
        if (step == 0)
            return false;
        hd_text_add(out, "[%llu]", (unsigned long long)(offset / step));
        offset %= step;
    } while (dwarf_siblingof(&range, &range) == 0);
    return describe(&element, offset, depth + 1, out);
}

static bool describe(Dwarf_Die *type, uint64_t offset, unsigned depth, hd_text *out) {
    if (depth > MAX_DEPTH || !peel(type))
        return true;
    switch (dwarf_tag(type)) {
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        return is_of_system(type) || describe_struct(type, offset, depth, out);
    case DW_TAG_array_type:
        return describe_array(type, offset, depth, out);
    default:
        if (offset)
            hd_text_add(out, "+%llu", (unsigned long long)offset);
        return true;
    }
}

/* Into a text of its own first: what is not known leaves nothing behind. */
static bool describe_whole(Dwarf_Die *type, uint64_t offset, hd_text *out) {
    hd_text path = {0};
    bool is_known = describe(type, offset, 0, &path);
    if (is_known)
        hd_text_add(out, "%s", hd_text_string(&path));
    hd_text_release(&path);
    return is_known;
}

/* ---- globals ---- */

static bool address_of(Dwarf_Die *variable, uint64_t *address) {
    Dwarf_Attribute attribute, value;
    Dwarf_Op *ops;
    size_t n;
    if (!dwarf_attr_integrate(variable, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1)
        return false; /* with more it is a part of the variable, or a computation */
    if (ops[0].atom == DW_OP_addr) {
        *address = ops[0].number;
        return true;
    }
    return dwarf_getlocation_attr(&attribute, &ops[0], &value) == 0 &&
           dwarf_formaddr(&value, address) == 0;
}

static void add_globals(hd_fields *f, Dwarf_Die *die) {
    Dwarf_Die child;
    uint64_t address;
    if (dwarf_tag(die) == DW_TAG_variable && address_of(die, &address) && address)
        hd_map_put(&f->globals, address, dwarf_dieoffset(die));
    if (dwarf_child(die, &child) == 0)
        do
            add_globals(f, &child);
        while (dwarf_siblingof(&child, &child) == 0);
}

static void find_globals(hd_fields *f) {
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    if (f->is_ready || !f->dwarf)
        return;
    f->is_ready = true;
    while (dwarf_get_units(f->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
        add_globals(f, &unit);
}

bool hd_fields_of_global(hd_fields *f, uint64_t base, uint64_t offset, hd_text *out) {
    Dwarf_Die variable, type;
    find_globals(f);
    const uint64_t *at = hd_map_find(&f->globals, base);
    return at && dwarf_offdie(f->dwarf, *at, &variable) && type_of(&variable, &type) &&
           offset < size_of(&type) && describe_whole(&type, offset, out);
}

/* ---- blocks ---- */

/* The type that the pointer declared on this line points to; false if none or several are. */
static unsigned find_pointers(Dwarf_Die *die, uint64_t line, Dwarf_Die *target) {
    Dwarf_Die child, type;
    uint64_t declared;
    unsigned n = 0;
    if (dwarf_child(die, &child) != 0)
        return 0;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_lexical_block)
            n += find_pointers(&child, line, target);
        if (tag != DW_TAG_variable || !number_of(&child, DW_AT_decl_line, &declared) ||
            declared != line || !type_of(&child, &type) || !peel(&type) ||
            dwarf_tag(&type) != DW_TAG_pointer_type || !type_of(&type, target))
            continue;
        n++;
    } while (dwarf_siblingof(&child, &child) == 0);
    return n;
}

static bool find_function(Dwarf_Die *unit, uint64_t pc, Dwarf_Die *function) {
    if (dwarf_child(unit, function) != 0)
        return false;
    do
        if (dwarf_tag(function) == DW_TAG_subprogram && dwarf_haspc(function, pc) > 0)
            return true;
    while (dwarf_siblingof(function, function) == 0);
    return false;
}

static bool find_target(hd_fields *f, uint64_t pc, Dwarf_Die *target) {
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit, function;
    int line;
    while (f->dwarf && dwarf_get_units(f->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0) {
        if (dwarf_haspc(&unit, pc) <= 0)
            continue;
        Dwarf_Line *row = dwarf_getsrc_die(&unit, pc);
        return row && dwarf_lineno(row, &line) == 0 && find_function(&unit, pc, &function) &&
               find_pointers(&function, (uint64_t)line, target) == 1;
    }
    return false;
}

bool hd_fields_of_block(hd_fields *f, uint64_t pc, uint64_t size, uint64_t offset, hd_text *out) {
    Dwarf_Die target;
    if (!find_target(f, pc, &target) || !peel(&target))
        return false;
    uint64_t one = size_of(&target);
    if (one == 0 || size % one || dwarf_tag(&target) != DW_TAG_structure_type)
        return false;
    const char *name = dwarf_diename(&target);
    hd_text path = {0};
    if (size > one)
        hd_text_add(&path, "[%llu]", (unsigned long long)(offset / one));
    bool is_known = name && describe_whole(&target, offset % one, &path);
    if (is_known)
        hd_text_add(out, "%s%s", name, path.n ? hd_text_string(&path) : "");
    hd_text_release(&path);
    return is_known;
}

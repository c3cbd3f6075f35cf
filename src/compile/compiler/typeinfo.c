/* typeinfo.c -- the types behind inputs, from the image's debug information (program/types.h).
 *
 * heddle_input(x) leaves a static variable `heddle_type_marker` whose type is a pointer to
 * the type of x and whose address is the key.  Types of equal name and size are one type,
 * whichever source of a program they come from, so that pointers of one type can meet. */
#include "base/hash.h"
#include "compile/compiler/build.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct type_writer {
    FILE *out;
    hd_map ids; /* hash of an identity -> id */
    uint64_t n_ids;
    uint64_t program; /* of the unit that is read */
} type_writer;

static uint64_t id_of_type(type_writer *w, Dwarf_Die *type);

/* -- Reading one entry --------------------------------------------------------------------- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

/* Typedefs and qualifiers do not matter; false for void. */
static bool peel(Dwarf_Die *type) {
    for (;;) {
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
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

static bool read_number(Dwarf_Die *die, unsigned name, uint64_t *number) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
        return false;
    *number = value;
    return true;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name) {
    uint64_t number = 0;
    read_number(die, name, &number);
    return number;
}

static const char *name_of(Dwarf_Die *die) {
    const char *name = dwarf_diename(die);
    return name ? name : "-";
}

static uint64_t size_of(Dwarf_Die *type) {
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : number_of(type, DW_AT_byte_size);
}

/* -- Identities ---------------------------------------------------------------------------- */

/* The id of the type with this identity; *is_new if it has not been written yet. */
static uint64_t id_of_identity(type_writer *w, uint64_t identity, bool *is_new) {
    uint64_t key = identity >> 1, *found = hd_map_find(&w->ids, key);
    *is_new = !found;
    if (found)
        return *found;
    hd_map_put(&w->ids, key, ++w->n_ids);
    return w->n_ids;
}

static uint64_t identity_of(const type_writer *w, Dwarf_Die *type) {
    const char *name = dwarf_diename(type);
    uint64_t h = hd_hash_add(hd_hash_add(7, w->program), (uint64_t)dwarf_tag(type));
    if (!name)
        return hd_hash_add(h, dwarf_dieoffset(type));
    h = hd_hash_add(h, size_of(type));
    return hd_hash_bytes(h, name, strlen(name));
}

/* -- Writing ------------------------------------------------------------------------------- */

static void write_base(type_writer *w, Dwarf_Die *type, uint64_t id) {
    uint64_t encoding = number_of(type, DW_AT_encoding);
    bool is_float = encoding == DW_ATE_float || encoding == DW_ATE_complex_float;
    bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    if (is_float)
        fprintf(w->out, "type %lu float %lu %s\n", id, size_of(type), name_of(type));
    else
        fprintf(w->out, "type %lu integer %lu %d %s\n", id, size_of(type), is_signed,
                name_of(type));
}

static void write_enum(type_writer *w, Dwarf_Die *type, uint64_t id) {
    Dwarf_Die under;
    bool is_signed =
        type_of(type, &under) && peel(&under) && number_of(&under, DW_AT_encoding) == DW_ATE_signed;
    fprintf(w->out, "type %lu integer %lu %d %s\n", id, size_of(type), is_signed, name_of(type));
}

/* A bit-field is named by the unit of its type that holds it, or by bytes if none does. */
static void place_bits(uint64_t first, uint64_t n, uint64_t unit, uint64_t *offset, uint64_t *bit) {
    uint64_t bits = unit ? unit * 8 : 8;
    if (first / bits != (first + n - 1) / bits)
        bits = 8;
    *offset = first / bits * bits / 8;
    *bit = first % bits;
}

static void add_field(type_writer *w, hd_text *fields, Dwarf_Die *member) {
    Dwarf_Die type;
    uint64_t offset = number_of(member, DW_AT_data_member_location), bit = 0;
    uint64_t n_bits = number_of(member, DW_AT_bit_size);
    bool has_type = type_of(member, &type) && peel(&type);
    if (n_bits)
        place_bits(number_of(member, DW_AT_data_bit_offset), n_bits, has_type ? size_of(&type) : 1,
                   &offset, &bit);
    hd_text_add(fields, "field %lu %lu %lu %lu %s\n", offset, has_type ? id_of_type(w, &type) : 0,
                bit, n_bits, name_of(member));
}

static void write_struct(type_writer *w, Dwarf_Die *type, uint64_t id) {
    hd_text fields = {0};
    Dwarf_Die member;
    if (dwarf_child(type, &member) == 0)
        do {
            if (dwarf_tag(&member) == DW_TAG_member)
                add_field(w, &fields, &member);
        } while (dwarf_siblingof(&member, &member) == 0);
    fprintf(w->out, "type %lu struct %lu %s\n%s", id, size_of(type), name_of(type),
            hd_text_string(&fields));
    hd_text_release(&fields);
}

static uint64_t id_of_pointer(type_writer *w, Dwarf_Die *type) {
    Dwarf_Die target;
    bool is_new, has_target = type_of(type, &target) && peel(&target);
    uint64_t to = has_target ? id_of_type(w, &target) : 0;
    uint64_t id = id_of_identity(w, hd_hash_add(hd_hash_add(11, DW_TAG_pointer_type), to), &is_new);
    if (is_new)
        fprintf(w->out, "type %lu pointer %lu -\n", id, to);
    return id;
}

static uint64_t id_of_dimension(type_writer *w, uint64_t element, uint64_t count) {
    bool is_new;
    uint64_t identity = hd_hash_add(hd_hash_add(13, element), count);
    uint64_t id = id_of_identity(w, identity, &is_new);
    if (is_new)
        fprintf(w->out, "type %lu array %lu %lu -\n", id, element, count);
    return id;
}

static uint64_t count_of(Dwarf_Die *range) {
    uint64_t number;
    if (read_number(range, DW_AT_count, &number))
        return number;
    return read_number(range, DW_AT_upper_bound, &number) ? number + 1 : 0;
}

/* int a[2][3] is one entry with two ranges: an array of 2 arrays of 3. */
static uint64_t id_of_array(type_writer *w, Dwarf_Die *type) {
    Dwarf_Die element, range;
    hd_vec(uint64_t) counts = {0};
    uint64_t id = type_of(type, &element) && peel(&element) ? id_of_type(w, &element) : 0;
    if (dwarf_child(type, &range) == 0)
        do {
            if (dwarf_tag(&range) == DW_TAG_subrange_type)
                hd_vec_push(&counts, count_of(&range));
        } while (dwarf_siblingof(&range, &range) == 0);
    for (size_t n = counts.n; n > 0; n--)
        id = id_of_dimension(w, id, counts.at[n - 1]);
    hd_vec_release(&counts);
    return id;
}

static void write_named(type_writer *w, Dwarf_Die *type, uint64_t id) {
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
        write_base(w, type, id);
        return;
    case DW_TAG_enumeration_type:
        write_enum(w, type, id);
        return;
    case DW_TAG_structure_type:
        write_struct(w, type, id);
        return;
    case DW_TAG_union_type:
        fprintf(w->out, "type %lu union %lu %s\n", id, size_of(type), name_of(type));
        return;
    default:
        fprintf(w->out, "type %lu function %s\n", id, name_of(type));
    }
}

static uint64_t id_of_type(type_writer *w, Dwarf_Die *type) {
    bool is_new;
    if (dwarf_tag(type) == DW_TAG_pointer_type)
        return id_of_pointer(w, type);
    if (dwarf_tag(type) == DW_TAG_array_type)
        return id_of_array(w, type);
    if (dwarf_hasattr(type, DW_AT_declaration))
        return 0;
    uint64_t id = id_of_identity(w, identity_of(w, type), &is_new);
    if (is_new)
        write_named(w, type, id);
    return id;
}

/* -- Markers ------------------------------------------------------------------------------- */

static bool address_of(Dwarf_Die *variable, uint64_t *address) {
    Dwarf_Attribute attribute, value;
    Dwarf_Op *ops;
    size_t n;
    if (!dwarf_attr_integrate(variable, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n < 1)
        return false;
    if (ops[0].atom == DW_OP_addr) {
        *address = ops[0].number;
        return true;
    }
    /* DWARF 5 names addresses by their index. */
    return dwarf_getlocation_attr(&attribute, &ops[0], &value) == 0 &&
           dwarf_formaddr(&value, address) == 0;
}

static void write_marker(type_writer *w, Dwarf_Die *variable) {
    Dwarf_Die pointer, target;
    uint64_t address;
    if (strcmp(name_of(variable), "heddle_type_marker") != 0 || !address_of(variable, &address) ||
        !type_of(variable, &pointer) || !peel(&pointer) || !type_of(&pointer, &target) ||
        !peel(&target))
        return;
    uint64_t id = id_of_type(w, &target);
    fprintf(w->out, "key %lx %lu\n", address, id);
}

static void visit(type_writer *w, Dwarf_Die *die) {
    Dwarf_Die child;
    if (dwarf_tag(die) == DW_TAG_variable)
        write_marker(w, die);
    if (dwarf_child(die, &child) == 0)
        do
            visit(w, &child);
        while (dwarf_siblingof(&child, &child) == 0);
}

static uint64_t program_of_unit(Dwarf_Die *unit) {
    Dwarf_Attribute attribute;
    const char *producer =
        dwarf_attr(unit, DW_AT_producer, &attribute) ? dwarf_formstring(&attribute) : NULL;
    const char *mark = producer ? strstr(producer, HD_PROGRAM_MARK) : NULL;
    return mark ? strtoull(mark + strlen(HD_PROGRAM_MARK), NULL, 10) : 0;
}

static void visit_units(type_writer *w, Dwarf *dwarf) {
    Dwarf_Off at = 0, next;
    size_t header;
    for (; dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit;
        if (!dwarf_offdie(dwarf, at + header, &unit))
            continue;
        w->program = program_of_unit(&unit);
        visit(w, &unit);
    }
}

void hd_typeinfo_write(hd_build *b) {
    char *image = hd_text_format("%s/image", b->output);
    char *types = hd_text_format("%s/types", b->output);
    type_writer w = {.out = fopen(types, "w")};
    int file = open(image, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = file < 0 ? NULL : dwarf_begin(file, DWARF_C_READ);
    if (!w.out)
        hd_fail(NULL, "cannot write '%s': %s", types, strerror(errno));
    if (dwarf)
        visit_units(&w, dwarf);
    if (fclose(w.out) != 0)
        hd_fail(NULL, "cannot write '%s': %s", types, strerror(errno));
    dwarf_end(dwarf);
    close(file);
    hd_map_release(&w.ids);
    free(image);
    free(types);
}

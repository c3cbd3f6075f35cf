/* The table of input variables, found by name.
 *
 * All of it lives in shared reserves: an execution in a forked child names new inputs, and
 * the parent, who keeps the tests, must know them too.
 *
 * The width and the kind are part of the key.  The n-th input of a program may be an int on
 * one path and a char on another; these are two variables, each with one width for ever. */
#include "symbolic/variables.h"

#include "base/reserve.h"
#include "symbolic/symbolic_int.h"

#include <stdio.h>

#define MAX_SLOTS   (HD_MAX_VARIABLES * 2)
#define NAMES_SIZE  ((size_t)1 << 32)
#define INFO_SIZE   (HD_MAX_VARIABLES * sizeof(hd_var_info))
#define SLOTS_SIZE  (MAX_SLOTS * sizeof(uint32_t))
#define FIRST_SLOTS 64

struct hd_variables {
    hd_var_info *info;
    char *names;
    size_t names_used;
    uint32_t n, slot_mask, n_objects, object_mask;
    uint32_t *slots;   /* by name: variable + 1 */
    uint32_t *objects; /* by address: variable + 1 of the pointer that owns it */
};

static const size_t sizes[] = {sizeof(hd_variables), INFO_SIZE, NAMES_SIZE, SLOTS_SIZE,
                               SLOTS_SIZE};
#define N_SIZES (sizeof sizes / sizeof *sizes)

hd_variables *hd_variables_new(void) {
    void *at[N_SIZES];
    hd_reserve_group_new(at, sizes, N_SIZES, true);
    hd_variables *vs = at[0];
    vs->info = at[1];
    vs->names = at[2];
    vs->slots = at[3];
    vs->objects = at[4];
    vs->slot_mask = vs->object_mask = FIRST_SLOTS - 1;
    return vs;
}

void hd_variables_free(hd_variables *vs) {
    if (!vs)
        return;
    hd_reserve_group_free(vs, sizes, N_SIZES);
}

uint32_t hd_variables_n(const hd_variables *vs) {
    return vs->n;
}

hd_var_info *hd_variables_info(const hd_variables *vs, hd_var v) {
    HD_ASSERT(v < vs->n);
    return &vs->info[v];
}

static bool is_same(const hd_var_info *x, const hd_var_info *y) {
    return x->is_root == y->is_root && x->owner == y->owner && x->number == y->number &&
           x->kind == y->kind && x->width == y->width;
}

static uint64_t hash_name(const hd_var_info *key) {
    uint64_t what = (uint64_t)key->width << 2 | (uint64_t)key->kind << 1 | key->is_root;
    return hd_hash_add(hd_hash_add(hd_mix(key->owner), key->number), what);
}

static uint32_t *slot_of(const hd_variables *vs, const hd_var_info *key) {
    HD_CHECK(vs->n <= vs->slot_mask); /* there is an empty slot to end at */
    uint32_t slot = (uint32_t)hash_name(key) & vs->slot_mask;
    while (vs->slots[slot] && !is_same(key, &vs->info[vs->slots[slot] - 1]))
        slot = (slot + 1) & vs->slot_mask;
    return &vs->slots[slot];
}

static void grow_slots(hd_variables *vs) {
    memset(vs->slots, 0, ((size_t)vs->slot_mask + 1) * sizeof *vs->slots);
    vs->slot_mask = vs->slot_mask * 2 + 1;
    HD_ASSERT(vs->slot_mask < MAX_SLOTS && (vs->slot_mask & (vs->slot_mask + 1)) == 0);
    for (hd_var v = 0; v < vs->n; v++)
        *slot_of(vs, &vs->info[v]) = v + 1;
}

static char *copy_name(hd_variables *vs, const char *name) {
    size_t size = strlen(name) + 1;
    if (size > NAMES_SIZE - vs->names_used)
        hd_out_of_memory();
    char *copy = memcpy(vs->names + vs->names_used, name, size);
    vs->names_used += size;
    HD_ASSERT(vs->names_used <= NAMES_SIZE);
    return copy;
}

static hd_var add(hd_variables *vs, const hd_var_info *key, const char *name) {
    hd_var v = vs->n;
    if (v == HD_UNDEFINED)
        hd_out_of_memory();
    vs->info[v] = *key;
    vs->info[v].name = copy_name(vs, name ? name : "");
    vs->n = v + 1;
    *slot_of(vs, key) = v + 1;
    if (vs->n * 2 > vs->slot_mask && vs->slot_mask + 1 < MAX_SLOTS)
        grow_slots(vs);
    return v;
}

static hd_var find_or_add(hd_variables *vs, const hd_var_info *key, const char *name) {
    HD_ASSERT(key->width >= 1 && key->width <= 64);
    uint32_t found = *slot_of(vs, key);
    if (!found)
        return add(vs, key, name);
    HD_INVARIANT(N4,
                 vs->info[found - 1].width == key->width && vs->info[found - 1].kind == key->kind);
    if (!vs->info[found - 1].type)
        vs->info[found - 1].type = key->type;
    return found - 1;
}

hd_var hd_variables_root(hd_variables *vs, uint64_t number, hd_var_kind kind, unsigned width,
                         uint32_t type, const char *name) {
    hd_var_info key = {.kind = kind,
                       .width = (uint8_t)width,
                       .is_root = true,
                       .owner = UINT32_MAX,
                       .number = number,
                       .type = type};
    hd_var v = find_or_add(vs, &key, name);
    HD_INVARIANT(N1, vs->info[v].is_root && vs->info[v].number == number);
    return v;
}

hd_var hd_variables_cell(hd_variables *vs, hd_var owner, uint32_t cell, hd_var_kind kind,
                         unsigned width, uint32_t type, const char *name) {
    HD_ASSERT(owner < vs->n && vs->info[owner].kind == HD_VAR_POINTER);
    hd_var_info key = {
        .kind = kind, .width = (uint8_t)width, .owner = owner, .number = cell, .type = type};
    return find_or_add(vs, &key, name);
}

#define LABEL_ROOM 160
void hd_variables_label(hd_variables *vs, hd_var v, const char *name) {
    hd_var_info *info = &vs->info[v];
    HD_ASSERT(v < vs->n);
    if (strcmp(info->name, name) == 0)
        return;
    if (!info->label_room) {
        char room[LABEL_ROOM];
        memset(room, ' ', sizeof room);
        room[sizeof room - 1] = '\0';
        info->name = copy_name(vs, room);
        info->label_room = LABEL_ROOM;
    }
    snprintf(info->name, info->label_room, "%s", name);
}

static uint32_t *object_slot(const hd_variables *vs, uint64_t address) {
    uint32_t slot = (uint32_t)hd_mix(address) & vs->object_mask;
    while (vs->objects[slot] && vs->info[vs->objects[slot] - 1].object != address)
        slot = (slot + 1) & vs->object_mask;
    return &vs->objects[slot];
}

static void refill_objects(hd_variables *vs) {
    memset(vs->objects, 0, ((size_t)vs->object_mask + 1) * sizeof *vs->objects);
    while (vs->n_objects * 2 > vs->object_mask && vs->object_mask + 1 < MAX_SLOTS)
        vs->object_mask = vs->object_mask * 2 + 1;
    for (hd_var v = 0; v < vs->n; v++)
        if (vs->info[v].object)
            *object_slot(vs, vs->info[v].object) = v + 1;
}

hd_var hd_variables_owner_of(const hd_variables *vs, uint64_t address) {
    if (address == 0)
        return UINT32_MAX;
    hd_var owner = *object_slot(vs, address) - 1; /* an empty slot gives UINT32_MAX */
    HD_INVARIANT(N2, owner == UINT32_MAX || vs->info[owner].kind == HD_VAR_POINTER);
    return owner;
}

void hd_variables_set_object(hd_variables *vs, hd_var v, uint64_t address) {
    hd_var_info *info = hd_variables_info(vs, v);
    HD_ASSERT(info->kind == HD_VAR_POINTER && address);
    if (info->object == address)
        return;
    HD_INVARIANT(N2, hd_variables_owner_of(vs, address) == UINT32_MAX);
    bool was_set = info->object != 0;
    vs->n_objects += !was_set;
    info->object = address;
    if (was_set || vs->n_objects * 2 > vs->object_mask)
        refill_objects(vs); /* N3: an address hardly ever changes */
    else
        *object_slot(vs, address) = v + 1;
    HD_CHECK_INVARIANT(N3, hd_variables_owner_of(vs, address) == v);
}

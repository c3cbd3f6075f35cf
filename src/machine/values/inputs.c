/* The logical input map: inputs of any type, and the memory graph behind input pointers
 * (paper 002, section 4.1.1 and Fig. 7, corrected: PC9 of docs/papers.md).
 *
 * An input of the program is cut into cells, each a variable: roots are numbered in the order
 * in which the program asks, cells of an object are named by the pointer variable that owns
 * it.  A pointer is NULL, its own object, or an object of another one, which is made at once
 * if it is not there yet; objects are entered before their cells are made, so that cycles end.
 * What follows is the object behind a pointer: one element, even if C would allow more. */
#include "machine/core/parts.h"
#include "machine/values/values.h"

#include <stdio.h>

/* A value within what it is part of; names are only put together for new variables. */
typedef struct input_place {
    const struct input_place *parent;
    enum { PLACE_NAME, PLACE_FIELD, PLACE_ELEMENT, PLACE_TARGET } kind;
    const char *text;
    uint64_t index;
} input_place;

/* Whose cells are being made. */
typedef struct scope {
    hd_machine *m;
    bool is_root;
    hd_var owner;
    uint64_t next_cell;
    uint64_t base;  /* address of the first byte of the request or object */
    hd_var adopted; /* take over the values of this owner's cells; UINT32_MAX: no */
} scope;

/* Roots are numbered for each thread on its own, so that a variable means the same in every
 * schedule: thread t has the numbers from t * ROOTS_OF_THREAD on. */
#define ROOTS_OF_THREAD (UINT64_C(1) << 24)
/* What happens to messages that arrive at the thread's process is numbered from here on, and bytes
 * that they got on their way. */
#define ARRIVALS_OF_THREAD (UINT64_C(1) << 23)
#define BYTES_OF_ARRIVALS  (UINT64_C(3) << 22)
#define ROOT_KEY           (UINT64_C(1) << 63) /* keys of roots in a table that has cells too */

/* ---- names ---- */

static void add_name(const input_place *p, hd_text *out) {
    const input_place *parent = p->parent;
    switch (p->kind) {
    case PLACE_NAME:
        hd_text_add(out, "%s", p->text);
        return;
    case PLACE_TARGET: /* the parent is a pointer */
        hd_text_add(out, "*");
        add_name(parent, out);
        return;
    case PLACE_ELEMENT:
        if (parent->kind == PLACE_TARGET)
            hd_text_add(out, "(");
        add_name(parent, out);
        hd_text_add(out, parent->kind == PLACE_TARGET ? ")[%lu]" : "[%lu]", p->index);
        return;
    case PLACE_FIELD:
        if (parent->kind != PLACE_TARGET) {
            add_name(parent, out);
            hd_text_add(out, ".%s", p->text);
            return;
        }
        parent = parent->parent;
        hd_text_add(out, parent->kind == PLACE_TARGET ? "(" : "");
        add_name(parent, out);
        hd_text_add(out, parent->kind == PLACE_TARGET ? ")->%s" : "->%s", p->text);
        return;
    }
}

/* ---- variables ---- */

static hd_var make_variable(scope *s, hd_var_kind kind, unsigned width, hd_type_id type,
                            const input_place *where) {
    hd_machine *m = s->m;
    hd_text name = {0};
    add_name(where, &name);
    hd_var v = s->is_root ? hd_variables_root(m->variables, s->next_cell, kind, width, type,
                                              hd_text_string(&name))
                          : hd_variables_cell(m->variables, s->owner, (uint32_t)s->next_cell, kind,
                                              width, type, hd_text_string(&name));
    hd_text_release(&name);
    return v;
}

static __attribute__((noinline)) void add_turns(hd_machine *m, hd_var v) {
    while (m->known_inputs.turns.n <= v)
        hd_vec_push(&m->known_inputs.turns, ((hd_turn){0, 0}));
}

static inline void note_use(hd_machine *m, hd_var v) {
    HD_CHECK(v < hd_variables_n(m->variables));
    if (__builtin_expect(m->known_inputs.turns.n <= v, 0))
        add_turns(m, v);
    m->known_inputs.turns.at[v] = (hd_turn){m->known_inputs.run, (uint32_t)m->input.used.n};
    hd_vec_push(&m->input.used, v);
    m->threads.content = hd_threads_load_content;
}

void hd_input_note_use(hd_machine *m, hd_var v) {
    note_use(m, v);
}

/* The graph was compacted: remembered expressions have other ids now. */
static void forget_expressions(hd_machine *m) {
    m->expressions.generation = hd_graph_generation(m->graph);
    memset(m->expressions.memo, 0, HD_N_MEMO * sizeof *m->expressions.memo);
    hd_vec_clear(&m->known_inputs.var_exprs);
    hd_map_clear(&m->known_inputs.origins);
}

static void begin(hd_machine *m) {
    if (m->expressions.generation != hd_graph_generation(m->graph))
        forget_expressions(m);
    hd_eval_begin(m->expressions.eval, m->call.model);
    HD_ASSERT(!m->input.used.n && !m->input.objects.n && !m->input.moved.n);
    m->known_inputs.run++;
    m->registers->variadic_room = 0;
}

static void release(hd_machine *m) {
    hd_eval_free(m->expressions.eval);
    free(m->expressions.memo);
    hd_vec_release(&m->known_inputs.root_vars);
    hd_map_release(&m->known_inputs.cell_vars);
    hd_map_release(&m->known_inputs.origins);
    hd_vec_release(&m->known_inputs.candidates);
    hd_vec_release(&m->known_inputs.var_exprs);
    hd_vec_release(&m->known_inputs.turns);
}

/* Inputs that are in no memory, such as which thread is woken, do not hinder. */
static bool is_simple(const hd_machine *m) {
    return !m->calls.byval_passed && !m->calls.has_printed && !m->calls.n_pending &&
           !m->execution.is_concrete;
}

static void keep(hd_machine *m, hd_keeper *k) {
    hd_keep_aside(k, &m->input.used.n, sizeof m->input.used.n);
    hd_keep_aside(k, m->input.used.at, m->input.used.n * sizeof *m->input.used.at);
}

static void restore(hd_machine *m, hd_keeper *k) {
    size_t n;
    hd_bring_back(k, &n, sizeof n);
    HD_ASSERT(!m->input.used.n);
    for (size_t i = 0; i < n; i++) {
        hd_var v;
        hd_bring_back(k, &v, sizeof v);
        hd_input_note_use(m, v);
    }
}

static void leave(hd_machine *m, hd_box *b) {
    hd_box_put_list(b, &m->input.objects);
    hd_box_put(b, &m->known_inputs.big_top, sizeof m->known_inputs.big_top);
}

static void take(hd_machine *m, hd_box *b) {
    hd_box_take_list(b, &m->input.objects);
    hd_box_take(b, &m->known_inputs.big_top, sizeof m->known_inputs.big_top);
}

const hd_part hd_part_inputs = {"inputs",
                                {begin, NULL, release, NULL},
                                {is_simple, keep, restore},
                                {leave, take},
                                HD_PART_NO_TASKS};

static bool is_used(const hd_machine *m, hd_var v) {
    return v < m->known_inputs.turns.n && m->known_inputs.turns.at[v].run == m->known_inputs.run;
}

bool hd_inputs_may_point(const hd_machine *m, hd_var pointer, const hd_input_object *object) {
    HD_CHECK(object->owner == pointer || pointer < m->known_inputs.turns.n);
    return object->owner == pointer ||
           (is_used(m, object->owner) && m->known_inputs.turns.at[object->owner].order <
                                             m->known_inputs.turns.at[pointer].order);
}

/* The cell's value is that of the same cell of the owner whose object this was to be. */
static void adopt_value(const scope *s, hd_var v) {
    HD_ASSERT(!s->is_root);
    hd_machine *m = s->m;
    const uint64_t *known =
        hd_map_find(&m->known_inputs.cell_vars, (uint64_t)s->adopted << 32 | s->next_cell);
    if (known && hd_model_has(m->call.model, (hd_var)*known))
        hd_model_set(m->call.model, v, hd_model_get(m->call.model, (hd_var)*known));
}

/* Roots and cells have one table; no owner has so high a number that its cells have the mark. */
_Static_assert(HD_MAX_THREADS *ROOTS_OF_THREAD <= ROOT_KEY, "no root has it either");
static uint64_t known_key(const scope *s) {
    HD_CHECK(s->is_root || s->owner < ROOT_KEY >> 32);
    return s->is_root ? ROOT_KEY | s->next_cell : (uint64_t)s->owner << 32 | s->next_cell;
}

/* Roots of main are in order of their numbers; those of other threads are kept like cells. */
static inline hd_var known_variable(const scope *s) {
    const hd_machine *m = s->m;
    if (s->is_root && s->next_cell < m->known_inputs.root_vars.n)
        return m->known_inputs.root_vars.at[s->next_cell];
    if (s->is_root && s->next_cell < ROOTS_OF_THREAD)
        return UINT32_MAX;
    const uint64_t *known = hd_map_find(&m->known_inputs.cell_vars, known_key(s));
    return known ? (hd_var)*known : UINT32_MAX;
}

static void remember_variable(const scope *s, hd_var v) {
    hd_machine *m = s->m;
    if (!s->is_root || s->next_cell >= ROOTS_OF_THREAD)
        hd_map_put(&m->known_inputs.cell_vars, known_key(s), v);
    else if (s->next_cell < m->known_inputs.root_vars.n)
        m->known_inputs.root_vars.at[s->next_cell] = v;
    else {
        HD_CHECK(s->next_cell == m->known_inputs.root_vars.n);
        hd_vec_push(&m->known_inputs.root_vars, v);
    }
}

/* The variable of the next cell. */
static hd_var next_variable(scope *s, hd_var_kind kind, unsigned width, hd_type_id type,
                            const input_place *where, uint64_t bit_offset) {
    hd_machine *m = s->m;
    hd_var v = known_variable(s);
    hd_var_info *info = v == UINT32_MAX ? NULL : hd_variables_info(m->variables, v);
    if (__builtin_expect(!info || info->kind != kind || info->width != width, 0)) {
        v = make_variable(s, kind, width, type, where);
        remember_variable(s, v);
        info = hd_variables_info(m->variables, v);
    }
    /* On another path the same variable may lie elsewhere, and a journal knows neither. */
    info->request = m->threads.current * ROOTS_OF_THREAD + m->running.n_requests;
    info->bit_offset = bit_offset;
    HD_ASSERT(info->kind == kind && info->width == width && width && width <= 64);
    if (s->adopted != UINT32_MAX)
        adopt_value(s, v);
    s->next_cell++;
    note_use(m, v);
    return v;
}

static __attribute__((noinline)) void make_expr(hd_machine *m, hd_var v, unsigned width) {
    while (m->known_inputs.var_exprs.n <= v)
        hd_vec_push(&m->known_inputs.var_exprs, HD_NONE);
    m->known_inputs.var_exprs.at[v] = hd_expr_var(m->graph, v, width);
}

static inline hd_expr variable_expr(hd_machine *m, hd_var v, unsigned width) {
    bool is_known = v < m->known_inputs.var_exprs.n && m->known_inputs.var_exprs.at[v];
    if (__builtin_expect(!is_known, 0))
        make_expr(m, v, width);
    HD_CHECK(hd_expr_width(m->graph, m->known_inputs.var_exprs.at[v]) == width);
    return m->known_inputs.var_exprs.at[v];
}

/* A number that depends on the seed and on the variable's name alone. */
static uint64_t first_value(const hd_machine *m, hd_var v) {
    const hd_var_info *info = hd_variables_info(m->variables, v);
    HD_CHECK(info->is_root || info->owner < v);
    uint64_t h = info->is_root ? hd_mix(m->options.seed) : first_value(m, info->owner);
    return hd_hash_add(h, info->number);
}

#define SMALL 16

/* First values are small: a program that counts, recurses or allocates by an input must not begin
 * with a million decisions, and what is wrong with large values the search asks for anyway.  Raw
 * bytes may be numbers of two, four or eight: only every fourth is not 0. */
static uint64_t first_integer(const hd_machine *m, hd_var v, unsigned width) {
    const hd_var_info *info = hd_variables_info(m->variables, v);
    uint64_t h = first_value(m, v);
    bool is_raw = width == 8 && info->type == 0;
    if (is_raw && info->bit_offset / 8 % 4 != 0)
        return 0;
    return is_raw || width > 8 ? h % SMALL : h & hd_mask(width);
}

/* The variable's value in the model; drawn and added if the model does not know it. */
static inline uint64_t integer_value(hd_machine *m, hd_var v, unsigned width) {
    if (__builtin_expect(!hd_model_has(m->call.model, v), 0))
        hd_model_set(m->call.model, v, first_integer(m, v, width));
    return hd_model_get(m->call.model, v) & hd_mask(width);
}

/* "q->next" for the cell "p->next" of p's object. */
static char *name_of_twin(const hd_machine *m, const hd_var_info *cell, hd_var pointer) {
    HD_ASSERT(!cell->is_root);
    const char *from = hd_variables_info(m->variables, cell->owner)->name;
    const char *to = hd_variables_info(m->variables, pointer)->name;
    const char *at = strstr(cell->name, from);
    if (!at)
        return hd_text_format("(%s)[%llu]", to, (unsigned long long)cell->number);
    return hd_text_format("%.*s%s%s", (int)(at - cell->name), cell->name, to, at + strlen(from));
}

/* Variables for the object that `pointer` would have for its own, cell by cell like the
 * object of `owner` that it points to instead. */
static void make_own_cells(hd_machine *m, hd_var pointer, hd_var owner) {
    const uint64_t *known;
    for (uint32_t cell = 0;
         (known = hd_map_find(&m->known_inputs.cell_vars, (uint64_t)owner << 32 | cell)); cell++) {
        const hd_var_info *like = hd_variables_info(m->variables, (hd_var)*known);
        char *name = name_of_twin(m, like, pointer);
        HD_ASSERT(like->number == cell && like->owner == owner);
        hd_var v = hd_variables_cell(m->variables, pointer, cell, like->kind, like->width,
                                     like->type, name);
        hd_variables_info(m->variables, v)->bit_offset = like->bit_offset;
        hd_map_put(&m->known_inputs.cell_vars, (uint64_t)pointer << 32 | cell, v);
        free(name);
    }
}

hd_expr hd_inputs_own_cell(hd_machine *m, hd_var pointer, hd_var owner, uint64_t bit_offset,
                           unsigned width) {
    const uint64_t *known;
    if (!hd_map_find(&m->known_inputs.cell_vars, (uint64_t)pointer << 32))
        make_own_cells(m, pointer, owner);
    for (uint32_t cell = 0;
         (known = hd_map_find(&m->known_inputs.cell_vars, (uint64_t)pointer << 32 | cell));
         cell++) {
        hd_var v = (hd_var)*known;
        const hd_var_info *info = hd_variables_info(m->variables, v);
        if (info->bit_offset != bit_offset || info->width != width)
            continue;
        if (info->kind == HD_VAR_POINTER && !hd_model_has(m->call.model, v))
            hd_model_set(m->call.model, v, 0);
        else
            integer_value(m, v, width);
        return variable_expr(m, v, width);
    }
    return HD_NONE;
}

/* ---- values ---- */

static void init_value(scope *s, uint64_t address, hd_type_id id, const input_place *where);

/* Whoever asks for it has noted that this memory holds expressions from now on. */
static inline void put_integer(uint64_t address, uint64_t size, uint64_t value, hd_expr e) {
    hd_word *s = HD_SHADOW_OF(address);
    HD_CHECK(hd_in_region(address));
    HD_ASSERT(e < HD_POISON_FIRST >> 3);
    for (uint64_t i = 0; i < size; i++, value >>= 8) {
        *(uint8_t *)(address + i) = (uint8_t)value;
        s[i] = HD_WORD(e, i);
    }
}

static void init_integer(scope *s, uint64_t address, unsigned width, uint64_t size, hd_type_id type,
                         const input_place *where) {
    hd_machine *m = s->m;
    hd_var v = next_variable(s, HD_VAR_INTEGER, width, type, where, 8 * (address - s->base));
    uint64_t value = integer_value(m, v, width);
    HD_ASSERT(size && size <= sizeof value && width <= 8 * size);
    hd_expr e = variable_expr(m, v, width);
    if (width < 8 * size)
        e = hd_expr_zext(m->graph, e, 8 * (unsigned)size);
    HD_CHECK_INVARIANT(V1, hd_expr_width(m->graph, e) == 8 * size);
    hd_eval_tell(m->expressions.eval, e, value);
    put_integer(address, size, value, e);
}

static void init_bytes(scope *s, uint64_t address, uint64_t n, const input_place *where) {
    for (uint64_t i = 0; i < n; i++) {
        input_place element = {where, PLACE_ELEMENT, NULL, i};
        init_integer(s, address + i, 8, 1, 0, &element);
    }
}

static bool is_bool(const hd_type *type) {
    return type->kind == HD_TYPE_INTEGER && type->name[0] == '_' &&
           strcmp(type->name, "_Bool") == 0;
}

/* Is the byte at this offset of the type a _Bool?  Bit-fields and unions are bytes like others. */
static bool is_bool_at(const hd_machine *m, hd_type_id id, uint64_t offset) {
    const hd_type *type = hd_types_get(m->module->types, id);
    if (type->kind == HD_TYPE_ARRAY) {
        uint64_t size = hd_types_get(m->module->types, type->target)->size;
        return size && is_bool_at(m, type->target, offset % size);
    }
    for (uint32_t i = 0; type->kind == HD_TYPE_STRUCT && i < type->n_fields; i++) {
        const hd_field *f = &type->fields[i];
        uint64_t size = hd_types_get(m->module->types, f->type)->size;
        if (!f->bit_size && offset - f->offset < size)
            return is_bool_at(m, f->type, offset - f->offset);
    }
    return is_bool(type);
}

/* Raw bytes, but of a type that is known. */
static void init_bytes_of(scope *s, uint64_t address, uint64_t n, hd_type_id id,
                          const input_place *where) {
    uint64_t size = hd_types_get(s->m->module->types, id)->size;
    for (uint64_t i = 0; i < n; i++) {
        input_place element = {where, PLACE_ELEMENT, NULL, i};
        bool is_one_bit = size && is_bool_at(s->m, id, i % size);
        init_integer(s, address + i, is_one_bit ? 1 : 8, 1, 0, &element);
    }
}

static void init_zero(scope *s, uint64_t address, uint64_t size, const char *what) {
    memset((void *)address, 0, size);
    hd_unpoison(address, size);
    hd_approximate(s->m, 0, "input of type %.60s", what);
}

/* ---- pointers ---- */

static const hd_input_object *object_of(const hd_machine *m, hd_var owner) {
    for (size_t i = 0; i < m->input.objects.n; i++)
        if (m->input.objects.at[i].owner == owner)
            return &m->input.objects.at[i];
    return NULL;
}

const hd_input_object *hd_inputs_object_at(const hd_machine *m, uint64_t address) {
    for (size_t i = 0; i < m->input.objects.n; i++)
        if (address - m->input.objects.at[i].address < m->input.objects.at[i].size)
            return &m->input.objects.at[i];
    return NULL;
}

/* N3: the same place in every execution. */
static uint64_t place_object(hd_machine *m, hd_var owner, uint64_t size) {
    hd_var_info *info = hd_variables_info(m->variables, owner);
    bool is_small = size <= HD_INPUT_SLOT_ROOM;
    if (!info->object) {
        uint64_t address = HD_INPUT_BASE + HD_INPUT_SLOT * owner;
        if (!is_small) {
            address = m->known_inputs.big_top;
            m->known_inputs.big_top += (size + 64 + 15) & ~UINT64_C(15);
        }
        hd_variables_set_object(m->variables, owner, address);
        info->object_size = size;
    }
    HD_INVARIANT(N3, info->object >= HD_INPUT_BASE);
    hd_area *area = is_small ? &m->region.inputs_small : &m->region.inputs_big;
    if (!hd_area_grow(area, info->object + (is_small ? HD_INPUT_SLOT : size + 64)))
        hd_out_of_memory();
    return info->object;
}

/* The object that `owner` owns, made now if this execution has not made it yet. */
static uint64_t materialise(hd_machine *m, hd_var owner, hd_type_id type, const input_place *where,
                            hd_var adopted) {
    const hd_input_object *o = object_of(m, owner);
    HD_CHECK(!o || o->address == hd_variables_info(m->variables, owner)->object); /* N3 */
    if (o)
        return o->address;
    uint64_t size = hd_types_get(m->module->types, type)->size;
    uint64_t address = place_object(m, owner, size);
    HD_ASSERT(size && hd_variables_info(m->variables, owner)->kind == HD_VAR_POINTER);
    hd_vec_push(&m->input.objects, ((hd_input_object){owner, type, address, size, false}));
    hd_unpoison(address, size);
    if (size > HD_INPUT_SLOT_ROOM)
        hd_poison(address + size, 48, HD_POISON_INPUT);
    memset((void *)address, 0, size);
    hd_memory_note_symbolic(m, address, size);
    scope inner = {m, false, owner, 0, address, adopted};
    input_place target = {where, PLACE_TARGET, NULL, 0};
    init_value(&inner, address, type, &target);
    return address;
}

/* The variable whose object a solver means by this value; UINT32_MAX if it is nobody's. */
static hd_var meant_owner(const hd_machine *m, uint64_t value) {
    hd_var owner = HD_POINTER_IS_FRESH(value) ? (hd_var)((value - HD_POINTER_FRESH(0)) / 64)
                                              : hd_variables_owner_of(m->variables, value);
    bool is_pointer = owner < hd_variables_n(m->variables) &&
                      hd_variables_info(m->variables, owner)->kind == HD_VAR_POINTER;
    return is_pointer ? owner : UINT32_MAX;
}

static uint64_t moved_to(const hd_machine *m, hd_var owner) {
    for (size_t i = 0; i < m->input.moved.n; i++)
        if (m->input.moved.at[i].address == owner)
            return m->input.moved.at[i].n;
    return 0;
}

/* Where pointer `v` points.  An object belongs to the first variable that points to it: if a
 * solver names it after a later one, the object moves here, contents and all, and the later
 * one will point here too. */
static uint64_t point(hd_machine *m, hd_var v, hd_type_id target, uint64_t value,
                      const input_place *where) {
    if (value == 0)
        return 0;
    hd_var owner = meant_owner(m, value);
    if (owner == UINT32_MAX || owner == v) {
        uint64_t elsewhere = moved_to(m, v);
        return elsewhere ? elsewhere : materialise(m, v, target, where, UINT32_MAX);
    }
    const hd_input_object *o = object_of(m, owner);
    if (o && o->type == target)
        return o->address;
    uint64_t elsewhere = moved_to(m, owner);
    if (elsewhere)
        return elsewhere;
    /* The owner was used already and is NULL or points elsewhere: the name is free. */
    uint64_t address = materialise(m, v, target, where, owner);
    hd_vec_push(&m->input.moved, ((hd_range){owner, address}));
    return address;
}

static bool can_point_to(const hd_type *target) {
    return target->kind != HD_TYPE_UNKNOWN && target->kind != HD_TYPE_FUNCTION && target->size;
}

static void init_pointer(scope *s, uint64_t address, hd_type_id id, const hd_type *type,
                         const input_place *where) {
    hd_machine *m = s->m;
    if (!can_point_to(hd_types_get(m->module->types, type->target))) {
        init_zero(s, address, 8,
                  type->name && type->name[0] ? type->name : "pointer to void or a function");
        return;
    }
    hd_var v = next_variable(s, HD_VAR_POINTER, 64, id, where, 8 * (address - s->base));
    hd_expr e = variable_expr(m, v, 64);
    HD_ASSERT(type->kind == HD_TYPE_POINTER);
    uint64_t value = point(m, v, type->target, hd_model_get(m->call.model, v), where);
    hd_model_set(m->call.model, v, value);
    memcpy((void *)address, &value, sizeof value);
    hd_store_words(m, address, sizeof value, e);
}

/* ---- structs and bit-fields ---- */

static hd_field_piece bit_field(scope *s, uint64_t address, const hd_field *f,
                                const input_place *where) {
    hd_machine *m = s->m;
    uint64_t first = 8 * f->offset + f->bit_offset;
    HD_ASSERT(f->bit_size && f->bit_size <= 64);
    hd_var v = next_variable(s, HD_VAR_INTEGER, f->bit_size, f->type, where,
                             8 * (address - s->base) + first);
    integer_value(m, v, f->bit_size);
    return (hd_field_piece){first, f->bit_size, variable_expr(m, v, f->bit_size)};
}

/* Byte number `byte` of the struct: bits of the bit-fields that lie in it, zeros between. */
static hd_expr byte_of_pieces(hd_graph *g, const hd_field_piece *pieces, size_t n, uint64_t byte) {
    hd_expr whole = HD_NONE;
    for (uint64_t at = 8 * byte; at < 8 * byte + 8;) {
        uint64_t end = 8 * byte + 8;
        hd_expr part = HD_NONE;
        for (size_t i = 0; i < n; i++) {
            const hd_field_piece *p = &pieces[i];
            if (p->first <= at && at < p->first + p->n) {
                end = p->first + p->n < end ? p->first + p->n : end;
                part = hd_expr_extract(g, p->e, (unsigned)(at - p->first), (unsigned)(end - at));
                break;
            }
            if (p->first > at && p->first < end)
                end = p->first;
        }
        if (!part)
            part = hd_expr_const(g, (unsigned)(end - at), 0);
        HD_ASSERT(end > at && end <= 8 * byte + 8);
        whole = whole ? hd_expr_concat(g, part, whole) : part;
        at = end;
    }
    HD_ASSERT(hd_expr_width(g, whole) == 8);
    return whole;
}

static void store_pieces(scope *s, uint64_t address, const hd_field_piece *pieces, size_t n) {
    hd_machine *m = s->m;
    uint64_t done = 0; /* bytes below this are written */
    for (size_t i = 0; i < n; i++)
        for (uint64_t b = pieces[i].first / 8; 8 * b < pieces[i].first + pieces[i].n; b++) {
            HD_CHECK(hd_expr_width(m->graph, pieces[i].e) == pieces[i].n);
            if (b < done)
                continue;
            hd_expr e = byte_of_pieces(m->graph, pieces, n, b);
            *(uint8_t *)(address + b) = (uint8_t)hd_eval_value(m->expressions.eval, e);
            hd_store_words(m, address + b, 1, e);
            done = b + 1;
        }
}

/* Structs in it are made in between: their pieces are behind its own for that time. */
static void init_struct(scope *s, uint64_t address, const hd_type *type, const input_place *where) {
    hd_input_part *in = &s->m->input;
    size_t first = in->pieces.n;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const hd_field *f = &type->fields[i];
        input_place field = {where, PLACE_FIELD, f->name, 0};
        if (!f->bit_size)
            init_value(s, address + f->offset, f->type, &field);
        else
            hd_vec_push(&in->pieces, bit_field(s, address, f, &field));
    }
    if (in->pieces.n > first)
        store_pieces(s, address, in->pieces.at + first, in->pieces.n - first);
    in->pieces.n = first;
}

static void init_any(scope *s, uint64_t address, hd_type_id id, const hd_type *type,
                     const input_place *where);

static void init_array(scope *s, uint64_t address, const hd_type *type, const input_place *where) {
    const hd_type *of = hd_types_get(s->m->module->types, type->target);
    for (uint64_t i = 0; i < type->count; i++) {
        input_place element = {where, PLACE_ELEMENT, NULL, i};
        init_any(s, address + i * of->size, type->target, of, &element);
    }
}

static void init_any(scope *s, uint64_t address, hd_type_id id, const hd_type *type,
                     const input_place *where) {
    switch (type->kind) {
    case HD_TYPE_INTEGER:
        if (type->size > 8)
            init_bytes(s, address, type->size, where);
        else
            init_integer(s, address, is_bool(type) ? 1 : 8 * (unsigned)type->size, type->size, id,
                         where);
        break;
    case HD_TYPE_POINTER:
        init_pointer(s, address, id, type, where);
        break;
    case HD_TYPE_ARRAY:
        init_array(s, address, type, where);
        break;
    case HD_TYPE_STRUCT:
        init_struct(s, address, type, where);
        break;
    case HD_TYPE_UNION:
        init_bytes(s, address, type->size, where);
        break;
    case HD_TYPE_FLOAT:
        init_zero(s, address, type->size, type->name);
        break;
    case HD_TYPE_UNKNOWN:
    case HD_TYPE_FUNCTION:
        break;
    }
}

static void init_value(scope *s, uint64_t address, hd_type_id id, const input_place *where) {
    init_any(s, address, id, hd_types_get(s->m->module->types, id), where);
}

/* ---- what the program asks for (libc/heddle.c) ---- */

static scope open_request(hd_machine *m, uint64_t address) {
    hd_take_arguments(m);
    uint64_t first = m->threads.current * ROOTS_OF_THREAD + m->running.n_roots;
    return (scope){m, true, UINT32_MAX, first, address, UINT32_MAX};
}

static void close_request(scope *s) {
    HD_ASSERT(s->is_root && s->next_cell >= s->m->threads.current * ROOTS_OF_THREAD);
    s->m->running.n_roots = (uint32_t)(s->next_cell - s->m->threads.current * ROOTS_OF_THREAD);
    HD_INVARIANT(N1, s->m->running.n_roots < ARRIVALS_OF_THREAD);
    s->m->running.n_requests++;
}

/* Types that debug information does not tell are raw bytes. */
static void init_request(scope *s, uint64_t address, uint64_t size, hd_type_id type,
                         const input_place *where) {
    const hd_type *t = hd_types_get(s->m->module->types, type);
    if (size)
        hd_memory_note_symbolic(s->m, address, size);
    if (t->kind == HD_TYPE_UNKNOWN || t->size != size)
        init_bytes(s, address, size, where);
    else
        init_any(s, address, type, t, where);
}

void hd_input_cells(hd_machine *m, uint64_t address, uint64_t size, hd_type_id type,
                    const char *name) {
    scope s = open_request(m, address);
    input_place where = {NULL, PLACE_NAME, name, 0};
    init_request(&s, address, size, type, &where);
    close_request(&s);
}

void hd_input_array(hd_machine *m, uint64_t address, uint64_t size, uint64_t n, hd_type_id type,
                    const char *name) {
    scope s = open_request(m, address);
    input_place whole = {NULL, PLACE_NAME, name, 0};
    for (uint64_t i = 0; i < n; i++) {
        input_place where = {&whole, PLACE_ELEMENT, NULL, i};
        init_request(&s, address + i * size, size, type, &where);
    }
    close_request(&s);
}

void hd_input_bytes(hd_machine *m, uint64_t address, uint64_t n, hd_type_id type,
                    const char *name) {
    scope s = open_request(m, address);
    input_place where = {NULL, PLACE_NAME, name, 0};
    if (n)
        hd_memory_note_symbolic(m, address, n);
    if (type)
        init_bytes_of(&s, address, n, type, &where);
    else
        init_bytes(&s, address, n, &where);
    close_request(&s);
}

/* The narrowest variable that holds lo..hi as the user writes them. */
static unsigned width_for(long lo, long hi) {
    for (unsigned width = 8; width < 64; width *= 2) {
        long limit = 1L << (width - 1);
        if (lo >= 0 ? hi < 2 * limit : lo >= -limit && hi < limit)
            return width;
    }
    return 64;
}

static hd_expr is_within(hd_graph *g, hd_expr e, unsigned width, long lo, long hi) {
    HD_ASSERT(lo <= hi && hd_expr_width(g, e) == width);
    hd_op op = lo >= 0 && width < 64 ? HD_OP_ULE : HD_OP_SLE;
    hd_expr low = hd_expr_const(g, width, (uint64_t)lo & hd_mask(width));
    hd_expr high = hd_expr_const(g, width, (uint64_t)hi & hd_mask(width));
    return hd_expr_binary(g, HD_OP_AND, hd_expr_binary(g, op, low, e),
                          hd_expr_binary(g, op, e, high));
}

hd_expr hd_input_choose(hd_machine *m, long lo, long hi) {
    unsigned width = width_for(lo, hi);
    char name[64];
    snprintf(name, sizeof name, "choose(%ld,%ld)", lo, hi);
    scope s = open_request(m, 0);
    input_place where = {NULL, PLACE_NAME, name, 0};
    hd_var v = next_variable(&s, HD_VAR_INTEGER, width, 0, &where, 0);
    close_request(&s);
    uint64_t n = (uint64_t)hi - (uint64_t)lo + 1;
    if (!hd_model_has(m->call.model, v)) {
        uint64_t offset = first_value(m, v) % (n && n < SMALL ? n : SMALL);
        hd_model_set(m->call.model, v, ((uint64_t)lo + offset) & hd_mask(width));
    }
    hd_expr e = variable_expr(m, v, width), condition = is_within(m->graph, e, width, lo, hi);
    HD_ASSERT(hd_expr_width(m->graph, condition) == 1);
    bool holds = hd_eval_value(m->expressions.eval, condition);
    hd_record(m, 0, condition, holds, HD_BRANCH_ASSUME);
    if (!holds)
        hd_end_rejected(m);
    if (width < 64)
        e = lo >= 0 ? hd_expr_zext(m->graph, e, 64) : hd_expr_sext(m->graph, e, 64);
    return e;
}

/* One decision after the other, "is it this one?", so that no value is missed and none is
 * asked for that cannot be. */
uint32_t hd_thread_choice(hd_machine *m, uint32_t n, const char *what) {
    if (n < 2)
        return 0;
    scope s = open_request(m, 0);
    input_place where = {NULL, PLACE_NAME, what, 0};
    uint8_t width = n > 256 ? 16 : 8;
    HD_ASSERT(n <= UINT16_MAX);
    hd_var v = next_variable(&s, HD_VAR_INTEGER, width, 0, &where, 0);
    close_request(&s);
    if (!hd_model_has(m->call.model, v))
        hd_model_set(m->call.model, v, 0);
    uint32_t site = m->threads.action[m->threads.current].site;
    hd_expr e = variable_expr(m, v, width);
    uint32_t value = (uint32_t)hd_eval_value(m->expressions.eval, e), k = 0;
    for (; k + 1 < n; k++) {
        hd_expr is_k = hd_expr_binary(m->graph, HD_OP_EQ, e, hd_expr_const(m->graph, width, k));
        hd_record(m, site, is_k, value == k, HD_BRANCH_VALUE);
        if (value == k)
            break;
    }
    HD_ASSERT(k < n);
    return k;
}

/* What is not chosen keeps the name that it had first: nobody shows it. */
static void label_choice(hd_machine *m, hd_var v, hd_choice_name *name, const void *context) {
    char text[160];
    name(context, text, sizeof text);
    hd_variables_label(m->variables, v, text);
}

/* What cannot be chosen is told all the same: whether it could be depends on the order in which
 * others chose, and what names a class must not. */
static bool make_choice(hd_machine *m, hd_var v, hd_choice_name *name, const void *context,
                        bool is_open, uint32_t site) {
    if (!is_open || !hd_model_has(m->call.model, v))
        hd_model_set(m->call.model, v, 0);
    hd_expr e = variable_expr(m, v, 1);
    bool is_chosen = hd_eval_value(m->expressions.eval, e);
    HD_ASSERT(is_open || !is_chosen);
    if (is_chosen || !hd_variables_info(m->variables, v)->label_room)
        label_choice(m, v, name, context);
    hd_record(m, site, e, is_chosen, is_open ? HD_BRANCH_VALUE : HD_BRANCH_SPENT);
    return is_chosen;
}

bool hd_named_choice(hd_machine *m, hd_choice_name *name, const void *context, bool is_open) {
    scope s = open_request(m, 0);
    input_place where = {NULL, PLACE_NAME, "", 0};
    hd_var v = next_variable(&s, HD_VAR_INTEGER, 1, 0, &where, 0);
    close_request(&s);
    return make_choice(m, v, name, context, is_open, m->threads.action[m->threads.current].site);
}

bool hd_arrival_choice(hd_machine *m, uint32_t thread, uint32_t nth, hd_choice_name *name,
                       const void *context, bool is_open, uint32_t site) {
    HD_ASSERT(nth < BYTES_OF_ARRIVALS - ARRIVALS_OF_THREAD);
    uint64_t number = thread * ROOTS_OF_THREAD + ARRIVALS_OF_THREAD + nth;
    scope s = {m, true, UINT32_MAX, number, 0, UINT32_MAX};
    input_place where = {NULL, PLACE_NAME, "", 0};
    hd_var v = next_variable(&s, HD_VAR_INTEGER, 1, 0, &where, 0);
    hd_variables_info(m->variables, v)->request = number;
    return make_choice(m, v, name, context, is_open, site);
}

/* On another path the same variable may be a byte of another message. */
static void name_again(hd_machine *m, hd_var v, const input_place *where) {
    hd_text name = {0};
    add_name(where, &name);
    hd_variables_label(m->variables, v, hd_text_string(&name));
    hd_text_release(&name);
}

static hd_var make_word(scope *s, const input_place *element, uint8_t *byte, uint32_t *word) {
    hd_machine *m = s->m;
    hd_var v = next_variable(s, HD_VAR_INTEGER, 8, 0, element, 0);
    name_again(m, v, element);
    if (!hd_model_has(m->call.model, v))
        hd_model_set(m->call.model, v, *byte);
    *byte = (uint8_t)hd_model_get(m->call.model, v);
    *word = HD_WORD(variable_expr(m, v, 8), 0);
    return v;
}

void hd_input_words(hd_machine *m, const char *name, uint8_t *bytes, uint32_t *words, uint32_t n) {
    scope s = open_request(m, 0);
    input_place whole = {NULL, PLACE_NAME, name, 0};
    for (uint32_t i = 0; i < n; i++) {
        input_place element = {&whole, PLACE_ELEMENT, NULL, i};
        make_word(&s, &element, &bytes[i], &words[i]);
    }
    close_request(&s);
}

void hd_arrival_words(hd_machine *m, uint32_t thread, uint32_t nth, const char *name,
                      uint8_t *bytes, uint32_t *words, uint32_t n) {
    HD_ASSERT(n <= ROOTS_OF_THREAD - BYTES_OF_ARRIVALS &&
              nth <= ROOTS_OF_THREAD - BYTES_OF_ARRIVALS - n);
    uint64_t first = thread * ROOTS_OF_THREAD + BYTES_OF_ARRIVALS + nth;
    scope s = {m, true, UINT32_MAX, first, 0, UINT32_MAX};
    input_place whole = {NULL, PLACE_NAME, name, 0};
    for (uint32_t i = 0; i < n; i++) {
        input_place element = {&whole, PLACE_ELEMENT, NULL, i};
        hd_var v = make_word(&s, &element, &bytes[i], &words[i]);
        hd_variables_info(m->variables, v)->request = first;
    }
}

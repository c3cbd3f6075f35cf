/* variables.h -- the logical input map's names: which input variables there are.
 *
 * A variable is named by where it comes from, never by when it was met or where it lies in
 * memory (paper 002, 4.1.1): root input number n of a thread, or cell k of the object that
 * was created for a pointer variable.  The table lives as long as the worker; the same name
 * always gives the same hd_var.
 *
 * N1. Roots of one thread are numbered 0, 1, 2, ... in the order the program asks for them.
 * N2. A pointer variable p owns at most one object: the one made for it when it became
 *     non-NULL.  Other pointers may point to that object; its cells are named by p.
 * N3. An object's address is a function of its pointer variable within this worker.
 * N4. A variable has one width and kind for ever: the same place asked for with others is
 *     another variable.
 * The table is visible to the parent of a forked child, like a shared graph (expr.h).
 * Not here: their values (model.h), the memory they are written to (machine/values/inputs.c). */
#ifndef HD_SYMBOLIC_VARIABLES_H
#define HD_SYMBOLIC_VARIABLES_H
#include "symbolic/expr.h"

typedef enum hd_var_kind { HD_VAR_INTEGER, HD_VAR_POINTER } hd_var_kind;

typedef struct hd_var_info {
    hd_var_kind kind;
    uint8_t width;
    bool is_root;
    hd_var owner;    /* cells: the pointer variable that owns the object */
    uint64_t number; /* root number, or cell number within the object */
    uint32_t type;   /* program/types.h: type of the value, 0 if unknown */
    char *name;      /* as the user would write it: "x", "a[3]", "p->next"; the table's */
    uint32_t label_room; /* bytes of `name`, if it may change; else 0 */
    uint64_t object; /* pointers: address of the object they own, 0 before there is one */
    /* Where the value lies, for exports; set by the machine when it makes the variable. */
    uint64_t request;     /* roots: which request of the program (0, 1, ...) it came with */
    uint64_t bit_offset;  /* of its first bit in the memory of that request or of the object */
    uint64_t object_size; /* pointers: bytes of the object they own */
} hd_var_info;

typedef struct hd_variables hd_variables;
hd_variables *hd_variables_new(void);
void hd_variables_free(hd_variables *vs);
uint32_t hd_variables_n(const hd_variables *vs);
hd_var_info *hd_variables_info(const hd_variables *vs, hd_var v);

/* The variable with this name, made now if it is new; `name` is copied when made. */
hd_var hd_variables_root(hd_variables *vs, uint64_t number, hd_var_kind kind, unsigned width,
                         uint32_t type, const char *name);
hd_var hd_variables_cell(hd_variables *vs, hd_var owner, uint32_t cell, hd_var_kind kind,
                         unsigned width, uint32_t type, const char *name);

/* The variable's name is this one from now on.  For what has no name of its own in the program: on another path
 * the nth choice of a thread may be about something else. */
void hd_variables_label(hd_variables *vs, hd_var v, const char *name);

/* The pointer variable that owns the object at exactly `address`, or UINT32_MAX. */
hd_var hd_variables_owner_of(const hd_variables *vs, uint64_t address);
/* Give pointer `v` its object's address. */
void hd_variables_set_object(hd_variables *vs, hd_var v, uint64_t address);

/* What a solver writes for "some new object": distinct for each pointer variable, never a
 * real address.  The machine replaces it by the address of the object that it makes. */
#define HD_POINTER_FRESH(v)    (UINT64_C(0x13f000000000) + (uint64_t)(v) * 64)
#define HD_POINTER_IS_FRESH(x) ((x) >= HD_POINTER_FRESH(0) && (x) < UINT64_C(0x140000000000))
#endif

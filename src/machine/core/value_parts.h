/* value_parts.h -- parts of the machine that are about values: expressions, inputs, calls under
 * way. */
#ifndef HD_MACHINE_CORE_VALUE_PARTS_H
#define HD_MACHINE_CORE_VALUE_PARTS_H
#include "machine/core/memory_parts.h"
#include "symbolic/undefined.h"

/* An object made for an input pointer in this execution. */
typedef struct hd_input_object {
    hd_var owner;
    hd_type_id type;
    uint64_t address, size;
    bool is_freed;
} hd_input_object;

/* A store to the object that a pointer would have, if it did not share another's. */
typedef struct hd_own_store {
    hd_var owner;
    uint32_t size;
    uint64_t offset;
    hd_expr value; /* HD_NONE: not known */
} hd_own_store;

/* When a variable was used last: in which execution, and which of its inputs it was. */
typedef struct hd_turn {
    uint32_t run, order;
} hd_turn;

/* Remembered results of expression constructors: the same program builds the same ones. */
typedef struct hd_memo {
    uint64_t key1, key2;
    hd_expr result;
} hd_memo;
#define HD_N_MEMO HD_HOSTILE(8192, 2)

/* Expressions that were made before. */
typedef struct hd_remembered {
    hd_eval *eval;
    uint32_t generation; /* of the graph: remembered expression ids are good for it */
    hd_memo *memo;
    hd_undefined undefined;
} hd_remembered;

/* inputs.c: variables that inputs have had so far. */
typedef struct hd_known_inputs {
    hd_vec(hd_var) root_vars;  /* by root number */
    hd_map cell_vars;          /* owner and cell -> variable */
    hd_vec(hd_expr) var_exprs; /* by variable; 0 = not asked yet */
    hd_vec(hd_turn) turns;     /* by variable */
    hd_objects candidates;     /* that an address may be in: symbolic_address.c */
    hd_map origins;   /* address -> the pointer that it was indexed from: symbolic_address.c */
    uint64_t big_top; /* of inputs_big: objects stay where they are (N3) */
    uint32_t run;     /* number of this execution */
} hd_known_inputs;

/* A bit-field of a struct that is being made an input. */
typedef struct hd_field_piece {
    uint64_t first, n; /* bits, from the start of the struct */
    hd_expr e;
} hd_field_piece;

/* inputs.c */
typedef struct hd_input_part {
    uint64_t standard_input; /* address of the inputs that it consists of; 0: none */
    HD_PART_LOOSE;
    HD_PART_LISTS;
    hd_vec(hd_input_object) objects; /* made for pointers */
    hd_vec(hd_own_store) own_stores; /* alias.c */
    hd_vec(hd_field_piece) pieces;   /* of structs in structs; empty in between */
    hd_vec(hd_range) moved;          /* objects that got another owner here: old and new address */
    HD_PART_KEPT;
    hd_vec(hd_var) used; /* variables */
    HD_PART_MAPS;
} hd_input_part;

/* Calls that are under way: slow_calls.c. */
typedef struct hd_calls_part {
    uint64_t byval_passed;
    bool has_printed;
    uint32_t n_pending; /* what to say about the external call that is under way */
    HD_PART_LOOSE;
    uint64_t byval_from[HD_MAX_ARGS]; /* of byval_passed */
    hd_approximation pending[3];
    HD_PART_LISTS;
    HD_PART_KEPT;
    HD_PART_MAPS;
} hd_calls_part;

#endif

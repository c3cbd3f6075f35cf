/* grid_int.h -- what compiling and searching of a grid share (grid.h). */
#ifndef HD_SOLVE_GRID_INT_H
#define HD_SOLVE_GRID_INT_H
#include "base/vec.h"
#include "solve/columns.h"
#include "solve/grid.h"
#include "solve/places.h"

enum {
    HD_COLUMN_CHECK = HD_N_OPS
}; /* an instruction: combinations for which `a` is false are out */

typedef hd_vec(hd_column_op) hd_column_ops;

typedef struct hd_grid_axis_rows {
    uint32_t variable; /* register */
    const uint64_t *values;
    uint32_t n_values;
    hd_vec(uint32_t)
        atoms; /* registers of this axis that others use; the variable is no atom by itself */
    hd_vec(uint64_t) rows; /* n_atoms numbers for each row, atom by atom */
    hd_vec(uint64_t) values_of_rows;
    uint32_t n_rows;
} hd_grid_axis_rows;

/* A column of all offsets of the only axis. */
typedef struct hd_grid_given {
    uint32_t number; /* register */
    const uint32_t *by_offset;
} hd_grid_given;

typedef struct hd_grid_kept {
    uint32_t number; /* register */
    uint32_t *by_offset;
} hd_grid_kept;

struct hd_grid {
    hd_places places;          /* registers of expressions */
    hd_vec(uint32_t) axes_of;  /* by register: which axes it depends on */
    hd_vec(uint64_t) constant; /* by register: its value where it depends on none */
    hd_vec(bool) is_atom;      /* by register: of one axis, and used by what depends on others */
    hd_column_ops code;        /* operands first; checks behind what they check */
    bool is_hard;

    hd_grid_axis_rows axes[HD_GRID_AXES];
    uint32_t n_axes;

    hd_vec(uint64_t) memory;    /* of columns, HD_GRID_BLOCK for each register */
    hd_vec(uint64_t *) columns; /* by register */
    hd_column_ops own;          /* of one axis */
    hd_column_ops levels;       /* of several axes, by level */
    uint32_t level_at[HD_GRID_AXES + 2];
    hd_vec(uint32_t) slots;
    hd_vec(uint64_t) scratch;
    hd_vec(uint8_t) level_of; /* by register */

    uint32_t order[HD_GRID_AXES];  /* axes; the first is chosen first */
    uint32_t chosen[HD_GRID_AXES]; /* by axis: a row */
    uint32_t n_head;         /* axes whose rows are chosen one by one; the others are the tail */
    hd_vec(uint32_t) spread; /* registers of the head that the tail uses */
    int64_t budget;

    hd_vec(hd_grid_given) given;
    hd_expr heaviest;
    hd_vec(hd_grid_kept) kept;
};

/* Memory for the columns of all registers; constants are filled in. */
void hd_grid_make_columns(struct hd_grid *s);
#endif

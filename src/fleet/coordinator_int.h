/* coordinator_int.h -- what a coordinator consists of, for the files that are it: coordinator.c,
 * and coordinator_bytes.c, which writes and reads it. */
#ifndef HD_FLEET_COORDINATOR_INT_H
#define HD_FLEET_COORDINATOR_INT_H
#include "fleet/coordinator.h"
#include "fleet/lifted.h"

#define HD_NOBODYS ((hd_gift){HD_NO_UNIT, 0})
#define HD_NO_PART UINT32_MAX

/* Where a part begins that asks nothing of others: the program's beginning, for some inputs or with
 * some orders only.  All that it gives up is below it. */
typedef struct hd_beginning {
    uint32_t state; /* without a parent */
    uint32_t part;  /* of a divided search that it belongs to, HD_NO_PART = of none that is known */
    hd_text context; /* for those who begin with a path, when something was given up; */
    size_t n_rounds; /* bytes of hd_coordinator.rounds that it knows */
} hd_beginning;

/* What is not finished. */
typedef struct hd_open_unit {
    uint64_t number, epoch, n_commits;
    hd_gift given;
    uint32_t base; /* its state */
    bool is_taken, is_aside;
    hd_text journal, path;
} hd_open_unit;

struct hd_coordinator {
    hd_lifted_tree tree;
    hd_vec(hd_beginning) beginnings; /* D7: roots of the tree, each at its place */
    hd_vec(hd_open_unit) units;
    uint64_t n_units, n_epochs, generation;
    hd_vec(hd_text) parts; /* of a search that was divided: their journals, as they were at first */
    hd_gift giving;        /* the commit that is being applied */
    hd_text rounds;        /* of waiting loops, that anybody has found out: u64 each */
    hd_map known_rounds;   /* the same */
};

/* The unit of that number, or NULL. */
hd_open_unit *hd_coordinator_find(const hd_coordinator *c, uint64_t number);
/* Rounds that are new are added. */
void hd_coordinator_add_rounds(hd_coordinator *c, const hd_text *rounds);
/* One without anything in it. */
hd_coordinator *hd_coordinator_make(void);
#endif

/* schedule.h -- how long a fleet would take for pieces of work whose costs are known.
 *
 * Plain code: no clock, no processes.  A piece is there from the beginning, or could be given away
 * by another one when that has done a part of its own work.  If somebody wants it then, it is
 * handed over; else whoever gives it keeps it, and goes on with what it kept last when it is done,
 * unless somebody else has wanted it meanwhile: then what was kept longest is handed over.  Wanted
 * are as many as there are free workers, and one to spare for each machine (cluster/coordinate.c).
 * Free workers take pieces in the order in which they have them; whoever has begun one finishes it
 * (list scheduling; paper 003, 5.3 for pieces that are all there from the beginning).
 *
 * P1. Nobody is idle while a piece waits, or is kept.  So, if hand-overs and cuts cost nothing,
 *         max(work / n, critical path) <= seconds <= work / n + critical path,
 *     and for pieces that nobody gives away the critical path is the longest piece.
 * P2. Each piece is begun once.  Only those that are handed over cost what it costs to cut them
 *     off.
 * Not here: where costs come from (record/), how results are shown (cli/). */
#ifndef HD_SIMULATE_SCHEDULE_H
#define HD_SIMULATE_SCHEDULE_H
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_NO_PIECE     UINT32_MAX
#define HD_MACHINE_SIZE 8 /* workers of a machine */

typedef struct hd_work_piece {
    double seconds;
    uint32_t parent; /* an earlier one, or HD_NO_PIECE */
    double given_at; /* of the parent's work, at most all of it */
} hd_work_piece;
typedef hd_vec(hd_work_piece) hd_work_pieces;

/* What takes time besides the work. */
typedef struct hd_delays {
    double start;     /* until a worker can take its first piece */
    double hand_over; /* from giving a piece away until somebody can take it */
    double base;      /* what one worker takes that cuts nothing into pieces; 0: all pieces */
    double cut;       /* of a piece's seconds: what they would be less if it had not been cut off */
} hd_delays;

/* Worker-seconds without work: before all workers had some for the first time, after they all had
 * for the last time, and between. */
typedef struct hd_idle {
    double start, middle, end;
} hd_idle;

typedef struct hd_simulated {
    double seconds;
    hd_idle idle;
} hd_simulated;

double hd_work_pieces_work(const hd_work_pieces *p);
/* The longest chain of pieces that wait for each other: with unlimited workers it takes as long.
 * *last is its last piece; the others are its parents. */
double hd_work_pieces_critical_path(const hd_work_pieces *p, const hd_delays *d, uint32_t *last);
/* How long n >= 1 workers take. */
hd_simulated hd_simulate(const hd_work_pieces *p, uint32_t n, const hd_delays *d);
/* Something that a piece comes to when it has done so much of its work. */
typedef struct hd_met {
    uint32_t piece;
    double at;
} hd_met;
typedef hd_vec(hd_met) hd_mets;
/* When the last of them is met, with n >= 1 workers. */
double hd_simulate_finding(const hd_work_pieces *p, const hd_mets *mets, uint32_t n,
                           const hd_delays *d);
/* All the work, in at most n parts that know nothing of each other: what was given away first is a
 * part of its own, with all that comes of it.  Pieces that nobody gave away stay as they are. */
void hd_work_pieces_partition(const hd_work_pieces *p, uint32_t n, hd_work_pieces *parts);
#endif

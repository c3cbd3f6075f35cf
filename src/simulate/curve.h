/* curve.h -- one run on fleets of many sizes: tables and drawings of it. */
#ifndef HD_SIMULATE_CURVE_H
#define HD_SIMULATE_CURVE_H
#include "base/text.h"
#include "simulate/schedule.h"

typedef hd_vec(uint32_t) hd_sizes;

/* A fleet of one size. */
typedef struct hd_point {
    uint32_t workers;
    uint32_t parts; /* that the work was in, 0: as many as were given away */
    hd_simulated result;
    double speedup;    /* against hd_curve_one_worker */
    double efficiency; /* speedup / workers */
    double found;      /* when all is met that the run came to; 0: not known */
} hd_point;

typedef struct hd_curve {
    const char *name; /* "sharing", "parts" */
    hd_vec(hd_point) points;
} hd_curve;

/* How long one worker takes: the one of hd_delays.base, or one that does all pieces if that is
 * faster.  A search may be faster in pieces, whoever runs them, and a fleet has no merit of that.
 */
double hd_curve_one_worker(const hd_work_pieces *p, const hd_delays *d);
/* Fleets that share their work: pieces are given away when they were in the run. */
void hd_curve_share(hd_curve *c, const hd_work_pieces *p, const hd_sizes *sizes,
                    const hd_delays *d);
/* Fleets whose work is divided before they begin, into parts that are never shared: `n_parts` of
 * them, or one for each worker (0).  `mets` are of pieces that nobody gave away. */
void hd_curve_part(hd_curve *c, const hd_work_pieces *p, const hd_mets *mets, const hd_sizes *sizes,
                   uint32_t n_parts, const hd_delays *d);
void hd_curve_release(hd_curve *c);

/* An SVG file that needs nothing else: speedups over workers, both logarithmic, beside the ideal.
 */
void hd_curves_draw(const hd_curve *curves, uint32_t n, const char *title, hd_text *out);

/* "1,2,4,...,4096": whole numbers that grow, between two of which "..." goes on as they began.
 * False if it is anything else. */
bool hd_sizes_parse(hd_sizes *sizes, const char *text);
#define HD_MOST_SIMULATED 1000000
#endif

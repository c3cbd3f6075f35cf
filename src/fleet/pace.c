/* Moving averages of the last units (pace.h).
 *
 * Small units are counted, not averaged with the others: one that takes seconds between hundreds
 * that take a fraction of a millisecond says nothing about the next hundred. */
#include "fleet/pace.h"

#include "base/panic.h"

#define LAST   16  /* units that count, about */
#define ENOUGH 16  /* units before anything is concluded */
#define MOST   0.5 /* share of small ones that is not yet too many */

void hd_pace_note(hd_pace *p, double seconds, double least) {
    HD_ASSERT(least > 0);
    bool is_small = seconds < least / 4;
    p->n++;
    double part = 1.0 / (double)(p->n < LAST ? p->n : LAST);
    p->small += ((is_small ? 1 : 0) - p->small) * part;
    if (is_small)
        p->mean += (seconds - p->mean) * part;
}

bool hd_pace_is_slow(const hd_pace *p) {
    return p->n >= ENOUGH && p->small > MOST;
}

double hd_pace_pause(const hd_pace *p, double least, double most) {
    double small = least / 4, shortest = small / most;
    if (!hd_pace_is_slow(p))
        return least;
    double mean = p->mean > shortest ? p->mean : shortest;
    return mean < small ? least * small / mean : least;
}

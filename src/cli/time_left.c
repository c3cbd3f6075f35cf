/* One moment, noted by main (time_left.h). */
#include "cli/time_left.h"

#include "base/clock.h"

#define LEAST 0.01 /* seconds: a deadline that has passed is one, no deadline is not */

static double began, allowed;

void hd_time_begin(void) {
    began = hd_clock_now();
}

void hd_time_allow(double most) {
    allowed = most;
}

double hd_time_deadline(void) {
    return allowed > 0 ? began + allowed : 0;
}

double hd_time_began(void) {
    return began;
}

double hd_time_left(double most, double now) {
    double left = most - (now - began);
    return most <= 0 ? 0 : left > LEAST ? left : LEAST;
}

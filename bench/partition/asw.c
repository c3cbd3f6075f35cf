/* An altitude switch (paper 003): a device of interest is powered on when the altitude falls below
 * a threshold, and not before it has risen well above it again; a fault is raised if the device
 * does not acknowledge in time.
 *
 * The altitude comes in units of a sensor, whose gain is an input too: both are multiplied and
 * divided, which makes them expensive inputs to divide a search by.  The others are flags.
 *
 * paths: -DSTEPS=2 -> 68
 * paths: -DSTEPS=3 -> 624 */
#include <heddle.h>
#include <stdbool.h>
#ifndef STEPS
#define STEPS 2
#endif

enum { THRESHOLD = 2000, HYSTERESIS = 200, PATIENCE = 2 };

static bool is_powered, was_above = true, has_fault;
static int n_waited, n_bad;

static bool is_usable(int altitude, bool is_good) {
    n_bad = is_good && altitude >= 0 ? 0 : n_bad + 1;
    if (n_bad >= PATIENCE)
        has_fault = true;
    return n_bad == 0;
}

static void watch_altitude(int feet, bool is_inhibited) {
    if (feet < THRESHOLD) {
        if (was_above && !is_inhibited && !is_powered) {
            is_powered = true;
            n_waited = 0;
        }
        was_above = false;
    } else if (feet > THRESHOLD + HYSTERESIS) {
        was_above = true;
    }
}

static void watch_device(bool is_on) {
    if (!is_powered || is_on)
        n_waited = 0;
    else if (++n_waited >= PATIENCE)
        has_fault = true;
}

static void step(int raw, int gain, bool is_good, bool is_inhibited, bool is_reset, bool is_on) {
    if (is_reset) {
        is_powered = has_fault = false;
        was_above = true;
        n_waited = n_bad = 0;
        return;
    }
    int feet = raw * gain / 100;
    if (is_usable(feet, is_good))
        watch_altitude(feet, is_inhibited);
    watch_device(is_on);
}

int main(void) {
    unsigned char gain;
    heddle_input(gain);
    for (int i = 0; i < STEPS; i++) {
        short altitude;
        _Bool quality, inhibit, reset, status;
        heddle_input(altitude);
        heddle_input(quality);
        heddle_input(inhibit);
        heddle_input(reset);
        heddle_input(status);
        step(altitude, gain, quality, inhibit, reset, status);
        heddle_assert(has_fault || n_waited < PATIENCE);
    }
    return has_fault;
}

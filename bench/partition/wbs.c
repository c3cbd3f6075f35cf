/* A wheel brake system (paper 003): a pedal of five positions, skid and autobrake flags; the normal
 * line gives way to the alternate one, and that to the accumulator.  Pressures are multiples of 10.
 *
 * The pedal is compared for equality only: five values, five parts.
 *
 * paths: -DSTEPS=2 -> 400 */
#include <heddle.h>
#include <stdbool.h>
#ifndef STEPS
#define STEPS 5
#endif

enum mode { NORMAL, ALTERNATE, EMERGENCY };

static enum mode mode;
static int n_skids;

static int command_of(int pedal) {
    switch (pedal) {
    case 0:
        return 0;
    case 1:
        return 10;
    case 2:
        return 20;
    case 3:
        return 30;
    default:
        return 40;
    }
}

static void change_mode(bool has_skid) {
    n_skids = has_skid ? n_skids + 1 : 0;
    if (mode == NORMAL && n_skids == 2)
        mode = ALTERNATE;
    else if (mode == ALTERNATE && n_skids == 3)
        mode = EMERGENCY;
}

static int pressure(int command, bool has_skid, bool is_automatic) {
    if (mode == EMERGENCY)
        return command ? 40 : 0;
    if (is_automatic && command < 20)
        command = 20;
    return has_skid && command > 10 ? command - 10 : command;
}

int main(void) {
    for (int i = 0; i < STEPS; i++) {
        _Bool skid, autobrake;
        int pedal = (int)heddle_choose(0, 4);
        heddle_input(skid);
        heddle_input(autobrake);
        change_mode(skid);
        int p = pressure(command_of(pedal), skid, autobrake);
        int normal = mode == NORMAL ? p : 0, alternate = mode == NORMAL ? 0 : p;
        heddle_assert(normal % 10 == 0 && alternate % 10 == 0);
        heddle_assert(normal == 0 || alternate == 0);
    }
    return mode;
}

/* A junction: who may go, and what may not be on together.  Walking and driving never are, so that no execution
 * shows what the second condition of the first decision of lights() does. */
#include <heddle.h>
#include <stdbool.h>

#define IS_NIGHT(hour) ((hour) >= 22 || (hour) < 6)

typedef struct junction {
    bool car, tram, on_foot, has_pressed, is_broken;
    unsigned char hour;
} junction;

static bool may_walk(const junction *j) {
    return !j->is_broken && ((j->on_foot && j->has_pressed) || (IS_NIGHT(j->hour) && j->on_foot));
}

static bool may_drive(const junction *j) {
    return j->car && !may_walk(j) && (!j->tram || j->is_broken);
}

static int lights(const junction *j) {
    if (may_drive(j) && may_walk(j))
        return -1;
    for (int i = 0; i < 3 && j->is_broken; i++)
        if (i == 2 || (j->tram && i == 1))
            return 10 + i;
    return may_drive(j) ? 1 : may_walk(j) ? 2 : j->tram ? 3 : 0;
}

int main(void) {
    junction j;
    heddle_input(j);
    return lights(&j) < 0;
}

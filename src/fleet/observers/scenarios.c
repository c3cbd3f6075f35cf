/* scenarios: how many scenarios the node states of a whole system stand for.  Whoever says it last
 * knows best: a run that is resumed makes its states again. */
#include "fleet/observer.h"

#include "record/stored.h"

#include <stdlib.h>
#include <string.h>

static void counted(void *self, const char *digits, bool are_possible) {
    hd_scenarios *s = self;
    hd_scenarios_release(s);
    *s = (hd_scenarios){hd_text_format("%s", digits), are_possible};
}

static void save(const void *self, hd_text *out) {
    const hd_scenarios *s = self;
    if (s->digits)
        hd_scenarios_pack(out, s);
}

static void release(void *self) {
    hd_scenarios_release(self);
}

static void take(void *self, hd_text *out) {
    save(self, out);
    release(self);
}

static bool add(void *sum, const void *bytes, size_t n) {
    hd_scenarios more;
    if (!hd_scenarios_unpack(bytes, n, &more))
        return false;
    release(sum);
    *(hd_scenarios *)sum = more;
    return true;
}

const hd_observer hd_observer_scenarios = {.name = "scenarios",
                                           .size = sizeof(hd_scenarios),
                                           .counted = counted,
                                           .take = take,
                                           .add = add,
                                           .save = save,
                                           .begin_anew = release,
                                           .release = release};

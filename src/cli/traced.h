/* traced.h -- tests of a run again, for what a report draws: each in a process of its own.
 *
 * Running a test confines the process that does it (machine.h), and what it runs is taken for
 * hostile: so it is a child, whose answer is a text, and whose time is limited. */
#ifndef HD_CLI_TRACED_H
#define HD_CLI_TRACED_H
#include "record/record.h"
#include "tell/trace.h"

typedef struct hd_traced {
    const char *directory; /* of the run */
    double deadline;       /* hd_clock_now() value after which children are ended */
    size_t most_steps;     /* of one trace */
} hd_traced;

/* The trace of a test as JSON (report/page.h); on failure `why` says in words what kept it. */
bool hd_traced_test(const hd_traced *t, uint64_t number, hd_text *trace, char **why);
/* Who could have gone on before each event of the first `most` tests, as JSON: a list of texts
 * (tell/able.h), or null where it is not known; nothing if none could be run. */
void hd_traced_able(const hd_traced *t, size_t most, hd_text *able);
/* The places of these sites as JSON; nothing if the module cannot be loaded. */
void hd_traced_sites(const hd_traced *t, const uint32_t *sites, size_t n, hd_text *places);
#endif

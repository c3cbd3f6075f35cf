/* judged.h -- which dscenarios assertions about all nodes have to see.
 *
 * An assertion about all nodes looks at what they showed of what they exported, and when
 * (machine/nodes/global.c).  Two states of a node that showed the same at the same times are the
 * same to it, so that one dscenario of each combination of what nodes showed is enough.  Where that
 * depends on inputs no two states are the same.
 *
 * J1. Of each combination that some dscenario has, one is handed out.
 * J2. A combination with some states given is left out only if all of its completions in this
 *     dstate were handed out.
 * J3. What an assertion decides on inputs is a decision of the execution of all nodes, in no
 *     state's constraints: each is flipped, for the same states.  What is on the path meanwhile are
 *     the constraints of these.
 * J4. Before the end, what nodes have shown so far is looked at as well (system.h, Y5).  What was
 *     handed out there counts for later looks, and not for the end: assertions about the end have
 *     not seen those states there. */
#ifndef HD_EXPLORE_SYSTEM_JUDGED_H
#define HD_EXPLORE_SYSTEM_JUDGED_H
#include "explore/system/system.h"

/* The next one, by node, good until the next call; NULL at the end.  `together`: can these states
 * be together (explosion.h)?  Its context is the search. */
const uint32_t *hd_judged_next(hd_system_search *y, hd_together *together);
/* The last one was an execution. */
void hd_judged_cover(hd_system_search *y);
/* The execution that begins is one that assertions judge: what they decide is to be seen.  It has
 * `bound` such decisions that are not to be flipped. */
void hd_judged_begin(hd_system_search *y, size_t bound);
/* The end of that execution: what was decided is flipped. */
void hd_judged_end(hd_system_search *y, const hd_model *model);
/* The next inputs for the same states; false if there are none. */
bool hd_judged_flip(hd_system_search *y, hd_model *model);
/* States will change, and the next one is the first again; `forgets`: also of those that were
 * handed out (J4). */
void hd_judged_restart(hd_system_search *y, bool forgets);
void hd_judged_release(hd_system_search *y);
#endif

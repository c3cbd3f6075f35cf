/* page_graph.h -- the inputs of a test as a graph of memory: boxes of cells, and arrows from
 * pointers to what they point to.
 *
 * Box 0 has what the program asked for; every object that an input pointer made is a box of its
 * own. */
#ifndef HD_REPORT_PAGE_GRAPH_H
#define HD_REPORT_PAGE_GRAPH_H
#include "record/record.h"

#include <jansson.h>

#define HD_GRAPH_CELLS 400 /* that are drawn; of more the first */

/* {"boxes": [[title, depth, [[name, value, box or -1], ...]], ...], "left_out": cells}; null if
 * nothing points to anything. */
json_t *hd_page_graph_json(const hd_test *t);
#endif

/* kept_int.h -- what the files that write and read kept options share. */
#ifndef HD_REPORT_KEPT_INT_H
#define HD_REPORT_KEPT_INT_H
#include "report/report.h"

#include <jansson.h>

/* ---- kept_options.c: a set of nodes, bits if all are among the first, else a list ---- */
json_t *hd_kept_write_set(hd_set nodes);
bool hd_kept_read_set(const json_t *o, hd_set *nodes);

/* ---- kept_faults.c ---- */
json_t *hd_kept_write_faults(const hd_kept_options *kept);
bool hd_kept_read_faults(hd_kept_options *kept, const json_t *list);
#endif

/* grown.h -- how whole systems grow: tables and drawings (paper 004, Fig. 10). */
#ifndef HD_SIMULATE_GROWN_H
#define HD_SIMULATE_GROWN_H
#include "record/record.h"

/* One run. */
typedef struct hd_grown {
    const char *name;
    hd_growth points;
} hd_grown;

/* What the run recorded; false with `err` if it has nothing of it. */
bool hd_grown_read(hd_grown *g, hd_record *record, const char *directory, hd_err *err);
void hd_grown_release(hd_grown *g);

/* A line of names, then a line for each point; several runs one after the other. */
void hd_grown_csv(const hd_grown *runs, size_t n, hd_text *out);
/* States and memory over processor time, each in a diagram with a logarithmic axis. */
void hd_grown_draw(const hd_grown *runs, size_t n, const char *title, hd_text *out);
#endif

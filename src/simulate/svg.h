/* svg.h -- the pieces that drawings are made of: SVG without scripts, fonts or styles from
 * elsewhere. */
#ifndef HD_SIMULATE_SVG_H
#define HD_SIMULATE_SVG_H
#include "base/text.h"

#include <stdint.h>

/* A white sheet; "</svg>" ends it. */
void hd_svg_begin(hd_text *out, int width, int height);
/* `anchor`: start, middle or end. */
void hd_svg_text(hd_text *out, double x, double y, const char *anchor, const char *text);
/* `how`: attributes such as stroke. */
void hd_svg_line(hd_text *out, double x1, double y1, double x2, double y2, const char *how);
/* The colour of curve number `n`. */
const char *hd_svg_colour(uint32_t n);
#endif

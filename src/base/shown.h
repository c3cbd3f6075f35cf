/* shown.h -- printing for people: whatever is printed, it does not drive the terminal.
 *
 * Messages, labels, names of inputs and of nodes, paths: much of what Heddle prints was written by
 * the tested program, which is taken for hostile.  A format is Heddle's own; what its "%s" and "%c"
 * stand for is not, and is shown: control characters, bytes that are no UTF-8, and characters that
 * turn the direction of a line become escapes as C writes them.
 *
 * J1. Of an argument nothing reaches the stream but printable characters; a newline does not
 *     either.
 * J2. Colours are no part of a text: they are put beside it, and only on a terminal that has them.
 * Not here: HTML (report/html.h), JSON, sources that are written to be compiled. */
#ifndef HD_BASE_SHOWN_H
#define HD_BASE_SHOWN_H
#include "base/text.h"
#include <stdio.h>

/* As fprintf, for flags, widths and precisions of the conversions d i u x X c s f g %. */
void hd_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A text of several lines: each as an argument would be. */
void hd_print_lines(FILE *out, const char *text);
/* Append what is shown of `n` bytes. */
void hd_text_add_shown(hd_text *t, const char *bytes, size_t n);

typedef enum hd_colour {
    HD_COLOUR_NONE, /* ends any other */
    HD_COLOUR_BAD,
    HD_COLOUR_GOOD,
    HD_COLOUR_WARN,
    HD_COLOUR_NAME, /* of files and threads */
    HD_COLOUR_STRONG,
    HD_COLOUR_FAINT,
    HD_N_COLOURS
} hd_colour;
/* Nothing where there are no colours: not a terminal, TERM=dumb, or NO_COLOR is set to something.
 */
void hd_print_colour(FILE *out, hd_colour colour);
bool hd_print_has_colour(FILE *out);
#endif

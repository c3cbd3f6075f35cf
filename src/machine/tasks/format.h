/* format.h -- the arguments of a printing function, read as that function would read them.
 *
 * The host formats the text in the end, but what it needs of the program's memory (the format, and
 * text for %s) is read here first: with events if others may see it, and with checks.
 *
 * F1. What was read is what is printed: text that others may see is copied when it is read.
 * F2. How much is read does not depend on inputs any more when it has been read: where a format has
 *     conversions, what they are, and where the precision of a text ends it are decisions. */
#ifndef HD_MACHINE_TASKS_FORMAT_H
#define HD_MACHINE_TASKS_FORMAT_H
#include "machine/tasks/library.h"

#include <stdarg.h>

#define HD_MAX_FORMATTED 64 /* arguments of one call */

typedef struct hd_format {
    const char *text; /* the format; NULL if there was none */
    va_list arguments;
    bool is_kept; /* the program may read what is printed: values in it matter (the caller says) */
    bool is_symbolic;           /* symbolic text is printed, or symbolic arguments are */
    uint64_t passed;            /* arguments of the call that depend on inputs (the caller says) */
    hd_expr given[HD_MAX_ARGS]; /* and their expressions */
    uint32_t n_texts;
    hd_range texts[HD_MAX_FORMATTED + 1]; /* memory that is read: the format and "%s" */
    _Alignas(16) uint64_t slots[2 * HD_MAX_FORMATTED + 2];
} hd_format;

/* Read what printing needs.  The caller uses f->text and f->arguments from then on, as often as it
 * likes with va_copy. */
void hd_format_read(hd_machine *m, hd_format *f, const char *format, va_list arguments);
#endif

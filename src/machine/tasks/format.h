/* format.h -- the arguments of a printing function, read as that function would read them.
 *
 * The host formats the text in the end, but what it needs of the program's memory (the format, and
 * text for %s) is read here first: with events if others may see it, and with checks.
 *
 * F1. What was read is what is printed: text that others may see is copied when it is read.
 * F2. How much is read does not depend on inputs any more when it has been read: where a format has
 *     conversions, what they are, and where the precision of a text ends it are decisions.
 * F3. Where the program may read what is printed, each byte of integers, characters and texts keeps
 *     what it depends on (printed.c): how many digits there are is decided, and what they are is
 *     not.  The rest (floating point, pointers, wide characters, widths) becomes constant. */
#ifndef HD_MACHINE_TASKS_FORMAT_H
#define HD_MACHINE_TASKS_FORMAT_H
#include "machine/tasks/library.h"

#include <stdarg.h>

#define HD_MAX_FORMATTED 64 /* arguments of one call */

/* A conversion that takes an integer, a character or a pointer. */
typedef struct hd_conversion {
    char kind;               /* 's', 'n', 'd', ... */
    bool is_wide;            /* ls, lc */
    bool is_left;            /* - */
    bool is_zero_filled;     /* 0 */
    bool has_sign;           /* + or a blank */
    bool has_prefix;         /* # */
    bool is_odd;             /* ' or I */
    uint8_t size;            /* bytes that n stores, or that an integer has */
    uint8_t number;          /* of its argument */
    int width, precision;    /* -1: none */
    int8_t width_star, star; /* argument numbers of width and precision; -1: none */
    uint32_t from, to;       /* from its '%' to its end, in the format */
} hd_conversion;

/* What one conversion prints of values that depend on inputs. */
typedef struct hd_printed {
    hd_conversion conversion;
    unsigned base, n;     /* 0: a text or a character; digits, or bytes */
    hd_expr e;            /* the number without its sign, or the character */
    const hd_word *words; /* of a text */
} hd_printed;

typedef struct hd_format {
    const char *text; /* the format; NULL if there was none */
    va_list arguments;
    bool is_kept; /* the program may read what is printed: values in it matter (the caller says) */
    bool is_symbolic; /* symbolic text is printed, or symbolic arguments are; is_kept: as constants
                       */
    uint64_t passed;  /* arguments of the call that depend on inputs (the caller says) */
    hd_expr given[HD_MAX_ARGS]; /* and their expressions */
    hd_printed *printed;        /* in memory of the execution: HD_MAX_FORMATTED, or NULL */
    uint32_t n_printed;
    uint32_t n_texts;
    hd_range texts[HD_MAX_FORMATTED + 1]; /* memory that is read: the format and "%s" */
    _Alignas(16) uint64_t slots[2 * HD_MAX_FORMATTED + 2];
} hd_format;

/* Read what printing needs.  The caller uses f->text and f->arguments from then on, as often as it
 * likes with va_copy. */
void hd_format_read(hd_machine *m, hd_format *f, const char *format, va_list arguments);
/* Print n bytes of it, with the errno of the program for "%m".  The length of all of it, or less
 * than 0; as often as the caller likes. */
int hd_format_print(hd_machine *m, const hd_format *f, char *out, uint64_t n);
/* The shadow of all n bytes that it prints; NULL if they are concrete. */
const hd_word *hd_format_words(hd_machine *m, const hd_format *f, const char *text, uint64_t n);
/* Errno of the program is printed: does it become a constant by that? */
bool hd_errno_is_lost(hd_machine *m);

/* ---- printed.c ---- */
/* An argument of that conversion, whose width and precision are known by now: is it kept?  Then its
 * layout is decided. */
bool hd_printed_keep(hd_machine *m, hd_format *f, const hd_conversion *c, hd_expr e, uint32_t site);
/* A text that has been read: is it kept? */
bool hd_printed_keep_text(hd_machine *m, hd_format *f, const hd_conversion *c,
                          const hd_library_text *t);
#endif

/* err.h -- errors of the user or the machine, as one finished sentence and a hint.
 *
 * A library function that can fail returns bool (or NULL), takes `hd_err *err` last, and
 * prints nothing: only cli/ prints.  The message says what failed, subject in quotes, lower
 * case, no full stop; the hint says what to do.
 * Not here: bugs of Heddle (panic.h), bugs of the tested program (program/finding.h). */
#ifndef HD_BASE_ERR_H
#define HD_BASE_ERR_H
#include <stdbool.h>

typedef struct hd_err {
    char message[1024];
    char hint[512];
} hd_err;

/* Write the message and clear the hint; always returns false, so that a caller can write
 * `return hd_err_set(err, "cannot open '%s'", path);` */
bool hd_err_set(hd_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add what to do about it; returns false too. */
bool hd_err_hint(hd_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif

#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

bool hd_err_set(hd_err *err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    err->hint[0] = '\0';
    return false;
}

bool hd_err_hint(hd_err *err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->hint, sizeof err->hint, format, arguments);
    va_end(arguments);
    return false;
}

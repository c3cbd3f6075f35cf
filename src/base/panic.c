#include "base/panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void hd_panic(const char *file, int line, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "heddle: internal error at %s:%d: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n  hint: this is a bug of Heddle, please report it with the program that "
                    "showed it\n");
    abort();
}

void hd_out_of_memory(void) {
    static const char message[] = "heddle: error: out of memory\n";
    ssize_t written = write(2, message, sizeof message - 1);
    (void)written;
    _exit(2);
}

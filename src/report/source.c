/* Source lines around a place, as a reader of compiler messages expects them. */
#include "report/report.h"

#include <stdlib.h>

static void show_line(FILE *out, const char *text, uint32_t number, bool is_marked) {
    fprintf(out, "  %c %5u | ", is_marked ? '>' : ' ', number);
    for (; *text && *text != '\n' && *text != '\r'; text++)
        /* A source file must not be able to drive the terminal. */
        if (*text == '\t')
            fputs("    ", out);
        else
            fputc((unsigned char)*text < 32 || *text == 127 ? '?' : *text, out);
    fputc('\n', out);
}

void hd_source_show(FILE *out, const char *file, uint32_t line, uint32_t around) {
    FILE *in = line && file && file[0] ? fopen(file, "r") : NULL;
    if (!in)
        return;
    char *text = NULL;
    size_t capacity = 0;
    uint32_t first = line > around ? line - around : 1;
    for (uint32_t n = 1; n <= line + around && getline(&text, &capacity, in) >= 0; n++)
        if (n >= first)
            show_line(out, text, n, n == line);
    free(text);
    fclose(in);
}

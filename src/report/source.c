/* Source lines around a place, as a reader of compiler messages expects them. */
#include "base/shown.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static void show_line(FILE *out, const char *text, uint32_t number, bool is_marked) {
    hd_print_colour(out, is_marked ? HD_COLOUR_STRONG : HD_COLOUR_FAINT);
    hd_print(out, "  %c %5u | ", is_marked ? '>' : ' ', number);
    for (size_t n; *text && *text != '\n' && *text != '\r'; text += n) {
        n = strcspn(text, "\t\r\n");
        hd_print(out, text[n] == '\t' ? "%.*s    " : "%.*s", (int)n, text);
        n += text[n] == '\t';
    }
    hd_print_colour(out, HD_COLOUR_NONE);
    fputc('\n', out);
}

void hd_source_show_text(FILE *out, const char *text, uint32_t line, uint32_t around) {
    uint32_t first = line > around ? line - around : 1;
    for (uint32_t n = 1; line && *text && n <= line + around; n++) {
        if (n >= first)
            show_line(out, text, n, n == line);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

void hd_source_show(FILE *out, const char *file, uint32_t line, uint32_t around) {
    FILE *in = line && file && file[0] ? hd_file_open_plain(file) : NULL;
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

/* A section of the page is "### `KIND`", its words, then a command or a program. */
#include "report/meaning.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern const char hd_findings_page[];
__asm__(".pushsection .rodata\n.global hd_findings_page\nhd_findings_page:\n.incbin "
        "\"docs/findings.md\"\n.byte 0\n.type hd_findings_page, @object\n.popsection");

static bool begins(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

static const char *next_line(const char *at) {
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

/* "[words](target)" becomes "words", and quotes of code are left out. */
static void add_plain(hd_text *out, const char *line, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *close = line[i] == '[' ? strstr(line + i, "](") : NULL;
        if (close && close < line + n) {
            hd_text_add_bytes(out, line + i + 1, (size_t)(close - line) - i - 1);
            i = (size_t)(close - line) + strcspn(close, ")\n");
        } else if (line[i] != '`' && line[i] != '[') {
            hd_text_add_bytes(out, line + i, 1);
        }
    }
}

static bool is_text(const char *line) {
    return *line && *line != '\n' && !begins(line, "```") && !begins(line, "    ") &&
           !begins(line, "#");
}

void hd_meaning_add(hd_text *out, const char *kind) {
    char *heading = hd_text_format("\n### `%s`", kind);
    const char *at = strstr(hd_findings_page, heading);
    free(heading);
    bool is_first = true;
    for (at = at ? next_line(at + 1) : ""; is_text(at); at = next_line(at)) {
        hd_text_add(out, "%s", is_first ? "" : " ");
        add_plain(out, at, strcspn(at, "\n"));
        is_first = false;
    }
}

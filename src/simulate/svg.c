/* Texts, lines and colours of drawings. */
#include "simulate/svg.h"

static const char *const COLOURS[] = {"#1b6ca8", "#c7522a", "#4d8b31", "#6b4c9a"};
#define N_COLOURS (sizeof COLOURS / sizeof *COLOURS)

const char *hd_svg_colour(uint32_t n) {
    return COLOURS[n % N_COLOURS];
}

void hd_svg_begin(hd_text *out, int width, int height) {
    hd_text_add(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                width, height, width, height);
}

void hd_svg_text(hd_text *out, double x, double y, const char *anchor, const char *text) {
    hd_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *text; text++)
        switch (*text) {
        case '<':
            hd_text_add(out, "&lt;");
            break;
        case '&':
            hd_text_add(out, "&amp;");
            break;
        default:
            if ((unsigned char)*text >= ' ')
                hd_text_add(out, "%c", *text);
        }
    hd_text_add(out, "</text>\n");
}

void hd_svg_line(hd_text *out, double x1, double y1, double x2, double y2, const char *how) {
    hd_text_add(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
                how);
}

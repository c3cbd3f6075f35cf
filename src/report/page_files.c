/* The files of the page, byte for byte, each with a 0 behind it: the assembler reads them. */
#include "report/page.h"

#define EMBED(symbol, path)                                                                        \
    __asm__(".pushsection .rodata\n.global " #symbol "\n" #symbol ":\n.incbin \"" path             \
            "\"\n.byte 0\n.type " #symbol ", @object\n.popsection")

EMBED(hd_page_html, "src/report/page/page.html");
EMBED(hd_page_css, "src/report/page/page.css");
EMBED(hd_page_js, "src/report/page/page.js");
EMBED(hd_draw_js, "src/report/page/draw.js");
EMBED(hd_live_html, "src/report/page/live.html");
EMBED(hd_live_js, "src/report/page/live.js");

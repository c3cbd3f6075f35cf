/* Curves as an SVG file (curve.h): no scripts, no fonts, no styles from elsewhere. */
#include "simulate/curve.h"
#include "simulate/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 720, HEIGHT = 480, LEFT = 70, RIGHT = 130, TOP = 50, BOTTOM = 60 };

/* Both axes go from 1 to 2^`powers`. */
typedef struct plot {
    hd_text *out;
    double powers;
} plot;

static double at_x(const plot *d, double n) {
    return LEFT + (WIDTH - LEFT - RIGHT) * log2(n < 1 ? 1 : n) / d->powers;
}

static double at_y(const plot *d, double n) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * log2(n < 1 ? 1 : n) / d->powers;
}

static void draw_axes(const plot *d) {
    char label[24];
    double most = exp2(d->powers);
    for (double n = 1; n <= most; n *= 2) {
        snprintf(label, sizeof label, "%.0f", n);
        hd_svg_line(d->out, at_x(d, n), at_y(d, 1), at_x(d, n), at_y(d, most), "stroke=\"#ddd\"");
        hd_svg_line(d->out, at_x(d, 1), at_y(d, n), at_x(d, most), at_y(d, n), "stroke=\"#ddd\"");
        hd_svg_text(d->out, at_x(d, n), HEIGHT - BOTTOM + 18, "middle", label);
        hd_svg_text(d->out, LEFT - 8, at_y(d, n) + 4, "end", label);
    }
    hd_svg_line(d->out, at_x(d, 1), at_y(d, 1), at_x(d, most), at_y(d, most),
                "stroke=\"#999\" stroke-dasharray=\"4 4\"");
    hd_svg_text(d->out, at_x(d, most) + 6, at_y(d, most) + 4, "start", "ideal");
    hd_svg_text(d->out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 18, "middle", "workers");
    hd_svg_text(d->out, LEFT - 8, TOP - 12, "end", "speedup");
}

static void draw_curve(const plot *d, const hd_curve *c, const char *colour) {
    if (!c->points.n)
        return;
    hd_text_add(d->out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                colour);
    for (size_t i = 0; i < c->points.n; i++)
        hd_text_add(d->out, "%s%.1f,%.1f", i ? " " : "", at_x(d, c->points.at[i].workers),
                    at_y(d, c->points.at[i].speedup));
    hd_text_add(d->out, "\"/>\n");
    for (size_t i = 0; i < c->points.n; i++)
        hd_text_add(d->out,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%" PRIu32
                    " workers: %.2f times as fast</title></circle>\n",
                    at_x(d, c->points.at[i].workers), at_y(d, c->points.at[i].speedup), colour,
                    c->points.at[i].workers, c->points.at[i].speedup);
    const hd_point *last = &c->points.at[c->points.n - 1];
    hd_text_add(d->out, "<g fill=\"%s\">", colour);
    hd_svg_text(d->out, at_x(d, last->workers) + 6, at_y(d, last->speedup) + 4, "start", c->name);
    hd_text_add(d->out, "</g>\n");
}

static double find_powers(const hd_curve *curves, uint32_t n) {
    uint32_t most = 2;
    for (uint32_t i = 0; i < n; i++)
        for (size_t k = 0; k < curves[i].points.n; k++)
            if (curves[i].points.at[k].workers > most)
                most = curves[i].points.at[k].workers;
    return ceil(log2(most));
}

void hd_curves_draw(const hd_curve *curves, uint32_t n, const char *title, hd_text *out) {
    plot d = {out, find_powers(curves, n)};
    hd_svg_begin(out, WIDTH, HEIGHT);
    hd_svg_text(out, WIDTH / 2.0, 24, "middle", title);
    draw_axes(&d);
    for (uint32_t i = 0; i < n; i++)
        draw_curve(&d, &curves[i], hd_svg_colour(i));
    hd_text_add(out, "</svg>\n");
}

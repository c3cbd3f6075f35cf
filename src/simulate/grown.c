/* Growth of whole systems as text and as two diagrams, one under the other. */
#include "simulate/grown.h"

#include "simulate/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

bool hd_grown_read(hd_grown *g, hd_record *record, const char *directory, hd_err *err) {
    hd_batch state;
    size_t n;
    *g = (hd_grown){.name = directory};
    if (!hd_record_state(record, &state, err))
        return false;
    const void *bytes = hd_observed_find(state.observed, state.n_observed, "growth", &n);
    bool ok = !bytes || hd_growth_unpack(bytes, n, &g->points);
    hd_batch_release(&state);
    if (!ok)
        return hd_err_set(err, "what '%s' says about its growth is damaged", directory);
    if (g->points.n)
        return true;
    hd_err_set(err, "'%s' does not say how it grew", directory);
    return hd_err_hint(err, "runs of whole systems do: 'heddle run --net FILE --orders time "
                            "--mapping sds'");
}

void hd_grown_release(hd_grown *g) {
    hd_vec_release(&g->points);
}

/* A name as CSV wants it. */
static void add_name(hd_text *out, const char *name) {
    hd_text_add(out, "\"");
    for (; *name; name++)
        hd_text_add(out, *name == '"' ? "\"\"" : "%c", *name);
    hd_text_add(out, "\"");
}

void hd_grown_csv(const hd_grown *runs, size_t n, hd_text *out) {
    hd_text_add(out, "run,seconds,virtual_seconds,states,dstates,events,bytes\n");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < runs[i].points.n; k++) {
            const hd_growth_point *p = &runs[i].points.at[k];
            add_name(out, runs[i].name);
            hd_text_add(out, ",%.6f,%.9g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                        p->seconds, (double)p->moment / 1e9, p->states, p->dstates, p->events,
                        p->bytes);
        }
}

/* ---- the drawing ---- */

enum { WIDTH = 720, PANEL = 320, LEFT = 80, RIGHT = 130, TOP = 50, BOTTOM = 50 };

/* A diagram: values from 10^low to 10^high, over seconds up to `end`. */
typedef struct panel {
    hd_text *out;
    const char *what;
    double (*value)(const hd_growth_point *p);
    double top, end, low, high;
} panel;

static double states_of(const hd_growth_point *p) {
    return (double)p->states;
}
static double megabytes_of(const hd_growth_point *p) {
    return (double)p->bytes / 1e6;
}

static double at_x(const panel *d, double seconds) {
    return LEFT + (WIDTH - LEFT - RIGHT) * seconds / d->end;
}
static double at_y(const panel *d, double value) {
    double share = (log10(value < 1e-3 ? 1e-3 : value) - d->low) / (d->high - d->low);
    return d->top + (PANEL - BOTTOM) * (1 - share);
}

static void find_limits(panel *d, const hd_grown *runs, size_t n) {
    double least = INFINITY, most = 1;
    d->end = 1e-3;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < runs[i].points.n; k++) {
            const hd_growth_point *p = &runs[i].points.at[k];
            d->end = fmax(d->end, p->seconds);
            least = fmin(least, d->value(p));
            most = fmax(most, d->value(p));
        }
    d->low = floor(log10(fmax(least, 1e-3)));
    d->high = fmax(ceil(log10(most)), d->low + 1);
}

static void draw_axes(const panel *d) {
    char label[32];
    for (double power = d->low; power <= d->high; power++) {
        double y = at_y(d, pow(10, power));
        snprintf(label, sizeof label, "%.6g", pow(10, power));
        hd_svg_line(d->out, at_x(d, 0), y, at_x(d, d->end), y, "stroke=\"#ddd\"");
        hd_svg_text(d->out, LEFT - 8, y + 4, "end", label);
    }
    for (unsigned i = 0; i <= 5; i++) {
        double x = at_x(d, d->end * i / 5), bottom = at_y(d, pow(10, d->low));
        snprintf(label, sizeof label, "%.3g", d->end * i / 5);
        hd_svg_line(d->out, x, bottom, x, d->top, "stroke=\"#ddd\"");
        hd_svg_text(d->out, x, bottom + 16, "middle", label);
    }
    hd_svg_text(d->out, LEFT - 8, d->top - 10, "end", d->what);
    hd_svg_text(d->out, WIDTH - RIGHT, d->top + PANEL - BOTTOM + 34, "end", "seconds");
}

static void draw_run(const panel *d, const hd_grown *g, const char *colour) {
    const hd_growth_point *last = &g->points.at[g->points.n - 1];
    hd_text_add(d->out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                colour);
    for (size_t i = 0; i < g->points.n; i++)
        hd_text_add(d->out, "%s%.1f,%.1f", i ? " " : "", at_x(d, g->points.at[i].seconds),
                    at_y(d, d->value(&g->points.at[i])));
    hd_text_add(d->out, "\"/>\n<g fill=\"%s\">", colour);
    hd_svg_text(d->out, at_x(d, last->seconds) + 6, at_y(d, d->value(last)) + 4, "start", g->name);
    hd_text_add(d->out, "</g>\n");
}

static void draw_panel(panel *d, const hd_grown *runs, size_t n) {
    find_limits(d, runs, n);
    draw_axes(d);
    for (size_t i = 0; i < n; i++)
        if (runs[i].points.n)
            draw_run(d, &runs[i], hd_svg_colour((uint32_t)i));
}

void hd_grown_draw(const hd_grown *runs, size_t n, const char *title, hd_text *out) {
    panel states = {.out = out, .what = "states", .value = states_of, .top = TOP};
    panel memory = {.out = out, .what = "MB", .value = megabytes_of, .top = TOP + PANEL + 20};
    hd_svg_begin(out, WIDTH, TOP + 2 * PANEL + 40);
    hd_svg_text(out, WIDTH / 2.0, 24, "middle", title);
    draw_panel(&states, runs, n);
    draw_panel(&memory, runs, n);
    hd_text_add(out, "</svg>\n");
}

/* Points of curves (curve.h). */
#include "simulate/curve.h"

#include "base/panic.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add_point(hd_curve *c, const hd_work_pieces *p, uint32_t workers, uint32_t parts,
                      double base, const hd_delays *d) {
    hd_point point = {.workers = workers, .parts = parts, .result = hd_simulate(p, workers, d)};
    point.speedup = point.result.seconds > 0 ? base / point.result.seconds : 1;
    point.efficiency = point.speedup / workers;
    hd_vec_push(&c->points, point);
}

double hd_curve_one_worker(const hd_work_pieces *p, const hd_delays *d) {
    double work = hd_work_pieces_work(p);
    return d->start + (d->base > 0 && d->base < work ? d->base : work);
}

void hd_curve_share(hd_curve *c, const hd_work_pieces *p, const hd_sizes *sizes,
                    const hd_delays *d) {
    for (size_t i = 0; i < sizes->n; i++)
        add_point(c, p, sizes->at[i], 0, hd_curve_one_worker(p, d), d);
}

void hd_curve_part(hd_curve *c, const hd_work_pieces *p, const hd_mets *mets, const hd_sizes *sizes,
                   uint32_t n_parts, const hd_delays *d) {
    hd_work_pieces parts = {0};
    for (size_t i = 0; i < sizes->n; i++) {
        hd_work_pieces_partition(p, n_parts ? n_parts : sizes->at[i], &parts);
        add_point(c, &parts, sizes->at[i], (uint32_t)parts.n, hd_curve_one_worker(p, d), d);
        if (mets->n)
            c->points.at[i].found = hd_simulate_finding(p, mets, sizes->at[i], d);
    }
    hd_vec_release(&parts);
}

void hd_curve_release(hd_curve *c) {
    hd_vec_release(&c->points);
}

/* ---- sizes ---- */

static bool add_size(hd_sizes *sizes, uint64_t n) {
    if (n < 1 || n > HD_MOST_SIMULATED || (sizes->n && n <= sizes->at[sizes->n - 1]))
        return false;
    hd_vec_push(sizes, (uint32_t)n);
    return true;
}

/* As the last two numbers did, by a factor or else by a step, up to before `end`. */
static bool go_on(hd_sizes *sizes, uint64_t end) {
    if (sizes->n < 2)
        return false;
    uint64_t a = sizes->at[sizes->n - 2], b = sizes->at[sizes->n - 1];
    bool is_factor = b % a == 0 && (sizes->n < 3 || b * sizes->at[sizes->n - 3] == a * a);
    for (uint64_t n = is_factor ? b / a * b : 2 * b - a; n < end;
         n = is_factor ? n * (b / a) : n + b - a)
        if (!add_size(sizes, n))
            return false;
    return true;
}

static bool take_number(const char **at, uint64_t *n) {
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *n = strtoull(*at, &end, 10);
    *at = end;
    return *n <= HD_MOST_SIMULATED;
}

/* "..." or the one character for it. */
static bool take_dots(const char **at) {
    static const char *const DOTS[] = {"...,", "\u2026,"};
    for (size_t i = 0; i < 2; i++)
        if (strncmp(*at, DOTS[i], strlen(DOTS[i])) == 0) {
            *at += strlen(DOTS[i]);
            return true;
        }
    return false;
}

bool hd_sizes_parse(hd_sizes *sizes, const char *text) {
    hd_vec_clear(sizes);
    for (const char *at = text; true; at++) {
        bool has_dots = take_dots(&at);
        uint64_t n;
        if (!take_number(&at, &n) || (has_dots && !go_on(sizes, n)) || !add_size(sizes, n))
            return false;
        if (*at != ',')
            return *at == '\0';
    }
}

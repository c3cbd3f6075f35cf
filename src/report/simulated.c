/* Tables of simulated fleets (simulated.h). */
#include "report/simulated.h"
#include "base/shown.h"
#include "report/json_values.h"

#include <inttypes.h>

/* ---- for people ---- */

static uint32_t chain_length(const hd_simulation *s) {
    uint32_t n = 0;
    for (uint32_t i = s->last; i != HD_NO_PIECE; i = s->measured->pieces.at[i].parent)
        n++;
    return n;
}

static void show_base(FILE *out, const hd_measured *m, double work) {
    double base = m->delays.base;
    hd_print(out, "base        %.3g s by one worker%s: units take ", base,
             m->is_base_whole ? "" : ", of another number of executions");
    if (work < base)
        hd_print(out, "%.3g %% less, and one worker is taken to be as fast\n",
                 100 * (1 - work / base));
    else
        hd_print(out, "%.3g %% more, %.3g ms each\n", 100 * (work / base - 1),
                 1000 * m->delays.cut);
}

static void show_work(FILE *out, const hd_simulation *s) {
    const hd_measured *m = s->measured;
    double work = hd_work_pieces_work(&m->pieces);
    uint32_t n = chain_length(s);
    hd_print(out, "measured    %zu unit%s with %" PRIu64 " executions, %.3g s of processor time",
             m->pieces.n, m->pieces.n == 1 ? "" : "s", m->executions, work);
    hd_print(out, "; %" PRIu64 " repeated to rebuild (%.2g %%)\n", m->repeated,
             m->executions ? 100.0 * (double)m->repeated / (double)m->executions : 0);
    if (m->lost > 0)
        hd_print(out, "lost        %.3g s, not counted\n", m->lost);
    hd_print(out, "delays      %.3g ms to start a worker, %.3g ms to hand a unit over\n",
             1000 * m->delays.start, 1000 * m->delays.hand_over);
    if (m->delays.base > 0)
        show_base(out, m, work);
    hd_print(out,
             "critical    %.3g s through %" PRIu32 " unit%s, %.3g s of it hand-overs; the last is "
             "%" PRIu64 ": unlimited workers are %.3g times as fast\n",
             s->critical_path, n, n == 1 ? "" : "s", (n - 1) * m->delays.hand_over,
             m->numbers.at[s->last],
             s->critical_path > 0 ? hd_curve_one_worker(&m->pieces, &m->delays) / s->critical_path
                                  : 1);
    if (m->n_left)
        hd_print(out, "not done    %" PRIu64 " unit%s: what is missing of %s is not simulated\n",
                 m->n_left, m->n_left == 1 ? "" : "s", m->n_left == 1 ? "it" : "them");
}

static double percent(double idle, const hd_point *p) {
    double all = p->result.seconds * p->workers;
    return all > 0 ? 100 * idle / all : 0;
}

static void show_point(FILE *out, const hd_point *share, const hd_point *part) {
    const hd_idle *idle = &share->result.idle;
    hd_print(out, "%8" PRIu32 " %11.4g %9.2f %8.1f %%   %5.1f %5.1f %5.1f", share->workers,
             share->result.seconds, share->speedup, 100 * share->efficiency,
             percent(idle->start, share), percent(idle->middle, share), percent(idle->end, share));
    hd_print(out, " %8" PRIu32 " %11.4g %9.2f %8.1f %%", part->parts, part->result.seconds,
             part->speedup, 100 * part->efficiency);
    if (part->found > 0)
        hd_print(out, " %9.4g", part->found);
    fputc('\n', out);
}

void hd_simulation_show(FILE *out, const hd_simulation *s) {
    show_work(out, s);
    hd_print(out, "\n%8s %42s %42s\n", "", "sharing: no work at the   ", "parts that never talk");
    hd_print(out, "%8s %11s %9s %10s   %5s %5s %5s %8s %11s %9s %10s%s\n", "workers", "seconds",
             "speedup", "efficiency", "start", "mid", "end", "parts", "seconds", "speedup",
             "efficiency", s->measured->mets.n ? "   all met" : "");
    for (size_t i = 0; i < s->share.points.n; i++)
        show_point(out, &s->share.points.at[i], &s->part.points.at[i]);
}

/* ---- for scripts ---- */

static json_t *point_object(const hd_point *p) {
    json_t *o = json_object(), *idle = json_object();
    hd_json_put(o, "workers", hd_json_integer(p->workers));
    if (p->parts)
        hd_json_put(o, "parts", hd_json_integer(p->parts));
    hd_json_put(o, "seconds", json_real(p->result.seconds));
    hd_json_put(o, "speedup", json_real(p->speedup));
    hd_json_put(o, "efficiency", json_real(p->efficiency));
    if (p->found > 0)
        hd_json_put(o, "found", json_real(p->found));
    hd_json_put(idle, "start", json_real(p->result.idle.start));
    hd_json_put(idle, "middle", json_real(p->result.idle.middle));
    hd_json_put(idle, "end", json_real(p->result.idle.end));
    hd_json_put(o, "idle", idle);
    return o;
}

static json_t *curve_array(const hd_curve *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->points.n; i++)
        json_array_append_new(list, point_object(&c->points.at[i]));
    return list;
}

static json_t *path_object(const hd_simulation *s) {
    json_t *o = json_object(), *units = json_array();
    for (uint32_t i = s->last; i != HD_NO_PIECE; i = s->measured->pieces.at[i].parent)
        json_array_insert_new(units, 0, hd_json_integer(s->measured->numbers.at[i]));
    hd_json_put(o, "seconds", json_real(s->critical_path));
    hd_json_put(o, "units", units);
    return o;
}

void hd_json_simulation(FILE *out, const hd_simulation *s) {
    const hd_measured *m = s->measured;
    json_t *o = json_object();
    hd_json_put(o, "directory", json_string(s->directory));
    hd_json_put(o, "units", hd_json_integer(m->pieces.n));
    hd_json_put(o, "units_left", hd_json_integer(m->n_left));
    hd_json_put(o, "executions", hd_json_integer(m->executions));
    hd_json_put(o, "repeated", hd_json_integer(m->repeated));
    hd_json_put(o, "work", json_real(hd_work_pieces_work(&m->pieces)));
    hd_json_put(o, "lost", json_real(m->lost));
    hd_json_put(o, "start", json_real(m->delays.start));
    hd_json_put(o, "hand_over", json_real(m->delays.hand_over));
    hd_json_put(o, "base", m->delays.base > 0 ? json_real(m->delays.base) : json_null());
    hd_json_put(o, "critical_path", path_object(s));
    hd_json_put(o, "sharing", curve_array(&s->share));
    hd_json_put(o, "parts", curve_array(&s->part));
    hd_json_print(out, o);
}

/* ---- runs with different seeds ---- */

static double speedup_of(const hd_resampled *r, size_t i) {
    double one = r->found.at[0].seconds, now = r->found.at[i].seconds;
    return now > 0 ? one / now : 1;
}

void hd_resampled_show(FILE *out, const hd_resampled *r) {
    const hd_obligations *o = r->obligations;
    hd_print(out,
             "runs        %" PRIu32 ", which came to %" PRIu64 " ways of branches and %" PRIu64
             " finding%s\n\n",
             r->n_runs, o->n_ways, o->n_findings, o->n_findings == 1 ? "" : "s");
    hd_print(out, "%8s %15s %9s %8s %8s\n", "runs", "seconds to all", "speedup", "draws", "missed");
    for (size_t i = 0; i < r->found.n; i++) {
        const hd_found_all *f = &r->found.at[i];
        hd_print(out, "%8" PRIu32, r->sizes->at[i]);
        if (f->n_draws > f->n_missed)
            hd_print(out, " %15.4g %9.2f", f->seconds, speedup_of(r, i));
        else
            hd_print(out, " %15s %9s", "-", "-");
        hd_print(out, " %8" PRIu64 " %8" PRIu64 "\n", f->n_draws, f->n_missed);
    }
}

void hd_json_resampled(FILE *out, const hd_resampled *r) {
    json_t *o = json_object(), *list = json_array();
    hd_json_put(o, "runs", hd_json_integer(r->n_runs));
    hd_json_put(o, "ways", hd_json_integer(r->obligations->n_ways));
    hd_json_put(o, "findings", hd_json_integer(r->obligations->n_findings));
    for (size_t i = 0; i < r->found.n; i++) {
        const hd_found_all *f = &r->found.at[i];
        json_t *point = json_object();
        hd_json_put(point, "runs", hd_json_integer(r->sizes->at[i]));
        hd_json_put(point, "seconds", f->n_draws > f->n_missed ? json_real(f->seconds) : json_null());
        hd_json_put(point, "draws", hd_json_integer(f->n_draws));
        hd_json_put(point, "missed", hd_json_integer(f->n_missed));
        hd_json_put(point, "all_draws", json_boolean(f->are_all));
        json_array_append_new(list, point);
    }
    hd_json_put(o, "time_to_find", list);
    hd_json_print(out, o);
}

/* The graph of a test's inputs.  A pointer's value is 1 + the index of the pointer that made the
 * object (record.h); an object is as deep as the shortest chain of pointers to it. */
#include "report/page_graph.h"

#include "base/vec.h"
#include "report/json_values.h"
#include "report/report.h"

#include <string.h>

#define NO_BOX UINT32_MAX

typedef struct graph_maker {
    const hd_test *t;
    hd_vec(uint32_t) box;   /* by input: the box of the object that it made, or NO_BOX */
    hd_vec(uint32_t) maker; /* by box: the input that made it; of box 0 nobody */
    hd_vec(uint32_t) depth; /* by box */
} graph_maker;

static bool makes_object(const hd_test *t, uint32_t i) {
    return t->inputs[i].kind == HD_VAR_POINTER && t->inputs[i].value == (uint64_t)i + 1;
}

static uint32_t box_of_cell(const graph_maker *g, uint32_t i) {
    const hd_stored_input *in = &g->t->inputs[i];
    return in->is_root ? 0 : in->owner < g->t->n_inputs ? g->box.at[in->owner] : NO_BOX;
}

static uint32_t target_of(const graph_maker *g, uint32_t i) {
    const hd_stored_input *in = &g->t->inputs[i];
    bool points = in->kind == HD_VAR_POINTER && in->value && in->value <= g->t->n_inputs;
    return points ? g->box.at[in->value - 1] : NO_BOX;
}

static void list_boxes(graph_maker *g) {
    hd_vec_push(&g->maker, NO_BOX);
    hd_vec_push(&g->depth, 0);
    for (uint32_t i = 0; i < g->t->n_inputs; i++) {
        hd_vec_push(&g->box, makes_object(g->t, i) ? (uint32_t)g->maker.n : NO_BOX);
        if (makes_object(g->t, i)) {
            hd_vec_push(&g->maker, i);
            hd_vec_push(&g->depth, NO_BOX);
        }
    }
}

/* Every pointer makes its target at most one deeper; until nothing changes. */
static void find_depths(graph_maker *g) {
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (uint32_t i = 0; i < g->t->n_inputs; i++) {
            uint32_t from = box_of_cell(g, i), to = target_of(g, i);
            if (from == NO_BOX || to == NO_BOX || g->depth.at[from] == NO_BOX ||
                g->depth.at[to] <= g->depth.at[from] + 1)
                continue;
            g->depth.at[to] = g->depth.at[from] + 1;
            is_changed = true;
        }
    }
}

static json_t *shown(const char *text) {
    return hd_json_shown(text ? text : "", text ? strlen(text) : 0);
}

static json_t *cell_json(const graph_maker *g, uint32_t i) {
    hd_text value = {0};
    uint32_t target = target_of(g, i);
    hd_input_print(g->t, i, &value);
    json_t *cell = json_pack("[o, o, i]", shown(g->t->inputs[i].name),
                             shown(hd_text_string(&value)), target == NO_BOX ? -1 : (int)target);
    hd_text_release(&value);
    return cell;
}

static json_t *box_json(const graph_maker *g, uint32_t box, json_t *cells) {
    const char *name = box ? g->t->inputs[g->maker.at[box]].name : NULL;
    char *title = hd_text_format(name ? "object of %s" : "inputs", name);
    json_t *made = json_pack("[o, i, o]", shown(title),
                             g->depth.at[box] == NO_BOX ? 1 : (int)g->depth.at[box], cells);
    free(title);
    return made;
}

static json_t *graph_json(const graph_maker *g) {
    json_t *boxes = json_array();
    uint32_t n_cells = 0, n_all = 0;
    for (uint32_t box = 0; box < g->maker.n; box++) {
        json_t *cells = json_array();
        for (uint32_t i = 0; i < g->t->n_inputs; i++) {
            if (box_of_cell(g, i) != box || hd_fault_is_name(g->t->inputs[i].name))
                continue;
            n_all++;
            if (n_cells < HD_GRAPH_CELLS) {
                json_array_append_new(cells, cell_json(g, i));
                n_cells++;
            }
        }
        json_array_append_new(boxes, box_json(g, box, cells));
    }
    return json_pack("{s:o, s:i}", "boxes", boxes, "left_out", (int)(n_all - n_cells));
}

json_t *hd_page_graph_json(const hd_test *t) {
    graph_maker g = {.t = t};
    list_boxes(&g);
    find_depths(&g);
    json_t *made = g.maker.n > 1 && g.maker.n <= HD_GRAPH_CELLS ? graph_json(&g) : json_null();
    hd_vec_release(&g.box);
    hd_vec_release(&g.maker);
    hd_vec_release(&g.depth);
    return made;
}

/* Branches are those that llvm-cov counts: not the ones that the compiler knows the way of. */
#include "cover/goals.h"

#include "base/panic.h"
#include "base/text.h"

#include <string.h>

static const struct {
    const char *one, *many;
} WORDS[] = {
#define X(name, one, many) {one, many},
    HD_GOAL_KINDS(X)
#undef X
};

const char *hd_goal_word(hd_goal_kind kind) {
    return WORDS[kind].one;
}

const char *hd_goal_words(hd_goal_kind kind) {
    return WORDS[kind].many;
}

/* ---- making them ---- */

typedef struct obligation_maker {
    hd_goals *o;
    const hd_mapped *mapped;
    const hd_mapped_function *f;
    const char *name;
    uint32_t n_elements; /* so far */
} obligation_maker;

static void add_pair(hd_goals *o, uint32_t first, uint32_t second) {
    hd_vec_push(&o->pairs, ((hd_element_pair){first, second}));
}

static hd_goal *add_obligation(hd_goals *o, hd_goal_kind kind) {
    hd_goal made = {.kind = kind, .first_pair = (uint32_t)o->pairs.n};
    hd_vec_push(&o->all, made);
    return &o->all.at[o->all.n - 1];
}

static void end_obligation(hd_goals *o) {
    hd_goal *last = &o->all.at[o->all.n - 1];
    last->n_pairs = (uint32_t)o->pairs.n - last->first_pair;
}

static void add_region(obligation_maker *m, const hd_mapped_region *r) {
    hd_goal *made = add_obligation(m->o, HD_GOAL_REGION);
    made->at = r->at;
    made->function = m->name;
    add_pair(m->o, m->n_elements, m->n_elements);
    m->n_elements++;
    end_obligation(m->o);
}

static bool is_folded(const hd_mapped_branch *b) {
    return b->taken[0].kind == HD_TALLY_ZERO && b->taken[1].kind == HD_TALLY_ZERO;
}

static void add_branch(obligation_maker *m, const hd_mapped_branch *b) {
    for (int side = 1; side >= 0 && !is_folded(b); side--) {
        hd_goal *made = add_obligation(m->o, HD_GOAL_BRANCH);
        made->at = b->at;
        made->function = m->name;
        made->side = side;
        add_pair(m->o, m->n_elements, m->n_elements);
        m->n_elements++;
        end_obligation(m->o);
    }
}

static bool is_inside(const hd_span *a, const hd_span *b) {
    bool begins = a->line > b->line || (a->line == b->line && a->column >= b->column);
    bool ends =
        a->end_line < b->end_line || (a->end_line == b->end_line && a->end_column <= b->end_column);
    return begins && ends;
}

/* The conditions of a decision by number; false if they are not all there. */
static bool find_conditions(const hd_mapped_function *f, const hd_mapped_decision *d,
                            const hd_mapped_branch *found[HD_MOST_CONDITIONS]) {
    uint32_t n = 0;
    if (d->n_conditions > HD_MOST_CONDITIONS)
        return false;
    memset(found, 0, HD_MOST_CONDITIONS * sizeof *found);
    for (size_t i = 0; i < f->branches.n; i++) {
        const hd_mapped_branch *b = &f->branches.at[i];
        if (b->condition < 0 || b->condition >= (int32_t)d->n_conditions || found[b->condition] ||
            b->record_file != d->record_file || !is_inside(&b->at, &d->at))
            continue;
        found[b->condition] = b;
        n++;
    }
    return n == d->n_conditions;
}

static void add_pairs(hd_goals *o, const hd_vectors *v, uint32_t first, int condition) {
    for (uint32_t i = 0; i < v->n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (hd_vectors_pair(&v->at[i], &v->at[j]) == condition) {
                HD_INVARIANT(G2, v->at[i].result != v->at[j].result);
                add_pair(o, first + j, first + i);
            }
}

static bool is_constant(const hd_mapped_branch *b) {
    return b->taken[0].kind == HD_TALLY_ZERO || b->taken[1].kind == HD_TALLY_ZERO;
}

/* Which condition of the decision it is, as people read it. */
static uint32_t place_of(const hd_mapped_branch *const *conditions, uint32_t n, uint32_t which) {
    uint32_t before = 0;
    const hd_span *at = &conditions[which]->at;
    for (uint32_t i = 0; i < n; i++) {
        const hd_span *other = &conditions[i]->at;
        before += other->line < at->line || (other->line == at->line && other->column < at->column);
    }
    return before + 1;
}

static void add_conditions(obligation_maker *m, const hd_mapped_decision *d, const hd_vectors *v,
                           const hd_mapped_branch *const *conditions, uint32_t first) {
    for (uint32_t i = 0; i < d->n_conditions; i++) {
        if (is_constant(conditions[i]))
            continue;
        hd_goal *made = add_obligation(m->o, HD_GOAL_CONDITION);
        made->at = conditions[i]->at;
        made->decision = d->at;
        made->function = m->name;
        made->number = place_of(conditions, d->n_conditions, i);
        if (m->f->words)
            add_pairs(m->o, v, first, (int)i);
        end_obligation(m->o);
    }
}

bool hd_decision_read(const hd_goals *o, const hd_mapped_function *f, const hd_mapped_decision *d,
                      const hd_mapped_branch *conditions[HD_MOST_CONDITIONS], hd_vectors *v,
                      uint32_t *first) {
    hd_decision_graph g = {.n = d->n_conditions};
    if (!find_conditions(f, d, conditions))
        return false;
    for (uint32_t i = 0; i < g.n; i++)
        memcpy(g.next[i], conditions[i]->next, sizeof g.next[i]);
    if (!hd_vectors_make(&g, v) || v->n > d->end_vector)
        return false;
    *first = o->first_vector + (uint32_t)f->first_vector + d->end_vector - (uint32_t)v->n;
    return true;
}

static void add_decision(obligation_maker *m, const hd_mapped_decision *d) {
    const hd_mapped_branch *conditions[HD_MOST_CONDITIONS];
    hd_vectors v = {0};
    uint32_t first;
    if (hd_decision_read(m->o, m->f, d, conditions, &v, &first))
        add_conditions(m, d, &v, conditions, first);
    hd_vec_release(&v);
}

/* "a.c:f" is f to people. */
static char *plain_name(const hd_mapped_function *f) {
    const char *colon = f->words ? strrchr(f->words, ':') : NULL;
    return hd_text_format("%s", colon ? colon + 1 : f->words ? f->words : "");
}

static void each_function(obligation_maker *m, void (*visit)(obligation_maker *)) {
    for (size_t i = 0; i < m->mapped->functions.n; i++) {
        m->f = &m->mapped->functions.at[i];
        m->name = m->o->names.at[i];
        visit(m);
    }
}

static void add_code(obligation_maker *m) {
    for (size_t i = 0; i < m->f->regions.n; i++)
        add_region(m, &m->f->regions.at[i]);
    for (size_t i = 0; i < m->f->branches.n; i++)
        add_branch(m, &m->f->branches.at[i]);
}

static void add_decisions(obligation_maker *m) {
    for (size_t i = 0; i < m->f->decisions.n; i++)
        add_decision(m, &m->f->decisions.at[i]);
}

static void add_words(hd_goals *o, hd_goal_kind kind, const char *words, uint32_t element) {
    add_obligation(o, kind)->words = words;
    add_pair(o, element, element);
    end_obligation(o);
}

void hd_goals_init(hd_goals *o, const hd_mapped *mapped, const char *const *findings, size_t n) {
    *o = (hd_goals){0};
    obligation_maker m = {.o = o, .mapped = mapped};
    for (size_t i = 0; i < mapped->functions.n; i++)
        hd_vec_push(&o->names, plain_name(&mapped->functions.at[i]));
    each_function(&m, add_code);
    o->first_vector = m.n_elements;
    o->first_label = o->first_vector + (uint32_t)mapped->n_vectors;
    o->first_finding = o->first_label + (uint32_t)mapped->labels.n;
    o->n_elements = o->first_finding + (uint32_t)n;
    each_function(&m, add_decisions);
    HD_INVARIANT(G1, m.n_elements == o->first_vector && o->n_elements >= o->first_finding);
    for (size_t i = 0; i < mapped->labels.n; i++)
        add_words(o, HD_GOAL_LABEL, mapped->labels.at[i], o->first_label + (uint32_t)i);
    for (size_t i = 0; i < n; i++) {
        hd_vec_push(&o->findings, hd_text_format("%s", findings[i]));
        add_words(o, HD_GOAL_FINDING, o->findings.at[i], o->first_finding + (uint32_t)i);
    }
}

void hd_goals_release(hd_goals *o) {
    for (size_t i = 0; i < o->findings.n; i++)
        free(o->findings.at[i]);
    for (size_t i = 0; i < o->names.n; i++)
        free(o->names.at[i]);
    hd_vec_release(&o->all);
    hd_vec_release(&o->pairs);
    hd_vec_release(&o->findings);
    hd_vec_release(&o->names);
}

/* ---- what is shown ---- */

static bool is_line(const char *lines, const char *word) {
    size_t n = strlen(word);
    for (const char *at = lines; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, word, n) == 0 && (at[n] == '\n' || !at[n]))
            return true;
    return false;
}

static uint32_t show_code(const hd_mapped_function *f, const uint64_t *counters, uint32_t element,
                          uint8_t *shown) {
    for (size_t i = 0; i < f->regions.n; i++)
        shown[element++] =
            f->words && (int64_t)hd_tally_value(f, f->regions.at[i].executed, counters) > 0;
    for (size_t i = 0; i < f->branches.n; i++) {
        const hd_mapped_branch *b = &f->branches.at[i];
        for (int side = 1; side >= 0 && !is_folded(b); side--)
            shown[element++] = f->words && (int64_t)hd_tally_value(f, b->taken[side], counters) > 0;
    }
    return element;
}

void hd_elements_show(const hd_goals *o, const hd_mapped *m, const uint64_t *counters,
                      const uint8_t *vectors, const char *labels, uint8_t *shown) {
    uint32_t element = 0;
    memset(shown, 0, o->n_elements);
    for (size_t i = 0; i < m->functions.n; i++)
        element = show_code(&m->functions.at[i], counters, element, shown);
    HD_INVARIANT(G1, element == o->first_vector);
    for (uint64_t i = 0; i < m->n_vectors; i++)
        shown[o->first_vector + i] = vectors[i] != 0;
    for (size_t i = 0; i < m->labels.n; i++)
        shown[o->first_label + i] = is_line(labels, m->labels.at[i]);
}

bool hd_goal_is_met(const hd_goals *o, const hd_goal *which, const uint8_t *shown) {
    for (uint32_t i = 0; i < which->n_pairs; i++) {
        hd_element_pair p = o->pairs.at[which->first_pair + i];
        if (shown[p.first] && shown[p.second])
            return true;
    }
    return false;
}

void hd_goals_count(const hd_goals *o, hd_goal_kind kind, const uint8_t *shown, uint32_t *n,
                    uint32_t *n_met) {
    *n = *n_met = 0;
    for (size_t i = 0; i < o->all.n; i++)
        if (o->all.at[i].kind == kind) {
            ++*n;
            *n_met += hd_goal_is_met(o, &o->all.at[i], shown);
        }
}

/* Faults: each entry of `faults:`, or of the option --fault, is one rule (machine/fault.h). */
#include "scenario/scenario_int.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* A number from 1, or 'any'. */
static bool read_count(hd_reader *r, yaml_node_t *value, void *field) {
    hd_fault_count *c = field;
    hd_piece word = {0};
    c->at = hd_text_place_of(value);
    c->is_given = true;
    if (value->type == YAML_SCALAR_NODE &&
        strcmp((const char *)value->data.scalar.value, "any") == 0) {
        c->n = HD_NO_BUDGET;
        return true;
    }
    uint64_t n = 0;
    if (!hd_read_number(r, value, &n)) {
        hd_piece_release(&word);
        return hd_err_hint(r->err, "write how many there may be, or 'any'");
    }
    c->n = n < HD_NO_BUDGET ? (uint32_t)n : HD_NO_BUDGET;
    return true;
}

static const struct unit {
    const char *word;
    double nanoseconds;
} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};

/* The time that the text says; negative if it says none. */
static double time_of(const char *text) {
    char *end;
    double n = strtod(text, &end);
    end += strspn(end, " ");
    for (size_t i = 0; end != text && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].word) == 0)
            return n * units[i].nanoseconds;
    return NAN;
}

bool hd_read_time(hd_reader *r, yaml_node_t *value, void *field) {
    hd_fault_time *t = field;
    hd_piece word = {0};
    if (!hd_read_text(r, value, &word))
        return false;
    double n = time_of(word.text);
    t->at = word.at;
    t->is_given = true;
    bool ok = n >= 0 && n < 1e18;
    if (!ok) {
        if (n < 0)
            hd_reader_fail(r, word.at, "'%.60s' is a negative time", word.text);
        else
            hd_reader_fail(r, word.at, "expected a time, found '%.60s'", word.text);
        hd_err_hint(r->err, "write a number with its unit: '2 s', '500 ms', '1 m'");
    } else {
        t->nanoseconds = (uint64_t)n;
    }
    hd_piece_release(&word);
    return ok;
}

static bool read_word_of(hd_reader *r, yaml_node_t *value, const char *const *words, int *index,
                         const char *hint) {
    hd_piece word = {0};
    if (!hd_read_text(r, value, &word))
        return false;
    for (*index = 0; words[*index] && strcmp(words[*index], word.text) != 0;)
        ++*index;
    bool is_known = words[*index] != NULL;
    if (!is_known) {
        hd_reader_fail(r, word.at, "expected '%s' or '%s', found '%.60s'", words[0], words[1],
                       word.text);
        hd_err_hint(r->err, "%s", hint);
    }
    hd_piece_release(&word);
    return is_known;
}

static bool read_per(hd_reader *r, yaml_node_t *value, void *field) {
    static const char *const words[] = {"node", "link", NULL};
    hd_fault_entry *e = field;
    int index;
    e->per_at = hd_text_place_of(value);
    if (!read_word_of(r, value, words, &index,
                      "node: so many for each node; link: for each pair of nodes, one way"))
        return false;
    e->per = index == 0 ? HD_PER_NODE : HD_PER_LINK;
    return true;
}

#define AT(field) offsetof(hd_fault_entry, field)
static const hd_key keys[] = {
#define X(name, word, ...) {word, AT(count[HD_FAULT_##name]), read_count},
    HD_FAULTS(X)
#undef X
        {"from", AT(from), hd_read_words},
    {"to", AT(to), hd_read_words},
    {"between", AT(between), hd_read_words},
    {"nodes", AT(nodes), hd_read_words},
    {"per", 0, read_per},
    {"total", AT(total), read_count},
    {"nth", AT(nth), read_count},
    {"received", AT(received), read_count},
    {"after", AT(after), hd_read_time},
    {"before", AT(before), hd_read_time},
    {"time", AT(time), hd_read_time},
    {"window", AT(window), read_count},
    {0},
};

/* ---- an entry by itself ---- */

static bool find_kind(hd_reader *r, hd_fault_entry *e) {
    unsigned n = 0;
    for (unsigned k = 0; k < HD_N_FAULTS; k++)
        if (e->count[k].is_given) {
            e->kind = (hd_fault_kind)k;
            n++;
        }
    if (n == 1)
        return true;
    hd_reader_fail(r, e->at, n ? "one entry with two faults" : "an entry without a fault");
    return n ? hd_err_hint(r->err, "write an entry for each of them")
             : hd_err_hint(r->err, "write 'drop: 1' for a datagram that may be lost; "
                                   "'heddle help faults' lists the others");
}

static bool refuse_key(hd_reader *r, const hd_fault_entry *e, const char *key, const char *hint) {
    hd_reader_fail(r, e->at, "'%s' has no '%s'", hd_fault_word(e->kind), key);
    return hd_err_hint(r->err, "%s", hint);
}

static bool check_places(hd_reader *r, const hd_fault_entry *e) {
    bool is_of_nodes = hd_fault_subject_of(e->kind) == HD_FAULT_OF_NODES;
    if (is_of_nodes && (e->from.n || e->to.n || e->between.n))
        return refuse_key(r, e,
                          e->from.n ? "from"
                          : e->to.n ? "to"
                                    : "between",
                          "it is about nodes: write 'nodes: a'");
    if (!is_of_nodes && e->nodes.n)
        return refuse_key(r, e, "nodes", "it is about messages: write 'from', 'to' or 'between'");
    if (e->between.n && (e->from.n || e->to.n)) {
        hd_reader_fail(r, e->at, "a fault has either 'between', or 'from' and 'to'");
        return hd_err_hint(r->err, "'between' is both ways, 'from' and 'to' one way");
    }
    if (e->between.n == 1) {
        hd_reader_fail(r, e->between.at[0].at, "expected two nodes or more, found one");
        return hd_err_hint(r->err, "write 'between: [a, b]'");
    }
    if (is_of_nodes && e->per == HD_PER_LINK) {
        hd_reader_fail(r, e->per_at, "'%s' has no budget for a link", hd_fault_word(e->kind));
        return hd_err_hint(r->err, "write 'per: node', or leave it out");
    }
    return true;
}

static bool check_numbers(hd_reader *r, const hd_fault_entry *e) {
    if (!e->received.is_given)
        return true;
    if (hd_fault_subject_of(e->kind) != HD_FAULT_OF_DATAGRAMS)
        return refuse_key(r, e, "received", "it counts the datagrams that a node gets");
    if (!e->nth.is_given)
        return true;
    hd_reader_fail(r, e->received.at, "a fault has either 'nth' or 'received'");
    return hd_err_hint(r->err, "'nth' counts what one node sends to another, 'received' all that a "
                               "node gets");
}

static bool check_times(hd_reader *r, const hd_fault_entry *e) {
    bool has_time = e->kind == HD_FAULT_DELAY || e->kind == HD_FAULT_PARTITION;
    if (e->window.is_given && e->kind != HD_FAULT_REORDER)
        return refuse_key(r, e, "window", "it is for 'reorder': how many may overtake");
    if (e->time.is_given && !has_time)
        return refuse_key(r, e, "time",
                          "it is for 'delay' and 'partition'; 'after' and 'before' "
                          "say when something may happen");
    if ((e->kind == HD_FAULT_DELAY && !e->time.is_given) ||
        (e->time.is_given && !e->time.nanoseconds)) {
        hd_reader_fail(r, e->at, "'%s' needs a time of more than 0", hd_fault_word(e->kind));
        return hd_err_hint(r->err, "add 'time: 2 s'");
    }
    if (!e->after.is_given || !e->before.is_given || e->after.nanoseconds < e->before.nanoseconds)
        return true;
    hd_reader_fail(r, e->before.at,
                   "a budget that can never be used: no time is after 'after' and "
                   "before 'before'");
    return hd_err_hint(r->err, "'after' must be less than 'before'");
}

static bool read_entry(hd_reader *r, yaml_node_t *value, void *unused) {
    (void)unused;
    hd_fault_entry e = {.at = hd_text_place_of(value), .source = r->source};
    bool ok = hd_read_mapping(r, value, "a fault", keys, &e) && find_kind(r, &e) &&
              check_places(r, &e) && check_numbers(r, &e) && check_times(r, &e);
    hd_vec_push(&r->faults, e); /* released with the reader, whole or not */
    return ok;
}

bool hd_read_faults(hd_reader *r, yaml_node_t *value, void *unused) {
    return hd_read_list(r, value, "a list of faults, each beginning with '- '", read_entry, unused);
}

void hd_fault_entry_release(hd_fault_entry *e) {
    hd_pieces_release(&e->from);
    hd_pieces_release(&e->to);
    hd_pieces_release(&e->between);
    hd_pieces_release(&e->nodes);
}

/* ---- with the nodes that there are ---- */

/* Pairs of nodes that the rule is about. */
static uint64_t count_links(const hd_fault *f) {
    uint64_t n = (uint64_t)hd_set_count(f->from) * hd_set_count(f->to);
    uint32_t from;
    HD_SET_EACH(from, f->from)
    n -= !f->has_own && hd_set_has(f->to, from);
    return n;
}

/* So many faults of the rule there can be at most; UINT64_MAX if nobody knows. */
static uint64_t most_chances(const hd_fault *f) {
    uint64_t n_from = hd_set_count(f->from);
    if (f->kind == HD_FAULT_CRASH)
        return n_from;
    if (f->received)
        return hd_set_count(f->to);
    return f->nth ? (hd_fault_is_of_nodes(f) ? n_from : count_links(f)) : UINT64_MAX;
}

static bool too_much(hd_reader *r, const hd_fault_entry *e, hd_text_place at, uint64_t asked,
                     uint64_t most) {
    hd_reader_fail(r, at, "a budget of %" PRIu64 " can never be used up", asked);
    if (e->kind == HD_FAULT_CRASH)
        return hd_err_hint(r->err, "a node crashes once, and this is about %" PRIu64 " of them",
                           most);
    return hd_err_hint(r->err, "there are at most %" PRIu64 " of these messages", most);
}

static bool check_budget(hd_reader *r, const hd_fault_entry *e, const hd_fault *f) {
    const hd_fault_count *c = &e->count[e->kind];
    uint64_t most = most_chances(f);
    uint64_t each = e->per == HD_PER_TOTAL ? most : most == UINT64_MAX ? most : 1;
    if (e->per == HD_PER_NODE && f->nth && !hd_fault_is_of_nodes(f))
        each = hd_set_count(f->from);
    if (c->n != HD_NO_BUDGET && c->n > each)
        return too_much(r, e, c->at, c->n, each);
    if (e->total.is_given && e->total.n != HD_NO_BUDGET && e->total.n > most)
        return too_much(r, e, e->total.at, e->total.n, most);
    if (e->total.is_given && e->per == HD_PER_TOTAL) {
        hd_reader_fail(r, e->total.at, "'total' without 'per'");
        return hd_err_hint(r->err, "'%s: %u' is the total already", hd_fault_word(e->kind), c->n);
    }
    return true;
}

/* Where datagrams overtake each other anyway, nothing more can. */
static bool check_order(hd_reader *r, const hd_fault_entry *e, const hd_fault *f) {
    const hd_scenario *s = r->scenario;
    uint32_t from, to;
    if (e->kind != HD_FAULT_REORDER)
        return true;
    HD_SET_EACH(from, f->from)
    HD_SET_EACH(to, f->to)
    if (hd_fault_concerns(f, from, to) &&
        hd_link_between(s->links.at, (uint32_t)s->links.n, from, to).is_fifo)
        return true;
    hd_reader_fail(r, e->count[e->kind].at, "a budget of 'reorder' that can never be used");
    return hd_err_hint(r->err, "no link of it keeps the order: add 'fifo: true' to 'links'");
}

/* Nothing happens to what goes nowhere. */
static bool check_reach(hd_reader *r, const hd_fault_entry *e, const hd_fault *f) {
    const hd_scenario *s = r->scenario;
    uint32_t from, to;
    if (hd_fault_is_of_nodes(f))
        return true;
    HD_SET_EACH(from, f->from)
    HD_SET_EACH(to, f->to)
    if (hd_fault_concerns(f, from, to) &&
        !hd_link_between(s->links.at, (uint32_t)s->links.n, from, to).is_cut)
        return true;
    hd_reader_fail(r, e->count[e->kind].at, "a budget of '%s' that can never be used",
                   hd_fault_word(e->kind));
    return hd_err_hint(r->err, "no two nodes of it reach each other: 'heddle check' lists links");
}

/* Which one; 0: any. */
static uint32_t number_of(const hd_fault_count *c) {
    return c->is_given && c->n != HD_NO_BUDGET ? c->n : 0;
}

static bool resolve(hd_reader *r, const hd_fault_entry *e) {
    bool is_of_nodes = hd_fault_subject_of(e->kind) == HD_FAULT_OF_NODES;
    uint32_t n = e->count[e->kind].n;
    hd_fault f = {.kind = e->kind,
                  .total = e->per == HD_PER_TOTAL ? n : HD_NO_BUDGET,
                  .per_node = e->per == HD_PER_NODE ? n : HD_NO_BUDGET,
                  .per_link = e->per == HD_PER_LINK ? n : HD_NO_BUDGET,
                  .nth = number_of(&e->nth),
                  .received = number_of(&e->received),
                  .begins = e->after.nanoseconds,
                  .ends = e->before.is_given ? e->before.nanoseconds : UINT64_MAX,
                  .duration = e->time.nanoseconds,
                  .window = e->window.is_given ? e->window.n : HD_NO_BUDGET,
                  .has_own = e->from.n && e->to.n,
                  .keeps_files = e->kind == HD_FAULT_REBOOT};
    if (e->total.is_given)
        f.total = e->total.n;
    const hd_pieces *from = is_of_nodes ? &e->nodes : e->between.n ? &e->between : &e->from;
    if (!hd_nodes_listed(r, from, &f.from) ||
        !hd_nodes_listed(r, e->between.n ? &e->between : &e->to, &f.to) ||
        !check_budget(r, e, &f) || !check_order(r, e, &f) || !check_reach(r, e, &f))
        return false;
    hd_vec_push(&r->scenario->faults, f);
    return true;
}

bool hd_faults_resolve(hd_reader *r) {
    bool ok = true;
    for (size_t i = 0; ok && i < r->faults.n; i++) {
        r->source = r->faults.at[i].source;
        ok = resolve(r, &r->faults.at[i]);
    }
    r->source = NULL;
    return ok;
}

/* ---- in words ---- */

void hd_add_time(hd_text *out, uint64_t nanoseconds) {
    size_t i = sizeof units / sizeof *units - 1;
    while (i > 0 && (double)nanoseconds < units[i].nanoseconds)
        i--;
    hd_text_add(out, "%g %s", (double)nanoseconds / units[i].nanoseconds, units[i].word);
}

static void add_nodes(hd_text *out, const hd_scenario *s, hd_set nodes) {
    uint32_t node, n = 0;
    if (hd_set_count(nodes) == s->nodes.n) {
        hd_text_add(out, s->nodes.n == 1 ? "%s" : "any node", s->nodes.at[0].name);
        return;
    }
    HD_SET_EACH(node, nodes)
    hd_text_add(out, "%s%s", n++ ? ", " : "", s->nodes.at[node].name);
}

static void add_nth(hd_text *out, uint32_t nth) {
    static const char *const first[] = {"", "first", "second", "third"};
    if (nth < sizeof first / sizeof *first)
        hd_text_add(out, "%s", first[nth]);
    else
        hd_text_add(out, "%u%s", nth,
                    nth % 10 == 1 && nth % 100 != 11   ? "st"
                    : nth % 10 == 2 && nth % 100 != 12 ? "nd"
                    : nth % 10 == 3 && nth % 100 != 13 ? "rd"
                                                       : "th");
}

static const char *subject_words(const hd_fault *f, uint32_t n) {
    static const char *const words[][2] = {
        [HD_FAULT_OF_DATAGRAMS] = {"datagrams", "datagram"},
        [HD_FAULT_OF_CONNECTIONS] = {"sends", "send"},
        [HD_FAULT_OF_SENDS] = {"sends", "send"},
        [HD_FAULT_OF_NODES] = {"times", "time"},
    };
    return words[hd_fault_subject_of(f->kind)][n == 1];
}

static void add_budget(hd_text *out, const hd_fault *f) {
    bool is_of_nodes = hd_fault_is_of_nodes(f);
    uint32_t each = f->per_node != HD_NO_BUDGET   ? f->per_node
                    : f->per_link != HD_NO_BUDGET ? f->per_link
                                                  : f->total;
    const char *where = f->per_node != HD_NO_BUDGET ? (is_of_nodes ? " each" : " for each receiver")
                        : f->per_link != HD_NO_BUDGET ? " on each link"
                                                      : "";
    if (each == HD_NO_BUDGET)
        hd_text_add(out, "any number of %s", subject_words(f, 2));
    else
        hd_text_add(out, "up to %u %s%s", each, subject_words(f, each), where);
    if (*where && f->total != HD_NO_BUDGET)
        hd_text_add(out, ", %u in total", f->total);
}

static void add_when(hd_text *out, const hd_fault *f) {
    if (f->kind == HD_FAULT_REORDER && f->window != HD_NO_BUDGET)
        hd_text_add(out, " by up to %u that were sent later", f->window);
    if (f->duration) {
        hd_text_add(out, f->kind == HD_FAULT_DELAY ? " by " : " of ");
        hd_add_time(out, f->duration);
    }
    if (f->nth) {
        hd_text_add(out, ", only the ");
        add_nth(out, f->nth);
        hd_text_add(out, hd_fault_is_of_nodes(f) ? " chance" : " from one to the other");
    }
    if (f->received) {
        hd_text_add(out, ", only the ");
        add_nth(out, f->received);
        hd_text_add(out, " that its receiver gets");
    }
    if (f->begins) {
        hd_text_add(out, ", after ");
        hd_add_time(out, f->begins);
    }
    if (f->ends != UINT64_MAX) {
        hd_text_add(out, ", before ");
        hd_add_time(out, f->ends);
    }
}

void hd_fault_explain(const hd_scenario *s, const hd_fault *f, hd_text *out) {
    if (hd_fault_is_of_nodes(f)) {
        hd_text_add(out, "  %s: ", hd_fault_word(f->kind));
        add_nodes(out, s, f->from);
        hd_text_add(out, " may %s, ", hd_fault_words(f->kind));
        add_budget(out, f);
    } else {
        hd_text_add(out, "  %s: ", hd_fault_word(f->kind));
        add_budget(out, f);
        hd_text_add(out, " from ");
        add_nodes(out, s, f->from);
        hd_text_add(out, " to ");
        add_nodes(out, s, f->to);
        hd_text_add(out, " may %s", hd_fault_words(f->kind));
    }
    add_when(out, f);
    hd_text_add(out, "\n");
}

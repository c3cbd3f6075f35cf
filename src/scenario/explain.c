/* A scenario in words. */
#include "scenario/scenario_int.h"

#include <string.h>

/* A word as a shell would want it, so that one with blanks is seen to be one. */
static void add_word(hd_text *out, const char *word) {
    bool is_bare = *word && !strpbrk(word, " \t\n\"'\\$");
    hd_text_add(out, " ");
    if (!is_bare)
        hd_text_add(out, "'");
    for (; *word; word++)
        if (*word == '\n')
            hd_text_add(out, "\\n");
        else
            hd_text_add(out, "%c", *word);
    if (!is_bare)
        hd_text_add(out, "'");
}

static void add_words(hd_text *out, const hd_word_list *words) {
    for (size_t i = 0; i < words->n; i++)
        add_word(out, words->at[i]);
}

static void add_program(hd_text *out, const hd_scenario_program *p) {
    hd_text_add(out, "  %s:", p->name);
    add_words(out, &p->sources);
    if (p->flags.n) {
        hd_text_add(out, ", compiled with");
        add_words(out, &p->flags);
    }
    hd_text_add(out, "\n");
}

static int longest(const hd_scenario *s, bool is_address) {
    size_t most = 0;
    for (size_t i = 0; i < s->nodes.n; i++) {
        size_t n = strlen(is_address ? s->nodes.at[i].address : s->nodes.at[i].name);
        most = n > most ? n : most;
    }
    return (int)most;
}

static const char *const words_of_files[] = {
#define X(name, word, words) words,
    HD_NODE_FILES(X)
#undef X
};

static void add_node(hd_text *out, const hd_scenario *s, const hd_scenario_node *n) {
    hd_text_add(out, "  %-*s  %-*s  runs", longest(s, false), n->name, longest(s, true),
                n->address);
    add_word(out, s->programs.at[n->program].name);
    add_words(out, &n->arguments);
    if (n->environment.n) {
        hd_text_add(out, ", with");
        add_words(out, &n->environment);
    }
    if (n->input)
        hd_text_add(out, ", reads %zu bytes of standard input", strlen(n->input));
    for (size_t i = 0; i < s->nodes.n; i++)
        if (hd_set_has(n->after, (uint32_t)i))
            hd_text_add(out, ", after %s", s->nodes.at[i].name);
    if (n->files != HD_FILES_SHARED)
        hd_text_add(out, ", has %s", words_of_files[n->files]);
    if (n->root)
        hd_text_add(out, ", sees those of '%s' first", n->root);
    if (n->may_idle)
        hd_text_add(out, ", may wait for ever");
    hd_text_add(out, "\n");
}

static void add_segments(hd_text *out, const hd_link *l) {
    if (l->segments == 1)
        hd_text_add(out, "; what is sent in a row on a connection arrives as one");
    else if (l->segments)
        hd_text_add(out, "; what is sent in a row is cut at most %u time%s on each connection",
                    l->segments - 1, l->segments == 2 ? "" : "s");
}

static void add_link(hd_text *out, const hd_scenario *s, const hd_link *l) {
    if (l->from == HD_EVERY_NODE && l->is_cut && s->topology.is_given)
        hd_text_add(out, "  between nodes that reach each other");
    else if (l->from == HD_EVERY_NODE)
        hd_text_add(out, "  %s", s->links.n > 1 ? "between all others" : "between all nodes");
    else
        hd_text_add(out, "  from %s to %s", s->nodes.at[l->from].name, s->nodes.at[l->to].name);
    if (l->is_cut && !(s->topology.is_given && l == &s->links.at[0])) {
        hd_text_add(out, ": nothing gets through\n");
        return;
    }
    hd_text_add(out, ": datagrams %s, messages arrive %s",
                l->is_fifo ? "keep their order" : "may overtake each other",
                l->latency == HD_LATENCY_ANY ? "some time later" : "at once");
    if (l->delay)
        hd_text_add(out, " (%.9g s of virtual time)", (double)l->delay / 1e9);
    add_segments(out, l);
    hd_text_add(out, "\n");
}

static const char *const shape_names[] = {
#define X(constant, name, keys) #name,
    HD_TOPOLOGIES(X)
#undef X
};

#define MOST_LISTED 40 /* nodes whose neighbours are named */

static void add_neighbours(hd_text *out, const hd_scenario *s, uint32_t node) {
    hd_text_add(out, "  %-*s  reaches", longest(s, false), s->nodes.at[node].name);
    for (uint32_t i = 0; i < s->nodes.n; i++)
        if (i != node && !hd_link_between(s->links.at, (uint32_t)s->links.n, node, i).is_cut)
            hd_text_add(out, " %s", s->nodes.at[i].name);
    hd_text_add(out, "\n");
}

static void add_shape(hd_text *out, const hd_topology *t) {
    hd_text_add(out, "  %s of ", shape_names[t->shape]);
    if (t->shape == HD_TOPOLOGY_GRID || t->shape == HD_TOPOLOGY_TORUS)
        hd_text_add(out, "%u x %u nodes, %u neighbours", t->n_nodes / t->columns, t->columns,
                    t->range);
    else
        hd_text_add(out, "%u nodes", t->n_nodes);
    if (t->shape == HD_TOPOLOGY_TREE)
        hd_text_add(out, ", up to %u below each", t->children);
    if (t->shape == HD_TOPOLOGY_RANDOM)
        hd_text_add(out, " in a square of side 1 (seed %llu), which reach %g far",
                    (unsigned long long)t->seed, t->radius);
}

/* How many nodes nobody reaches, or reach nobody: most often a mistake. */
static uint32_t n_alone(const hd_scenario *s) {
    hd_vec(bool) is_linked = {0};
    uint32_t n = 0;
    for (size_t i = 0; i < s->nodes.n; i++)
        hd_vec_push(&is_linked, !s->links.at[0].is_cut);
    for (size_t i = 1; i < s->links.n; i++)
        if (!s->links.at[i].is_cut)
            is_linked.at[s->links.at[i].from] = is_linked.at[s->links.at[i].to] = true;
    for (size_t i = 0; i < s->nodes.n; i++)
        n += !is_linked.at[i];
    hd_vec_release(&is_linked);
    return n;
}

static void add_topology(hd_text *out, const hd_scenario *s) {
    size_t n_links = 0;
    for (size_t i = 1; i < s->links.n; i++)
        n_links += !s->links.at[i].is_cut;
    hd_text_add(out, "\ntopology\n");
    add_shape(out, &s->topology);
    if (s->links.at[0].is_cut)
        hd_text_add(out, ", %zu links, each one way", n_links);
    hd_text_add(out, "\n");
    if (n_alone(s))
        hd_text_add(out, "  %u of them reach nobody\n", n_alone(s));
    for (uint32_t i = 0; i < s->nodes.n && s->nodes.n <= MOST_LISTED; i++)
        add_neighbours(out, s, i);
}

/* Links that are what the topology makes of that of every node are not listed. */
static bool is_ordinary(const hd_scenario *s, const hd_link *l) {
    const hd_link *every = &s->links.at[0];
    return s->topology.is_given && l != every && l->is_fifo == every->is_fifo &&
           l->latency == every->latency && l->delay == every->delay &&
           l->segments == every->segments;
}

static void add_count(hd_text *out, size_t n, const char *what) {
    hd_text_add(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

/* Cuts are what makes most scenarios with streams too large. */
static void add_streams(hd_text *out, const hd_scenario *s) {
    unsigned line;
    const char *source = hd_scenario_find_accept(s, &line);
    if (source)
        hd_text_add(out,
                    "  streams (%s:%u accepts connections): k sends in a row are read in 2^(k-1) "
                    "ways, and all are\n"
                    "  explored; if that is not what is tested, 'segments: together' on the links "
                    "leaves it out\n",
                    source, line);
}

void hd_scenario_explain(const hd_scenario *s, hd_text *out) {
    hd_text_add(out, "%s: ", s->path);
    add_count(out, s->nodes.n, "node");
    hd_text_add(out, ", ");
    add_count(out, s->programs.n, "program");
    hd_text_add(out, "\n\nprograms\n");
    for (size_t i = 0; i < s->programs.n; i++)
        add_program(out, &s->programs.at[i]);
    hd_text_add(out, "\nnodes, in the order in which they start\n");
    for (size_t i = 0; i < s->nodes.n; i++)
        add_node(out, s, &s->nodes.at[i]);
    if (s->topology.is_given)
        add_topology(out, s);
    hd_text_add(out, "\nlinks\n");
    for (size_t i = s->links.n; i > 0; i--)
        if (!is_ordinary(s, &s->links.at[i - 1]))
            add_link(out, s, &s->links.at[i - 1]);
    add_streams(out, s);
    if (s->faults.n)
        hd_text_add(out, "\nfaults, each a choice that is explored both ways\n");
    for (size_t i = 0; i < s->faults.n; i++)
        hd_fault_explain(s, &s->faults.at[i], out);
    hd_assertions_explain(s, out);
}

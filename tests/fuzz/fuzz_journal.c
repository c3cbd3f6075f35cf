/* Any bytes as a journal of any search: refused or loaded, and then what is written of it is loaded
 * again; never a crash. The first byte says which search. */
#include "base/panic.h"
#include "explore/explore.h"
#include "fuzz/reserves.h"

/* Making a graph takes longer than reading most journals: it is shared by some. */
#define JOURNALS_OF_GRAPH 1000
static hd_graph *begin_graph(void) {
    static hd_graph *graph;
    static unsigned n;
    if (n++ % JOURNALS_OF_GRAPH == 0) {
        if (graph)
            hd_graph_free(graph);
        graph = hd_graph_new(false);
    }
    return graph;
}

/* Bytes as a journal of a search with these options, and again what it writes. */
static void restore(const hd_explorer_options *options, const uint8_t *bytes, size_t n,
                    hd_text *written) {
    hd_err err;
    hd_graph *g = begin_graph();
    hd_variables *vs = hd_variables_new();
    hd_explorer *x = hd_explorer_new(g, vs, NULL, options);
    bool ok = hd_explorer_restore(x, bytes, n, &err);
    HD_ASSERT(ok || err.message[0]);
    if (ok && written)
        hd_explorer_save(x, written);
    HD_ASSERT(ok || written);
    hd_explorer_free(x);
    hd_variables_free(vs);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static const hd_strategy strategies[] = {HD_STRATEGY_BFS, HD_STRATEGY_DFS};
    if (!n)
        return 0;
    hd_explorer_options options = {.strategy = strategies[bytes[0] >> 1 & 1],
                                   .is_threaded = bytes[0] & 1,
                                   .reduction = (hd_reduction)((bytes[0] >> 2) % HD_N_REDUCTIONS)};
    hd_text written = {0};
    restore(&options, bytes + 1, n - 1, &written);
    if (written.n)
        restore(&options, (const uint8_t *)written.at, written.n, NULL);
    hd_text_release(&written);
    return 0;
}

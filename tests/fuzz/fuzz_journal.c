/* Any bytes as a journal: refused or loaded, never a crash. */
#include "explore/explore.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    hd_err err;
    hd_graph *g = hd_graph_new(false);
    hd_variables *vs = hd_variables_new();
    hd_explorer *x =
        hd_explorer_new(g, vs, NULL, &(hd_explorer_options){.strategy = HD_STRATEGY_BFS});
    hd_explorer_restore(x, bytes, n, &err);
    hd_explorer_free(x);
    hd_variables_free(vs);
    hd_graph_free(g);
    return 0;
}

/* Any text as a value of an option that has a language of its own: refused with a sentence where
 * there is one to give, or read; never a crash.  The first byte says which one. */
#include "confine/confine.h"
#include "fleet/cluster/seal.h"
#include "partition/condition.h"
#include "simulate/curve.h"
#include "solve/chain.h"
#include "world/address.h"

#include <stdlib.h>
#include <string.h>

static void refuse_with_words(bool ok, const hd_err *err) {
    if (!ok && !err->message[0])
        abort();
}

static void read_allowed(const char *text) {
    hd_allowed a = {0};
    hd_err err = {0};
    refuse_with_words(hd_allowed_parse(&a, text, "/usr", &err), &err);
    hd_allowed_release(&a);
}

static void read_layers(const char *text) {
    hd_chain_options options = hd_chain_defaults();
    hd_err err = {0};
    refuse_with_words(hd_chain_parse(text, &options, &err), &err);
}

static void read_sizes(const char *text) {
    hd_sizes sizes = {0};
    if (hd_sizes_parse(&sizes, text))
        for (size_t i = 1; i < sizes.n; i++)
            if (sizes.at[i] <= sizes.at[i - 1])
                abort();
    hd_vec_release(&sizes);
}

/* Names of strategies and reductions are choices, as fuzz_options has them; with them the whole
 * search would be linked, whose counters took as long as the rest. */
static void read_names(const char *text) {
    hd_err err = {0};
    uint8_t ip[HD_IP_SIZE];
    refuse_with_words(hd_run_name_check(text, &err), &err);
    hd_ip_parse(text, ip);
}

/* Making a graph takes longer than reading most conditions: it is shared by some. */
#define CONDITIONS_OF_GRAPH 1000
static hd_names names;

static void begin_names(void) {
    static unsigned n;
    if (n++ % CONDITIONS_OF_GRAPH)
        return;
    if (names.graph) {
        hd_variables_free((hd_variables *)names.variables);
        hd_graph_free(names.graph);
    }
    names = (hd_names){hd_graph_new(false), hd_variables_new(), NULL};
    hd_variables_root((hd_variables *)names.variables, 0, HD_VAR_INTEGER, 32, 0, "x");
    hd_variables_root((hd_variables *)names.variables, 1, HD_VAR_INTEGER, 64, 0, "y");
}

static void read_condition(const char *text) {
    hd_err err = {0};
    hd_expr e;
    begin_names();
    refuse_with_words(hd_condition_parse(&names, text, "here", &e, &err), &err);
}

static void (*const readers[])(const char *text) = {read_allowed, read_layers, read_sizes,
                                                    read_names, read_condition};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    if (!n)
        return 0;
    char *text = hd_text_format("%.*s", (int)n - 1, (const char *)bytes + 1);
    readers[bytes[0] % (sizeof readers / sizeof *readers)](text);
    free(text);
    return 0;
}

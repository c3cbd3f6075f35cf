/* Topologies of scenarios: who reaches whom, routes, and what is said about wrong ones. */
#include "scenario/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[] = "/tmp/heddle-test-XXXXXX";
static hd_err err;

/* `n` nodes n0, n1, ... with this argument, and what follows. */
static bool parse(hd_scenario *s, unsigned n, const char *argument, const char *rest) {
    char *text = hd_text_format("nodes:\n  - {name: 'n{index}', count: %u, program: a.c, "
                                "arguments: ['%s']}\n%s",
                                n, argument, rest);
    err = (hd_err){0};
    bool ok = hd_scenario_parse(s, "net.yaml", text, strlen(text), &err);
    free(text);
    return ok;
}

static hd_scenario parsed(unsigned n, const char *argument, const char *rest) {
    hd_scenario s;
    if (!parse(&s, n, argument, rest))
        fail_msg("%s", err.message);
    return s;
}

static void refused(unsigned n, const char *argument, const char *rest, const char *message,
                    const char *hint) {
    hd_scenario s;
    if (parse(&s, n, argument, rest))
        fail_msg("accepted: %s", rest);
    assert_string_equal(err.message, message);
    if (!strstr(err.hint, hint))
        fail_msg("no '%s' in the hint '%s'", hint, err.hint);
}

static bool reaches(const hd_scenario *s, uint32_t from, uint32_t to) {
    return !hd_link_between(s->links.at, (uint32_t)s->links.n, from, to).is_cut;
}

/* The neighbours of a node, as the scenario says them: its argument is {neighbours}. */
static void assert_neighbours(const char *topology, unsigned n, uint32_t node, const char *names) {
    hd_scenario s = parsed(n, "{neighbours}", topology);
    assert_string_equal(s.nodes.at[node].arguments.at[0], names);
    hd_scenario_release(&s);
}

static void shapes_say_who_is_in_range(void **state) {
    (void)state;
    assert_neighbours("topology: {shape: line}\n", 4, 0, "n1");
    assert_neighbours("topology: {shape: line}\n", 4, 2, "n1,n3");
    assert_neighbours("topology: {shape: ring}\n", 4, 0, "n1,n3");
    assert_neighbours("topology: {shape: ring}\n", 2, 0, "n1");
    assert_neighbours("topology: {shape: ring}\n", 1, 0, "");
    assert_neighbours("topology: {shape: grid}\n", 9, 4, "n1,n3,n5,n7");
    assert_neighbours("topology: {shape: grid}\n", 9, 2, "n1,n5");
    assert_neighbours("topology: {shape: grid, range: 8}\n", 9, 2, "n1,n4,n5");
    assert_neighbours("topology: {shape: grid, range: 8}\n", 9, 4, "n0,n1,n2,n3,n5,n6,n7,n8");
    assert_neighbours("topology: {shape: grid, columns: 2}\n", 6, 3, "n1,n2,n5");
    assert_neighbours("topology: {shape: torus}\n", 9, 0, "n1,n2,n3,n6");
    assert_neighbours("topology: {shape: torus, range: 8}\n", 25, 0, "n1,n4,n5,n6,n9,n20,n21,n24");
    assert_neighbours("topology: {shape: star}\n", 4, 0, "n1,n2,n3");
    assert_neighbours("topology: {shape: star, center: n2}\n", 4, 0, "n2");
    assert_neighbours("topology: {shape: tree}\n", 7, 1, "n0,n3,n4");
    assert_neighbours("topology: {shape: tree, children: 3}\n", 7, 0, "n1,n2,n3");
    assert_neighbours("topology: {shape: mesh}\n", 3, 1, "n0,n2");
    assert_neighbours("topology: {shape: none}\n", 3, 1, "");
    assert_neighbours("topology: {shape: random, radius: 2}\n", 3, 1, "n0,n2"); /* all of it */
    assert_neighbours("", 3, 1, "n0,n2");
}

/* The same seed, the same places; reach is mutual and grows with the radius. */
static void random_topologies_have_seeds(void **state) {
    (void)state;
    size_t n_links[3];
    const char *texts[] = {"topology: {shape: random, radius: 0.3, seed: 5}\n",
                           "topology: {shape: random, radius: 0.3, seed: 5}\n",
                           "topology: {shape: random, radius: 0.4, seed: 5}\n"};
    for (unsigned i = 0; i < 3; i++) {
        hd_scenario s = parsed(40, "x", texts[i]);
        n_links[i] = s.links.n;
        for (uint32_t a = 0; a < 40; a++)
            for (uint32_t b = 0; b < 40; b++)
                assert_true(reaches(&s, a, b) == reaches(&s, b, a));
        hd_scenario_release(&s);
    }
    assert_true(n_links[0] == n_links[1] && n_links[0] < n_links[2] && n_links[0] > 40);
}

static void links_change_what_a_topology_says(void **state) {
    (void)state;
    hd_scenario s = parsed(4, "x",
                           "topology: {shape: line}\n"
                           "links:\n"
                           "  - {latency: 20 ms}\n"
                           "  - {from: n0, to: n3, connected: true}\n"
                           "  - {between: [n1, n2], connected: false}\n"
                           "  - {from: n0, to: n1, latency: none}\n");
    assert_true(reaches(&s, 0, 1) && reaches(&s, 1, 0) && reaches(&s, 0, 3) && reaches(&s, 0, 0));
    assert_false(reaches(&s, 3, 0) || reaches(&s, 1, 2) || reaches(&s, 2, 1) || reaches(&s, 0, 2));
    hd_link one = hd_link_between(s.links.at, (uint32_t)s.links.n, 1, 0);
    assert_true(one.delay == 20000000 && one.latency == HD_LATENCY_ANY);
    assert_int_equal(hd_link_between(s.links.at, (uint32_t)s.links.n, 0, 1).latency,
                     HD_LATENCY_NONE);
    hd_scenario_release(&s);
}

/* Nodes that are not in it reach everybody; places are those of the file, whoever starts first. */
static void topologies_may_have_some_nodes(void **state) {
    (void)state;
    const char *text = "nodes:\n"
                       "  - {name: 'n{index}', count: 3, program: a.c, after: watcher}\n"
                       "  - {name: watcher, program: a.c}\n"
                       "topology: {shape: line, nodes: 'n{index}'}\n";
    hd_scenario s;
    assert_true(hd_scenario_parse(&s, "net.yaml", text, strlen(text), &err));
    assert_string_equal(s.nodes.at[0].name, "watcher");
    assert_true(reaches(&s, 0, 1) && reaches(&s, 0, 2) && reaches(&s, 3, 0));
    assert_true(reaches(&s, 1, 2) && reaches(&s, 2, 3) && !reaches(&s, 1, 3));
    hd_scenario_release(&s);
}

static void assert_hop(const char *topology, unsigned n, const char *to, uint32_t node,
                       const char *hop) {
    char *argument = hd_text_format("{hop:%s}-{index}", to);
    char *wanted = hd_text_format("%s-%u", hop, node);
    hd_scenario s = parsed(n, argument, topology);
    assert_string_equal(s.nodes.at[node].arguments.at[0], wanted);
    hd_scenario_release(&s);
    free(argument);
    free(wanted);
}

static void routes_are_shortest_or_given(void **state) {
    (void)state;
    assert_hop("topology: {shape: line}\n", 5, "n0", 3, "n2");
    assert_hop("topology: {shape: line}\n", 5, "n4", 3, "n4");
    assert_hop("topology: {shape: line}\n", 5, "n3", 3, "n3");
    assert_hop("topology: {shape: grid, range: 8}\n", 25, "n0", 24, "n18"); /* the diagonal */
    assert_hop("topology: {shape: grid, range: 8}\n", 25, "n0", 12, "n6");
    assert_hop("topology: {shape: grid}\n", 9, "n0", 8, "n5"); /* of two, the first in the file */
    assert_hop("topology: {shape: grid, routes: [[n8, n7, n6, n3, n0]]}\n", 9, "n0", 8, "n7");
    assert_hop("topology: {shape: grid, routes: [[n8, n7, n6, n3, n0]]}\n", 9, "n0", 5, "n2");
    assert_hop("topology: {shape: tree}\n", 7, "n6", 3, "n1");
    /* Links that go one way only. */
    assert_hop("topology: {shape: ring}\nlinks: [{from: n1, to: n0, connected: false}]\n", 4, "n0",
               1, "n2");
}

static void mistakes_have_places(void **state) {
    (void)state;
    refused(4, "x", "topology: {shape: gird}\n", "net.yaml:3:19: unknown topology 'gird'",
            "did you mean 'grid'?");
    refused(4, "x", "topology: {columns: 2}\n", "net.yaml:3:11: a topology without a shape",
            "shape: grid");
    refused(4, "x", "topology: {shape: line, columns: 2}\n",
            "net.yaml:3:11: a line has no 'columns'", "leave it out");
    refused(7, "x", "topology: {shape: grid, columns: 2}\n",
            "net.yaml:3:34: 7 nodes do not fill rows of 2", "divide");
    refused(7, "x", "topology: {shape: grid}\n", "net.yaml:3:11: 7 nodes do not fill rows of 3",
            "columns: N");
    refused(9, "x", "topology: {shape: grid, range: 5}\n",
            "net.yaml:3:32: expected 4 or 8, found 5", "diagonals");
    refused(4, "x", "topology: {shape: star, center: m}\n", "net.yaml:3:33: there is no node 'm'",
            "n");
    refused(4, "x", "topology: {shape: random, radius: -1}\n",
            "net.yaml:3:35: expected a radius above 0 and up to 2, found '-1'", "0.25");
    refused(4, "x", "topology: {shape: random, seed: none}\n",
            "net.yaml:3:33: expected a whole number from 1, found 'none'", "");
    refused(4, "x", "topology: {shape: line, nodes: [q]}\n", "net.yaml:3:33: there is no node 'q'",
            "");
    refused(4, "x", "topology: {shape: line, routes: [[n0, n2]]}\n",
            "net.yaml:3:39: 'n0' does not reach 'n2'", "neighbour");
    refused(4, "x", "topology: {shape: line, routes: [[n0]]}\n",
            "net.yaml:3:34: a route with fewer than two nodes", "[a, b, c]");
    refused(4, "{hop:n9}", "topology: {shape: line}\n", "net.yaml:2:60: there is no node 'n9'", "");
    refused(4, "{hop:n0}", "topology: {shape: none}\n",
            "net.yaml:2:60: there is no way from 'n1' to 'n0'", "leave out {hop:n0}");
    refused(4, "x", "links: [{connected: maybe}]\n",
            "net.yaml:3:21: expected true or false, found 'maybe'", "");
    refused(4, "x", "topology: 5\n",
            "net.yaml:3:11: expected a topology with 'key: value' lines, found '5'", "");
}

static void topologies_are_explained(void **state) {
    (void)state;
    hd_scenario s =
        parsed(4, "x", "topology: {shape: grid}\nlinks: [{between: [n0, n1], fifo: true}]\n");
    hd_text out = {0};
    hd_scenario_explain(&s, &out);
    const char *text = hd_text_string(&out);
    assert_non_null(strstr(text, "  grid of 2 x 2 nodes, 4 neighbours, 8 links, each one way\n"));
    assert_non_null(strstr(text, "  n3  reaches n1 n2\n"));
    assert_non_null(strstr(text, "  from n0 to n1: datagrams keep their order"));
    assert_null(strstr(text, "from n0 to n2"));
    hd_text_clear(&out);
    hd_scenario_release(&s);
    s = parsed(3, "x", "links: [{between: [n0, n1], connected: false}]\n");
    hd_scenario_explain(&s, &out);
    assert_non_null(strstr(hd_text_string(&out), "  from n0 to n1: nothing gets through\n"));
    hd_text_release(&out);
    hd_scenario_release(&s);
}

/* A thousand nodes; processor time, so that a busy machine makes no difference. */
static void large_topologies_are_read_fast(void **state) {
    (void)state;
    clock_t before = clock();
    hd_scenario s = parsed(1024, "{hop:n0}", "topology: {shape: grid, range: 8}\n");
    hd_text out = {0};
    hd_scenario_explain(&s, &out);
    assert_true(clock() - before < CLOCKS_PER_SEC);
    assert_int_equal(s.links.n, 1 + 7812);
    assert_string_equal(s.nodes.at[1023].arguments.at[0], "n990");
    hd_text_release(&out);
    hd_scenario_release(&s);
}

static int enter_scratch(void **state) {
    (void)state;
    if (!mkdtemp(scratch) || chdir(scratch) != 0)
        return 1;
    FILE *f = fopen("a.c", "w");
    return !f || fputs("int main(void) { return 0; }\n", f) < 0 || fclose(f) != 0;
}

static int leave_scratch(void **state) {
    (void)state;
    return unlink("a.c") || rmdir(scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_say_who_is_in_range),
        cmocka_unit_test(random_topologies_have_seeds),
        cmocka_unit_test(links_change_what_a_topology_says),
        cmocka_unit_test(topologies_may_have_some_nodes),
        cmocka_unit_test(routes_are_shortest_or_given),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(topologies_are_explained),
        cmocka_unit_test(large_topologies_are_read_fast),
    };
    return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}

/* Scenarios: what a file means, what is said about a wrong one, and what a record keeps. */
#include "cli/given_scenario.h"
#include "tool/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static hd_err err;

static bool parse(hd_scenario *s, const char *text) {
    err = (hd_err){0};
    return hd_scenario_parse(s, "net.yaml", text, strlen(text), &err);
}

static hd_scenario parsed(const char *text) {
    hd_scenario s;
    if (!parse(&s, text))
        fail_msg("%s", err.message);
    return s;
}

/* What is wrong with it, in whole; and a hint that contains `hint`. */
static void refused(const char *text, const char *message, const char *hint) {
    hd_scenario s;
    if (parse(&s, text))
        fail_msg("accepted: %s", text);
    assert_string_equal(err.message, message);
    if (!strstr(err.hint, hint))
        fail_msg("no '%s' in the hint '%s'", hint, err.hint);
}

/* ---- what a file means ---- */

static void everything_is_read(void **state) {
    (void)state;
    hd_scenario s = parsed("# a comment\n"
                           "nodes:\n"
                           "  - name: server\n"
                           "    program: [a.c, folder/b.c]\n"
                           "    flags: -DN=3 -Iinclude -include folder/c.h\n"
                           "    arguments: ['--port', 80, 'two words', \"{index}\"]\n"
                           "    environment: {LEVEL: 2, EMPTY: ''}\n"
                           "    stdin: |\n"
                           "      one\n"
                           "      two\n"
                           "    address: 192.168.1.9\n"
                           "    idle: true\n"
                           "assert:\n"
                           "  - sum(leader) == 1\n");
    assert_int_equal(s.nodes.n, 1);
    const hd_scenario_node *n = &s.nodes.at[0];
    assert_string_equal(n->name, "server");
    assert_string_equal(n->address, "192.168.1.9");
    assert_string_equal(n->input, "one\ntwo\n");
    assert_true(n->may_idle);
    assert_int_equal(n->arguments.n, 4);
    assert_string_equal(n->arguments.at[1], "80");
    assert_string_equal(n->arguments.at[2], "two words");
    assert_string_equal(n->arguments.at[3], "{index}"); /* means nothing without count */
    assert_int_equal(n->environment.n, 2);
    assert_string_equal(n->environment.at[0], "LEVEL=2");
    assert_string_equal(n->environment.at[1], "EMPTY=");
    const hd_scenario_program *p = &s.programs.at[n->program];
    assert_string_equal(p->name, "a");
    assert_int_equal(p->sources.n, 2);
    assert_string_equal(p->sources.at[1], "folder/b.c");
    assert_int_equal(p->flags.n, 4);
    assert_string_equal(p->flags.at[0], "-DN=3");
    assert_int_equal(s.assertions.n, 1);
    assert_string_equal(s.assertions.at[0].text, "sum(leader) == 1");
    assert_int_equal(s.assertions.at[0].line, 14);
    hd_scenario_release(&s);
}

static void plain_words_are_split_quoted_ones_are_not(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - {name: a, program: a.c, arguments: one  two}\n"
                           "  - {name: b, program: a.c, arguments: 'one two'}\n"
                           "  - {name: c, program: a.c, arguments: }\n");
    assert_int_equal(s.nodes.at[0].arguments.n, 2);
    assert_string_equal(s.nodes.at[0].arguments.at[1], "two");
    assert_int_equal(s.nodes.at[1].arguments.n, 1);
    assert_int_equal(s.nodes.at[2].arguments.n, 0);
    hd_scenario_release(&s);
}

static void count_makes_nodes(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - name: node{index}\n"
                           "    count: 3\n"
                           "    program: a.c\n"
                           "    arguments: a{index}/{count} {next}-{previous} {index+10} {index-1} "
                           "{other}\n"
                           "    address: 10.1.0.{index+1}\n"
                           "  - name: last\n"
                           "    program: a.c\n");
    assert_int_equal(s.nodes.n, 4);
    assert_int_equal(s.programs.n, 1);
    const hd_scenario_node *n = &s.nodes.at[2];
    assert_string_equal(n->name, "node2");
    assert_string_equal(n->address, "10.1.0.3");
    assert_string_equal(n->arguments.at[0], "a2/3");
    assert_string_equal(n->arguments.at[1], "0-1");
    assert_string_equal(n->arguments.at[2], "12");
    assert_string_equal(n->arguments.at[3], "1");
    assert_string_equal(n->arguments.at[4], "{other}");
    assert_string_equal(s.nodes.at[3].address, "10.0.0.1");
    hd_scenario_release(&s);
}

static void free_addresses_are_chosen(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - {name: a, program: a.c}\n"
                           "  - {name: b, program: a.c, address: 10.0.0.1}\n"
                           "  - {name: c, program: a.c, address: 'fd00::1'}\n"
                           "  - {name: d, program: a.c}\n");
    assert_string_equal(s.nodes.at[0].address, "10.0.0.2");
    assert_string_equal(s.nodes.at[2].address, "fd00::1");
    assert_string_equal(s.nodes.at[3].address, "10.0.0.3");
    hd_scenario_release(&s);
}

static void programs_are_listed_once(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - {name: a, program: a.c, flags: -DX=1}\n"
                           "  - {name: b, program: a.c, flags: -DX=2}\n"
                           "  - {name: c, program: a.c, flags: -DX=1}\n"
                           "  - {name: d, program: [a.c, folder/b.c], flags: -DX=1}\n");
    assert_int_equal(s.programs.n, 3);
    assert_int_equal(s.nodes.at[1].program, 1);
    assert_int_equal(s.nodes.at[2].program, 0);
    assert_int_equal(s.nodes.at[3].program, 2);
    hd_scenario_release(&s);
}

/* More nodes than a set of 64 has room for: order, addresses, links and the record of a run. */
static void there_may_be_many_nodes(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - {name: last, program: a.c, after: 'n{index}'}\n"
                           "  - {name: 'n{index}', count: 1200, program: a.c}\n"
                           "links:\n"
                           "  - {from: last, to: n1199, fifo: true}\n");
    assert_int_equal(s.nodes.n, 1201);
    assert_string_equal(s.nodes.at[0].name, "n0");
    assert_string_equal(s.nodes.at[1200].name, "last");
    assert_int_equal(hd_set_count(s.nodes.at[1200].after), 1200);
    assert_true(hd_set_has(s.nodes.at[1200].after, 1199));
    assert_false(hd_set_has(s.nodes.at[1200].after, 1200));
    assert_string_equal(s.nodes.at[252].address, "10.0.0.254");
    assert_string_equal(s.nodes.at[253].address, "10.0.1.1");
    assert_true(hd_link_between(s.links.at, (uint32_t)s.links.n, 1200, 1199).is_fifo);
    assert_false(hd_link_between(s.links.at, (uint32_t)s.links.n, 1199, 1200).is_fifo);
    hd_scenario_release(&s);
}

/* The first of the file that may start; programs are numbered in that order too. */
static void after_changes_the_order(void **state) {
    (void)state;
    hd_scenario s =
        parsed("nodes:\n"
               "  - {name: client, program: a.c, after: 'server{index}'}\n"
               "  - {name: other, program: a.c}\n"
               "  - {name: 'server{index}', count: 2, program: folder/b.c}\n"
               "  - {name: 'peer{index}', count: 2, program: a.c, after: 'server{index}'}\n");
    static const char *const order[] = {"other", "server0", "server1", "client", "peer0", "peer1"};
    assert_int_equal(s.nodes.n, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(s.nodes.at[i].name, order[i]);
    assert_int_equal(s.nodes.at[3].after.bits, 6); /* both servers */
    assert_int_equal(s.nodes.at[5].after.bits, 4); /* the one with its own index */
    assert_int_equal(s.nodes.at[0].program, 0);
    assert_int_equal(s.nodes.at[1].program, 1);
    assert_string_equal(s.programs.at[0].name, "a");
    hd_scenario_release(&s);
}

static hd_link between(const hd_scenario *s, uint32_t from, uint32_t to) {
    return hd_link_between(s->links.at, (uint32_t)s->links.n, from, to);
}

static void later_links_count(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - {name: 'n{index}', count: 3, program: a.c}\n"
                           "  - {name: x, program: a.c}\n"
                           "links:\n"
                           "  - fifo: yes\n"
                           "  - {from: n0, to: x, latency: none}\n"
                           "  - {between: [n1, n2], fifo: false}\n"
                           "  - {from: x, fifo: false}\n"
                           "  - {from: x, to: n1, fifo: true}\n"
                           "  - {from: x, segments: 3}\n"
                           "  - {from: x, to: n1, segments: together}\n");
    assert_int_equal(between(&s, 0, 3).segments, 0);
    assert_int_equal(between(&s, 3, 0).segments, 4);
    assert_int_equal(between(&s, 3, 0).segments_line, 10);
    assert_int_equal(between(&s, 3, 1).segments, 1);
    assert_int_equal(between(&s, 3, 1).segments_line, 11);
    assert_true(between(&s, 0, 1).is_fifo);
    assert_int_equal(between(&s, 0, 1).latency, HD_LATENCY_ANY);
    assert_true(between(&s, 0, 3).is_fifo);
    assert_int_equal(between(&s, 0, 3).latency, HD_LATENCY_NONE);
    assert_int_equal(between(&s, 3, 0).latency, HD_LATENCY_ANY);
    assert_false(between(&s, 1, 2).is_fifo);
    assert_false(between(&s, 2, 1).is_fifo);
    assert_false(between(&s, 3, 0).is_fifo);
    assert_true(between(&s, 3, 1).is_fifo);
    hd_scenario_release(&s);
}

static void links_may_name_groups(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - {name: 'n{index}', count: 2, program: a.c}\n"
                           "  - {name: x, program: a.c}\n"
                           "links:\n"
                           "  - {from: 'n{index}', to: x, fifo: true}\n");
    assert_true(between(&s, 0, 2).is_fifo && between(&s, 1, 2).is_fifo);
    assert_false(between(&s, 0, 1).is_fifo || between(&s, 2, 0).is_fifo);
    hd_scenario_release(&s);
}

static void files_start_in_the_scenarios_folder(void **state) {
    (void)state;
    static const char text[] = "nodes: [{name: a, program: b.c, flags: -I. -isystem ../x -DN}]";
    hd_scenario s;
    err = (hd_err){0};
    assert_true(hd_scenario_parse(&s, "folder/net.yaml", text, strlen(text), &err));
    const hd_scenario_program *p = &s.programs.at[0];
    assert_string_equal(p->sources.at[0], "folder/b.c");
    assert_string_equal(p->flags.at[0], "-Ifolder/.");
    assert_string_equal(p->flags.at[2], "folder/../x");
    assert_string_equal(p->flags.at[3], "-DN");
    hd_scenario_release(&s);
}

/* ---- what is said about a wrong one ---- */

#define NODE "nodes:\n  - name: a\n    program: a.c\n"

static void keys_and_types(void **state) {
    (void)state;
    refused(NODE "    progam: x\n", "net.yaml:4:5: unknown key 'progam' in a node",
            "did you mean 'program'?");
    refused("nods: []\n", "net.yaml:1:1: unknown key 'nods' in a scenario", "'nodes'");
    refused(NODE "    zebra: 1\n", "net.yaml:4:5: unknown key 'zebra' in a node",
            "a node has: name, program");
    refused(NODE "    idle: maybe\n", "net.yaml:4:11: expected true or false, found 'maybe'",
            "help");
    refused(NODE "    count: many\n", "net.yaml:4:12: expected a whole number from 1, found 'many'",
            "help");
    refused(NODE "    count: 0\n", "net.yaml:4:12: expected a whole number from 1, found '0'",
            "help");
    refused(NODE "    name: b\n", "net.yaml:4:5: the key 'name' is here twice", "one of the two");
    refused(NODE "    arguments: {a: b}\n",
            "net.yaml:4:16: expected words, or a list of them, found a mapping", "quotes");
    refused(NODE "    arguments: [[a]]\n", "net.yaml:4:17: expected a word, found a list", "help");
    refused(NODE "    address: [1]\n", "net.yaml:4:14: expected a text, found a list", "help");
    refused(NODE "    environment: A=1\n",
            "net.yaml:4:18: expected variables with 'NAME: value' lines, found 'A=1'", "help");
    refused(NODE "    stdin: \"a\\0b\"\n", "net.yaml:4:12: a text cannot contain a NUL byte",
            "\\0");
    refused("nodes: {a: b}\n",
            "net.yaml:1:8: expected a list of nodes, each beginning with '- name: ...', found a "
            "mapping",
            "");
    refused("nodes: [a]\n", "net.yaml:1:9: expected a node with 'key: value' lines, found 'a'",
            "help");
    refused("- a\n", "net.yaml:1:1: expected a scenario with 'key: value' lines, found a list",
            "help");
}

static void what_is_missing(void **state) {
    (void)state;
    refused("", "net.yaml:1:1: a scenario without nodes", "nodes:");
    refused("nodes:\n", "net.yaml:1:1: a scenario without nodes", "nodes:");
    refused("nodes:\n  - program: a.c\n", "net.yaml:2:5: a node without a name", "name:");
    refused("nodes:\n  - name: a\n", "net.yaml:2:5: node 'a' has no program", "program: FILE.c");
    refused("nodes: [{name: a, program: []}]\n", "net.yaml:1:9: node 'a' has no program",
            "program: FILE.c");
    refused("nodes: [{name: , program: a.c}]\n", "net.yaml:1:16: expected a text, found nothing",
            "help");
}

static void programs_that_do_not_exist(void **state) {
    (void)state;
    refused("nodes:\n  - name: a\n    program: a.c nothere.c\n",
            "net.yaml:3:18: cannot read the program 'nothere.c': No such file or directory",
            "folder of the scenario");
    refused("nodes: [{name: a, program: folder.c}]\n",
            "net.yaml:1:28: cannot read the program 'folder.c': it is no file", "folder");
    refused("nodes: [{name: a, program: a.out}]\n",
            "net.yaml:1:28: expected a C source file, found 'a.out'", ".c");
    refused(NODE "    flags: -DX --wrong\n",
            "net.yaml:4:16: expected an option for clang, found '--wrong'", "-I -D");
    refused(NODE "    flags: -DX -I\n", "net.yaml:4:16: option '-I' needs a value", "-I VALUE");
}

static void names(void **state) {
    (void)state;
    refused(NODE "  - name: a\n    program: a.c\n", "net.yaml:4:11: there are two nodes called 'a'",
            "line 2");
    refused(NODE "    count: 2\n", "net.yaml:2:11: there are two nodes called 'a'", "a{index}");
    refused("nodes: [{name: a b, program: a.c}]\n",
            "net.yaml:1:16: 'a b' cannot be the name of a node", "letters");
    refused("nodes: [{name: localhost, program: a.c}]\n",
            "net.yaml:1:16: 'localhost' cannot be the name of a node", "letters");
    refused("nodes: [{name: 10.0.0.7, program: a.c}]\n",
            "net.yaml:1:16: '10.0.0.7' cannot be the name of a node", "no address");
    refused(NODE "    count: 4097\n", "net.yaml:2:5: node 'a' is there 4097 times", "4096");
    refused("nodes:\n  - {name: 'a{index}', count: 4096, program: a.c}\n  - {name: b, program: "
            "a.c}\n",
            "net.yaml:3:5: there are more than 4096 nodes", "4096");
}

static void addresses(void **state) {
    (void)state;
    refused(NODE "    address: 10.0.0.1:80\n",
            "net.yaml:4:14: expected an address such as 10.0.0.1 or fd00::1, found '10.0.0.1:80'",
            "without a port");
    refused(NODE "    address: 10.0.0.256\n",
            "net.yaml:4:14: expected an address such as 10.0.0.1 or fd00::1, found '10.0.0.256'",
            "numbers");
    refused(NODE "    address: 127.0.0.1\n",
            "net.yaml:4:14: no node can have the address 127.0.0.1: it is every node's own", "10.");
    refused(NODE "    address: '::'\n",
            "net.yaml:4:14: no node can have the address ::: it stands for any address", "10.");
    refused(NODE "    address: 224.0.0.1\n",
            "net.yaml:4:14: no node can have the address 224.0.0.1: it is a multicast or broadcast "
            "address",
            "10.");
    refused(NODE "    address: fd00::1\n  - {name: b, program: a.c, address: 'fd00:0::1'}\n",
            "net.yaml:5:38: the address fd00:0::1 is that of node 'a' already", "another");
    refused("nodes: [{name: 'a{index}', count: 2, program: a.c, address: 10.0.0.1}]\n",
            "net.yaml:1:61: the address 10.0.0.1 is that of node 'a0' already", "{index}");
}

static void start_order(void **state) {
    (void)state;
    refused(NODE "    after: b\n", "net.yaml:4:12: there is no node 'b'", "did you mean 'a'?");
    refused(NODE "    after: a\n", "net.yaml:4:12: node 'a' starts after 'a'", "start first");
    refused("nodes:\n"
            "  - {name: x, program: a.c}\n"
            "  - {name: d, program: a.c, after: a}\n"
            "  - {name: a, program: a.c, after: b}\n"
            "  - {name: b, program: a.c, after: c}\n"
            "  - {name: c, program: a.c, after: [x, a]}\n",
            "net.yaml:4:36: node 'a' starts after 'b', which starts after 'c', which starts after "
            "'a'",
            "leave out one 'after'");
}

#define WRONG_CUTS(found)                                                                          \
    "net.yaml:4:20: expected 'together' or a number of cuts up to 1000000, found '" found "'"

static void links(void **state) {
    (void)state;
    refused(NODE "links: [{from: a, to: c, fifo: true}]\n", "net.yaml:4:23: there is no node 'c'",
            "did you mean 'a'?");
    refused(NODE "links: [{from: a, to: a}]\n", "net.yaml:4:9: a link that says nothing",
            "fifo: true");
    refused(NODE "links: [{from: a, between: [a, a], fifo: true}]\n",
            "net.yaml:4:9: a link has either 'between', or 'from' and 'to'", "both ways");
    refused(NODE "links: [{between: a, fifo: true}]\n",
            "net.yaml:4:19: expected two nodes or more, found one", "[a, b]");
    refused(NODE "links: [{latency: much}]\n",
            "net.yaml:4:19: expected 'none', 'any' or a time, found 'much'", "as soon as");
    refused(NODE "links: [{segments: apart}]\n", WRONG_CUTS("apart"), "arrives as one");
    refused(NODE "links: [{segments: -1}]\n", WRONG_CUTS("-1"), "at most twice");
    refused(NODE "links: [{segments: 1000001}]\n", WRONG_CUTS("1000001"), "at most twice");
    refused(NODE "links: [{segments: 99999999999999999999}]\n", WRONG_CUTS("99999999999999999999"),
            "at most twice");
    refused(NODE "links: [{segments: 3x}]\n", WRONG_CUTS("3x"), "at most twice");
    refused(NODE "links: [{segments: ''}]\n", WRONG_CUTS(""), "at most twice");
    refused(NODE "links: {fifo: true}\n",
            "net.yaml:4:8: expected a list of links, each beginning with '- ', found a mapping",
            "");
}

static void text_that_is_no_yaml(void **state) {
    (void)state;
    hd_scenario s;
    assert_false(parse(&s, "nodes:\n  - name: [a\n"));
    assert_non_null(strstr(err.message,
                           "net.yaml:3:1: cannot be read as YAML: while parsing a flow "
                           "sequence, did not find expected ',' or ']'"));
    assert_false(parse(&s, "nodes:\n\t- name: a\n"));
    assert_non_null(strstr(err.message, "net.yaml:2:1: cannot be read as YAML: "));
    assert_false(parse(&s, "nodes:\n  - name: \xff\n"));
    assert_non_null(strstr(err.message, "net.yaml:2:11: cannot be read as YAML: "));
    refused("nodes: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
            "net.yaml:1:39: lists in lists, 32 deep", "brackets");
    refused(NODE "---\nmore: 1\n", "net.yaml:5:1: a second document begins here", "one document");
    assert_false(parse(&s, "&a [*a, *a]\n"));
    assert_false(parse(&s, "nodes: &a [*a]\n"));
    char *long_text = calloc(1, HD_SCENARIO_MOST_BYTES + 2);
    memset(long_text, '\n', HD_SCENARIO_MOST_BYTES + 1);
    refused(long_text, "'net.yaml' is too long for a scenario (1048577 bytes)", "1048576");
    free(long_text);
    assert_false(hd_scenario_read(&s, "nothere.yaml", &err));
    assert_string_equal(err.message,
                        "cannot read the scenario 'nothere.yaml': No such file or directory");
}

/* ---- what comes of it ---- */

static void explanation(void **state) {
    (void)state;
    hd_scenario s =
        parsed("nodes:\n"
               "  - {name: a, program: a.c, flags: -DX, arguments: ['x y'], idle: true}\n"
               "  - {name: longer, program: folder/b.c, after: a, stdin: abc,\n"
               "     environment: {A: b}}\n"
               "links: [{from: a, to: longer, fifo: true, latency: none, segments: together}, "
               "{from: longer, segments: 2}]\n"
               "assert: [same(x)]\n");
    hd_text text = {0};
    hd_scenario_explain(&s, &text);
    assert_string_equal(
        hd_text_string(&text),
        "net.yaml: 2 nodes, 2 programs\n"
        "\n"
        "programs\n"
        "  a: a.c, compiled with -DX\n"
        "  b: folder/b.c\n"
        "\n"
        "nodes, in the order in which they start\n"
        "  a       10.0.0.1  runs a 'x y', may wait for ever\n"
        "  longer  10.0.0.2  runs b, with A=b, reads 3 bytes of standard input, after a\n"
        "\n"
        "links\n"
        "  from longer to a: datagrams may overtake each other, messages arrive some time later; "
        "what is sent in a row is cut at most 2 times on each connection\n"
        "  from a to longer: datagrams keep their order, messages arrive at once; what is sent in "
        "a row on a connection arrives as one\n"
        "  between all others: datagrams may overtake each other, messages arrive some time later\n"
        "\n"
        "must hold when nobody can go on any more\n"
        "  line 6: same(x)\n");
    hd_text_release(&text);
    hd_scenario_release(&s);
}

/* ---- faults ---- */

#define TWO_NODES                                                                                  \
    "nodes:\n"                                                                                     \
    "  - {name: a, program: a.c}\n"                                                                \
    "  - {name: b, program: a.c}\n"

static void faults_are_rules(void **state) {
    (void)state;
    hd_scenario s = parsed(TWO_NODES "faults:\n"
                                     "  - drop: 2\n"
                                     "  - {duplicate: 1, from: a, to: b, per: link, nth: 3}\n"
                                     "  - {crash: 1, nodes: b, after: 1.5 s, before: 1 m}\n"
                                     "  - {delay: any, time: 20 ms, per: node, total: 4}\n"
                                     "  - {drop: 1, to: b, per: node, received: 2}\n");
    assert_int_equal(s.faults.n, 5);
    const hd_fault *f = s.faults.at;
    assert_int_equal(f[0].kind, HD_FAULT_DROP);
    assert_int_equal(f[0].total, 2);
    assert_int_equal(f[0].per_link, HD_NO_BUDGET);
    assert_true(hd_fault_concerns(&f[0], 0, 1) && hd_fault_concerns(&f[0], 1, 0));
    assert_false(hd_fault_concerns(&f[0], 1, 1));
    assert_int_equal(f[1].per_link, 1);
    assert_int_equal(f[1].total, HD_NO_BUDGET);
    assert_int_equal(f[1].nth, 3);
    assert_true(hd_fault_concerns(&f[1], 0, 1) && !hd_fault_concerns(&f[1], 1, 0));
    assert_true(hd_fault_is_of_nodes(&f[2]) && !hd_fault_concerns(&f[2], 0, 0));
    assert_int_equal(f[2].begins, 1500000000);
    assert_true(f[2].ends == UINT64_C(60000000000) && f[0].ends == UINT64_MAX);
    assert_int_equal(f[3].duration, 20000000);
    assert_int_equal(f[3].per_node, HD_NO_BUDGET);
    assert_int_equal(f[3].total, 4);
    assert_true(f[1].received == 0 && f[4].received == 2 && f[4].nth == 0);
    hd_scenario_release(&s);
}

static void faults_of_an_option_come_last(void **state) {
    (void)state;
    hd_scenario s;
    static const char text[] = TWO_NODES "faults: [drop: 1]\n";
    assert_true(hd_scenario_parse_with(&s, "net.yaml", text, strlen(text),
                                       "crash: 1, nodes: a; full: 2", &err));
    assert_int_equal(s.faults.n, 3);
    assert_int_equal(s.faults.at[1].kind, HD_FAULT_CRASH);
    assert_int_equal(s.faults.at[2].kind, HD_FAULT_FULL);
    hd_scenario_release(&s);
    assert_false(hd_scenario_parse_with(&s, "net.yaml", text, strlen(text),
                                        "drop: 1; drop: 1, to: c", &err));
    assert_string_equal(err.message, "--fault:2:15: there is no node 'c'");
}

static void faults_are_explained(void **state) {
    (void)state;
    hd_scenario s = parsed(TWO_NODES "links: [fifo: true]\n"
                                     "faults:\n"
                                     "  - drop: 1\n"
                                     "  - {duplicate: 2, from: a, to: b, per: link, total: 3}\n"
                                     "  - {reorder: 1, window: 2}\n"
                                     "  - {delay: 1, time: 2 s, nth: 2}\n"
                                     "  - {crash: 1, nodes: b, after: 500 ms, before: 5 s}\n"
                                     "  - {reboot: 1, per: node}\n"
                                     "  - full: any\n"
                                     "  - {partition: 1, between: [a, b], time: 3 s}\n"
                                     "  - {drop: 1, per: node, received: 1}\n");
    hd_text text = {0};
    hd_scenario_explain(&s, &text);
    assert_non_null(strstr(
        hd_text_string(&text),
        "faults, each a choice that is explored both ways\n"
        "  drop: up to 1 datagram from any node to any node may be lost\n"
        "  duplicate: up to 2 datagrams on each link, 3 in total from a to b may arrive twice\n"
        "  reorder: up to 1 datagram from any node to any node may be overtaken by up to 2 that "
        "were sent later\n"
        "  delay: up to 1 datagram from any node to any node may be late by 2 s, only the second "
        "from one to the other\n"
        "  crash: b may crash, up to 1 time, after 500 ms, before 5 s\n"
        "  reboot: any node may crash and start again, up to 1 time each\n"
        "  full: any number of sends from any node to any node may find the buffer full\n"
        "  partition: up to 1 datagram from any node to any node may fall into a time without a "
        "link of 3 s\n"
        "  drop: up to 1 datagram for each receiver from any node to any node may be lost, only "
        "the first that its receiver gets\n"));
    hd_text_release(&text);
    hd_scenario_release(&s);
}

static void mistakes_in_faults(void **state) {
    (void)state;
#define BAD(text, message, hint) refused(TWO_NODES "faults:\n  - " text "\n", message, hint)
    BAD("{}", "net.yaml:5:5: an entry without a fault", "'drop: 1'");
    BAD("{drop: 1, crash: 1}", "net.yaml:5:5: one entry with two faults", "each of them");
    BAD("drop: 0", "net.yaml:5:11: expected a whole number from 1, found '0'", "'any'");
    BAD("drop: -1", "net.yaml:5:11: expected a whole number from 1, found '-1'", "'any'");
    BAD("dorp: 1", "net.yaml:5:5: unknown key 'dorp' in a fault", "did you mean 'drop'?");
    BAD("{drop: 1, to: c}", "net.yaml:5:19: there is no node 'c'", "did you mean");
    BAD("{drop: 1, nodes: a}", "net.yaml:5:5: 'drop' has no 'nodes'", "'from'");
    BAD("{crash: 1, from: a}", "net.yaml:5:5: 'crash' has no 'from'", "'nodes: a'");
    BAD("{crash: 3}", "net.yaml:5:13: a budget of 3 can never be used up", "about 2 of them");
    BAD("{crash: 2, per: node}", "net.yaml:5:13: a budget of 2 can never be used up",
        "crashes once");
    BAD("{crash: 1, per: link}", "net.yaml:5:21: 'crash' has no budget for a link", "'per: node'");
    BAD("{drop: 2, per: link, nth: 1}", "net.yaml:5:12: a budget of 2 can never be used up",
        "at most 1");
    BAD("{drop: 5, nth: 1}", "net.yaml:5:12: a budget of 5 can never be used up", "at most 2");
    BAD("{drop: 2, per: node, received: 1}", "net.yaml:5:12: a budget of 2 can never be used up",
        "at most 1");
    BAD("{drop: 3, received: 1}", "net.yaml:5:12: a budget of 3 can never be used up", "at most 2");
    BAD("{crash: 1, received: 1}", "net.yaml:5:5: 'crash' has no 'received'", "datagrams");
    BAD("{full: 1, received: 1}", "net.yaml:5:5: 'full' has no 'received'", "datagrams");
    BAD("{drop: 1, nth: 1, received: 1}", "net.yaml:5:33: a fault has either 'nth' or 'received'",
        "all that a node gets");
    BAD("{drop: 1, total: 2}", "net.yaml:5:22: 'total' without 'per'", "is the total");
    BAD("{drop: 1, per: day}", "net.yaml:5:20: expected 'node' or 'link', found 'day'", "node: so");
    BAD("{drop: 1, after: 5 s, before: 2 s}",
        "net.yaml:5:35: a budget that can never be used: no time is after 'after' and before "
        "'before'",
        "less than");
    BAD("{drop: 1, after: -2 s}", "net.yaml:5:22: '-2 s' is a negative time", "'2 s'");
    BAD("{drop: 1, after: soon}", "net.yaml:5:22: expected a time, found 'soon'", "'2 s'");
    BAD("{drop: 1, after: 5}", "net.yaml:5:22: expected a time, found '5'", "unit");
    BAD("delay: 1", "net.yaml:5:5: 'delay' needs a time of more than 0", "'time: 2 s'");
    BAD("{drop: 1, time: 2 s}", "net.yaml:5:5: 'drop' has no 'time'", "'delay'");
    BAD("{drop: 1, window: 2}", "net.yaml:5:5: 'drop' has no 'window'", "'reorder'");
    BAD("reorder: 1", "net.yaml:5:14: a budget of 'reorder' that can never be used",
        "'fifo: true'");
    BAD("{drop: 1, between: a}", "net.yaml:5:24: expected two nodes or more, found one", "[a, b]");
    BAD("{drop: 1, between: [a, b], to: a}",
        "net.yaml:5:5: a fault has either 'between', or 'from' and 'to'", "both ways");
#undef BAD
}

static const char kept_scenario[] =
    "nodes:\n"
    "  - {name: a, program: a.c, arguments: ['x y', ''], idle: true}\n"
    "  - {name: b, program: folder/b.c, after: a, stdin: abc,\n"
    "     environment: {A: b}}\n"
    "  - {name: c, program: a.c}\n"
    "links: [{from: a, to: b, latency: none}, {fifo: true}]\n"
    "faults: [{drop: 1, to: b, nth: 2}, {reboot: 1, nodes: c, before: 5 s},\n"
    "         {drop: 1, received: 3}]\n";

/* A run is repeated from its record alone. */
static void a_record_keeps_the_nodes(void **state) {
    (void)state;
    hd_scenario s = parsed(kept_scenario);
    hd_kept_options kept = {0}, again = {0};
    hd_network_keep(&s, &kept);
    char *text = hd_kept_write(&kept);
    assert_non_null(text);
    assert_true(hd_kept_read(&again, text, &err));
    assert_true(hd_kept_is_same_network(&kept, &again));
    hd_run_values values = hd_run_default_values();
    hd_run_options options;
    assert_true(hd_search_options(&values, &again, &options, &err));
    const hd_machine_options *m = &options.machine;
    assert_int_equal(m->n_nodes, 3);
    assert_int_equal(m->argc, 3); /* of the first node */
    assert_ptr_equal(m->argv, m->nodes[0].argv);
    assert_string_equal(m->nodes[0].argv[0], "a");
    assert_string_equal(m->nodes[0].argv[1], "x y");
    assert_string_equal(m->nodes[0].argv[2], "");
    assert_null(m->nodes[0].argv[3]);
    assert_true(m->nodes[0].may_idle);
    assert_null(m->nodes[0].input);
    assert_int_equal(m->nodes[1].program, 1);
    assert_int_equal(m->nodes[1].after.bits, 1);
    assert_string_equal(m->nodes[1].input, "abc");
    assert_string_equal(m->nodes[1].environment[0], "A=b");
    assert_null(m->nodes[1].environment[1]);
    assert_string_equal(m->nodes[2].address, "10.0.0.3");
    assert_int_equal(hd_link_between(m->links, m->n_links, 0, 1).latency, HD_LATENCY_NONE);
    assert_int_equal(hd_link_between(m->links, m->n_links, 1, 0).latency, HD_LATENCY_ANY);
    assert_true(hd_link_between(m->links, m->n_links, 2, 1).is_fifo);
    assert_int_equal(m->n_faults, 3);
    assert_int_equal(m->faults[2].received, 3);
    assert_int_equal(m->faults[0].nth, 2);
    assert_int_equal(m->faults[0].to.bits, 2);
    assert_int_equal(m->faults[0].per_node, HD_NO_BUDGET);
    assert_true(m->faults[0].ends == UINT64_MAX && m->faults[1].ends == UINT64_C(5000000000));
    assert_int_equal(m->faults[1].kind, HD_FAULT_REBOOT);
    assert_true(m->faults[1].keeps_files);
    again.faults.at[0].total++;
    assert_false(hd_kept_is_same_network(&kept, &again));
    again.faults.at[0].total--;
    assert_int_equal(kept.sources.n, 2); /* each file once */
    free(again.nodes.at[2].argv[0]);
    again.nodes.at[2].argv[0] = strdup("changed");
    assert_false(hd_kept_is_same_network(&kept, &again));
    free(text);
    hd_kept_release(&kept);
    hd_kept_release(&again);
    hd_scenario_release(&s);
}

static void damaged_nodes_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "{\"nodes\": [{}]}",
        "{\"nodes\": [{\"name\": \"a\", \"address\": \"10.0.0.1\", \"arguments\": [\"a\"], "
        "\"environment\": [], \"after\": [4096]}]}",
        "{\"nodes\": [{\"name\": \"a\", \"address\": \"10.0.0.1\", \"arguments\": [], "
        "\"environment\": []}]}",
        "{\"nodes\": [{\"name\": \"a\", \"address\": \"10.0.0.1\", \"arguments\": [1], "
        "\"environment\": []}]}",
        "{\"nodes\": [{\"name\": \"a\", \"program\": -1, \"address\": \"10.0.0.1\", "
        "\"arguments\": [\"a\"], \"environment\": []}]}",
        "{\"links\": [{\"from\": 0, \"to\": 0}]}",
        "{\"faults\": [{\"kind\": \"plague\", \"from\": 1, \"to\": 1}]}",
        "{\"faults\": [{\"kind\": \"drop\", \"from\": [4096], \"to\": 1}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hd_kept_options kept = {0};
        assert_false(hd_kept_read(&kept, bad[i], &err));
        assert_string_equal(err.message, "the options in the run's record are damaged");
        hd_kept_release(&kept);
    }
}

/* Lines and expressions of the file are found again in the source. */
static void assertions_become_c(void **state) {
    (void)state;
    hd_scenario s = parsed(NODE "assert:\n  - sum(leader) == 1\n  - 'same(\n\n    x)'\n"
                                "  - always: sum(leader) < 2\n"
                                "  - {eventually: max(x) == 1, within: 2 ms}\n");
    hd_text source = {0};
    hd_scenario_assertion_source(&s, &source);
    assert_non_null(strstr(source.at, "#line 5 \"net.yaml\"\n"
                                      "static int heddle_scenario_assertion0(void) { if (\n"
                                      "#line 5 \"net.yaml\"\n"
                                      "    sum(leader) == 1\n"));
    assert_non_null(strstr(source.at, "__heddle_assert_failed(\"sum(leader) == 1\", "));
    assert_non_null(strstr(source.at, "#line 6 \"net.yaml\"\n"));
    assert_non_null(strstr(source.at, "__heddle_assert_failed(\"same( x)\", "));
    assert_non_null(strstr(source.at, "#line 9 \"net.yaml\"\n            sum(leader) < 2\n"));
    assert_non_null(strstr(source.at, "(heddle_scenario_assertion2, \"sum(leader) < 2\", 0ull);"));
    assert_non_null(
        strstr(source.at, "(heddle_scenario_assertion3, \"max(x) == 1\", 2000000ull);"));
    hd_text_release(&source);
    hd_scenario_release(&s);
    s = parsed(NODE);
    hd_scenario_assertion_source(&s, &source);
    assert_int_equal(source.n, 0);
    hd_scenario_release(&s);
}

static void write_file(const char *name, const char *text) {
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Two programs with equal names and an assertion become one module, and are cached. */
static void scenarios_are_compiled(void **state) {
    (void)state;
    hd_scenario s = parsed("nodes:\n"
                           "  - {name: a, program: a.c}\n"
                           "  - {name: b, program: folder/b.c}\n"
                           "assert: [same(x)]\n");
    hd_arguments arguments = {0};
    hd_compile_result first, second;
    assert_true(hd_network_compile(&s, &arguments, NULL, NULL, &first, &err));
    assert_true(hd_network_compile(&s, &arguments, NULL, NULL, &second, &err));
    assert_true(second.was_cached);
    assert_true(first.hash == second.hash);
    hd_scenario_release(&s);
}

static int enter_folder(void **state) {
    if (enter_scratch(state) != 0)
        return 1;
    mkdir("folder", 0777);
    mkdir("folder.c", 0777);
    write_file("a.c", "int common;\nint main(void) { return common; }\n");
    write_file("folder/b.c", "int common = 1;\nint main(void) { return common; }\n");
    write_file("a.out", "");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),
        cmocka_unit_test(plain_words_are_split_quoted_ones_are_not),
        cmocka_unit_test(count_makes_nodes),
        cmocka_unit_test(free_addresses_are_chosen),
        cmocka_unit_test(programs_are_listed_once),
        cmocka_unit_test(after_changes_the_order),
        cmocka_unit_test(there_may_be_many_nodes),
        cmocka_unit_test(later_links_count),
        cmocka_unit_test(links_may_name_groups),
        cmocka_unit_test(files_start_in_the_scenarios_folder),
        cmocka_unit_test(keys_and_types),
        cmocka_unit_test(what_is_missing),
        cmocka_unit_test(programs_that_do_not_exist),
        cmocka_unit_test(names),
        cmocka_unit_test(addresses),
        cmocka_unit_test(start_order),
        cmocka_unit_test(links),
        cmocka_unit_test(text_that_is_no_yaml),
        cmocka_unit_test(explanation),
        cmocka_unit_test(faults_are_rules),
        cmocka_unit_test(faults_of_an_option_come_last),
        cmocka_unit_test(faults_are_explained),
        cmocka_unit_test(mistakes_in_faults),
        cmocka_unit_test(a_record_keeps_the_nodes),
        cmocka_unit_test(damaged_nodes_are_refused),
        cmocka_unit_test(assertions_become_c),
        cmocka_unit_test(scenarios_are_compiled),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_scratch);
}

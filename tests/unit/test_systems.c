/* Whole systems in the order of virtual time: which event is next (machine/tasks/time_order.c), a
 * node that runs alone (machine/outside.h), and the ways of its events (explore/system/). */
#include "tool/machine_program.h"

#include "explore/explore.h"
#include "machine/outside.h"

/* What a node does: sKc  send c to node K      rN  receive, for N ms at most (0: for ever)
 *                   zN   sleep for N ms        i   x is an input
 *                   d    is x > 100?           xK  send x to node K
 * It reaches its name and what it has seen: bytes, '.' for a limit that has passed, '+' or '-'. */
static const char text[] =
    "#include <arpa/inet.h>\n#include <heddle.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <sys/socket.h>\n#include <sys/time.h>\n#include <unistd.h>\n"
    "static char seen[64]; static int n, sock; static unsigned char x;\n"
    "static void send_to(int node, char c) {\n"
    "  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};\n"
    "  to.sin_addr.s_addr = htonl(0x0a000001 + (unsigned)node);\n"
    "  sendto(sock, &c, 1, 0, (struct sockaddr *)&to, sizeof to); }\n"
    "static void receive(int ms) { char c;\n"
    "  struct timeval limit = {.tv_usec = ms * 1000};\n"
    "  setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);\n"
    "  if (recv(sock, &c, 1, 0) != 1) { seen[n++] = '.'; return; }\n"
    "  x = (unsigned char)c; seen[n++] = c; }\n"
    "int main(int argc, char **argv) {\n"
    "  struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(7000)};\n"
    "  sock = socket(AF_INET, SOCK_DGRAM, 0);\n"
    "  bind(sock, (struct sockaddr *)&me, sizeof me);\n"
    "  strcpy(seen, argv[0]); n = (int)strlen(seen);\n"
    "  for (int i = 1; i < argc; i++) switch (argv[i][0]) {\n"
    "    case 's': send_to(argv[i][1] - '0', argv[i][2]); break;\n"
    "    case 'x': send_to(argv[i][1] - '0', (char)x); n = 2; break;\n"
    "    case 'r': receive(atoi(argv[i] + 1)); break;\n"
    "    case 'z': usleep((unsigned)atoi(argv[i] + 1) * 1000); break;\n"
    "    case 'i': heddle_input(x); break;\n"
    "    case 'd': n = 2; if (x > 100) seen[n++] = '+'; else seen[n++] = '-'; break; }\n"
    "  close(sock);\n"
    "  if (seen[n - 1] != '?') heddle_reach(seen);\n"
    "  return 0; }\n";

#define MS UINT64_C(1000000)

/* A node for each list of words. */
typedef struct nodes {
    hd_network_node at[4];
    char *words[4][12];
    char names[4][4], addresses[4][16], lists[4][64];
    hd_machine_options options;
} nodes;

static char *no_environment[] = {NULL};

static void add_node(nodes *n, uint32_t i, const char *list) {
    char *rest = NULL;
    int argc = 0;
    snprintf(n->names[i], sizeof n->names[i], "%c:", (char)('a' + i));
    snprintf(n->addresses[i], sizeof n->addresses[i], "10.0.0.%u", i + 1);
    snprintf(n->lists[i], sizeof n->lists[i], "%s", list);
    n->words[i][argc++] = n->names[i];
    for (char *w = strtok_r(n->lists[i], " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        n->words[i][argc++] = w;
    n->at[i] = (hd_network_node){.name = n->names[i],
                                 .argc = argc,
                                 .argv = n->words[i],
                                 .environment = no_environment,
                                 .address = n->addresses[i],
                                 .may_idle = true};
    n->options.n_nodes = i + 1;
}

static nodes *make_nodes(const char *a, const char *b, const char *c) {
    nodes *n = calloc(1, sizeof *n);
    n->options = hd_machine_defaults();
    n->options.nodes = n->at;
    n->options.orders = HD_ORDERS_TIME;
    add_node(n, 0, a);
    if (b)
        add_node(n, 1, b);
    if (c)
        add_node(n, 2, c);
    return n;
}

/* ---- the order of events ---- */

static bool is_reached(const program *p, const char *label) {
    uint32_t n;
    const hd_label *labels = hd_machine_labels(p->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(labels[i].name, label) == 0)
            return true;
    return false;
}

/* Node a sees this when all of them run. */
static void sees(nodes *n, const char *wanted) {
    program *p = open_program(text, &n->options);
    run_program(p);
    if (!is_reached(p, wanted)) {
        uint32_t k;
        const hd_label *labels = hd_machine_labels(p->machine, &k);
        fail_msg("'%s' was not reached, '%s' was", wanted, k ? labels[0].name : "nothing");
    }
    close_program(p);
    free(n);
}

static void what_arrives_first_is_first(void **state) {
    (void)state;
    sees(make_nodes("r0 r0", "z2 s0b", "z1 s0c"), "a:cb");
}

static void at_the_same_time_senders_are_in_order(void **state) {
    (void)state;
    sees(make_nodes("r0 r0 r0", "s0b s0B", "s0c"), "a:bBc");
}

static void links_say_how_long_it_takes(void **state) {
    (void)state;
    hd_link slow[] = {{.from = 1, .to = 0, .is_fifo = true, .delay = 5 * MS}};
    nodes *n = make_nodes("r0 r0", "s0b", "s0c");
    n->options.links = slow;
    n->options.n_links = 1;
    sees(n, "a:cb");
}

/* A packet takes 1 ms: it is there at the moment when the limit passes, and comes before it. */
static void arrivals_are_before_limits(void **state) {
    (void)state;
    sees(make_nodes("r1 r1", "s0b", NULL), "a:b.");
    sees(make_nodes("r1 r9", "z1 s0b", NULL), "a:.b");
}

/* Of two nodes that send at the same moment the lower one sends first, and its packet has the
 * lower number; a relay takes as long as both links. */
static void a_relay_takes_two_links(void **state) {
    (void)state;
    sees(make_nodes("r0 r0", "s2b", "r0 s0c z1 s0C"), "a:cC");
    sees(make_nodes("r1 r0", "s2b", "r0 s0c"), "a:.c");
}

static void nothing_happens_behind_the_horizon(void **state) {
    (void)state;
    nodes *n = make_nodes("r3 z2 s1x", "r0", NULL);
    n->options.horizon = 5 * MS;
    program *p = open_program(text, &n->options);
    run_program(p);
    assert_true(is_reached(p, "a:.") && !is_reached(p, "b:x")); /* x would be there at 6 ms */
    close_program(p);
    n->options.horizon = 6 * MS;
    p = open_program(text, &n->options);
    run_program(p);
    assert_true(is_reached(p, "b:x"));
    close_program(p);
    free(n);
}

/* ---- a node alone ---- */

typedef struct alone {
    hd_packet sent[8]; /* without their bytes, of which this is the first: */
    uint8_t bytes[8];
    hd_wait_end waits[8];
    unsigned n_sent, n_waits, n_events;
    hd_node_event events[8];
} alone;

static void keep_packet(void *context, const hd_packet *packet) {
    alone *a = context;
    assert_true(a->n_sent < 8);
    a->bytes[a->n_sent] = packet->bytes.n ? packet->bytes.at[0] : 0;
    a->sent[a->n_sent++] = *packet;
}

static bool tell_next(void *context, const hd_wait_end *own, hd_node_event *event) {
    alone *a = context;
    assert_true(a->n_waits < 8);
    a->waits[a->n_waits++] = *own;
    if (a->n_waits > a->n_events)
        return false;
    *event = a->events[a->n_waits - 1];
    return true;
}

static void run_alone(program *p, uint32_t node, alone *a) {
    hd_outside outside = {a, node, keep_packet, tell_next, NULL};
    hd_sink sink = {.context = p, .branch = keep_event, .outside = &outside};
    a->n_sent = a->n_waits = 0;
    hd_machine_run(p->machine, &p->model, &sink, &p->outcome);
}

static void a_node_alone_says_what_it_waits_for(void **state) {
    (void)state;
    nodes *n = make_nodes("z3 s1b r5 x1", "r0 r0", NULL);
    program *p = open_program(text, &n->options);
    alone a = {.n_events = 1, .events = {{.time = 3 * MS}}};
    run_alone(p, 0, &a);
    assert_int_equal(a.n_waits, 2);
    assert_true(a.waits[0].time == 3 * MS && a.waits[0].sender == UINT32_MAX);
    assert_true(a.waits[1].time == 8 * MS); /* five after it began to wait */
    assert_int_equal(a.n_sent, 1);
    assert_true(a.sent[0].from == 0 && a.sent[0].to == 1 && a.sent[0].number == 0);
    assert_true(a.sent[0].sent == 3 * MS && a.sent[0].arrives == 4 * MS);

    /* a packet ends the wait, and what is sent then is sent at that moment */
    static const uint8_t byte[] = "q";
    hd_packet q = a.sent[0];
    q.from = 1, q.to = 0;
    hd_address source = q.source;
    q.source = q.target, q.target = source;
    q.bytes = (hd_bytes){.at = (uint8_t *)byte, .n = 1};
    a.n_events = 2;
    a.events[1] = (hd_node_event){4 * MS, &q};
    run_alone(p, 0, &a);
    assert_int_equal(a.n_sent, 2);
    assert_true(a.sent[1].sent == 4 * MS && a.sent[1].number == 1 && a.bytes[1] == 'q');

    /* O1: without it the limit passes */
    a.events[1] = (hd_node_event){.time = 8 * MS};
    run_alone(p, 0, &a);
    assert_true(a.n_sent == 2 && a.sent[1].sent == 8 * MS && a.bytes[1] == 0);
    close_program(p);
    free(n);
}

/* Nobody listens: it is the host that says so, at once, whether the node waits or has ended. */
static void a_host_answers_for_its_node(void **state) {
    (void)state;
    nodes *n = make_nodes("r0", "r0", "");
    program *p = open_program(text, &n->options);
    hd_packet asked = {.kind = HD_PACKET_CONNECT,
                       .from = 0,
                       .sent = 2 * MS,
                       .arrives = 2 * MS,
                       .source = hd_address_any(AF_INET, 40000),
                       .target = hd_address_any(AF_INET, 8000),
                       .cable = UINT64_C(1) << 32,
                       .to_server = true};
    for (uint32_t node = 1; node < 3; node++) {
        alone a = {.n_events = 1, .events = {{2 * MS, &asked}}};
        asked.to = node;
        run_alone(p, node, &a);
        assert_int_equal(a.n_waits, 2);
        assert_true(a.waits[0].has_ended == (node == 2) && a.waits[1].has_ended == (node == 2));
        assert_int_equal(a.n_sent, 1);
        assert_true(a.sent[0].kind == HD_PACKET_REFUSED && a.sent[0].cable == asked.cable);
        assert_true(a.sent[0].to == 0 && a.sent[0].arrives == 2 * MS && !a.sent[0].to_server);
    }
    close_program(p);
    free(n);
}

/* Cut links are no event of the node: its clock stays, and so does its limit. */
static void a_cut_passes_no_time(void **state) {
    (void)state;
    hd_set all = hd_set_with(hd_set_of(0), 1);
    hd_fault cut = {.kind = HD_FAULT_PARTITION,
                    .from = all,
                    .to = all,
                    .total = 1,
                    .per_node = HD_NO_BUDGET,
                    .per_link = HD_NO_BUDGET,
                    .ends = UINT64_MAX};
    hd_packet told = {.kind = HD_PACKET_CUT, .from = 1, .arrives = 3 * MS, .until = 9 * MS};
    nodes *n = make_nodes("r3 s1b", "r0", NULL);
    n->options.faults = &cut;
    n->options.n_faults = 1;
    program *p = open_program(text, &n->options);
    alone a = {.n_events = 2, .events = {{3 * MS, &told}, {.time = 3 * MS}}};
    run_alone(p, 0, &a);
    assert_int_equal(a.n_waits, 3);
    assert_true(a.waits[1].time == 3 * MS && a.waits[1].sender == UINT32_MAX);
    assert_int_equal(a.n_sent, 1); /* when the limit has passed */
    assert_true(a.waits[2].has_ended);
    close_program(p);
    free(n);
}

/* ---- ways of events ---- */

typedef struct searched {
    hd_explorer_counters counters;
    char dscenarios[32];
    bool are_possible;
} searched;

static searched search(nodes *n, hd_mapping_kind mapping, bool explodes) {
    program *p = open_program(text, &n->options);
    hd_chain_options solve = hd_chain_defaults();
    hd_chain *chain = hd_chain_new(p->graph, p->variables, &solve);
    hd_explorer_options o = {.machine = p->machine,
                             .mapping = mapping,
                             .n_nodes = n->options.n_nodes,
                             .faults = n->options.faults,
                             .n_faults = n->options.n_faults,
                             .explodes = explodes};
    hd_explorer *x = hd_explorer_new(p->graph, p->variables, chain, &o);
    hd_sink sink = hd_explorer_sink(x);
    for (unsigned i = 0; hd_explorer_next(x, &p->model); i++) {
        assert_true(i < 100);
        hd_machine_run(p->machine, &p->model, &sink, &p->outcome);
        hd_explorer_done(x, &p->outcome, &p->model);
    }
    searched s = {.counters = *hd_explorer_counted(x)};
    const char *digits = hd_explorer_dscenarios(x, &s.are_possible);
    assert_non_null(digits);
    snprintf(s.dscenarios, sizeof s.dscenarios, "%s", digits);
    assert_true(hd_explorer_is_complete(x));
    hd_explorer_free(x);
    hd_chain_free(chain);
    close_program(p);
    free(n);
    return s;
}

static const hd_mapping_kind mappings[] = {HD_MAPPING_COB, HD_MAPPING_COW, HD_MAPPING_SDS};

/* An event with two ways is two states, and nobody else's business. */
static void an_event_with_two_ways_is_two_states(void **state) {
    (void)state;
    searched s = search(make_nodes("i d", "i d", "i d"), HD_MAPPING_SDS, true);
    assert_int_equal(s.counters.states, 6);
    assert_int_equal(s.counters.dstates, 1);
    assert_string_equal(s.dscenarios, "8");
    assert_true(s.are_possible);
    assert_int_equal(s.counters.executions, 8);
    s = search(make_nodes("i d", "i d", "i d"), HD_MAPPING_COB, true);
    assert_int_equal(s.counters.states, 24);
    assert_string_equal(s.dscenarios, "8");
    assert_int_equal(s.counters.executions, 8);
}

/* What is sent behind a decision is of those states that sent it. */
static void a_packet_goes_from_the_state_that_sent_it(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        searched s = search(make_nodes("i d x1", "r0 d", NULL), mappings[i], true);
        assert_int_equal(s.counters.executions, 2); /* the receiver decides as the sender did */
        assert_int_equal(s.counters.unknown + s.counters.mispredicted, 0);
        assert_int_equal(s.counters.contradictions, 0);
    }
}

/* Decisions on an input that was sent before them: both nodes know of it, and half of their
 * combinations are no execution. */
static void states_that_contradict_each_other_are_not_put_together(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        searched s = search(make_nodes("i x1 d", "r0 d", NULL), mappings[i], true);
        assert_int_equal(s.counters.executions, 2);
        assert_string_equal(s.dscenarios, "4");
        assert_false(s.are_possible);
    }
}

/* A loss is met by the receiver: two ways of the event, and `received` counts all senders. */
static void a_loss_is_two_ways_of_an_arrival(void **state) {
    (void)state;
    hd_set all = hd_set_with(hd_set_with(hd_set_of(0), 1), 2);
    hd_fault second = {.kind = HD_FAULT_DROP,
                       .from = all,
                       .to = all,
                       .total = HD_NO_BUDGET,
                       .per_node = 1,
                       .per_link = HD_NO_BUDGET,
                       .received = 2,
                       .ends = UINT64_MAX};
    nodes *n = make_nodes("r3 r3 r3", "s0b z1 s0B", "s0c");
    n->options.faults = &second;
    n->options.n_faults = 1;
    searched s = search(n, HD_MAPPING_SDS, true);
    assert_int_equal(s.counters.executions, 2);
    assert_int_equal(s.counters.states, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_arrives_first_is_first),
        cmocka_unit_test(at_the_same_time_senders_are_in_order),
        cmocka_unit_test(links_say_how_long_it_takes),
        cmocka_unit_test(arrivals_are_before_limits),
        cmocka_unit_test(a_relay_takes_two_links),
        cmocka_unit_test(nothing_happens_behind_the_horizon),
        cmocka_unit_test(a_node_alone_says_what_it_waits_for),
        cmocka_unit_test(a_host_answers_for_its_node),
        cmocka_unit_test(a_cut_passes_no_time),
        cmocka_unit_test(an_event_with_two_ways_is_two_states),
        cmocka_unit_test(a_packet_goes_from_the_state_that_sent_it),
        cmocka_unit_test(states_that_contradict_each_other_are_not_put_together),
        cmocka_unit_test(a_loss_is_two_ways_of_an_arrival),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

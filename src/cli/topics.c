/* The help topics. */
#include "cli/topics.h"
#include "base/shown.h"
#include "compile/checks.h"

#include "explore/explore.h"

#include <stdio.h>

static void list_strategies(void) {
#define X(name, rules, text, words) hd_print(stdout, "  %-12s %s\n", text, words);
    HD_STRATEGIES(X)
#undef X
}

static void list_layers(void) {
#define X(name, symbol, words) hd_print(stdout, "  %-14s %s\n", #symbol, words);
    HD_LAYERS(X)
#undef X
}

static void list_kinds(void) {
#define X(name, text, words) hd_print(stdout, "  %-18s %s\n", text, words);
    HD_FINDING_KINDS(X)
#undef X
}

static void list_reductions(void) {
#define X(name, rules, text, words) hd_print(stdout, "  %-12s %s\n", text, words);
    HD_REDUCTIONS(X)
#undef X
}

static const char inputs[] =
    "A program says what its inputs are with <heddle.h>:\n"
    "\n"
    "  heddle_input(x)             x takes every value: integers, arrays, structs, pointers\n"
    "  heddle_input_array(p, n)    the n elements at p\n"
    "  heddle_bytes(buf, n, NAME)  n raw bytes\n"
    "  heddle_choose(lo, hi)       a long from lo to hi\n"
    "  heddle_assume(c)            go on only where c holds\n"
    "  heddle_assert(c)            a finding where c does not hold; assert() works too\n"
    "  heddle_reach(NAME)          list this place in the summary\n"
    "  heddle_cover(NAME, c)       the same, where c holds: 'heddle obligations' lists it\n"
    "\n"
    "An input pointer is NULL, points to a new object whose contents are inputs too, or to an\n"
    "object that another input pointer has.  With --function F no such calls are needed: the\n"
    "arguments of F are the inputs.  With --stdin N so are N bytes of standard input, without it\n"
    "what is there is read as it is.  <cute.h> gives the macros of CUTE.\n"
    "\n"
    "The first inputs are small numbers from --seed (pointers NULL); all later ones are\n"
    "computed.  The same seed gives the same run.\n";

static const char strategies[] =
    "--strategy says which open branch is taken next.  A search that runs to its end explores\n"
    "the same paths with each; they differ in what comes first and in memory.  With threads or\n"
    "messages a strategy says which part of the search has the next turn.\n\n";

static const char solver[] =
    "To take another path, inputs are computed by layers, cheapest first; the first layer that\n"
    "knows answers.  --solver-chain names those to use (\"slice,blast\"), or those to leave out\n"
    "(\"-z3,-cache\").  --query-time is the processor time of one query; what no layer decides\n"
    "counts as unknown and keeps the run from being complete.\n\n";

static const char checks[] =
    "Every memory access of the program is checked before it happens.  --checks chooses what is\n"
    "checked as well; 'none' leaves it out, 'all' is the default:\n\n"
#define X(word, sanitizers, text) "    " word ": " text "\n"
    HD_CHECKS(X)
#undef X
        "\n"
        "An execution goes on where one of these fails, with the value that the processor makes;\n"
        "--checks-end ends it.  --no-leaks ignores leaks.  --fail-on-exit makes a non-zero exit "
        "status\n"
        "a finding.  Kinds of findings:\n\n";

static const char limits[] =
    "  --max-time T         stop after this time; held inside solver queries too\n"
    "  --max-executions N   stop after N executions\n"
    "  --max-memory N       stop when a worker has more memory\n"
    "  --stop-at-first      stop at the first finding\n"
    "  --jobs N             workers that share the search; counts and verdict do not depend on it\n"
    "  --depth N            look at the first N decisions of a path only\n"
    "  --preemptions K      orders of threads with up to K preemptions only (see 'threads')\n"
    "  --max-steps N        loop iterations and recursive calls of one execution; then it is "
    "endless if\n"
    "                       its state repeats\n"
    "  --query-time T       processor time of one solver query\n"
    "\n"
    "A run that stopped at a limit, or by ^C, goes on with 'heddle run --resume'.\n"
    "What Heddle cannot follow exactly (floating-point inputs, inline assembly, functions of\n"
    "libraries that it has no model of) is run with concrete values, counted, and listed with\n"
    "file and line beside the verdict: such a run is never called complete.\n";

static const char threads[] =
    "Programs with threads need nothing special: pthreads, <threads.h>, <stdatomic.h> and\n"
    "semaphores work, and 'heddle run' chooses the order of threads as it chooses inputs.  Orders\n"
    "that lead to the same result (they swap what does not depend on each other) are one class,\n"
    "and one execution of it is enough.\n"
    "\n"
    "Found in any order: failed assertions and crashes, deadlocks, lost wake-ups, data races (two\n"
    "plain accesses that nothing orders, one a write), wrong use of locks, endless waiting.  A\n"
    "finding comes with the order that needs fewest preemptions, told thread by thread; 'heddle\n"
    "replay' runs it again.  A race is harmful if the order of the two accesses decides about\n"
    "another finding.  Locks that are taken in both orders are a warning.\n"
    "\n"
    "When there are too many orders:\n"
    "  --preemptions K      only those with up to K preemptions, fewest first\n"
    "  --schedule random    --samples N orders, drawn at random\n"
    "  --schedule pct       the same, with a known chance for bugs of --depth-of-bug D\n"
    "What a bound left out is said beside the verdict.  A long search draws some orders at random\n"
    "by itself, to find sooner what it comes to late; --no-samples: it does not.\n"
    "\n"
    "  --spurious           waits for condition variables may end without a signal\n"
    "  --max-timeouts N     timeouts of one thread while others can go on\n"
    "  --thread-leaks       threads that are neither joined nor detached are findings\n"
    "  --no-races           data races are not\n"
    "\n"
    "--por says how orders are left out (all find the same; for comparison):\n";

static const char messages[] =
    "Programs of several processes are explored in every order of messages that matters.  "
    "Processes\n"
    "are actors of <heddle.h>, children by fork, or nodes of a scenario (see 'scenarios'):\n"
    "\n"
    "  heddle_spawn(body, &argument, size)   a new actor, with its own copy of all globals\n"
    "  heddle_send(to, &message, size)       never waits; heddle_send_on(channel, ...)\n"
    "  heddle_receive(&message, size)        waits; heddle_receive_on(channel, ...)\n"
    "  heddle_sender(), heddle_channel()     of the message received last\n"
    "  heddle_fifo(channel)                  keeps its order between two actors; -1: all\n"
    "  heddle_may_idle()                     may wait for ever: no deadlock\n"
    "  heddle_halt(), heddle_error(text)     ends this actor; is a finding\n"
    "  heddle_export, heddle_global_assert   assertions about all processes, at the end\n"
    "\n"
    "fork, wait, kill, pipes, sockets (UNIX, TCP, UDP), select, poll, epoll and message queues "
    "work\n"
    "unchanged, within the test only: nothing reaches the real network.\n"
    "\n"
    "The story of a finding is a message sequence chart:\n"
    "\n"
    "  main      actor 1\n"
    "            shop.c:61\n"
    "    |-------->|   sent at shop.c:45, received at :30\n"
    "    |---x     |   sent at shop.c:46, never received\n"
    "    #         |   waits for a message at shop.c:46      (X fails, * does something else)\n"
    "\n"
    "Time is virtual.  --timeouts last (default): time limits pass when nobody else can go on;\n"
    "--timeouts any: whenever they like, as if the message were late.  --partial-io: reads and\n"
    "writes of streams may also do one byte only.  --por as in 'threads'; 'message' is made for\n"
    "messages.  docs/messages.md says which events depend on each other.\n";

static const char scenarios[] =
    "A scenario is a YAML file that names the nodes of a distributed program.  'heddle check "
    "FILE'\n"
    "explains it, 'heddle run --net FILE' explores it:\n"
    "\n"
    "  nodes:\n"
    "    - name: server\n"
    "      program: [server.c, protocol.c]    # C files, from the folder of the scenario\n"
    "      idle: true                         # may wait for ever\n"
    "    - name: client{index}                # client0, client1\n"
    "      count: 2\n"
    "      program: client.c protocol.c       # a list may be written as words\n"
    "      arguments: --server server --number {index}\n"
    "      after: server                      # starts when the server waits\n"
    "  links:                                 # how messages go between nodes\n"
    "    - fifo: true                         # of all nodes: datagrams keep their order\n"
    "    - {between: [client0, server], latency: none}\n"
    "  faults:                                # what may go wrong: see 'faults'\n"
    "    - drop: 1\n"
    "  assert:                                # over exported variables\n"
    "    - sum(leader) == 1                   # when nobody can go on any more\n"
    "    - always: sum(leader) <= 1           # at every moment\n"
    "    - eventually: same(term)             # at some moment, of the first 5 s\n"
    "      within: 5 s\n"
    "\n"
    "keys of a node\n"
    "  name          resolves to its address\n"
    "  program       C files\n"
    "  flags         options for clang: -D -I -U -std= ...\n"
    "  arguments     argv[1], ...; argv[0] is the name of the first file\n"
    "  environment   {NAME: value, ...}\n"
    "  stdin         what it reads from standard input\n"
    "  address       10.0.0.1, 10.0.0.2, ... by default; IPv6 works too\n"
    "  after         nodes that have ended, or wait for something, before it starts\n"
    "  idle          true: may wait for ever\n"
    "  files         own: other nodes do not see them; lost: nor does it after a reboot\n"
    "  root          a folder whose files it sees before those of the machine\n"
    "  count         so many of them, told apart by {index}, {next}, {previous}, {index+K}, "
    "{count}\n"
    "keys of a link\n"
    "  from, to, between   nodes; every node if they are missing\n"
    "  fifo                true: datagrams keep their order; false (default): they need not\n"
    "  latency             any (default): messages arrive some time later; none: at once\n"
    "  segments            of streams: together: what is sent in a row on a connection arrives as\n"
    "                      one; 2: it is cut twice at most. The verdict says what that leaves out\n";

static const char systems[] =
    "'heddle run --net FILE --orders time' takes one order of events, that of virtual time, and\n"
    "explores inputs and faults: for tens to thousands of nodes.\n"
    "\n"
    "  latency: 5ms    of a link: how long a packet takes; 1 ms if it says nothing, none: no time\n"
    "  --until 10s     what comes later does not happen\n"
    "  --mapping HOW   which states of nodes belong together:\n"
    "                  sds   a packet forks the states that get it (default)\n"
    "                  cow   a packet forks all states that belong to its sender\n"
    "                  cob   every decision forks the states of all nodes\n"
    "                  none  no states: every scenario is run by itself\n"
    "  --equal-packets many   equal packets that states of a node send at the same time are mapped\n"
    "                  one by one, instead of once for all of them\n"
    "  --samples N     run N more scenarios, drawn at random; --tests all: all of them\n"
    "  --max-memory N  stop when a worker has more\n"
    "\n"
    "The next event is the first by time, then by node; packets come before time limits.  Threads "
    "of\n"
    "a node run in their default order.  A finding is an execution of all nodes, with its inputs "
    "and\n"
    "faults.  docs/systems.md has the rest.\n";

static const char json[] =
    "'heddle run --json' prints one object on standard output when the run is over:\n"
    "\n"
    "  version, program, directory, seed, executions, paths, rejected,\n"
    "  complete (true or false), reasons[] (why not),\n"
    "  findings[] {number, kind, message, file, line, function, count, test, stack[], story[]},\n"
    "  tests (how many), labels {name: executions},\n"
    "  coverage {branches, covered, conditions, conditions_covered},\n"
    "  search {infeasible, unknown, mispredicted, bounded, open, deepest},\n"
    "  threads {threads, processes, classes, redundant, events, longest, races, preempted_away,\n"
    "           sampled, node_events, states, dstates, dstate_groups (that share no state),\n"
    "           largest_group (its states), virtual_time, contradictions, scenarios (digits),\n"
    "           scenarios_exact, estimate} or null, warnings[],\n"
    "  solver {queries, sat, unsat, unknown, seconds, constraints_before, constraints_after,\n"
    "          layers {name: {asked, sat, unsat, unknown, seconds}}},\n"
    "  losses[] {kind, what, file, line, count},\n"
    "  times {total, cpu, executions_per_second}, exit_status\n"
    "\n"
    "'heddle tests', 'heddle findings' and 'heddle replay' take --json too.\n";

static const char parts[] =
    "A search can be divided before it begins, by conditions on inputs.  'heddle partition "
    "FILE.c'\n"
    "shows such conditions, 'heddle run --partition HOW FILE.c' makes and searches the parts.  HOW "
    "is\n"
    "\n"
    "  ssp      conditions and inputs that occur most on paths of --shallow-depth decisions, put\n"
    "           together until there are --queue parts (paper 003)\n"
    "  paths    the conditions of these paths, and of those that end before\n"
    "  none     no parts: each worker has the whole search and a seed of its own; with\n"
    "           '--strategy random-dfs' it is what paper 003 compares with\n"
    "  FILE     one condition on each line, as in C: 'x < 5 && key[0] != 10'; '#' begins a "
    "comment.\n"
    "           Or a script of SMT-LIB, whose parts are what is asserted at each (check-sat)\n"
    "\n"
    "Inputs have the names and types of the program; of several of one name, 'op#3' is the one "
    "that\n"
    "is the fourth input of an execution.  Names that are none in C stand in backquotes.\n"
    "\n"
    "Parts may overlap: a path that several come to counts once.  What they leave out is said with "
    "an\n"
    "example and becomes one more part.  Workers without a part get one of what others have left,\n"
    "unless --no-sharing says no.  Programs with threads or processes are not divided.\n";

static const char exit_status[] =
    "  0  explored, nothing found\n"
    "  1  findings\n"
    "  2  usage or build error: nothing was run, earlier results are untouched\n"
    "  3  stopped at a limit (time, executions, depth, solver budget, ^C), or executions ended "
    "where\n"
    "     they call what is not modelled; nothing found so far\n"
    "\n"
    "A search that ran to its end with some values fixed on the way (see 'limits') ends with 0 or\n"
    "1; its summary says that it is not complete, and why.\n"
    "'heddle replay' ends with 0 if the test went as recorded, a finding included, else with 2.\n"
    "'heddle diff' ends with 1 if there are new findings.  Other commands end with 0 or 2.\n";

static const char files[] =
    "  heddle-out/run.db     everything about the run: tests, findings, counters, journal "
    "(SQLite)\n"
    "  heddle-out/module/    the compiled program and the sources that it was compiled from, so that\n"
    "                        replay works after they change\n"
    "  heddle-out/report.html  what 'heddle report' wrote\n"
    "  heddle-out/stdin      what was read from standard input, for replay\n"
    "  ~/.cache/heddle/      compiled modules; may be removed at any time\n";

static const char environment[] =
    "  HEDDLE_CACHE      where compiled modules are cached; elsewhere if there is no room\n"
    "  NO_COLOR          set to something: no colours\n"
    "  XDG_CACHE_HOME    its 'heddle' folder is the cache otherwise; without it ~/.cache/heddle\n";

static const char cluster[] =
    "One search on many machines, through a NATS server with JetStream (nats-server -js):\n"
    "\n"
    "  heddle run --cluster nats://HOST --run NAME FILE.c      coordinates, works, has the "
    "results\n"
    "  heddle worker --cluster nats://HOST --token NAME.token  adds a machine, at any time; ^C "
    "leaves\n"
    "  heddle top --cluster nats://HOST --token NAME.token     shows it as it goes\n"
    "  heddle run --cluster local FILE.c                       with a private server, to try it "
    "out\n"
    "\n"
    "The token is a file that 'heddle run' makes: a key that seals all messages of the run.  Copy "
    "it\n"
    "to the machines that take part; whoever has it can have them run code.\n"
    "\n"
    "Machines, workers, the coordinator and the server may die: nothing is lost, and nothing is\n"
    "counted twice.  A coordinator that is gone is started again anywhere, with the same command; "
    "the\n"
    "program may be left out.  A machine that is silent for --patience (30s) is taken for gone; a\n"
    "server that is away is waited for up to --server-time (60s).\n"
    "\n"
    "Files that the program reads must be the same on all machines.  Standard input goes to all if "
    "it\n"
    "is a file.  docs/cluster.md has the rest: credentials, TLS, copies.\n";

static const char faults[] =
    "What may go wrong in a scenario, in its file or as --fault 'RULE; RULE':\n"
    "\n"
    "  faults:\n"
    "    - drop: 1                           # one datagram may be lost\n"
    "    - {duplicate: 1, from: a, to: b}    # one from a to b may come twice\n"
    "    - {crash: 1, nodes: a, after: 2 s}  # a may crash\n"
    "\n"
    "kinds, with a budget: a number from 1, or 'any'\n"
    "  drop, duplicate           a datagram is lost, or arrives twice\n"
    "  reorder                   is overtaken on a link with 'fifo: true', by 'window: K' at most\n"
    "  delay                     arrives 'time: 2 s' later, or after that\n"
    "  corrupt                   its bytes become inputs\n"
    "  partition                 its link is cut from then on, for 'time: 2 s' or for ever\n"
    "  full                      a send that must not wait finds no room (EAGAIN)\n"
    "  reset                     a connection breaks when something is sent on it (ECONNRESET)\n"
    "  crash, reboot             a node dies; its program starts again, and finds its files\n"
    "\n"
    "rules\n"
    "  from, to, between         nodes of a message; 'nodes' of a crash or reboot\n"
    "  per: node | link          the budget is for each of them; 'total: N' for all together\n"
    "  nth: N                    only the n-th message of a link, or chance of a node\n"
    "  received: N               --orders time: only the n-th datagram that a node gets\n"
    "  after, before             virtual time: 2 s, 500 ms, 1 m\n"
    "\n"
    "A fault is a choice with a name ('drop a->b #2'), explored both ways together with orders and\n"
    "inputs.  'heddle check FILE' says what a budget allows.  docs/faults.md has the rest.\n";

static const char security[] =
    "A tested program is taken for hostile.  Its files, sockets, processes and signals are virtual, and\n"
    "the process that runs it is confined by the kernel: a short list of system calls, none at all by\n"
    "the program's own instructions (seccomp), and files that were given (landlock).  What it tries\n"
    "beyond that is not carried out: it is a finding, 'forbidden'.\n"
    "\n"
    "It may read the directory of the command, those of its sources, and the system's libraries.\n"
    "\n"
    "  --allow read=PATH         a file or a directory more; several with commas\n"
    "  --allow write=PATH        to write, for --external functions\n"
    "  --allow exec,network      other programs, real sockets, for the same\n"
    "  --allow all               no confinement\n"
    "\n"
    "'heddle run -v' says what this kernel has.  docs/security.md has the rest.\n";

const hd_topic hd_topics[] = {
    {"inputs", "what a program can say to Heddle", inputs, NULL},
    {"strategies", "which path comes next", strategies, list_strategies},
    {"threads", "orders of threads, and what is found in them", threads, list_reductions},
    {"messages", "actors, processes and sockets, in every order", messages, NULL},
    {"scenarios", "nodes of a distributed program, as a file", scenarios, NULL},
    {"faults", "messages that are lost, nodes that crash", faults, NULL},
    {"systems", "many nodes, in the order of virtual time", systems, NULL},
    {"parts", "a search that is divided before it begins", parts, NULL},
    {"cluster", "one search on many machines", cluster, NULL},
    {"solver", "how new inputs are computed", solver, list_layers},
    {"checks", "what counts as a finding", checks, list_kinds},
    {"limits", "bounds of a run, and what is not exact", limits, NULL},
    {"security", "what a tested program cannot do", security, NULL},
    {"json", "output for scripts", json, NULL},
    {"exit-status", "what the exit status means", exit_status, NULL},
    {"files", "what a run leaves behind", files, NULL},
    {"environment", "variables that Heddle reads", environment, NULL},
    {0},
};

/* Random programs of processes: mostly sensible, so that they get somewhere. */
#include "property/random/process_script.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

enum { DUPLICATE = 6, ACCEPTED = 7, RECEIVED = 8 }; /* slots, as in process_program.c */

typedef struct maker {
    script *s;
    uint64_t random;
    unsigned features;
    unsigned n_channels;
    bool is_state;   /* counters, files, memory ... , in half of the programs */
    bool is_outside; /* signals and inputs, in half of the programs */
    bool is_locking; /* all want locks of the first channel, a file */
} maker;

unsigned script_parse_features(const char *letters) {
    unsigned features = 0;
    for (; *letters; letters++) {
#define X(name, letter, words) features |= *letters == (letter) ? SCRIPT_##name : 0;
        SCRIPT_FEATURES(X)
#undef X
    }
    return features;
}

static unsigned below(maker *m, unsigned n) {
    return (unsigned)(hd_random_next(&m->random) % n);
}

static bool has(const maker *m, unsigned feature) {
    return (m->features & feature) != 0;
}

/* ---- Channels -------------------------------------------------------------------------------- */

/* Files that are no ways for data, or not only, and what is done with them: '@' is one of the two
 * slots of the channel, '.' its first one, '#' 0 or 1, '$' a slot of any channel. */
static const struct {
    char kind;
    unsigned feature;
    const char *operations;
} states[] = {
    {'e', SCRIPT_COUNTERS, "C@1C@1C@9R@0R@0p@0p@1c@0l@$"},
    {'v', SCRIPT_TIME, "C@1C@0C@2C@7R@0R@0Q@8Q@8Q@9p@0l@$"},
    {'m', SCRIPT_MESSAGES, "C@0C@1C@2R@0R@0Q@1K@2K@3p@0p@1c@0"},
    {'f', SCRIPT_FILES, "w@1w@3r@1r@4Q@0Q@2Q@3F@0K@0K@1K@7K@8K@9c@0"},
    {'M', SCRIPT_MEMORY, "M#0M#0M#1M#2M#3M#3V#0V#0V#1V#2~#0~#0~#1~#2*#0*#0*#1*#2"},
    {'B', SCRIPT_TCP, "K.5K.5a.0a.0k.1k.1p.0p.1s.0s.2E.0l@$"},
    {'x', SCRIPT_POLLS, "O.$O.$O.$+.$U.$J.$P.0P.0P.1p.0O@."},
};
enum { N_STATES = sizeof states / sizeof *states };

static char random_state_channel(maker *m) {
    for (unsigned tries = 0; tries < 1000; tries++) {
        unsigned k = below(m, N_STATES + 3);
        if (k >= N_STATES)
            return "psT"[k - N_STATES];
        if (has(m, states[k].feature))
            return states[k].kind;
    }
    return 'p';
}

static char random_channel(maker *m) {
    static const struct {
        char kind;
        unsigned feature;
    } kinds[] = {{'p', SCRIPT_PIPES}, {'p', SCRIPT_PIPES},     {'p', SCRIPT_PIPES},
                 {'P', SCRIPT_PIPES}, {'s', SCRIPT_PAIRS},     {'s', SCRIPT_PAIRS},
                 {'S', SCRIPT_PAIRS}, {'d', SCRIPT_DATAGRAMS}, {'q', SCRIPT_DATAGRAMS},
                 {'C', SCRIPT_TCP},   {'C', SCRIPT_TCP},       {'T', SCRIPT_TCP},
                 {'U', SCRIPT_UDP},   {'N', SCRIPT_NAMES}};
    if (m->is_state)
        return random_state_channel(m);
    for (unsigned tries = 0; tries < 1000; tries++) {
        unsigned k = below(m, sizeof kinds / sizeof *kinds);
        if (has(m, kinds[k].feature))
            return kinds[k].kind;
    }
    return 'p';
}

static bool is_listener(const maker *m, unsigned slot) {
    return slot < 6 && strchr("TN", m->s->channels[slot / 2]);
}

static bool is_pipe(const maker *m, unsigned slot) {
    return slot < 6 && strchr("pP", m->s->channels[slot / 2]);
}

static unsigned random_slot(maker *m) {
    if (below(m, 8) == 0)
        return DUPLICATE + below(m, has(m, SCRIPT_RIGHTS) ? 3 : 2);
    return below(m, 2 * m->n_channels);
}

static unsigned slot_to_write(maker *m) {
    unsigned slot = random_slot(m);
    if (is_listener(m, slot))
        return below(m, 2) ? ACCEPTED : slot | 1;
    return is_pipe(m, slot) && below(m, 12) ? slot | 1 : slot;
}

static unsigned slot_to_read(maker *m) {
    unsigned slot = random_slot(m);
    if (is_listener(m, slot))
        return below(m, 2) ? ACCEPTED : slot | 1;
    return is_pipe(m, slot) && below(m, 12) ? slot & ~1u : slot;
}

/* A listener, or any slot if there is none. */
static unsigned slot_to_accept(maker *m) {
    for (unsigned tries = 0; tries < 20; tries++) {
        unsigned slot = below(m, 2 * m->n_channels) & ~1u;
        if (is_listener(m, slot))
            return slot;
    }
    return random_slot(m);
}

/* ---- Operations ------------------------------------------------------------------------------ */

static void add(maker *m, unsigned p, char letter, unsigned a, unsigned b) {
    char *script = m->s->process[p];
    size_t n = strlen(script);
    if (n + 3 < sizeof m->s->process[p])
        snprintf(script + n, 4, "%c%u%u", letter, a % 10, b % 10);
}

/* Mostly one byte, sometimes several, seldom nothing. */
static unsigned random_length(maker *m, unsigned most) {
    unsigned k = below(m, 12);
    return k == 0 ? 0 : k < 8 ? 1 : most;
}

static void add_transfer(maker *m, unsigned p) {
    if (below(m, 2))
        add(m, p, 'w', slot_to_write(m), random_length(m, 3));
    else if (below(m, 4) == 0 && has(m, SCRIPT_NOWAIT))
        add(m, p, 'v', slot_to_read(m), 0);
    else if (below(m, 6) == 0 && has(m, SCRIPT_PEEK))
        add(m, p, 'v', slot_to_read(m), 1 + below(m, 2));
    else
        add(m, p, 'r', slot_to_read(m), random_length(m, 4));
}

static void add_look(maker *m, unsigned p) {
    unsigned first = slot_to_read(m), second = slot_to_read(m);
    if (first == second)
        second = first ^ 1;
    switch (below(m, 5)) {
    case 0:
        add(m, p, 'p', first, 0);
        break;
    case 1:
        add(m, p, 'p', slot_to_write(m), 1);
        break;
    case 2:
        add(m, p, 'q', first, second);
        break;
    case 3:
        add(m, p, 'l', first, second);
        break;
    default:
        add(m, p, 'y', first, second);
    }
}

static void add_descriptor(maker *m, unsigned p) {
    unsigned kind = below(m, 10);
    if (kind < 7)
        add(m, p, 'c', random_slot(m), 0);
    else if (kind < 9)
        add(m, p, 'd', random_slot(m), 0);
    else
        add(m, p, 'o', random_slot(m), random_slot(m));
}

static void add_rights(maker *m, unsigned p) {
    if (below(m, 2))
        add(m, p, 'm', slot_to_write(m), random_slot(m));
    else
        add(m, p, 'g', slot_to_read(m), 0);
}

static void add_connection(maker *m, unsigned p) {
    unsigned slot = slot_to_accept(m);
    add(m, p, below(m, 2) ? 'a' : 'k', slot, !has(m, SCRIPT_SHARED) || below(m, 4));
}

static void add_wait(maker *m, unsigned p) {
    add(m, p, 'z', below(m, 2) ? 9 : 1 + below(m, m->s->n_processes), below(m, 2));
}

/* That another process stops reading datagrams is not explored (docs/sockets.md). */
static void add_shutdown(maker *m, unsigned p) {
    unsigned slot = random_slot(m), how = below(m, 3);
    slot &= is_listener(m, slot) ? ~1u : ~0u;
    bool is_datagram = slot >= 6 || strchr("dU", m->s->channels[slot / 2]);
    add(m, p, 's', slot, is_datagram ? 1 : how);
}

/* Who could be sent a signal: 0 is the parent. */
static unsigned receiver(maker *m, unsigned p) {
    return p && below(m, 2) ? 0 : p + 1 + below(m, SCRIPT_PROCESSES - 1);
}

/* Main may be one of those that handlers end. */
static bool leaves(const maker *m) {
    return has(m, SCRIPT_LEAVES) && has(m, SCRIPT_ENDS);
}

/* A handler that does not return, or one of the first n kinds. */
static unsigned random_handler(maker *m, unsigned n) {
    if (has(m, SCRIPT_SIGNALS) && below(m, 3) == 0)
        return 9;
    return leaves(m) && below(m, 3) == 0 ? 6 + below(m, 3) : below(m, n);
}

static unsigned random_signal(maker *m) {
    return below(m, has(m, SCRIPT_SIGNALS) ? 3 : 2);
}

static void add_signal(maker *m, unsigned p) {
    switch (below(m, 12)) {
    case 0:
        add(m, p, 'h', random_signal(m), random_handler(m, 6));
        break;
    case 1:
        add(m, p, 't', random_signal(m), below(m, 3));
        break;
    case 2:
    case 3:
        add(m, p, 'b', random_signal(m), below(m, 2));
        break;
    case 4:
        add(m, p, below(m, 3) ? 'u' : 'H', below(m, 2) ? 9 : below(m, 2), 0);
        break;
    case 5:
    case 6:
        add(m, p, 'S', 0, 0);
        break;
    case 7:
        add(m, p, 'D', 0, 0);
        break;
    case 8:
        add(m, p, 'W', slot_to_write(m), 0);
        break;
    default:
        add(m, p, 'j', receiver(m, p), random_signal(m));
    }
}

static void add_masked(maker *m, unsigned p) {
    if (below(m, 3) == 0 && strchr(m->s->channels, 'x'))
        add(m, p, 'P', 2 * (unsigned)(strchr(m->s->channels, 'x') - m->s->channels),
            2 + below(m, 2));
    else
        add(m, p, below(m, 2) ? 'T' : 'Y', slot_to_read(m), below(m, 4));
}

static void add_query(maker *m, unsigned p) {
    static const char kinds[] = "FFEGX";
    char kind = kinds[below(m, 5)];
    add(m, p, kind, strchr("FE", kind) ? slot_to_read(m) : receiver(m, p), 0);
}

/* What is decided outside of the program. */
static bool add_outside(maker *m, unsigned p) {
    unsigned kind = below(m, 12);
    if (kind < 2 && has(m, SCRIPT_INPUTS)) {
        add(m, p, 'I', below(m, 4), 0);
        return add(m, p, '?', below(m, 3), below(m, 2)), true;
    }
    if (kind < 3 && has(m, SCRIPT_ASSUME))
        return add(m, p, 'A', below(m, 3), 0), true;
    if (kind < 5 && has(m, SCRIPT_QUERIES))
        return add_query(m, p), true;
    if (kind < 6 && has(m, SCRIPT_ALARMS))
        return add(m, p, 'L', 1 + below(m, 3), below(m, 2)), true;
    if (kind < 10 && has(m, SCRIPT_SIGNALS))
        return kind < 9 ? add_signal(m, p) : add_masked(m, p), true;
    return false;
}

static char digit_of(maker *m, char letter, unsigned channel) {
    switch (letter) {
    case '@':
        return (char)('0' + 2 * channel + below(m, 2));
    case '.':
        return (char)('0' + 2 * channel);
    case '#':
        return (char)('0' + below(m, 2));
    case '$':
        return (char)('0' + below(m, 2 * m->n_channels));
    default:
        return letter;
    }
}

/* Locks that others want too: each process takes those of flock by a descriptor of its own, and
 * gives most of them back, as a descriptor that its children have too keeps them. */
static void add_locks(maker *m, unsigned p, unsigned channel) {
    unsigned own = 2 * channel + p % 2, kind = below(m, 4);
    if (kind == 0) {
        add(m, p, '^', 2 * channel + below(m, 2), below(m, 10));
        return;
    }
    add(m, p, '^', own, kind == 1 ? 5 + below(m, 2) : kind == 2 ? 1 : below(m, 5));
    if (below(m, 2))
        add(m, p, 'Q', own, 2);
    if (below(m, 4))
        add(m, p, '^', own, kind == 1 ? 7 : 2);
}

/* What is done with a channel of the table. */
static bool add_state_of(maker *m, unsigned p, unsigned channel) {
    if (m->s->channels[channel] == 'f' && below(m, 2))
        return add_locks(m, p, channel), true;
    for (unsigned k = 0; k < N_STATES; k++) {
        if (states[k].kind != m->s->channels[channel])
            continue;
        const char *all = states[k].operations;
        const char *one = all + 3 * below(m, (unsigned)strlen(all) / 3);
        add(m, p, one[0], (unsigned)(digit_of(m, one[1], channel) - '0'),
            (unsigned)(digit_of(m, one[2], channel) - '0'));
        return true;
    }
    return false;
}

/* Flags, options and names of what everybody has. */
static void add_option(maker *m, unsigned p) {
    static const char kinds[] = "Q0Q4Q5Q6Q7K4K5K6:0:1:2:3:4:5";
    bool is_flag = below(m, 4) == 0;
    const char *one = kinds + 2 * below(m, is_flag ? 1 : sizeof kinds / 2);
    add(m, p, one[0], below(m, 2 * m->n_channels), (unsigned)(one[1] - '0'));
}

static void add_stream(maker *m, unsigned p) {
    unsigned kind = below(m, 4);
    if (kind < 2)
        add(m, p, 'B', slot_to_write(m), 0);
    else
        add(m, p, kind == 2 ? 'N' : '!', slot_to_write(m), 0);
}

static bool add_state(maker *m, unsigned p) {
    unsigned kind = below(m, 12);
    if (kind < 2 && has(m, SCRIPT_QUERIES))
        return add_option(m, p), true;
    if (kind < 3 && has(m, SCRIPT_STREAMS))
        return add_stream(m, p), true;
    return add_state_of(m, p, below(m, m->n_channels));
}

/* What is rare, by feature. */
static bool add_special(maker *m, unsigned p) {
    unsigned kind = below(m, 16);
    if (kind < 2 && has(m, SCRIPT_FLAGS))
        return add(m, p, 'n', random_slot(m), below(m, 3) != 0), true;
    if (kind < 4 && has(m, SCRIPT_TIME))
        return add(m, p, 'p', slot_to_read(m), 2), true;
    if (kind < 6 && has(m, SCRIPT_KILLS))
        return add(m, p, 'x', p + 1 + below(m, SCRIPT_PROCESSES), below(m, 3)), true;
    if (kind < 8 && has(m, SCRIPT_RIGHTS))
        return add_rights(m, p), true;
    if (kind < 10 && has(m, SCRIPT_SHUT))
        return add_shutdown(m, p), true;
    if (kind < 11 && has(m, SCRIPT_SIGPIPE))
        return add(m, p, 'i', below(m, 2), 0), true;
    if (kind < 12 && has(m, SCRIPT_ASSERT))
        return add(m, p, '=', below(m, 3), 0), true;
    if (kind < 13)
        return add(m, p, 'e', below(m, 4), 0), true;
    return false;
}

static void add_operation(maker *m, unsigned p) {
    unsigned kind = below(m, 24);
    if (m->is_outside && below(m, 2) && add_outside(m, p))
        return;
    if (m->is_locking && below(m, 3)) {
        add_locks(m, p, 0);
        return;
    }
    if (m->is_state && below(m, 4) && add_state(m, p))
        return;
    if (kind < 3)
        add(m, p, '?', below(m, 3), below(m, 2));
    if (kind < 12)
        add_transfer(m, p);
    else if (kind < 15)
        add_descriptor(m, p);
    else if (kind < 18 && has(m, SCRIPT_POLLS))
        add_look(m, p);
    else if (kind < 20 && strpbrk(m->s->channels, "TN"))
        add_connection(m, p);
    else if (kind < 21 && has(m, SCRIPT_WAITS))
        add_wait(m, p);
    else if (!add_special(m, p))
        add_transfer(m, p);
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* Main forks all others, or one of the others does. */
static void choose_parents(maker *m, unsigned *parent) {
    for (unsigned p = 1; p < m->s->n_processes; p++)
        parent[p] = p > 1 && has(m, SCRIPT_ENDS) && below(m, 4) == 0 ? 1 + below(m, p - 1) : 0;
}

static void add_forks(maker *m, unsigned p, const unsigned *parent, unsigned *next) {
    while (*next < m->s->n_processes) {
        if (parent[*next] != p) {
            ++*next;
            continue;
        }
        add(m, p, 'f', (*next)++, 0);
        return;
    }
}

static void make_process(maker *m, unsigned p, const unsigned *parent) {
    unsigned n = 1 + below(m, m->s->n_processes > 2 ? 3 : 5), next = p + 1;
    for (unsigned k = 0; k < n; k++) {
        if (p > 0 ? below(m, 2) : below(m, 3))
            add_forks(m, p, parent, &next);
        add_operation(m, p);
    }
    while (next < m->s->n_processes)
        add_forks(m, p, parent, &next);
}

static bool is_closing(const char *operation) {
    return strchr("cosx?ejtHuA!", operation[0]) != NULL;
}

/* Main keeps all descriptors until its children are gone. */
static void outlive(maker *m) {
    char *to = m->s->process[0];
    for (const char *at = to; *at; at += 3)
        if (!is_closing(at)) {
            memmove(to, at, 3);
            to += 3;
        }
    *to = '\0';
    for (unsigned p = 1; p < m->s->n_processes; p++)
        add(m, 0, 'z', p, 0);
}

static void choose_channels(maker *m) {
    m->n_channels = 1 + below(m, 2) + (below(m, 6) == 0);
    for (unsigned k = 0; k < m->n_channels; k++)
        m->s->channels[k] = random_channel(m);
    m->is_locking = m->is_state && has(m, SCRIPT_FILES) && below(m, 4) == 0;
    if (m->is_locking)
        m->s->channels[0] = 'f';
}

script script_random(uint64_t seed, unsigned features) {
    script s = {0};
    maker m = {.s = &s, .random = hd_mix(seed), .features = features};
    unsigned parent[SCRIPT_PROCESSES] = {0};
    m.is_state = has(&m, SCRIPT_STATES) && below(&m, 2);
    choose_channels(&m);
    s.n_processes = 2 + (below(&m, 3) == 0) + (below(&m, 10) == 0);
    if (!has(&m, SCRIPT_SIGPIPE) || below(&m, 3))
        add(&m, 0, 'i', 1, 0);
    m.is_outside = below(&m, 2);
    if (m.is_outside && has(&m, SCRIPT_SIGNALS) && below(&m, 4))
        add(&m, 0, 'h', 0, random_handler(&m, 3));
    if (m.is_outside && has(&m, SCRIPT_SIGNALS) && below(&m, 3) == 0)
        add(&m, 0, 'h', 1, random_handler(&m, 3));
    if (m.is_outside && has(&m, SCRIPT_SIGNALS) && below(&m, 3) == 0)
        add(&m, 0, 'h', 2, random_handler(&m, 3));
    if (m.is_outside && has(&m, SCRIPT_CHILDREN) && below(&m, 4) == 0)
        add(&m, 0, 'Z', leaves(&m) && below(&m, 2) ? 2 + below(&m, 2) : 1, below(&m, 2));
    choose_parents(&m, parent);
    for (unsigned p = 0; p < s.n_processes; p++)
        make_process(&m, p, parent);
    if (!has(&m, SCRIPT_ENDS))
        outlive(&m);
    return s;
}

int script_arguments(script *s, char **argv) {
    int n = 0;
    argv[n++] = "process_program";
    argv[n++] = s->channels;
    for (unsigned p = 0; p < s->n_processes; p++)
        argv[n++] = s->process[p];
    argv[n] = NULL;
    return n;
}

void script_print(const script *s, hd_text *out) {
    hd_text_add(out, "'%s'", s->channels);
    for (unsigned p = 0; p < s->n_processes; p++)
        hd_text_add(out, " '%s'", s->process[p]);
}

bool script_without(script *s, unsigned n) {
    for (unsigned p = 0; p < s->n_processes; p++) {
        unsigned length = (unsigned)strlen(s->process[p]) / 3;
        char *at = s->process[p] + 3 * n;
        if (n < length)
            return memmove(at, at + 3, strlen(at + 3) + 1), true;
        n -= length;
    }
    return false;
}

bool script_has(const script *s, char letter) {
    for (unsigned p = 0; p < s->n_processes; p++)
        for (const char *at = s->process[p]; *at; at += 3)
            if (at[0] == letter)
                return true;
    return false;
}

bool script_has_polls(const script *s) {
    return script_has(s, 'p') || script_has(s, 'q') || script_has(s, 'l') || script_has(s, 'y');
}

bool script_has_state(const script *s) {
    static const char letters[] = "CRKQMVO+UJPTY";
    for (const char *at = letters; *at; at++)
        if (script_has(s, *at))
            return true;
    return strpbrk(s->channels, "evmfMBx") != NULL;
}

bool script_connects_shared(const script *s) {
    for (unsigned p = 0; p < s->n_processes; p++)
        for (const char *at = s->process[p]; *at; at += 3)
            if (at[0] == 'k' && at[2] == '0')
                return true;
    return false;
}

bool script_has_time(const script *s) {
    for (unsigned p = 0; p < s->n_processes; p++)
        for (const char *at = s->process[p]; *at; at += 3)
            if ((at[0] == 'p' && at[2] >= '2') || at[0] == 'L')
                return true;
    return strchr(s->channels, 'v') != NULL;
}

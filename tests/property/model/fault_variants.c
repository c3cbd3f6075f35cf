/* Programs that do without faults what others do with them. */
#include "property/model/fault_variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hd_text fault_why;

bool fault_wrong(const char *how, const char *what, const char *text) {
    if (!fault_why.n)
        hd_text_add(&fault_why, "%s %s '%s'", how, what, text);
    return false;
}

/* ---- running ---- */

static const char *const digits[2][3] = {{"0", "1", "2"}, {"0six", "1six", "2six"}};
static const char *const names[] = {"n0", "n1", "n2"};
static const char *const addresses[] = {"10.0.0.1", "10.0.0.2", "10.0.0.3"};

bool fault_explore(const fault_scenario *s, hd_reduction reduction, uint64_t limit, explored *out) {
    static char *no_environment[] = {NULL};
    static char program[] = "node";
    hd_network_node nodes[FAULT_NODES];
    char *argv[FAULT_NODES][5];
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        argv[i][0] = program;
        argv[i][1] = (char *)digits[s->is_six][i];
        argv[i][2] = (char *)s->script[i];
        argv[i][3] = (char *)(s->n_rules ? s->script[i] : s->original[i]);
        argv[i][4] = NULL;
        nodes[i] = (hd_network_node){.name = names[i],
                                     .argc = 4,
                                     .argv = argv[i],
                                     .environment = no_environment,
                                     .address = addresses[i]};
    }
    hd_link link = {.from = HD_EVERY_NODE,
                    .to = HD_EVERY_NODE,
                    .is_fifo = s->is_fifo,
                    .latency = s->is_at_once ? HD_LATENCY_NONE : HD_LATENCY_ANY,
                    .segments = s->segments,
                    .segments_line = 1};
    exploration x = {.argc = 4,
                     .argv = argv[0],
                     .reduction = reduction,
                     .max_executions = limit,
                     .is_shared = s->is_shared,
                     .nodes = nodes,
                     .n_nodes = s->n_nodes,
                     .link = &link,
                     .faults = s->rule,
                     .n_faults = s->n_rules};
    return explore_run(&x, out) || fault_wrong(hd_reduction_name(reduction), "ends badly", "");
}

const explored_outcome *fault_find(const explored *e, const char *text) {
    for (size_t i = 0; i < e->outcomes.n; i++)
        if (strcmp(e->outcomes.at[i].text, text) == 0)
            return &e->outcomes.at[i];
    return NULL;
}

bool fault_is_within(const explored *some, const explored *all, const char *how) {
    for (size_t i = 0; i < some->outcomes.n; i++)
        if (!fault_find(all, some->outcomes.at[i].text))
            return fault_wrong(how, "misses", some->outcomes.at[i].text);
    return true;
}

/* ---- outcomes as others see them ---- */

/* Labels of a node that crashed are its own, and that it crashed comes last.  "crash:P " names
 * process P. */
static char *seen_by_others(const char *outcome) {
    bool has_crashed[FAULT_NODES + 1] = {false}, has_rebooted[FAULT_NODES + 1] = {false};
    hd_text seen = {0};
    for (const char *p = outcome; (p = strstr(p, "crash:")); p++)
        has_crashed[p[6] - '0'] = true;
    for (const char *p = outcome; (p = strstr(p, "reboot:")); p++)
        has_rebooted[p[7] - '0'] = true;
    for (const char *p = outcome; *p;) {
        size_t n = strcspn(p, " ") + 1;
        unsigned node = p[1] == '.' ? (unsigned)(p[0] - '0' + 1) : 0;
        if (strncmp(p, "crash:", 6) && strncmp(p, "reboot:", 7) && !has_crashed[node] &&
            !has_rebooted[node])
            hd_text_add(&seen, "%.*s", (int)n, p);
        p += n;
    }
    for (unsigned i = 0; i <= FAULT_NODES; i++)
        if (has_crashed[i])
            hd_text_add(&seen, "crash:%u ", i);
    for (unsigned i = 0; i <= FAULT_NODES; i++)
        if (has_rebooted[i])
            hd_text_add(&seen, "reboot:%u ", i);
    hd_text_add(&seen, "%s", "");
    return seen.at;
}

/* Operations that stand for others have other letters. */
static void use_usual_letters(char *outcome) {
    static const char unusual[] = "xEjdDIQoOPzYZFbuUV", usual[] = "seiseieseiseiSesei";
    for (char *p = outcome; *p; p++) {
        const char *at = p[1] == '=' ? strchr(unusual, *p) : NULL;
        if (at)
            *p = usual[at - unusual];
    }
}

static void add_outcomes(explored *to, const explored *of) {
    for (size_t i = 0; i < of->outcomes.n; i++) {
        char *whole = hd_text_format("%s", of->outcomes.at[i].text);
        use_usual_letters(whole);
        char *text = seen_by_others(whole);
        free(whole);
        if (fault_find(to, text))
            free(text);
        else
            hd_vec_push(&to->outcomes, ((explored_outcome){text, 1}));
    }
}

/* ---- all programs that the rules allow ---- */

typedef struct enumeration {
    const fault_scenario *s;
    fault_scenario variant;
    uint32_t used[FAULT_RULES], used_node[FAULT_RULES][FAULT_NODES];
    uint32_t used_link[FAULT_RULES][FAULT_NODES][FAULT_NODES];
    uint32_t sent[FAULT_NODES][FAULT_NODES];
    uint64_t n;
    explored seen;
    bool ok;
} enumeration;

static void run_variant(enumeration *e) {
    explored found;
    e->variant.n_rules = 0;
    e->n++;
    e->ok = fault_explore(&e->variant, HD_REDUCTION_OPTIMAL, 100000, &found) && found.is_finished;
    add_outcomes(&e->seen, &found);
    explored_release(&found);
}

static void enumerate(enumeration *e, uint32_t node, uint32_t op);

static bool may_use(const enumeration *e, uint32_t r, uint32_t from, uint32_t to) {
    const hd_fault *f = &e->s->rule[r];
    uint32_t at = hd_fault_is_of_nodes(f) ? from : to;
    return hd_fault_concerns(f, from, to) && e->used[r] < f->total &&
           e->used_node[r][at] < f->per_node && e->used_link[r][from][to] < f->per_link &&
           (!f->nth || f->nth == e->sent[from][to]);
}

/* Go on with `text` instead of the operation. */
static void with_fault(enumeration *e, uint32_t r, uint32_t node, uint32_t to, uint32_t op,
                       const char *text) {
    uint32_t at = hd_fault_is_of_nodes(&e->s->rule[r]) ? node : to;
    bool ends = strpbrk(text, "qQBbhH") != NULL;
    char kept[FAULT_TEXT];
    memcpy(kept, e->variant.script[node], sizeof kept);
    memcpy(e->variant.script[node] + 2 * op, text, strlen(text) + ends);
    e->used[r]++, e->used_node[r][at]++, e->used_link[r][node][to]++;
    enumerate(e, ends ? node + 1 : node, ends ? 0 : op + 1);
    e->used[r]--, e->used_node[r][at]--, e->used_link[r][node][to]--;
    memcpy(e->variant.script[node], kept, sizeof kept);
}

/* The operation with a fault of that kind; 0 if it has none. */
static char changed(char letter, hd_fault_kind kind) {
    static const char sends[] = "seiS";
    static const char *const others[HD_N_FAULTS] = {[HD_FAULT_DROP] = "xEj",
                                                    [HD_FAULT_DUPLICATE] = "dDI",
                                                    [HD_FAULT_REORDER] = "oOP",
                                                    [HD_FAULT_DELAY] = "zYZ",
                                                    [HD_FAULT_CORRUPT] = "uUV",
                                                    [HD_FAULT_FULL] = "\0\0\0F"};
    const char *at = strchr(sends, letter);
    return !at || !others[kind] ? 0 : others[kind][at - sends];
}

/* Nobody notices that a node joins a group or leaves it: it crashes before what it does next. */
static void enumerate_faults(enumeration *e, uint32_t node, uint32_t op) {
    const char *at = e->s->script[node] + 2 * op;
    uint32_t to = (uint32_t)(at[1] - '0');
    for (uint32_t r = 0; r < e->s->n_rules; r++) {
        const hd_fault *f = &e->s->rule[r];
        char other = changed(*at, f->kind), text[] = {other, at[1], '\0'};
        if (hd_fault_is_of_nodes(f) && !strchr("JL", *at) && may_use(e, r, node, node)) {
            bool is_reboot = f->kind == HD_FAULT_REBOOT;
            with_fault(e, r, node, node, op, is_reboot ? "B0" : "q0");
            if (*at == 'e')
                with_fault(e, r, node, node, op, is_reboot ? "b0" : "Q0");
            if (*at == 'f') { /* before it writes, and before it closes */
                with_fault(e, r, node, node, op, is_reboot ? "H0" : "h0");
                with_fault(e, r, node, node, op, is_reboot ? "f0B0" : "f0q0");
            }
        } else if (!hd_fault_is_of_nodes(f) && other && may_use(e, r, node, to)) {
            with_fault(e, r, node, to, op, text);
        }
    }
}

static void enumerate(enumeration *e, uint32_t node, uint32_t op) {
    if (!e->ok)
        return;
    if (node == e->s->n_nodes) {
        run_variant(e);
        return;
    }
    const char *at = e->s->script[node] + 2 * op;
    if (!*at) {
        enumerate(e, node + 1, 0);
        return;
    }
    uint32_t to = (uint32_t)(at[1] - '0'), is_send = strchr("seiS", *at) != NULL;
    e->sent[node][to] += is_send;
    enumerate_faults(e, node, op);
    enumerate(e, node, op + 1);
    e->sent[node][to] -= is_send;
}

/* Whom an echo answers, and whether an input lets something be sent, is not known before; nor who
 * sends while a link is cut, or what may happen to a node that starts again.  Of what goes to all
 * each datagram has faults of its own, and of a row that is kept together the end is another where
 * its node crashes. */
static bool is_static(const fault_scenario *s) {
    if (s->segments)
        return false;
    for (uint32_t r = 0; r < s->n_rules; r++) {
        const hd_fault *f = &s->rule[r];
        if (f->kind == HD_FAULT_PARTITION || f->kind == HD_FAULT_RESET || (f->kind == HD_FAULT_REBOOT && s->n_rules > 1) ||
            (f->kind == HD_FAULT_REORDER && f->window != HD_NO_BUDGET))
            return false;
        bool is_plain = !f->nth && hd_set_count(f->to) == s->n_nodes &&
                        f->per_node == HD_NO_BUDGET && f->per_link == HD_NO_BUDGET;
        for (uint32_t i = 0; i < s->n_nodes; i++)
            if (!hd_fault_is_of_nodes(f) &&
                ((!is_plain && strpbrk(s->script[i], "ei")) || strpbrk(s->script[i], "AG") ||
                 (f->kind != HD_FAULT_FULL && strchr(s->script[i], 'S'))))
                return false;
    }
    return true;
}

static void release_outcomes(explored *e) {
    for (size_t i = 0; i < e->outcomes.n; i++)
        free(e->outcomes.at[i].text);
    hd_vec_release(&e->outcomes);
}

bool fault_check_variants(const fault_scenario *s, const explored *all, uint64_t *n_variants) {
    enumeration e = {.s = s, .variant = *s, .ok = true};
    memcpy(e.variant.original, s->script, sizeof s->script);
    explored as_others = {0};
    if (!is_static(s))
        return true;
    enumerate(&e, 0, 0);
    *n_variants += e.n;
    add_outcomes(&as_others, all);
    bool ok = e.ok && fault_is_within(&as_others, &e.seen, "programs without faults") &&
              fault_is_within(&e.seen, &as_others, "none with faults");
    release_outcomes(&e.seen);
    release_outcomes(&as_others);
    return ok;
}

/* ---- in words ---- */

/* "drop:1<02>12,n1,l1,#2": how many, from, to, per node, per link, nth. */
static void print_rule(const hd_fault *f) {
    uint32_t node;
    printf(" %s:%u<", hd_fault_word(f->kind), f->total);
    HD_SET_EACH(node, f->from)
    printf("%u", node);
    printf(">");
    HD_SET_EACH(node, f->to)
    printf("%u", node);
    if (f->per_node != HD_NO_BUDGET)
        printf(",n%u", f->per_node);
    if (f->per_link != HD_NO_BUDGET)
        printf(",l%u", f->per_link);
    if (f->nth)
        printf(",#%u", f->nth);
    if (f->has_own)
        printf(",own");
}

void fault_print(const fault_scenario *s) {
    printf("    %s", s->is_at_once ? "now" : s->is_fifo ? "fifo" : "free");
    if (s->segments)
        printf(" cuts:%u", s->segments - 1);
    for (uint32_t r = 0; r < s->n_rules; r++)
        print_rule(&s->rule[r]);
    for (uint32_t i = 0; i < s->n_nodes; i++)
        printf(" '%s'", s->script[i]);
    printf(": %s\n", hd_text_string(&fault_why));
}

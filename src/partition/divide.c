/* Making parts (divide.h): in a child, from the program to bytes; in the parent, from bytes. */
#include "partition/divide.h"

#include "base/pack.h"
#include "base/panic.h"
#include "partition/cover.h"
#include "partition/shallow.h"
#include "partition/ssp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- in the child ---- */

typedef struct dividing {
    const hd_partition_request *request;
    hd_partition *out;
    hd_module module;
    hd_explorer_options explore; /* of the searches of the parts */
    hd_machine *machine;
    hd_chain *chain;
    hd_variables *variables;
    hd_names names;
    hd_cover cover;
    hd_shallow shallow;
    hd_division parts;
    uint64_t n_lost; /* ways of the shallow search that nobody knows the end of */
} dividing;

static void note(dividing *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(dividing *m, const char *format, ...) {
    char sentence[512];
    hd_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hd_text_add(&text, "%s", sentence);
    hd_vec_push(&m->out->notes, text);
}

static bool can_be_divided(const hd_explorer_options *o, hd_err *err) {
    if (o->has_states) {
        hd_err_set(err, "a whole system that is searched by states of its nodes is not divided");
        return hd_err_hint(err, "leave '--partition' out, or take '--mapping none'");
    }
    if (!o->is_threaded || o->sampling == HD_SAMPLING_OFF)
        return true;
    hd_err_set(err, "a sample of the orders of threads is not divided: it is drawn as a whole");
    return hd_err_hint(err, "leave '--partition' or the sampling out");
}

static bool prepare(dividing *m, hd_err *err) {
    const hd_partition_request *r = m->request;
    if (!hd_module_load(&m->module, r->module_directory, err))
        return false;
    m->explore = r->explore;
    m->explore.is_threaded = hd_image_is_concurrent(m->module.image, r->machine.n_nodes) &&
                             r->machine.orders == HD_ORDERS_ALL;
    m->out->has_orders = m->explore.is_threaded;
    if (!can_be_divided(&m->explore, err))
        return false;
    hd_graph *graph = hd_graph_new(true); /* executions may be forked */
    m->variables = hd_variables_new();
    m->machine = hd_machine_new(&m->module, graph, m->variables, &r->machine, err);
    m->chain = hd_chain_new(graph, m->variables, &r->solve);
    hd_chain_set_deadline(m->chain, r->deadline);
    m->names = (hd_names){graph, m->variables, m->module.types};
    m->cover = (hd_cover){graph, m->chain};
    return m->machine && hd_machine_confine(m->machine, false, err);
}

static void run(void *machine, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    hd_machine_run(machine, model, sink, outcome);
}

static bool explore_to(dividing *m, uint32_t depth, hd_err *err) {
    hd_explorer_options options = {.strategy = HD_STRATEGY_DFS,
                                   .depth = depth,
                                   .seed = m->request->explore.seed,
                                   .deadline = m->request->deadline};
    hd_explorer *x = hd_explorer_new(m->names.graph, m->variables, m->chain, &options);
    hd_executor executor = {m->machine, run};
    bool ok =
        hd_shallow_explore(executor, x, &m->names, depth, m->request->deadline, &m->shallow, err);
    m->n_lost = hd_explorer_counted(x)->unknown + hd_explorer_counted(x)->mispredicted;
    hd_explorer_free(x);
    return ok;
}

/* Paths that end before the depth say nothing to ssp: if all do, half of the longest is enough. */
static bool explore(dividing *m, hd_err *err) {
    uint32_t depth = m->request->depth;
    if (!explore_to(m, depth, err))
        return false;
    if (m->request->kind != HD_PARTITION_SSP || m->shallow.deep.n || !m->shallow.longest)
        return true;
    uint32_t half = (m->shallow.longest + 1) / 2;
    note(m, "no path has %u decisions: %u are looked at", depth, half);
    hd_shallow_release(&m->shallow);
    return explore_to(m, half, err);
}

/* ---- parts ---- */

static bool take_file(dividing *m, hd_err *err) {
    const char *file = m->request->file;
    hd_text text = {0};
    bool ok = hd_text_read_file(&text, file);
    if (!ok) {
        hd_err_set(err, "cannot read '%s': %s", file, strerror(errno));
        hd_err_hint(err, "'--partition' takes ssp, paths, none or a file of conditions");
    } else if (strlen(hd_text_string(&text)) != text.n) {
        ok = hd_err_set(err, "'%s' is no text: it has a byte 0", file);
        hd_err_hint(err, "write one condition on each line, such as 'x < 5'");
    }
    ok = ok && hd_division_parse(&m->names, file, hd_text_string(&text), &m->parts, err);
    hd_text_release(&text);
    return ok;
}

static void take_ssp(dividing *m) {
    hd_ssp ssp;
    hd_ssp_make(m->names.graph, &m->shallow.deep, &m->shallow.assumed, m->request->queue, &ssp);
    m->parts = ssp.queue;
    ssp.queue = (hd_division){0};
    hd_ssp_release(&ssp);
    if (m->parts.n < m->request->queue)
        note(m, "there are no more inputs to divide by: %zu parts instead of %llu", m->parts.n,
             (unsigned long long)m->request->queue);
}

static void take_all(hd_division *to, hd_division *from) {
    for (size_t i = 0; i < from->n; i++)
        hd_vec_push(to, from->at[i]);
    hd_vec_release(from);
}

static bool take_parts(dividing *m, hd_err *err) {
    switch (m->request->kind) {
    case HD_PARTITION_FILE:
        return take_file(m, err);
    case HD_PARTITION_SSP:
        take_ssp(m);
        return true;
    case HD_PARTITION_PATHS:
        take_all(&m->parts, &m->shallow.deep);
        take_all(&m->parts, &m->shallow.ended);
        return true;
    }
    HD_BUG("an unknown kind of partition");
}

/* "x = 5, y#2 = -1": one of the inputs that no part has. */
static void print_inputs(const dividing *m, const hd_model *model, hd_text *out) {
    uint32_t n = 0;
    for (hd_var v = 0; v < model->n; v++) {
        if (!hd_model_has(model, v))
            continue;
        unsigned width = hd_variables_info(m->variables, v)->width;
        uint64_t value = hd_model_get(model, v) & hd_mask(width);
        hd_text_add(out, n++ ? ", " : "");
        hd_names_print(&m->names, v, out);
        if (hd_names_is_signed(&m->names, v))
            hd_text_add(out, " = %lld",
                        (long long)((int64_t)(value << (64 - width)) >> (64 - width)));
        else
            hd_text_add(out, " = %llu", (unsigned long long)value);
    }
}

/* What no part has. */
static void add_rest(dividing *m) {
    hd_conditions rest = {0};
    hd_model model = {0};
    hd_text inputs = {0};
    hd_division_make_rest(m->names.graph, &m->parts, &rest);
    hd_verdict verdict = hd_conditions_solve(&m->cover, &rest, &model);
    m->out->has_rest = verdict != HD_UNSAT;
    print_inputs(m, &model, &inputs);
    if (verdict == HD_SAT)
        note(m, "no part has the inputs %.300s: what the %zu part%s out is one more", inputs.at,
             m->parts.n, m->parts.n == 1 ? " leaves" : "s leave");
    else if (verdict == HD_UNKNOWN)
        note(m, "the solver cannot tell whether the %zu part%s something out: that is one more",
             m->parts.n, m->parts.n == 1 ? " leaves" : "s leave");
    if (verdict == HD_UNSAT)
        hd_vec_release(&rest);
    else
        hd_vec_push(&m->parts, rest);
    hd_text_release(&inputs);
    hd_model_release(&model);
}

/* ---- the answer ---- */

static void save_part(dividing *m, const hd_conditions *part) {
    hd_text journal = {0};
    hd_explorer *x = hd_explorer_new(m->names.graph, m->variables, m->chain, &m->explore);
    hd_explorer_assume(x, part->at, (uint32_t)part->n);
    hd_explorer_save(x, &journal);
    hd_explorer_free(x);
    hd_vec_push(&m->out->journals, journal);
}

static bool make(dividing *m, hd_err *err) {
    if (!prepare(m, err) || !explore(m, err) || !take_parts(m, err))
        return false;
    uint32_t n_empty = hd_division_drop_empty(&m->cover, &m->parts);
    if (n_empty)
        note(m, "%u of %zu parts have no inputs", n_empty, m->parts.n + n_empty);
    if (m->n_lost)
        note(m, "the shallow search has lost %llu ways", (unsigned long long)m->n_lost);
    if (m->shallow.n_left_out && m->request->kind != HD_PARTITION_FILE)
        note(m, "%llu conditions are about pointers, or too long: nothing is divided by them",
             (unsigned long long)m->shallow.n_left_out);
    add_rest(m);
    hd_division_print(&m->names, &m->parts, m->request->format, &m->out->text);
    for (size_t i = 0; i < m->parts.n; i++)
        save_part(m, &m->parts.at[i]);
    return true;
}

/* ---- as bytes ---- */

static void pack_texts(hd_text *to, const hd_texts *from) {
    hd_pack_u32(to, (uint32_t)from->n);
    for (size_t i = 0; i < from->n; i++)
        hd_pack_bytes(to, from->at[i].at, from->at[i].n);
}

static void pack_answer(hd_text *to, bool ok, const hd_partition *p, const hd_err *err) {
    hd_pack_u8(to, ok);
    hd_pack_string(to, ok ? "" : err->message);
    hd_pack_string(to, ok ? "" : err->hint);
    hd_pack_u8(to, p->has_orders);
    hd_pack_u8(to, p->has_rest);
    hd_pack_bytes(to, p->text.at, p->text.n);
    pack_texts(to, &p->notes);
    pack_texts(to, &p->journals);
}

static void unpack_text(hd_unpack *u, hd_text *to) {
    size_t n;
    const void *bytes = hd_unpack_bytes(u, &n);
    if (hd_unpack_ok(u))
        hd_text_add_bytes(to, bytes, n);
}

static void unpack_texts(hd_unpack *u, hd_texts *to) {
    uint32_t n = hd_unpack_count(u, 4);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++) {
        hd_text one = {0};
        unpack_text(u, &one);
        hd_vec_push(to, one);
    }
}

/* False, without a word, if the child did not come to its end. */
static bool unpack_answer(const hd_text *from, bool *ok, hd_partition *p, hd_err *err) {
    hd_unpack u = hd_unpack_from(from->at, from->n);
    *ok = hd_unpack_u8(&u);
    char *message = hd_unpack_string(&u), *hint = hd_unpack_string(&u);
    p->has_orders = hd_unpack_u8(&u);
    p->has_rest = hd_unpack_u8(&u);
    unpack_text(&u, &p->text);
    unpack_texts(&u, &p->notes);
    unpack_texts(&u, &p->journals);
    bool is_whole = hd_unpack_ok(&u) && from->n && u.at == u.end;
    if (is_whole && !*ok) {
        hd_err_set(err, "%s", message);
        hd_err_hint(err, "%s", hint);
    }
    free(message);
    free(hint);
    return is_whole;
}

#define HIGH 902 /* kept when the process is confined */

/* ---- the child ---- */

static _Noreturn void run_child(const hd_partition_request *request, int out, pid_t parent) {
    hd_partition made = {0};
    dividing m = {.request = request, .out = &made};
    hd_err err = {0};
    hd_text bytes = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    bool ok = make(&m, &err);
    pack_answer(&bytes, ok, &made, &err);
    for (size_t at = 0; at < bytes.n;) {
        ssize_t n = write(out, bytes.at + at, bytes.n - at);
        if (n <= 0)
            _exit(1);
        at += (size_t)n;
    }
    _exit(0);
}

static void read_all(int from, hd_text *to) {
    char buffer[65536];
    ssize_t n;
    while ((n = read(from, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            hd_text_add_bytes(to, buffer, (size_t)n);
}

/* False, without a word, if the child has died. */
static bool try(const hd_partition_request *request, bool *ok, hd_partition *out, hd_err *err) {
    int channel[2];
    hd_text bytes = {0};
    *ok = false;
    if (pipe(channel) != 0) {
        hd_err_set(err, "cannot make a pipe: %s", strerror(errno));
        hd_err_hint(err, "close some files, and try again");
        return true;
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(channel[0]);
        run_child(request, fcntl(channel[1], F_DUPFD_CLOEXEC, HIGH), parent);
    }
    close(channel[1]);
    if (child > 0) {
        read_all(channel[0], &bytes);
        waitpid(child, NULL, 0);
    }
    close(channel[0]);
    bool is_whole = unpack_answer(&bytes, ok, out, err);
    hd_text_release(&bytes);
    return is_whole;
}

bool hd_partition_make(const hd_partition_request *request, hd_partition *out, hd_err *err) {
    hd_partition_request careful = *request;
    bool ok;
    *out = (hd_partition){0};
    bool is_whole = try(request, &ok, out, err);
    if (!is_whole) {
        hd_partition_release(out);
        careful.machine.isolation = HD_ISOLATION_FORK; /* an execution takes the process down */
        is_whole = try(&careful, &ok, out, err);
    }
    if (is_whole)
        return ok;
    hd_partition_release(out);
    hd_err_set(err, "cannot divide the program: the process that executes it died");
    return hd_err_hint(err, "try another '--shallow-depth', or leave '--partition' out");
}

bool hd_partition_make_rivals(const hd_explorer_options *options, uint32_t n, hd_partition *out,
                              hd_err *err) {
    if (!can_be_divided(options, err))
        return false;
    hd_graph *graph = hd_graph_new(false);
    hd_variables *variables = hd_variables_new();
    *out = (hd_partition){.has_orders = options->is_threaded};
    for (uint32_t i = 0; i < n; i++) {
        hd_explorer_options own = *options;
        hd_text journal = {0};
        own.seed += i;
        hd_explorer *x = hd_explorer_new(graph, variables, NULL, &own);
        hd_explorer_save(x, &journal);
        hd_explorer_free(x);
        hd_vec_push(&out->journals, journal);
    }
    hd_variables_free(variables);
    hd_graph_free(graph);
    return true;
}

static void release_texts(hd_texts *texts) {
    for (size_t i = 0; i < texts->n; i++)
        hd_text_release(&texts->at[i]);
    hd_vec_release(texts);
}

void hd_partition_release(hd_partition *p) {
    release_texts(&p->journals);
    release_texts(&p->notes);
    hd_text_release(&p->text);
}

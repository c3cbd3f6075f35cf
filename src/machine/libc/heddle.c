/* The functions of heddle.h that are about inputs and what must hold. */
#include "machine/tasks/library.h"

#include <heddle.h>
#include <stdio.h>

static hd_type_id type_of(const hd_machine *m, const void *key) {
    return hd_types_key(m->module->types, (uint64_t)key);
}

void __heddle_input(void *p, size_t size, const char *name, const void *type) {
    hd_machine *m = hd_enter();
    hd_settle_argument(m, m->registers->passed, 0);
    hd_library_write(m, p, size);
    hd_input_cells(m, (uint64_t)p, size, type_of(m, type), name);
}

void __heddle_input_array(void *p, size_t size, size_t n, const char *name, const void *type) {
    hd_machine *m = hd_enter();
    uint64_t address = (uint64_t)p, bytes;
    if (__builtin_mul_overflow(size, n, &bytes))
        hd_end_bad_access(m, address, UINT64_MAX, 0, true, 0);
    uint64_t passed = m->registers->passed;
    hd_settle_argument(m, passed, 0);
    if (hd_argument(m, passed, 2))
        hd_pin_value(m, hd_argument(m, passed, 2), n, 0);
    hd_library_write(m, p, bytes);
    hd_input_array(m, address, size, n, type_of(m, type), name);
}

void heddle_bytes(void *p, size_t n, const char *name) {
    __heddle_bytes_of(p, n, name, NULL);
}

void __heddle_bytes_of(void *p, size_t n, const char *name, const void *type) {
    hd_machine *m = hd_enter();
    uint64_t passed = m->registers->passed;
    hd_settle_argument(m, passed, 0);
    if (hd_argument(m, passed, 1))
        hd_pin_value(m, hd_argument(m, passed, 1), n, 0);
    hd_library_write(m, p, n);
    hd_input_bytes(m, (uint64_t)p, n, type ? type_of(m, type) : 0, name);
}

static void pin_arguments(hd_machine *m, uint64_t passed, long lo, long hi) {
    if (hd_argument(m, passed, 0))
        hd_pin_value(m, hd_argument(m, passed, 0), (uint64_t)lo, 0);
    if (hd_argument(m, passed, 1))
        hd_pin_value(m, hd_argument(m, passed, 1), (uint64_t)hi, 0);
}

long heddle_choose(long lo, long hi) {
    hd_machine *m = hd_enter();
    pin_arguments(m, hd_take_arguments(m), lo, hi);
    if (lo > hi)
        hd_end_rejected(m); /* nothing to choose from */
    hd_expr e = hd_input_choose(m, lo, hi);
    HD_ASSERT(hd_expr_width(m->graph, e) == 64);
    m->registers->rets[0] = e;
    m->registers->returned = 1;
    return (long)hd_eval_value(m->expressions.eval, e);
}

void __heddle_bound(const char *sentence) {
    hd_machine *m = hd_enter();
    hd_take_arguments(m);
    hd_bound(m, 0, "%s", sentence);
}

void __heddle_assume(int condition) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_shadow s = hd_argument(m, passed, 0);
    if (s) {
        hd_expr zero = hd_expr_const(m->graph, hd_expr_width(m->graph, s), 0);
        hd_expr holds = hd_expr_not(m->graph, hd_expr_binary(m->graph, HD_OP_EQ, s, zero));
        hd_record(m, 0, holds, condition != 0, HD_BRANCH_ASSUME);
    }
    if (!condition)
        hd_end_rejected(m);
}

void __heddle_assert_failed(const char *text, const char *file, int line, const char *function) {
    hd_machine *m = hd_enter();
    hd_finding *f = &m->call.outcome->finding;
    hd_finding_fill(m, HD_FINDING_ASSERTION, 0);
    snprintf(f->message, sizeof f->message, "assertion '%s' failed", text);
    if (file[0] && line > 0) { /* else the stack says where */
        snprintf(f->file, sizeof f->file, "%s", file);
        snprintf(f->function, sizeof f->function, "%s", function);
        f->line = (uint32_t)line;
    }
    hd_stack_walk(m, f, __builtin_frame_address(0));
    hd_end_filled(m);
}

/* Does nothing in the label depend on inputs, and can all of it be read?  Most are constants:
 * nobody else need be asked. */
static bool is_plain(const char *label) {
    uint64_t at = (uint64_t)label;
    while (at - HD_REGION < HD_REGION_SIZE && !*HD_SHADOW_OF(at)) {
        if (!*(const char *)at)
            return true;
        at++;
    }
    return false;
}

/* Which label it is, is decided: another one is another path. */
void heddle_reach(const char *label) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_label_reach(m, is_plain(label) ? label : hd_library_name(m, label));
}

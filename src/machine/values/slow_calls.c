/* Calls whose arguments do not travel as one shadow each: variadic ones, structs by value,
 * and calls of code that is not instrumented. */
#include "machine/values/values.h"
#include "program/functions.h"

#include <stdarg.h>
#include <stdio.h>

void __hd_variadic_enter(uint32_t fixed) {
    hd_machine *m = hd_enter();
    uint64_t passed = m->registers->passed;
    m->running.variadic_fixed = fixed;
    m->running.variadic_room = m->registers->variadic_room;
    m->running.variadic_places = m->registers->variadic_places;
    m->registers->variadic_room = 0;
    m->registers->variadic_places = NULL;
    m->running.variadic_passed = fixed < 64 ? passed >> fixed << fixed : 0;
    if (m->running.variadic_passed)
        memcpy(m->running.variadic_args, m->registers->args, sizeof m->running.variadic_args);
}

static void set_slot(hd_machine *m, uint64_t slot, hd_expr e) {
    unsigned width = hd_expr_width(m->graph, e);
    unsigned wide = width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
    HD_CHECK(width <= 64);
    if (width < wide)
        e = hd_expr_zext(m->graph, e, wide);
    hd_store_words(m, slot, wide / 8, e);
}

/* Bytes of the stack become the callee's: whatever returned functions left there is void. */
static void adopt_stack(hd_machine *m, uint64_t address, uint64_t n) {
    HD_CHECK(n <= HD_REGION_SIZE && (!n || hd_in_region(address)));
    hd_unpoison(address, n);
    if (address < m->registers->stack_low)
        m->registers->stack_low = address;
}

/* The caller knows where each of them travels; an uninstrumented one passes no shadows. */
static void place_arguments(hd_machine *m, const hd_va_record *list, uint32_t site) {
    HD_CHECK(m->running.variadic_passed);
    size_t n_places = m->running.variadic_places ? strlen(m->running.variadic_places) : 0;
    for (unsigned i = m->running.variadic_fixed; i < HD_MAX_ARGS; i++) {
        if (!(m->running.variadic_passed >> i & 1))
            continue;
        if (i - m->running.variadic_fixed >= n_places) {
            hd_approximate(m, site, "variadic argument beyond the 248th slot");
            continue;
        }
        unsigned place = (unsigned char)m->running.variadic_places[i - m->running.variadic_fixed];
        HD_CHECK(place >= HD_VARIADIC_REGISTER);
        set_slot(m,
                 place >= HD_VARIADIC_STACK
                     ? list->overflow_arg_area + 8 * (uint64_t)(place - HD_VARIADIC_STACK)
                     : list->reg_save_area + 8 * (uint64_t)(place - HD_VARIADIC_REGISTER),
                 m->running.variadic_args[i]);
    }
}

/* Nobody passed what lies behind the arguments: in the registers of both kinds, and on the stack,
 * where the caller has left room (compiler/variadic.c). */
static void guard_arguments(hd_machine *m, const hd_va_record *list) {
    uint64_t general = 8 * HD_VARIADIC_GENERAL(m->running.variadic_room),
             floating = 48 + 16 * HD_VARIADIC_FLOATING(m->running.variadic_room),
             stack = list->overflow_arg_area + HD_VARIADIC_BYTES(m->running.variadic_room);
    HD_CHECK(general <= HD_VA_GENERAL_END && floating <= HD_VA_SAVED_BYTES);
    hd_poison(list->reg_save_area + general, HD_VA_GENERAL_END - general, HD_POISON_ARGUMENT);
    hd_poison(list->reg_save_area + floating, HD_VA_SAVED_BYTES - floating, HD_POISON_ARGUMENT);
    hd_poison(stack, HD_VARIADIC_GUARD, HD_POISON_ARGUMENT);
}

void __hd_va_start(void *p) {
    hd_machine *m = hd_enter();
    const hd_va_record *list = p;
    hd_unpoison((uint64_t)p, sizeof *list);
    adopt_stack(m, list->reg_save_area, HD_VA_SAVED_BYTES);
    adopt_stack(m, list->overflow_arg_area, HD_VARIADIC_BYTES(m->running.variadic_room));
    if (m->running.variadic_places)
        guard_arguments(m, list);
    if (m->running.variadic_passed)
        place_arguments(m, list, hd_caller_site(m, __builtin_frame_address(0)));
}

void __hd_byval_pass(const void *from, uint32_t argument) {
    hd_machine *m = hd_enter();
    if (argument >= HD_MAX_ARGS)
        return;
    m->calls.byval_passed |= UINT64_C(1) << argument;
    m->calls.byval_from[argument] = (uint64_t)from;
}

void __hd_byval_enter(void *p, uint64_t size, uint32_t argument) {
    hd_machine *m = hd_enter();
    uint64_t to = (uint64_t)p;
    adopt_stack(m, to, size);
    if (argument >= HD_MAX_ARGS || !(m->calls.byval_passed >> argument & 1))
        return;
    m->calls.byval_passed &= ~(UINT64_C(1) << argument);
    const hd_word *from = HD_SHADOW_OF(m->calls.byval_from[argument]);
    hd_word *s = HD_SHADOW_OF(to);
    for (uint64_t i = 0; i < size; i++)
        s[i] = HD_WORD_IS_SYMBOLIC(from[i]) ? from[i] : 0;
}

/* ---- modelled functions ---- */

void hd_settle_argument(hd_machine *m, uint64_t passed, unsigned i) {
    HD_CHECK(i < HD_MAX_ARGS);
    if (hd_argument(m, passed, i))
        hd_address_choose(m, hd_argument(m, passed, i),
                          hd_caller_site(m, __builtin_frame_address(0)));
}

bool hd_argument_is_decided(hd_machine *m, uint64_t passed, unsigned i) {
    return hd_value_is_decided(m, hd_argument(m, passed, i),
                               hd_caller_site(m, __builtin_frame_address(0)));
}

uint64_t hd_arguments_lost(hd_machine *m, uint64_t passed) {
    uint64_t lost = 0;
    for (unsigned i = 0; passed >> i && i < HD_MAX_ARGS - 1; i++)
        if (passed >> i & 1 && !hd_argument_is_decided(m, passed, i))
            lost |= UINT64_C(1) << i;
    return lost;
}

void hd_settle_arguments(hd_machine *m) {
    uint64_t passed = hd_take_arguments(m);
    for (unsigned i = 0; passed >> i && i < HD_MAX_ARGS - 1; i++)
        hd_settle_argument(m, passed, i);
}

hd_shadow __hd_slow_fit(hd_shadow value, uint32_t width, uint32_t site) {
    hd_machine *m = hd_enter();
    if (hd_expr_width(m->graph, value) == width)
        return value;
    hd_approximate(m, site, "a value of a call through a pointer to a function of another type");
    return 0;
}

/* ---- external code ---- */

/* A bit of `passed` that nobody takes: it makes __hd_external call the slow path below. */
#define PENDING (UINT64_C(1) << 63)

static void keep_pending(hd_machine *m, hd_loss_kind kind, const char *format, va_list arguments) {
    if (m->calls.n_pending == sizeof m->calls.pending / sizeof *m->calls.pending)
        hd_approximate_pending(m, hd_caller_site(m, __builtin_frame_address(0)), NULL);
    HD_ASSERT(m->calls.n_pending < sizeof m->calls.pending / sizeof *m->calls.pending);
    hd_approximation *a = &m->calls.pending[m->calls.n_pending];
    a->kind = kind;
    vsnprintf(a->what, sizeof a->what, format, arguments);
    if (m->calls.n_pending == 0 || strcmp(a->what, a[-1].what) != 0)
        m->calls.n_pending++;
    m->registers->passed |= PENDING;
}

void hd_approximate_call(hd_machine *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep_pending(m, HD_LOSS_VALUE, format, arguments);
    va_end(arguments);
}

void hd_bound_call(hd_machine *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep_pending(m, HD_LOSS_LEFT_OUT, format, arguments);
    va_end(arguments);
}

/* Stands for the name of the function that was called, which is known when it has returned. */
#define NAMELESS "call on symbolic memory"

void hd_approximate_memory(hd_machine *m) {
    hd_approximate_call(m, NAMELESS);
}

void hd_note_printed(hd_machine *m) {
    m->calls.has_printed = true;
    m->registers->passed |= PENDING;
}

void hd_approximate_pending(hd_machine *m, uint32_t site, const char *name) {
    for (uint32_t i = 0; i < m->calls.n_pending; i++)
        if (name && strcmp(m->calls.pending[i].what, NAMELESS) == 0)
            hd_approximate(m, site, "call of '%.64s' on symbolic memory", name);
        else
            hd_approximate_as(m, m->calls.pending[i].kind, site, m->calls.pending[i].what);
    HD_ASSERT(m->calls.n_pending <= sizeof m->calls.pending / sizeof *m->calls.pending);
    m->calls.n_pending = 0;
    if (!m->calls.has_printed)
        m->registers->passed &= ~PENDING;
}

static bool ignores_arguments(const char *name) {
    const hd_function *row = hd_function_find(name);
    return row && row->flags & HD_FUNCTION_IGNORES;
}

/* Arguments that the callee did not take: it saw their concrete values only. */
void __hd_slow_external(const char *name, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    bool is_result_used = name[0] == '=';
    name += is_result_used;
    m->registers->returned = 0;
    if (m->calls.n_pending || m->calls.has_printed)
        passed &= ~PENDING;
    passed = hd_define_arguments(m, passed, ignores_arguments(name) ? NULL : HD_USE_ARGUMENT);
    site = hd_users_site(m, site, __builtin_frame_address(0));
    if (m->calls.has_printed && is_result_used)
        hd_approximate(m, site, "result of '%.64s' with a symbolic argument", name);
    m->calls.has_printed = false;
    hd_approximate_pending(m, site, name);
    if (!ignores_arguments(name) && hd_arguments_lost(m, passed))
        hd_approximate(m, site, "call of '%.64s' with a symbolic argument", name);
}

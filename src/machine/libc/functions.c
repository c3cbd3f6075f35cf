/* The table of library functions: rows of functions.def, and what instrumentation itself calls.
 *
 * Programs call a few dozen of a thousand functions, and every start looks all of those up: by a
 * hash of the name. */
#include "program/functions.h"

#include "base/hash.h"
#include "machine/values/values.h"
#include "program/abi.h"

#include "heddle.h"

#include <string.h>

/* clang-format off */

/* Functions that instrumented code calls: name in the program, function here. */
#define ABI(X)                                                                                     \
    /* program/abi.h */                                                                            \
    X(__hd_slow_binary, __hd_slow_binary)           X(__hd_slow_cast, __hd_slow_cast)              \
    X(__hd_slow_select, __hd_slow_select)           X(__hd_slow_index, __hd_slow_index)            \
    X(__hd_slow_load, __hd_slow_load)               X(__hd_slow_store, __hd_slow_store)            \
    X(__hd_slow_access, __hd_slow_access)           X(__hd_slow_branch, __hd_slow_branch)          \
    X(__hd_slow_touch, __hd_slow_touch)             X(__hd_stack_restore, __hd_stack_restore)      \
    X(__hd_slow_switch, __hd_slow_switch)           X(__hd_slow_step, __hd_slow_step)              \
    X(__hd_slow_concretize, __hd_slow_concretize)   X(__hd_slow_callee, __hd_slow_callee)          \
    X(__hd_slow_status, __hd_slow_status)                                                          \
    X(__hd_slow_external, __hd_slow_external)       X(__hd_slow_overflow, __hd_slow_overflow)      \
    X(__hd_slow_intrinsic, __hd_slow_intrinsic)     X(__hd_memcpy, __hd_memcpy)                    \
    X(__hd_memset, __hd_memset)                     X(__hd_alloca, __hd_alloca)                    \
    X(__hd_variadic_enter, __hd_variadic_enter)     X(__hd_va_start, __hd_va_start)                \
    X(__hd_byval_enter, __hd_byval_enter)           X(__hd_byval_pass, __hd_byval_pass)            \
    X(__hd_cmpxchg, __hd_cmpxchg)                   X(__hd_slow_shared, __hd_slow_shared)          \
    X(__hd_slow_shared_compare, __hd_slow_shared_compare)                                          \
    X(__hd_slow_thread_object, __hd_slow_thread_object)                                            \
    X(__hd_slow_fix, __hd_slow_fix)                 X(__hd_slow_spin, __hd_slow_spin)              \
    X(__hd_slow_fit, __hd_slow_fit)                 X(__hd_assembly, __hd_assembly)                \
    X(__hd_assembly_address, __hd_assembly_address)                                                \
    X(__hd_assembly_anywhere, __hd_assembly_anywhere)                                              \
    X(__hd_slow_aligned, __hd_slow_aligned)         X(__hd_slow_moved, __hd_slow_moved)            \
    X(__hd_slow_called, __hd_slow_called)           X(__hd_miscalled, __hd_miscalled)              \
    X(__hd_slow_goto, __hd_slow_goto)               X(__hd_slow_overlap, __hd_slow_overlap)

/* clang-format on */

#define DECLARE(check) void hd_ubsan_##check(), hd_ubsan_##check##_abort();
HD_CHECK_HANDLERS(DECLARE)
#undef DECLARE
void hd_ubsan_builtin_unreachable(), hd_ubsan_missing_return(), hd_ubsan_overlap();

#define BLOCKS  HD_FUNCTION_BLOCKS
#define ENDS    HD_FUNCTION_ENDS
#define STATE   HD_FUNCTION_STATE
#define OUTSIDE HD_FUNCTION_OUTSIDE
#define PRINTS  HD_FUNCTION_PRINTS
#define IGNORES HD_FUNCTION_IGNORES

/* What they take is a matter between them and the program: only where they are is of interest here,
 * so that a function that is in the table needs no other declaration. */
#define OWN(name, function, result, arguments, flags) void hd_libc_##function();
#define ROUTINE(name, result, arguments)              void hd_routine##name() __asm__(#name);
#include "program/functions.def"

static const hd_function rows[] = {
#define X(name, function) {#name, function, HD_FUNCTION_ABI, 0, "", ""},
    ABI(X)
#undef X
#define X(check)                                                                                   \
    {"__ubsan_handle_" #check, hd_ubsan_##check, HD_FUNCTION_ABI, 0, "", ""},                      \
        {"__ubsan_handle_" #check "_abort", hd_ubsan_##check##_abort, HD_FUNCTION_ABI, 0, "", ""},
        HD_CHECK_HANDLERS(X)
#undef X
#define X(check) {"__ubsan_handle_" #check, hd_ubsan_##check, HD_FUNCTION_ABI, 0, "", ""},
            X(builtin_unreachable) X(missing_return) X(overlap)
#undef X
#define MODEL(name, result, arguments, flags)                                                      \
    {#name, NULL, HD_FUNCTION_MODEL, flags, result, arguments},
#define OWN(name, function, result, arguments, flags)                                              \
    {#name, hd_libc_##function, HD_FUNCTION_OWN, flags, result, arguments},
#define HEDDLE(name, result, arguments, flags)                                                     \
    {#name, name, HD_FUNCTION_HEDDLE, flags, result, arguments},
#define REAL(name, result, arguments, flags)                                                       \
    {#name, NULL, HD_FUNCTION_REAL, flags, result, arguments},
#define PLAIN(name, result, arguments, flags)                                                      \
    {#name, NULL, HD_FUNCTION_PLAIN, flags, result, arguments},
#define ROUTINE(name, result, arguments)                                                           \
    {#name, hd_routine##name, HD_FUNCTION_PLAIN, 0, result, arguments},
#define REFUSED(name, why) {#name, NULL, HD_FUNCTION_REFUSED, 0, "", why},
#include "program/functions.def"
};
#define N_ROWS (sizeof rows / sizeof *rows)

/* ---- by name ---- */

#define N_SLOTS 4096 /* a power of two, more than twice the rows */
_Static_assert(N_SLOTS > 2 * N_ROWS, "the index of library functions is too small");
static uint16_t slots[N_SLOTS]; /* 1 + row; 0: free */

static bool is_system_call[N_ROWS];

static uint64_t slot_of(const char *name) {
    return hd_hash_bytes(0, name, strlen(name)) % N_SLOTS;
}

static void fill_slots(void) {
    for (uint32_t i = 0; i < N_ROWS; i++) {
        uint64_t at = slot_of(rows[i].name);
        for (; slots[at]; at = (at + 1) % N_SLOTS)
            HD_INVARIANT(T1, strcmp(rows[slots[at] - 1].name, rows[i].name) != 0);
        slots[at] = (uint16_t)(i + 1);
    }
}

static void mark_system_calls(void) {
    static const char *const names[] = {
#define SYSTEM_CALL(name) #name,
#include "program/system_calls.def"
#undef SYSTEM_CALL
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const hd_function *row = hd_function_find(names[i]);
        HD_ASSERT(row && row->kind == HD_FUNCTION_OWN);
        is_system_call[row - rows] = true;
    }
}

bool hd_function_is_system_call(const hd_function *row) {
    HD_ASSERT(row >= rows && row < rows + N_ROWS);
    return is_system_call[row - rows];
}

const hd_function *hd_function_find(const char *name) {
    static bool is_filled;
    if (!is_filled) {
        fill_slots();
        is_filled = true;
        mark_system_calls();
    }
    for (uint64_t at = slot_of(name); slots[at]; at = (at + 1) % N_SLOTS)
        if (strcmp(rows[slots[at] - 1].name, name) == 0)
            return &rows[slots[at] - 1];
    return NULL;
}

const hd_function *hd_function_row(uint32_t i) {
    return i < N_ROWS ? &rows[i] : NULL;
}

/* ---- arguments ---- */

static uint32_t number_at(const char **text) {
    uint32_t n = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        n = 10 * n + (uint32_t)(**text - '0');
    return n;
}

/* "#2*8" */
static void parse_factors(hd_role *r, const char **text) {
    bool goes_on = **text && **text != ' ' && **text != '?';
    while (goes_on && r->n_factors < sizeof r->factors / sizeof *r->factors) {
        char kind = **text == '#' || **text == '@' ? *(*text)++ : '0';
        r->factors[r->n_factors].kind = kind;
        r->factors[r->n_factors++].value = number_at(text);
        goes_on = **text == '*';
        *text += goes_on;
    }
    HD_ASSERT(!goes_on); /* no row has more factors than there is room for */
}

hd_role hd_role_next(const char **text) {
    hd_role r = {0};
    while (**text == ' ')
        ++*text;
    if (!**text)
        return r;
    r.letter = *(*text)++;
    r.is_general = r.letter != 'd' && r.letter != '.';
    parse_factors(&r, text);
    r.may_be_null = **text == '?';
    *text += r.may_be_null;
    return r;
}

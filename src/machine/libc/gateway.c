/* The way to functions of the C library, which see concrete values only.
 *
 * What such a function reads and writes of the program's memory is in its row (functions.def).
 * Before it runs, all of that is looked at: it must be accessible, it is an event if others may see
 * it, and symbolic bytes and numbers are said to be lost.  Afterwards what it wrote is concrete,
 * and errno is the program's.  A function without a row is not run, unless the user asked for it by
 * name.
 *
 * Entry for import n:  mov $n, %r11;  mov $thunk, %r10;  jmp *%r10
 * The common part saves every register that may hold an argument. */
#include "machine/channels/ipc.h"
#include "machine/libc/streams.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"
#include "program/functions.h"

#include <errno.h>
#include <sys/mman.h>

/* ---- thunks ---- */

/* clang-format off */
#define SAVE_REGISTERS                                                                             \
        "    push %rbp\n"                                                                          \
        "    mov %rsp, %rbp\n"                                                                     \
        "    sub $208, %rsp\n"                                                                     \
        "    mov %rdi, (%rsp)\n"                                                                   \
        "    mov %rsi, 8(%rsp)\n"                                                                  \
        "    mov %rdx, 16(%rsp)\n"                                                                 \
        "    mov %rcx, 24(%rsp)\n"                                                                 \
        "    mov %r8, 32(%rsp)\n"                                                                  \
        "    mov %r9, 40(%rsp)\n"                                                                  \
        "    mov %rax, 48(%rsp)\n"                                                                 \
        "    mov %r11, 56(%rsp)\n"                                                                 \
        "    movups %xmm0, 64(%rsp)\n"                                                             \
        "    movups %xmm1, 80(%rsp)\n"                                                             \
        "    movups %xmm2, 96(%rsp)\n"                                                             \
        "    movups %xmm3, 112(%rsp)\n"                                                            \
        "    movups %xmm4, 128(%rsp)\n"                                                            \
        "    movups %xmm5, 144(%rsp)\n"                                                            \
        "    movups %xmm6, 160(%rsp)\n"                                                            \
        "    movups %xmm7, 176(%rsp)\n"                                                            \
        "    mov %r11, %rdi\n"                                                                     \
        "    mov %rsp, %rsi\n"
#define RESTORE_REGISTERS                                                                          \
        "    mov %rax, %r11\n"                                                                     \
        "    mov (%rsp), %rdi\n"                                                                   \
        "    mov 8(%rsp), %rsi\n"                                                                  \
        "    mov 16(%rsp), %rdx\n"                                                                 \
        "    mov 24(%rsp), %rcx\n"                                                                 \
        "    mov 32(%rsp), %r8\n"                                                                  \
        "    mov 40(%rsp), %r9\n"                                                                  \
        "    mov 48(%rsp), %rax\n"                                                                 \
        "    movups 64(%rsp), %xmm0\n"                                                             \
        "    movups 80(%rsp), %xmm1\n"                                                             \
        "    movups 96(%rsp), %xmm2\n"                                                             \
        "    movups 112(%rsp), %xmm3\n"                                                            \
        "    movups 128(%rsp), %xmm4\n"                                                            \
        "    movups 144(%rsp), %xmm5\n"                                                            \
        "    movups 160(%rsp), %xmm6\n"                                                            \
        "    movups 176(%rsp), %xmm7\n"

/* Called, and looked at again when it has returned: its results stay in registers.  Functions with rows
 * take no arguments on the stack; of others some are copied, as many as there may be. */
#define LEAVE(leave)                                                                               \
        "    mov 56(%rsp), %rdi\n"                                                                 \
        "    mov %rsp, %rsi\n"                                                                     \
        "    mov %rax, 64(%rsp)\n"                                                                 \
        "    mov %rdx, 72(%rsp)\n"                                                                 \
        "    movups %xmm0, 80(%rsp)\n"                                                             \
        "    movups %xmm1, 96(%rsp)\n"                                                             \
        "    call " leave "\n"                                                                     \
        "    mov 64(%rsp), %rax\n"                                                                 \
        "    mov 72(%rsp), %rdx\n"                                                                 \
        "    movups 80(%rsp), %xmm0\n"                                                             \
        "    movups 96(%rsp), %xmm1\n"                                                             \
        "    leave\n"                                                                              \
        "    ret\n"
void hd_gateway_thunk(void);
__asm__(".text\n"
        ".globl hd_gateway_thunk\n"
        ".type hd_gateway_thunk, @function\n"
        "hd_gateway_thunk:\n"
        SAVE_REGISTERS
        "    call hd_gateway_enter\n"
        RESTORE_REGISTERS
        "    call *%r11\n"
        LEAVE("hd_gateway_leave")
        ".size hd_gateway_thunk, .-hd_gateway_thunk\n");

void hd_gateway_unknown(void);
__asm__(".text\n"
        ".globl hd_gateway_unknown\n"
        ".type hd_gateway_unknown, @function\n"
        "hd_gateway_unknown:\n"
        SAVE_REGISTERS
        "    call hd_gateway_enter_unknown\n"
        "    sub $256, %rsp\n" /* STACK_BYTES */
        "    mov %rax, 248(%rsp)\n"
        "    mov %rsp, %rdi\n"
        "    lea 16(%rbp), %rsi\n"
        "    call hd_gateway_copy\n"
        "    mov 248(%rsp), %rax\n"
        "    add $256, %rsp\n"
        RESTORE_REGISTERS
        "    sub $256, %rsp\n"
        "    call *%r11\n"
        "    add $256, %rsp\n"
        LEAVE("hd_gateway_leave_unknown")
        ".size hd_gateway_unknown, .-hd_gateway_unknown\n");

/* Functions on numbers: only errno is looked at.  They may take some on the stack, two of 32 bytes at
 * most (two complex long doubles). */
void hd_gateway_number(void);
__asm__(".text\n"
        ".globl hd_gateway_number\n"
        ".type hd_gateway_number, @function\n"
        "hd_gateway_number:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    sub $64, %rsp\n"
        "    movups 16(%rbp), %xmm8\n"
        "    movups 32(%rbp), %xmm9\n"
        "    movups 48(%rbp), %xmm10\n"
        "    movups 64(%rbp), %xmm11\n"
        "    movups %xmm8, (%rsp)\n"
        "    movups %xmm9, 16(%rsp)\n"
        "    movups %xmm10, 32(%rsp)\n"
        "    movups %xmm11, 48(%rsp)\n"
        "    mov hd_gateway_error(%rip), %r10\n"
        "    movl $0, (%r10)\n"
        "    mov hd_gateway_targets(%rip), %r10\n"
        "    shl $4, %r11\n"
        "    call *(%r10, %r11)\n"
        "    mov hd_gateway_error(%rip), %r10\n"
        "    cmpl $0, (%r10)\n"
        "    jne 1f\n"
        "    leave\n"
        "    ret\n"
        "1:\n"
        "    mov %rax, (%rsp)\n"
        "    mov %rdx, 8(%rsp)\n"
        "    movups %xmm0, 16(%rsp)\n"
        "    movups %xmm1, 32(%rsp)\n"
        "    call hd_gateway_failed\n"
        "    mov (%rsp), %rax\n"
        "    mov 8(%rsp), %rdx\n"
        "    movups 16(%rsp), %xmm0\n"
        "    movups 32(%rsp), %xmm1\n"
        "    leave\n"
        "    ret\n"
        ".size hd_gateway_number, .-hd_gateway_number\n");

/* System calls: all their arguments are in registers, and so is what they return. */
void hd_gateway_system(void);
__asm__(".text\n"
        ".globl hd_gateway_system\n"
        ".type hd_gateway_system, @function\n"
        "hd_gateway_system:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    mov hd_gateway_targets(%rip), %r10\n"
        "    shl $4, %r11\n"
        "    call *(%r10, %r11)\n"
        "    mov %rax, %rdi\n"
        "    call hd_gateway_return\n"
        "    leave\n"
        "    ret\n"
        ".size hd_gateway_system, .-hd_gateway_system\n");
/* clang-format on */

#define THUNK_SIZE 32

typedef struct target {
    uint64_t address;
    const hd_function *row; /* NULL: none */
} target;

static uint8_t *thunks;
static size_t thunk_bytes;
target *hd_gateway_targets; /* by import */
int *hd_gateway_error;      /* errno of the C library */
#define targets hd_gateway_targets
_Static_assert(sizeof(target) == 16, "hd_gateway_number and hd_gateway_system count on it");
_Static_assert(THUNK_SIZE >= 23, "write_thunk writes so much");

static void write_thunk(uint8_t *code, uint64_t number, uint64_t common) {
    static const uint8_t mov_r11[] = {0x49, 0xbb}, mov_r10[] = {0x49, 0xba},
                         jmp_r10[] = {0x41, 0xff, 0xe2};
    memcpy(code, mov_r11, 2);
    memcpy(code + 2, &number, 8);
    memcpy(code + 10, mov_r10, 2);
    memcpy(code + 12, &common, 8);
    memcpy(code + 20, jmp_r10, 3);
}

void hd_gateway_open(uint64_t n_imports) {
    HD_ASSERT(!thunks && !targets); /* L1 of module.h */
    thunk_bytes = (n_imports * THUNK_SIZE + HD_PAGE) & ~(HD_PAGE - 1);
    thunks = mmap(NULL, thunk_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    targets = calloc(n_imports + 1, sizeof *targets);
    hd_gateway_error = &errno;
    if (thunks == MAP_FAILED || !targets)
        hd_out_of_memory();
}

void hd_gateway_seal(void) {
    HD_ASSERT(thunks);
    mprotect(thunks, thunk_bytes, PROT_READ | PROT_EXEC);
}

void hd_gateway_close(void) {
    if (thunks)
        munmap(thunks, thunk_bytes);
    free(targets);
    thunks = NULL;
    targets = NULL;
}

uint64_t hd_gateway_bind(uint64_t number, const hd_function *row, uint64_t address) {
    hd_function_kind kind = row ? row->kind : HD_FUNCTION_UNKNOWN;
    bool is_called = kind == HD_FUNCTION_REAL || kind == HD_FUNCTION_MODEL;
    bool is_unknown = kind == HD_FUNCTION_UNKNOWN || kind == HD_FUNCTION_REFUSED;
    bool is_number = kind == HD_FUNCTION_PLAIN && strchr(row->arguments, 'd');
    bool is_system = row && hd_function_is_system_call(row);
    HD_ASSERT(is_called || !row || !(row->flags & HD_FUNCTION_OUTSIDE)); /* nobody else is noted */
    if (!is_called && !is_unknown && !is_number && !is_system)
        return address;
    HD_ASSERT(thunks && (number + 1) * THUNK_SIZE <= thunk_bytes);
    uint8_t *code = thunks + number * THUNK_SIZE;
    targets[number] = (target){address, row};
    write_thunk(code, number,
                (uint64_t)(is_called    ? hd_gateway_thunk
                           : is_unknown ? hd_gateway_unknown
                           : is_system  ? hd_gateway_system
                                        : hd_gateway_number));
    return (uint64_t)code;
}

/* ---- back from the kernel ---- */

/* Who fails says so by -1, and why only when handlers have run. */
uint64_t hd_gateway_return(uint64_t result) {
    hd_machine *m = hd_now;
    HD_CHECK(m && m->call.is_running);
    if (__builtin_expect(m->may.signal, 0) && hd_signal_is_due(m, hd_thread_current(m)))
        hd_signals_at_return(m, (int)result == -1);
    return result;
}

/* ---- a call by its row ---- */

#define MAX_ARGUMENTS 8

typedef struct call {
    hd_machine *m;
    const char *name;
    unsigned n;
    hd_role roles[MAX_ARGUMENTS];
    uint64_t values[MAX_ARGUMENTS];
    uint8_t numbers[MAX_ARGUMENTS]; /* among the general registers */
} call;

static call read_call(const hd_function *row, const uint64_t *registers) {
    call c = {.m = hd_now, .name = row->name};
    const char *text = row->arguments;
    unsigned general = 0;
    for (hd_role r = hd_role_next(&text); r.letter; r = hd_role_next(&text)) {
        HD_ASSERT(c.n < MAX_ARGUMENTS && general < 7);
        c.numbers[c.n] = (uint8_t)general;
        c.values[c.n] = r.is_general && general < 6 ? registers[general] : 0;
        general += r.is_general;
        c.roles[c.n++] = r;
    }
    return c;
}

static uint64_t factor_of(const call *c, unsigned i, unsigned k) {
    const hd_role *r = &c->roles[i];
    uint32_t value = r->factors[k].value;
    HD_ASSERT(k < r->n_factors && (r->factors[k].kind == '0' || value < c->n));
    return r->factors[k].kind == '0' ? value : c->values[value];
}

/* How many bytes, or units of text, that argument means; all of them if its row does not say. */
static uint64_t amount_of(const call *c, unsigned i) {
    uint64_t n = 1;
    for (unsigned k = 0; k < c->roles[i].n_factors; k++)
        if (__builtin_mul_overflow(n, factor_of(c, i, k), &n))
            return UINT64_MAX;
    return c->roles[i].n_factors ? n : UINT64_MAX;
}

static bool is_absent(const call *c, unsigned i) {
    HD_ASSERT(i < c->n);
    return c->roles[i].may_be_null && !c->values[i];
}

static bool is_one_of(char letter, const char *letters) {
    return strchr(letters, letter) != NULL;
}

static void say_lost(const call *c) {
    hd_approximate_call(c->m, "call of '%.64s' on symbolic memory", c->name);
}

static void read_text(const call *c, unsigned i, uint32_t unit) {
    hd_library_text t =
        hd_library_read_text(c->m, (const void *)c->values[i], amount_of(c, i), unit);
    if (hd_library_is_lost(c->m, &t, unit))
        say_lost(c);
}

/* What argument i points to is as the row says. */
static void check_argument(const call *c, unsigned i) {
    char letter = c->roles[i].letter;
    void *p = (void *)c->values[i];
    if (is_absent(c, i))
        return;
    if (is_one_of(letter, "sm"))
        read_text(c, i, 1);
    if (letter == 'S')
        read_text(c, i, sizeof(int32_t));
    if (letter == 'r')
        hd_library_read(c->m, p, amount_of(c, i));
    if (letter == 'x')
        hd_library_read_record(c->m, p, amount_of(c, i));
    if (is_one_of(letter, "wx"))
        hd_library_write(c->m, p, amount_of(c, i));
}

/* Pointers are one address on this path; other numbers are only what they are now. */
static void settle(const call *c) {
    uint64_t passed = hd_define_arguments(c->m, hd_take_arguments(c->m), HD_USE_ARGUMENT);
    bool is_lost = false;
    for (unsigned i = 0; i < c->n; i++) {
        bool is_number = is_one_of(c->roles[i].letter, "vd");
        if (!c->roles[i].is_general || !hd_argument(c->m, passed, c->numbers[i]))
            continue;
        if (is_number)
            is_lost |= !hd_argument_is_decided(c->m, passed, c->numbers[i]);
        else
            hd_settle_argument(c->m, passed, c->numbers[i]);
    }
    if (is_lost)
        hd_approximate_call(c->m, "call of '%.64s' with a symbolic argument", c->name);
}

/* ---- what external code may do to us ---- */

#define DEEP UINT64_C(65536) /* stack that it may leave dirty */

/* Frames of the called function will lie where returned functions left poison, and it may hand out
 * pointers to them in callbacks. */
static void make_stack(hd_machine *m, uint64_t stack) {
    if (m->registers->stack_low < stack)
        hd_unpoison(m->registers->stack_low - HD_LOCAL_PAD,
                    stack - m->registers->stack_low + HD_LOCAL_PAD);
    if (stack - DEEP < m->running.stack_dirty)
        m->running.stack_dirty = stack - DEEP;
}

static void enter_outside(hd_machine *m, const hd_function *row) {
    if (!(row->flags & HD_FUNCTION_OUTSIDE))
        return;
    hd_library_state(m, HD_TOKEN_OUTSIDE, true);
    hd_spaces_stop_watching(m);
}

uint64_t hd_gateway_enter(uint64_t number, const uint64_t *registers) {
    hd_machine *m = hd_enter();
    const hd_function *row = targets[number].row;
    HD_ASSERT(number < m->image->n_imports && row);
    call c = read_call(row, registers);
    settle(&c);
    enter_outside(m, row);
    for (unsigned i = 0; i < c.n; i++)
        check_argument(&c, i);
    make_stack(m, (uint64_t)registers);
    errno = *(int *)m->running.errno_at;
    return targets[number].address;
}

/* What argument i points to was written, perhaps not all of it. */
static void clear_argument(const call *c, unsigned i) {
    char letter = c->roles[i].letter;
    uint64_t at = c->values[i], n = letter == 'm' ? strlen((const char *)at) : amount_of(c, i);
    if (!hd_any_word(at, n))
        return;
    if (hd_any_input(c->m, at, n))
        say_lost(c);
    hd_unpoison(at, n);
}

void hd_gateway_leave(uint64_t number, const uint64_t *registers) {
    int error = errno;
    call c = read_call(targets[number].row, registers);
    for (unsigned i = 0; i < c.n; i++)
        if (is_one_of(c.roles[i].letter, "wxm") && !is_absent(&c, i) && hd_in_region(c.values[i]))
            clear_argument(&c, i);
    if (error != *(int *)c.m->running.errno_at)
        hd_errno_set(c.m, error);
}

void hd_gateway_failed(void) {
    int error = errno;
    hd_errno_set(hd_now, error);
}

/* ---- functions without a row ---- */

/* Is `name` one of those that the user lets run as they are? */
static bool is_allowed(const hd_machine *m, const char *name) {
    const char *list = m->options.external;
    size_t n = strlen(name);
    for (const char *at = list ? strstr(list, name) : NULL; at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

static _Noreturn void refuse(hd_machine *m, const char *name, const hd_function *row) {
    if (row)
        hd_ipc_refuse(m, "call of '%.24s': %.40s (executions end there)", name, row->arguments);
    hd_ipc_refuse(m, "call of '%.32s', which has no model (executions end there)", name);
}

/* The host would take a stream of ours for one of its own. */
static void check_streams(hd_machine *m, const char *name, const uint64_t *registers) {
    for (unsigned i = 0; i < 6; i++)
        if (hd_in_region(registers[i]) && hd_is_stream(m, (const FILE *)registers[i]))
            hd_ipc_refuse(m, "call of '%.40s' on a stream, not modelled (executions end there)",
                          name);
}

/* How many arguments there are is not known, so all registers may be some: objects that they point
 * to are remembered as they are, and what has changed afterwards is concrete. */
typedef struct snapshot {
    uint64_t at, n;
    uint8_t *bytes;
} snapshot;
#define MAX_SNAPSHOT UINT64_C(65536) /* bytes of one object */

static snapshot remember(hd_machine *m, uint64_t pointer) {
    hd_object o;
    if (!hd_in_region(pointer) || !hd_object_at(m, pointer, &o) || o.is_constant || !o.size)
        return (snapshot){0};
    snapshot s = {o.base, o.size < MAX_SNAPSHOT ? o.size : MAX_SNAPSHOT, NULL};
    s.bytes = memcpy(hd_execution_alloc(m, s.n), (const void *)s.at, s.n);
    return s;
}

static void forget_changes(const snapshot *s) {
    for (uint64_t i = 0; i < s->n; i++)
        if (((const uint8_t *)s->at)[i] != s->bytes[i] &&
            HD_WORD_IS_SYMBOLIC(*HD_SHADOW_OF(s->at + i)))
            hd_unpoison(s->at + i, 1);
}

/* Above the saved registers: where the objects are. */
typedef struct saved {
    uint64_t registers[24];
    snapshot *objects;
} saved;
_Static_assert(sizeof(saved) <= 208, "SAVE_REGISTERS makes room for it");

uint64_t hd_gateway_enter_unknown(uint64_t number, uint64_t *registers) {
    hd_machine *m = hd_enter();
    const target *t = &targets[number];
    HD_ASSERT(number < m->image->n_imports);
    const char *name = m->image->imports[number].name;
    if (t->row || !t->address || !is_allowed(m, name))
        refuse(m, name, t->row);
    check_streams(m, name, registers);
    hd_approximate_call(m, "call of '%.64s', which has no model", name);
    if (hd_is_threaded(m))
        hd_bound_call(m, "what '%.40s' does to memory of other threads is not seen", name);
    saved *s = (saved *)registers;
    s->objects = hd_execution_alloc(m, 6 * sizeof *s->objects);
    for (unsigned i = 0; i < 6; i++)
        s->objects[i] = remember(m, registers[i]);
    make_stack(m, (uint64_t)registers);
    hd_spaces_stop_watching(m);
    return t->address;
}

#define STACK_BYTES UINT64_C(240) /* of arguments that are passed on the stack */
_Static_assert(STACK_BYTES <= 248, "hd_gateway_unknown keeps the target behind them");

void hd_gateway_copy(uint64_t *to, const uint64_t *from) {
    uint64_t room = hd_now->running.stack_top - (uint64_t)from;
    HD_ASSERT((uint64_t)from <= hd_now->running.stack_top);
    memcpy(to, from, room < STACK_BYTES ? room : STACK_BYTES);
}

void hd_gateway_leave_unknown(uint64_t number, const uint64_t *registers) {
    const saved *s = (const saved *)registers;
    (void)number;
    for (unsigned i = 0; i < 6; i++)
        forget_changes(&s->objects[i]);
}

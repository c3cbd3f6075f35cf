/* Signals of the processor become findings, and stacks become lists of program counters.
 *
 * Checks of instrumented code read the shadow of an address before the access, so a stray
 * pointer usually faults there: at 4 * address, or without an address at all when 4 * address
 * is no address; then the operand of the instruction tells it.
 *
 * A pointer to memory of external code faults in the same way.  There, and for null pointers, the
 * check is let go on with a poisoned shadow, so that it calls the machine, which knows the place,
 * the size and the direction of the access (external.c), and what else is to be checked with it
 * (ubsan.c): the instruction runs as a single step with another
 * value in the register that it takes its address from. */
#include "confine/confine.h"
#include "machine/memory/memory.h"

#include <dlfcn.h>
#include <linux/audit.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#define HANDLER_STACK  65536
#define NEAR_NULL      UINT64_C(65536)
#define FRAME_REGISTER 6 /* rbp, as debug information numbers registers */

/* The program that is Heddle itself, by the linker. */
extern const char __executable_start[], etext[];

/* ---- stacks ---- */

static bool is_program_counter(const hd_machine *m, uint64_t pc) {
    return pc >= m->module->code_start && pc < m->module->code_end;
}

static bool is_on_stack(const hd_machine *m, uint64_t address) {
    uint32_t thread = hd_stack_of(m, address);
    return thread < HD_MAX_THREADS && address + 16 <= m->thread[thread].stack_top &&
           address % 8 == 0;
}

static void add_frame(hd_finding *f, uint64_t pc) {
    if (f->n_stack < HD_MAX_STACK)
        f->stack[f->n_stack++] = pc;
}

/* A return address is one past the call: the byte before belongs to its line. */
void hd_stack_walk(hd_machine *m, hd_finding *f, const void *frame) {
    uint64_t at = (uint64_t)frame;
    while (is_on_stack(m, at) && f->n_stack < HD_MAX_STACK) {
        const uint64_t *words = (const uint64_t *)at;
        if (is_program_counter(m, words[1]))
            add_frame(f, words[1] - 1);
        if (words[0] <= at)
            break;
        at = words[0];
    }
}

void hd_stack_of_block(const hd_machine *m, const hd_block *b, hd_finding *f) {
    f->n_stack = 0;
    if (b->allocated_at)
        add_frame(f, b->allocated_at);
    for (unsigned i = 0; i < sizeof b->callers / sizeof *b->callers; i++)
        if (f->n_stack && is_program_counter(m, b->callers[i]))
            add_frame(f, b->callers[i] - 1);
}

/* External code keeps no frame pointers, but tables that tell where it keeps what it will go back
 * with (.eh_frame): they lead to the first frame that has none, which is the program's or the
 * gateway's, and those keep frame pointers.  A stack that the program has written to leads
 * anywhere. */
static struct unwinding {
    bool is_active, is_there; /* there: our own frames, of the handler, lie behind */
    sigjmp_buf before;
    const hd_machine *m;
    uint64_t from;      /* where it happened */
    uint64_t pc, frame; /* the program's, or 0; of the outermost frame */
    uint64_t own;       /* the innermost place that is ours, or 0 */
} unwinding;

static bool is_our_code(uint64_t pc) {
    return pc >= (uint64_t)__executable_start && pc < (uint64_t)etext;
}

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *unused) {
    (void)unused;
    uint64_t pc = _Unwind_GetIP(context);
    unwinding.is_there |= pc == unwinding.from;
    if (!unwinding.is_there)
        return _URC_NO_REASON;
    unwinding.frame = _Unwind_GetGR(context, FRAME_REGISTER);
    if (is_program_counter(unwinding.m, pc))
        unwinding.pc = pc;
    else if (!unwinding.own && is_our_code(pc))
        unwinding.own = pc;
    return unwinding.pc ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

static void unwind(const hd_machine *m, uint64_t from) {
    unwinding = (struct unwinding){.is_active = true, .m = m, .from = from};
    if (sigsetjmp(unwinding.before, 0) == 0)
        _Unwind_Backtrace(note_frame, NULL);
    unwinding.is_active = false;
}

/* Where there are no tables the first word on the stack that is a program counter of the program is
 * where it made the call, unless somebody has left it there before. */
static void walk_from_call(hd_machine *m, hd_finding *f, uint64_t stack, uint64_t frame) {
    uint64_t at = (stack + 7) & ~UINT64_C(7);
    while (is_on_stack(m, at) && !is_program_counter(m, *(const uint64_t *)at))
        at += 8;
    if (!is_on_stack(m, at))
        return;
    add_frame(f, *(const uint64_t *)at - 1);
    if (frame > at)
        hd_stack_walk(m, f, (const void *)frame);
}

static void walk_from_external(hd_machine *m, hd_finding *f, uint64_t pc, uint64_t stack,
                               uint64_t frame) {
    unwind(m, pc);
    if (unwinding.pc)
        add_frame(f, unwinding.pc - 1);
    hd_stack_walk(m, f, (const void *)unwinding.frame);
    if (!f->n_stack)
        walk_from_call(m, f, stack, frame);
}

/* ---- what happened ---- */

typedef struct fault {
    hd_machine *m;
    int signal, code;
    uint64_t address, pc, stack, frame;
    bool is_write;
    bool has_operand; /* of an instruction of the program */
    hd_operand operand;
    uint64_t meant; /* the address that the program was about to access, if it is known */
    bool is_known;
    int call; /* the number of a system call that was not carried out, of this architecture */
    uint32_t architecture;
    uint64_t arguments[3];
} fault;

/* In the order of their numbers in machine code. */
static const int register_order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                       REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                       REG_R12, REG_R13, REG_R14, REG_R15};

static void decode_operand(fault *f, const ucontext_t *u) {
    HD_ASSERT(is_program_counter(f->m, f->pc));
    uint8_t code[16] = {0};
    uint64_t registers[16], left = f->m->module->code_end - f->pc;
    memcpy(code, (const void *)f->pc, left < sizeof code ? left : sizeof code);
    for (unsigned i = 0; i < 16; i++)
        registers[i] = (uint64_t)u->uc_mcontext.gregs[register_order[i]];
    f->has_operand = hd_operand_decode(code, registers, &f->operand);
    if (f->has_operand && !hd_in_region(f->operand.address))
        f->is_known = hd_operand_unshadow(&f->operand, registers, &f->meant);
}

/* Only reads of shadow words leave the region: no access comes before its check. */
static void find_meant_address(fault *f, const ucontext_t *u) {
    f->meant = f->address;
    f->is_known = f->code != SI_KERNEL; /* others come without an address */
    if (f->code == SEGV_MAPERR && !f->is_write && !hd_in_region(f->address))
        f->meant = (uint64_t)((int64_t)f->address >> 2);
    if (f->signal == SIGSEGV && is_program_counter(f->m, f->pc))
        decode_operand(f, u);
}

static void describe_memory(const fault *f, hd_finding *finding) {
    hd_machine *m = f->m;
    uint64_t address = f->meant;
    if (f->is_known && address < NEAR_NULL) {
        finding->kind = HD_FINDING_NULL_POINTER;
        snprintf(finding->message, sizeof finding->message, "access through a null pointer%s",
                 address ? " plus an offset" : "");
    } else if (address >= m->running.stack_bottom - HD_STACK_GUARD &&
               address < m->running.stack_bottom) {
        finding->kind = HD_FINDING_STACK_OVERFLOW;
        snprintf(finding->message, sizeof finding->message, "the stack of %lu bytes is exhausted",
                 m->running.stack_top - m->running.stack_bottom);
    } else if (address >= HD_IMAGE_BASE && address < HD_STACK_BASE && f->is_write) {
        finding->kind = HD_FINDING_READ_ONLY;
        snprintf(finding->message, sizeof finding->message, "write to read-only memory");
    } else if (f->is_write && hd_is_read_only(m, address)) {
        finding->kind = HD_FINDING_READ_ONLY;
        snprintf(finding->message, sizeof finding->message,
                 "write to memory that was mapped for reading only");
    } else {
        finding->kind = HD_FINDING_OUT_OF_BOUNDS;
        if (f->is_known)
            snprintf(finding->message, sizeof finding->message,
                     "access at %#lx, outside any object", address);
        else
            snprintf(finding->message, sizeof finding->message,
                     "access outside any object, through a wild pointer");
    }
}

/* ---- system calls that are forbidden ---- */

/* An argument as people read it: the text that it points to, if the program could print it. */
static void describe_argument(uint64_t value, hd_text *out) {
    char text[80] = "";
    struct iovec to = {text, sizeof text - 1}, from = {(void *)value, sizeof text - 1};
    size_t n = 0;
    /* What is not mapped must not be read, whatever its shadow says. */
    ssize_t got = hd_in_region(value) ? process_vm_readv(getpid(), &to, 1, &from, 1, 0) : 0;
    while ((ssize_t)n < got && text[n] >= ' ' && text[n] < 127)
        n++;
    text[n] = '\0';
    if (n)
        hd_text_add(out, "\"%s\"", text);
    else if (value <= 0xffffff || -value <= 0xffffff)
        hd_text_add(out, "%ld", (int64_t)value);
    else
        hd_text_add(out, "%#lx", value);
}

/* N2 of confine.h: the kernel has not carried it out. */
static void describe_call(const fault *f, hd_finding *finding) {
    char name[64];
    hd_text arguments = {0};
    hd_confine_name_call(f->call, f->architecture, name);
    for (unsigned i = 0; i < 3; i++) {
        hd_text_add(&arguments, "%s", i ? ", " : "");
        describe_argument(f->arguments[i], &arguments);
    }
    finding->kind = HD_FINDING_FORBIDDEN;
    snprintf(finding->message, sizeof finding->message, "the system call %s(%s, ...) is forbidden",
             name, hd_text_string(&arguments));
    hd_text_release(&arguments);
}

static void describe_fault(const fault *f, hd_finding *finding) {
    switch (f->signal) {
    case SIGFPE:
        finding->kind = HD_FINDING_DIVISION_BY_ZERO;
        snprintf(finding->message, sizeof finding->message,
                 "division by zero, or of the smallest number by -1");
        break;
    case SIGILL:
    case SIGTRAP:
        finding->kind = HD_FINDING_UNDEFINED;
        snprintf(finding->message, sizeof finding->message,
                 "execution reached code that must be unreachable");
        break;
    case SIGSYS:
        describe_call(f, finding);
        break;
    default:
        describe_memory(f, finding);
    }
}

static void describe_external(const fault *f, hd_finding *finding) {
    if (f->signal == SIGSYS) {
        describe_call(f, finding);
        return;
    }
    Dl_info info;
    const char *name = dladdr((void *)f->pc, &info) && info.dli_sname ? info.dli_sname : "?";
    finding->kind = HD_FINDING_SIGNAL;
    snprintf(finding->message, sizeof finding->message, "%s in external code (near '%s')",
             strsignal(f->signal), name);
    if (f->signal == SIGSEGV && f->address < NEAR_NULL && f->code != SI_KERNEL)
        finding->kind = HD_FINDING_NULL_POINTER;
}

/* A fault that is the program's, whoever's code it happens in: of the stack that it has used up, or
 * of a write for it to memory that it may only read. */
static bool is_told_by_address(const fault *f) {
    const hd_machine *m = f->m;
    return (f->address >= m->running.stack_bottom - HD_STACK_GUARD &&
            f->address < m->running.stack_bottom) ||
           (f->signal == SIGSEGV && f->is_write && hd_is_read_only(m, f->address));
}

static _Noreturn void end_with_fault(const fault *f) {
    HD_ASSERT(f->m->call.is_running && f->m->call.outcome);
    hd_machine *m = f->m;
    hd_finding *finding = &m->call.outcome->finding;
    hd_finding_fill(m, HD_FINDING_SIGNAL, 0);
    m->call.outcome->status = f->signal;
    if (is_program_counter(m, f->pc)) {
        describe_fault(f, finding);
        add_frame(finding, f->signal == SIGSYS ? f->pc - 1 : f->pc); /* that was the call */
        /* A function that faults before its prologue has its caller on top of the stack. */
        hd_stack_walk(m, finding, (const void *)f->frame);
    } else if (f->pc < HD_REGION + HD_REGION_SIZE && !(f->pc >= (uint64_t)__executable_start)) {
        finding->kind = f->pc < NEAR_NULL ? HD_FINDING_NULL_POINTER : HD_FINDING_OUT_OF_BOUNDS;
        snprintf(finding->message, sizeof finding->message, "call of %s function pointer",
                 f->pc < NEAR_NULL ? "a null" : "a wild");
        walk_from_call(m, finding, f->stack, f->frame);
    } else {
        describe_external(f, finding);
        if (is_told_by_address(f))
            describe_memory(f, finding);
        walk_from_external(m, finding, f->pc, f->stack, f->frame);
    }
    hd_end_filled(m);
}

static void die_of_it(int signal) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(signal, &action, NULL);
    raise(signal);
}

/* ---- checks of memory of external code ---- */

#define TRAP_FLAG     0x100 /* in the flags: stop after one instruction */
#define POISONED_SIZE 65536 /* around its middle: displacements need not be exact */

static uint8_t *poisoned; /* shadow words for memory that has none */
static struct step {
    bool is_active;
    int number; /* of the register that was changed */
    uint64_t before, changed;
} step;

/* Does the machine know more about such an access than we do here? */
static bool is_for_machine(uint64_t address) {
    return address < NEAR_NULL || hd_is_external(address, 1);
}

/* A read of the shadow of external memory, or of null's, reads poison instead. */
static bool begin_step(const fault *f, ucontext_t *u) {
    unsigned number;
    uint64_t change, to = (uint64_t)poisoned + POISONED_SIZE / 2 + (f->operand.address & 63);
    if (!f->has_operand || !f->is_known || f->is_write || hd_in_region(f->operand.address) ||
        !is_for_machine(f->meant) || !hd_operand_move(&f->operand, to, &number, &change))
        return false;
    greg_t *registers = u->uc_mcontext.gregs;
    step = (struct step){.is_active = true,
                         .number = register_order[number],
                         .before = (uint64_t)registers[register_order[number]]};
    step.changed = step.before + change;
    registers[step.number] = (greg_t)step.changed;
    registers[REG_EFL] |= TRAP_FLAG;
    return true;
}

/* The instruction may have loaded the register that it took its address from. */
static void end_step(ucontext_t *u) {
    HD_ASSERT(step.is_active);
    greg_t *registers = u->uc_mcontext.gregs;
    step.is_active = false;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if ((uint64_t)registers[step.number] == step.changed)
        registers[step.number] = (greg_t)step.before;
}

/* ---- the handler ---- */

/* A call of the C library that a model of ours has made: it is not on the list, and should be. What
 * the program calls comes by the gateway, whose code is ours too (machine/libc/gateway.c). */
static bool is_call_of_ours(const fault *f) {
    Dl_info info;
    if (f->signal != SIGSYS || is_program_counter(f->m, f->pc))
        return false;
    unwind(f->m, f->pc);
    return unwinding.own && (!dladdr((void *)unwinding.own, &info) || !info.dli_sname ||
                             strncmp(info.dli_sname, "hd_gateway_", 11) != 0);
}

/* Heddle's own mistakes are not the program's. */
static bool is_programs(const fault *f) {
    const hd_machine *m = f->m;
    if (!m || !m->call.is_running || f->code <= 0 || is_call_of_ours(f))
        return false;
    return !is_our_code(f->pc) || is_told_by_address(f);
}

static void note_call(fault *f, const siginfo_t *info, const ucontext_t *u) {
    const greg_t *registers = u->uc_mcontext.gregs;
    f->call = info->si_syscall;
    f->architecture = info->si_arch;
    bool is_old = f->architecture == AUDIT_ARCH_I386; /* int $0x80 */
    f->arguments[0] = (uint64_t)registers[is_old ? REG_RBX : REG_RDI];
    f->arguments[1] = (uint64_t)registers[is_old ? REG_RCX : REG_RSI];
    f->arguments[2] = (uint64_t)registers[REG_RDX];
}

static struct {
    _Atomic int *number;
    pid_t process;
} unlisted;

void hd_machine_tell_unlisted(_Atomic int *number) {
    unlisted.number = number;
    unlisted.process = getpid();
}

/* A worker needs a call that is not on its list. */
static _Noreturn void blame_list(const fault *f) {
    char name[64];
    if (unlisted.number && unlisted.process == getpid()) {
        atomic_store(unlisted.number, f->call);
        _exit(1);
    }
    hd_confine_name_call(f->call, f->architecture, name);
    HD_BUG("invariant N3: nobody has allowed the system call %s", name);
}

static void handle_fault(int signal, siginfo_t *info, void *context) {
    ucontext_t *u = context;
    hd_machine *m = hd_now;
    fault f = {.m = m,
               .signal = signal,
               .code = info->si_code,
               .address = (uint64_t)info->si_addr,
               .pc = (uint64_t)u->uc_mcontext.gregs[REG_RIP],
               .stack = (uint64_t)u->uc_mcontext.gregs[REG_RSP],
               .frame = (uint64_t)u->uc_mcontext.gregs[REG_RBP],
               .is_write = (u->uc_mcontext.gregs[REG_ERR] & 2) != 0};
    if (unwinding.is_active)
        siglongjmp(unwinding.before, 1);
    if (signal == SIGSYS)
        note_call(&f, info, u);
    if (signal == SIGTRAP && step.is_active) {
        end_step(u);
        return;
    }
    step.is_active = false;
    if (m && signal == SIGSEGV && f.is_write && hd_memory_note_write(m, f.address))
        return;
    if (is_programs(&f)) {
        find_meant_address(&f, u);
        if (begin_step(&f, u))
            return;
        /* An address that nobody can tell may well be one of external code. */
        if (signal == SIGSEGV && f.code == SI_KERNEL && !f.has_operand &&
            is_program_counter(m, f.pc))
            hd_end_external(m, false, 0);
        end_with_fault(&f);
    }
    if (signal == SIGSYS)
        blame_list(&f);
    die_of_it(signal);
}

static void make_poison(void) {
    if (poisoned)
        return;
    poisoned =
        mmap(NULL, POISONED_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (poisoned == MAP_FAILED)
        hd_out_of_memory();
    memset(poisoned, 0xff, POISONED_SIZE);
    mprotect(poisoned, POISONED_SIZE, PROT_READ);
}

static void make_handler_stack(void) {
    static void *stack;
    if (stack)
        return;
    stack = mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        hd_out_of_memory();
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = HANDLER_STACK}, NULL);
}

void hd_faults_install(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    make_handler_stack();
    make_poison();
    /* SA_NODEFER: the handler does not return when it ends the execution. */
    struct sigaction action = {.sa_sigaction = handle_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int failed = sigaction(signals[i], &action, NULL);
        HD_ASSERT(!failed); /* or faults of the program would end us */
    }
}

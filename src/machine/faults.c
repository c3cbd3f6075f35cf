/* Signals of the processor become findings, and stacks become lists of program counters.
 *
 * Checks of instrumented code read the shadow of an address before the access, so a stray
 * pointer usually faults there: at 4 * address, or without an address at all when 4 * address
 * is no address.  In that case the operands of the instruction are not decoded; the
 * message says what is known. */
#include "machine/machine_int.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#define HANDLER_STACK 65536
#define NEAR_NULL     UINT64_C(65536)

/* The program that is Heddle itself, by the linker. */
extern const char __executable_start[], etext[];

/* ---- stacks ---- */

static bool is_program_counter(const hd_machine *m, uint64_t pc) {
    return pc >= m->module->code_start && pc < m->module->code_end;
}

static bool is_on_stack(const hd_machine *m, uint64_t address) {
    return address >= m->stack_bottom && address + 16 <= m->stack_top && address % 8 == 0;
}

static void add_frame(hd_finding *f, uint64_t pc) {
    if (f->n_stack < HD_MAX_STACK)
        f->stack[f->n_stack++] = pc;
}

/* A return address is one past the call: the byte before belongs to its line. */
void hd_stack_walk(hd_machine *m, hd_finding *f, const void *frame) {
    uint64_t at = (uint64_t)frame;
    while (is_on_stack(m, at)) {
        const uint64_t *words = (const uint64_t *)at;
        if (is_program_counter(m, words[1]))
            add_frame(f, words[1] - 1);
        if (words[0] <= at)
            break;
        at = words[0];
    }
}

/* External code keeps no frame pointers: the first word on the stack that is a program
 * counter of the program is where it was called. */
static void walk_from_external(hd_machine *m, hd_finding *f, uint64_t stack, uint64_t frame) {
    uint64_t at = (stack + 7) & ~UINT64_C(7);
    while (is_on_stack(m, at) && !is_program_counter(m, *(const uint64_t *)at))
        at += 8;
    if (!is_on_stack(m, at))
        return;
    add_frame(f, *(const uint64_t *)at - 1);
    if (frame > at)
        hd_stack_walk(m, f, (const void *)frame);
}

/* ---- what happened ---- */

typedef struct fault {
    hd_machine *m;
    int signal, code;
    uint64_t address, pc, stack, frame;
    bool is_write;
} fault;

/* The address that the program meant: faults on shadow words are at four times it. */
static uint64_t meant_address(const fault *f) {
    bool is_shadow = f->address - 4 * HD_REGION < 4 * HD_REGION_SIZE || f->address < 4 * NEAR_NULL;
    return is_shadow ? f->address / 4 : f->address;
}

static void describe_memory(const fault *f, hd_finding *finding) {
    hd_machine *m = f->m;
    uint64_t address = meant_address(f);
    const char *access = f->is_write ? "write" : "read";
    /* Non-canonical addresses come without a number. */
    bool has_address = f->code > 0 && f->code != SI_KERNEL;
    if (has_address && address < NEAR_NULL) {
        finding->kind = HD_FINDING_NULL_POINTER;
        snprintf(finding->message, sizeof finding->message, "access through a null pointer%s",
                 address ? " plus an offset" : "");
    } else if (address >= HD_STACK_BASE && address < m->stack_bottom) {
        finding->kind = HD_FINDING_STACK_OVERFLOW;
        snprintf(finding->message, sizeof finding->message, "the stack of %lu bytes is exhausted",
                 m->stack_top - m->stack_bottom);
    } else if (address >= HD_IMAGE_BASE && address < HD_STACK_BASE && f->is_write) {
        finding->kind = HD_FINDING_READ_ONLY;
        snprintf(finding->message, sizeof finding->message, "write to read-only memory");
    } else {
        finding->kind = HD_FINDING_OUT_OF_BOUNDS;
        if (has_address)
            snprintf(finding->message, sizeof finding->message, "%s at %#lx, outside any object",
                     access, address);
        else
            snprintf(finding->message, sizeof finding->message,
                     "access outside any object, through a wild pointer");
    }
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
    default:
        describe_memory(f, finding);
    }
}

static void describe_external(const fault *f, hd_finding *finding) {
    Dl_info info;
    const char *name = dladdr((void *)f->pc, &info) && info.dli_sname ? info.dli_sname : "?";
    finding->kind = HD_FINDING_SIGNAL;
    snprintf(finding->message, sizeof finding->message, "%s in external code (near '%s')",
             strsignal(f->signal), name);
    if (f->signal == SIGSEGV && f->address < NEAR_NULL && f->code != SI_KERNEL)
        finding->kind = HD_FINDING_NULL_POINTER;
}

static _Noreturn void end_with_fault(const fault *f) {
    hd_machine *m = f->m;
    hd_finding *finding = &m->outcome->finding;
    hd_finding_fill(m, HD_FINDING_SIGNAL, 0);
    m->outcome->status = f->signal;
    if (is_program_counter(m, f->pc)) {
        describe_fault(f, finding);
        add_frame(finding, f->pc);
        /* A function that faults before its prologue has its caller on top of the stack. */
        hd_stack_walk(m, finding, (const void *)f->frame);
    } else if (f->pc < HD_REGION + HD_REGION_SIZE && !(f->pc >= (uint64_t)__executable_start)) {
        finding->kind = f->pc < NEAR_NULL ? HD_FINDING_NULL_POINTER : HD_FINDING_OUT_OF_BOUNDS;
        snprintf(finding->message, sizeof finding->message, "call of %s function pointer",
                 f->pc < NEAR_NULL ? "a null" : "a wild");
        walk_from_external(m, finding, f->stack, f->frame);
    } else {
        describe_external(f, finding);
        if (m->stack_bottom - HD_STACK_GUARD <= f->address && f->address < m->stack_bottom)
            describe_memory(f, finding);
        walk_from_external(m, finding, f->stack, f->frame);
    }
    hd_end_filled(m);
}

static bool is_our_code(uint64_t pc) {
    return pc >= (uint64_t)__executable_start && pc < (uint64_t)etext;
}

static void die_of_it(int signal) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(signal, &action, NULL);
    raise(signal);
}

static void handle_fault(int signal, siginfo_t *info, void *context) {
    const ucontext_t *u = context;
    hd_machine *m = hd_now;
    fault f = {.m = m,
               .signal = signal,
               .code = info->si_code,
               .address = (uint64_t)info->si_addr,
               .pc = (uint64_t)u->uc_mcontext.gregs[REG_RIP],
               .stack = (uint64_t)u->uc_mcontext.gregs[REG_RSP],
               .frame = (uint64_t)u->uc_mcontext.gregs[REG_RBP],
               .is_write = (u->uc_mcontext.gregs[REG_ERR] & 2) != 0};
    if (m && signal == SIGSEGV && f.is_write && hd_memory_note_write(m, f.address))
        return;
    bool is_programs = m && m->is_running && info->si_code > 0;
    if (is_programs && is_our_code(f.pc) &&
        !(f.address >= m->stack_bottom - HD_STACK_GUARD && f.address < m->stack_bottom))
        is_programs = false; /* Heddle's own mistake */
    if (is_programs)
        end_with_fault(&f);
    die_of_it(signal);
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
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    make_handler_stack();
    /* SA_NODEFER: the handler does not return when it ends the execution. */
    struct sigaction action = {.sa_sigaction = handle_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

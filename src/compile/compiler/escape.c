/* escape.c -- memory that no other thread can see.
 *
 * An object is private if its address stays in the hands of the thread that made it: it is
 * loaded from and stored to, indexed, compared, passed to functions that do no more with it, but
 * never stored, returned or turned into an integer.  Local objects and thread-local ones can be
 * private; constants always are.  Everything else may be shared.
 *
 * The answers are about the module as it is when hd_escape_begin is called. */
#include "compile/compiler/build.h"

#include <string.h>

#define MAX_ROOTS 32 /* objects that one pointer may point into; more: shared */

enum { PRIVATE = 1, SHARED, IN_PROGRESS };

static uint64_t key_of(LLVMValueRef v) {
    return (uint64_t)(uintptr_t)v;
}

void hd_escape_begin(hd_build *b) {
    hd_map_clear(&b->privacy);
}

/* -- Where an address goes ------------------------------------------------------------------- */

/* Arguments that functions of the machine and of LLVM do not keep. */
static const struct {
    const char *prefix;
    unsigned arguments; /* bits */
} forgetting[] = {
    {"llvm.lifetime.", ~0u}, {"llvm.dbg.", ~0u},       {"llvm.memcpy.", ~0u},
    {"llvm.memmove.", ~0u},  {"llvm.memset.", ~0u},    {"llvm.va_", ~0u},
    {"heddle_", ~0u},        {"__heddle_", ~0u},       {"pthread_create", 3},
    {"pthread_join", 2},     {"pthread_attr_", ~0u},   {"thrd_create", 1},
    {"thrd_join", 2},        {"__ubsan_handle_", ~0u}, {"__hd_mark_", ~0u},
};

/* Functions of the C library that keep none of their arguments, and return none: what they touch
 * the machine announces itself (machine/tasks/library.h), or it is said that nobody saw it. */
static const char forgetful[] =
    " printf vprintf fprintf vfprintf dprintf vdprintf snprintf vsnprintf sprintf vsprintf puts "
    "fputs"
    " fputs_unlocked fwrite fwrite_unlocked perror warn warnx vwarn vwarnx err errx verr verrx "
    "error"
    " read write readv writev pread pwrite send sendto sendmsg recv recvfrom recvmsg pipe pipe2 "
    "bind"
    " connect accept accept4 getsockname getpeername socketpair setsockopt getsockopt poll ppoll"
    " select pselect epoll_wait epoll_pwait mq_open mq_unlink mq_send mq_timedsend mq_receive"
    " mq_timedreceive mq_getattr mq_setattr open openat creat fopen fdopen unlink fstat stat lstat"
    " access mkdir rmdir rename remove time gettimeofday clock_gettime nanosleep clock_nanosleep"
    " thrd_sleep mktime timegm strftime wait waitpid wait3 wait4 waitid sigaction sigprocmask"
    " pthread_sigmask sigpending sigsuspend setitimer sem_getvalue sem_open sem_unlink shm_open"
    " shm_unlink getaddrinfo getnameinfo gethostname strtod strtof"
    " strtold atof pthread_setcancelstate pthread_setcanceltype ";

static bool is_forgetful(const char *callee) {
    size_t n = strlen(callee);
    for (const char *at = strstr(forgetful, callee); n && at; at = strstr(at + 1, callee))
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    return false;
}

static bool is_forgotten(const char *callee, unsigned argument) {
    for (size_t n = 0; n < sizeof forgetting / sizeof *forgetting; n++)
        if (hd_name_begins(callee, forgetting[n].prefix))
            return argument < 32 && forgetting[n].arguments >> argument & 1;
    return is_forgetful(callee);
}

static bool escapes(hd_build *b, LLVMValueRef v, hd_map *seen);

/* Remembered per object or parameter; a cycle of calls counts as an escape. */
static bool is_private_value(hd_build *b, LLVMValueRef v) {
    uint64_t *known = hd_map_find(&b->privacy, key_of(v));
    if (known)
        return *known == PRIVATE;
    hd_map seen = {0};
    hd_map_put(&b->privacy, key_of(v), IN_PROGRESS);
    bool is_private = !escapes(b, v, &seen);
    hd_map_put(&b->privacy, key_of(v), is_private ? PRIVATE : SHARED);
    hd_map_release(&seen);
    return is_private;
}

static bool escapes_into_call(hd_build *b, LLVMValueRef call, LLVMUseRef use) {
    LLVMValueRef callee = LLVMGetCalledValue(call), v = LLVMGetUsedValue(use);
    if (callee == v || !LLVMIsAFunction(callee))
        return true;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        if (LLVMGetOperand(call, n) != v || hd_call_attribute(call, n, "byval"))
            continue;
        if (LLVMIsDeclaration(callee)
                ? !is_forgotten(hd_value_name(callee), n)
                : n >= LLVMCountParams(callee) || !is_private_value(b, LLVMGetParam(callee, n)))
            return true;
    }
    return false;
}

bool hd_call_keeps(hd_build *b, LLVMValueRef call, LLVMUseRef use) {
    return escapes_into_call(b, call, use);
}

static bool escapes_by(hd_build *b, LLVMUseRef use, hd_map *seen) {
    LLVMValueRef user = LLVMGetUser(use), v = LLVMGetUsedValue(use);
    if (!LLVMIsAInstruction(user))
        return true;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return false;
    case LLVMStore:
        return LLVMGetOperand(user, 0) == v;
    case LLVMAtomicRMW:
        return LLVMGetOperand(user, 1) == v;
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, 1) == v || LLVMGetOperand(user, 2) == v;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
        return escapes(b, user, seen);
    case LLVMCall:
        return escapes_into_call(b, user, use);
    default:
        return true;
    }
}

static bool escapes(hd_build *b, LLVMValueRef v, hd_map *seen) {
    if (hd_map_find(seen, key_of(v)))
        return false;
    hd_map_put(seen, key_of(v), 1);
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (escapes_by(b, use, seen))
            return true;
    return false;
}

/* -- Where an address comes from --------------------------------------------------------------- */

static bool is_thread_local_address(LLVMValueRef v) {
    return LLVMIsACallInst(v) &&
           hd_name_begins(hd_value_name(LLVMGetCalledValue(v)), "llvm.threadlocal.address");
}

/* Every use of a thread-local object is a call that asks for its address. */
bool hd_thread_local_is_private(hd_build *b, LLVMValueRef global) {
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use))
        if (!is_thread_local_address(LLVMGetUser(use)) || !is_private_value(b, LLVMGetUser(use)))
            return false;
    return true;
}

static unsigned parameter_number(LLVMValueRef argument) {
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned n = 0;
    while (LLVMGetParam(function, n) != argument)
        n++;
    return n;
}

static bool is_argument(LLVMValueRef call, LLVMValueRef v) {
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++)
        if (LLVMGetOperand(call, n) == v)
            return true;
    return false;
}

/* A parameter of a function whose callers are all known and all pass private memory. */
static bool is_always_private(hd_build *b, LLVMValueRef argument) {
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned n = parameter_number(argument);
    if (LLVMGetLinkage(function) != LLVMInternalLinkage)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function ||
            n >= LLVMGetNumArgOperands(call) || is_argument(call, function) ||
            !hd_pointer_is_private(b, LLVMGetOperand(call, n)))
            return false;
    }
    return true;
}

/* Recursive functions: no. */
static bool is_private_parameter(hd_build *b, LLVMValueRef argument) {
    uint64_t key = key_of(argument) | 1;
    uint64_t *known = hd_map_find(&b->privacy, key);
    if (known)
        return *known == PRIVATE;
    hd_map_put(&b->privacy, key, IN_PROGRESS);
    bool is_private = is_always_private(b, argument);
    hd_map_put(&b->privacy, key, is_private ? PRIVATE : SHARED);
    return is_private;
}

static bool is_byval(LLVMValueRef argument) {
    unsigned id = LLVMGetEnumAttributeKindForName("byval", 5);
    return LLVMGetEnumAttributeAtIndex(LLVMGetParamParent(argument), parameter_number(argument) + 1,
                                       id) != NULL;
}

static bool is_private_root(hd_build *b, LLVMValueRef v) {
    if (LLVMIsAArgument(v) && !is_byval(v))
        return is_private_parameter(b, v);
    if (LLVMIsAAllocaInst(v) || LLVMIsAArgument(v))
        return is_private_value(b, v);
    if (is_thread_local_address(v))
        return hd_thread_local_is_private(b, LLVMGetOperand(v, 0));
    if (LLVMIsAGlobalVariable(v))
        return hd_global_is_constant(b, v);
    if (LLVMIsACallInst(v)) {
        const char *callee = hd_value_name(LLVMGetCalledValue(v));
        return strcmp(callee, "__errno_location") == 0 || strcmp(callee, HD_ANNOUNCE) == 0;
    }
    return LLVMIsAFunction(v) || LLVMIsNull(v) || LLVMIsUndef(v);
}

/* The values that `v` is a place in or one of; false if it is a root itself. */
static bool add_sources(LLVMValueRef v, hd_values *pending) {
    bool is_operation = LLVMIsAInstruction(v) || LLVMIsAConstantExpr(v);
    LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                    : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                             : LLVMUnreachable;
    if (is_operation && (op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMFreeze)) {
        hd_vec_push(pending, LLVMGetOperand(v, 0));
    } else if (op == LLVMSelect) {
        hd_vec_push(pending, LLVMGetOperand(v, 1));
        hd_vec_push(pending, LLVMGetOperand(v, 2));
    } else if (op == LLVMPHI) {
        for (unsigned n = 0; n < LLVMCountIncoming(v); n++)
            hd_vec_push(pending, LLVMGetIncomingValue(v, n));
    } else {
        return false;
    }
    return true;
}

bool hd_pointer_is_private(hd_build *b, LLVMValueRef p) {
    hd_values pending = {0};
    hd_map seen = {0};
    unsigned n_roots = 0;
    bool is_private = true;
    hd_vec_push(&pending, p);
    while (is_private && pending.n) {
        LLVMValueRef v = pending.at[--pending.n];
        if (hd_map_find(&seen, key_of(v)))
            continue;
        hd_map_put(&seen, key_of(v), 1);
        if (!add_sources(v, &pending))
            is_private = ++n_roots <= MAX_ROOTS && is_private_root(b, v);
    }
    hd_vec_release(&pending);
    hd_map_release(&seen);
    return is_private;
}

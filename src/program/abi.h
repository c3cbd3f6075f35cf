/* abi.h -- what instrumented code, its inlined fast paths and the machine agree on.
 *
 * Included by inline.c (compiled to bitcode by clang and linked into every module), by the
 * instrumenter (compile/) and by the machine.  Freestanding: only fixed-width types.
 *
 * Memory.  Everything that belongs to the tested program lies in one region: the module's
 * image, its stack, its heap and its input objects.  Each byte of it has one shadow word,
 * and the shadow of address A lies at address 4*A.  That needs no base and no mask, and makes
 * every stray pointer harmless: for an address outside the region, 4*A is unmapped or not
 * even canonical, so that the check itself faults before the access happens.
 *
 * A1. Shadow word 0: the byte is accessible and concrete.  This is the only fast case.
 * A2. Word w with HD_WORD_IS_SYMBOLIC(w): the byte is number HD_WORD_BYTE(w) of expression
 *     HD_WORD_EXPR(w) (little endian; expressions of 8 to 64 bits).
 * A3. Word w >= HD_POISON_FIRST: the byte must not be accessed, and w says why.
 * A4. The shadow of an SSA value is the id of its expression, 0 if it is concrete.
 * Promise (tests/property/property_sanitizers.c): memory checks come before the access they guard;
 *     a call that reports a finding does not return. */
#ifndef HD_PROGRAM_ABI_H
#define HD_PROGRAM_ABI_H
#include <stdint.h>

#define HD_ABI_VERSION 12

#define HD_REGION      UINT64_C(0x120000000000)
#define HD_REGION_SIZE UINT64_C(0x02a000000000) /* 2.6 TiB, so the shadow takes 10.5 TiB */
#define HD_REGION_BITS 44 /* above these all its addresses are the same, and no null's */
#define HD_IMAGE_BASE  HD_REGION
#define HD_IMAGE_LIMIT UINT64_C(0x1000000000) /* 64 GiB for code and globals */
#define HD_STACK_BASE  (HD_REGION + UINT64_C(0x2000000000))
#define HD_HEAP_BASE   (HD_REGION + UINT64_C(0x9000000000))
#define HD_HEAP_LIMIT  UINT64_C(0x1c000000000)
#define HD_INPUT_BASE  (HD_REGION + UINT64_C(0x26000000000)) /* objects behind input pointers */
#define HD_INPUT_LIMIT UINT64_C(0x2000000000)

typedef uint32_t hd_shadow; /* expression of an SSA value (A4) */
typedef uint32_t hd_word;   /* shadow of one byte of memory */

#define HD_SHADOW_OF(address)  ((hd_word *)((uintptr_t)(address) * 4))
#define HD_POISON_FIRST        UINT32_C(0xffffff00)
#define HD_WORD(expr, byte)    ((hd_word)((expr) << 3 | (byte)))
#define HD_WORD_EXPR(w)        ((w) >> 3)
#define HD_WORD_BYTE(w)        ((w) & 7)
#define HD_WORD_IS_SYMBOLIC(w) ((w) != 0 && (w) < HD_POISON_FIRST)
#define HD_WORD_IS_POISON(w)   ((w) >= HD_POISON_FIRST)
_Static_assert(!HD_WORD_IS_SYMBOLIC(0) && !HD_WORD_IS_POISON(0), "A1: zero is neither");
_Static_assert(!HD_WORD_IS_SYMBOLIC(HD_POISON_FIRST), "A3: what is poisoned has no value");

/* The byte was never written (in images that see that): a word of A2 that says nothing
 * about its value.  HD_EXPR_FRESH of symbolic/expr.h. */
#define HD_WORD_FRESH HD_WORD(3, 0)

/* Why a byte must not be touched. */
enum hd_poison {
    HD_POISON_HEAP = 0xffffff01, /* heap outside any block */
    HD_POISON_FREED,             /* block that was freed */
    HD_POISON_GLOBAL,            /* behind a global object */
    HD_POISON_LOCAL,             /* before or behind a local object */
    HD_POISON_RETURNED,          /* local of a function that has returned */
    HD_POISON_INPUT,             /* input arena outside any object */
    HD_POISON_SCOPE,             /* local whose scope has ended */
    HD_POISON_PRIVATE,           /* as HD_POISON_LOCAL; no other thread can see that object */
    HD_POISON_ARGUMENT,          /* behind the arguments of a variadic call */
    HD_POISON_THREAD,            /* thread-local object of a thread that has ended */
    HD_POISON_CLOSED,            /* pages without any access (PROT_NONE) */
};

/* Operations passed to __hd_binary and __hd_compare: these are hd_op numbers of
 * symbolic/expr.h (the instrumenter maps LLVM's opcodes; a != b is NOT(EQ), a > b is b < a). */
enum hd_cast { HD_CAST_ZEXT, HD_CAST_SEXT, HD_CAST_TRUNC };

/* Registers shared by callers and callees.  A caller whose arguments are all concrete writes
 * nothing; a callee reads one word.  Bit i of `passed` says that args[i] is meant; the
 * callee takes and clears them.  Bit i of `returned` likewise for rets[i].
 * Arguments are numbered among the integers and pointers of a call (as the System V ABI
 * counts its integer registers; a hidden result pointer counts, floating point and structs by
 * value do not): for printf("%f %d", 1.0, x) the format is 0 and x is 1. */
#define HD_MAX_ARGS 64
#define HD_MAX_RETS 16
typedef struct hd_registers {
    uint64_t passed;
    uint64_t returned;
    uint64_t fuel; /* loop iterations and recursive calls left before __hd_slow_step is called */
    uint64_t stack_low;   /* lowest address of a local object so far */
    uint64_t is_threaded; /* not 0: accesses of memory that threads may share are visible */
    uint64_t thread;      /* index of the running thread: its copy of thread-local objects */
    hd_shadow args[HD_MAX_ARGS];
    hd_shadow rets[HD_MAX_RETS];
    uint64_t variadic_room;      /* of the last variadic call: HD_VARIADIC_ROOM */
    const char *variadic_places; /* and where each numbered one of them is */
    uint64_t n_outside; /* calls of functions that are not the program's, and assembly: endless.h */
} hd_registers;

/* A place of a variadic argument: the number of its integer register, or of its 8-byte slot on
 * the stack, added to one of these. */
#define HD_VARIADIC_REGISTER 1
#define HD_VARIADIC_STACK    7

/* What was passed: bytes on the stack, general and floating-point registers, named arguments
 * included. */
#define HD_VARIADIC_ROOM(bytes, general, floating) ((bytes) << 8 | (general) << 4 | (floating))
#define HD_VARIADIC_BYTES(room)                    ((room) >> 8)
#define HD_VARIADIC_GENERAL(room)                  ((room) >> 4 & 15)
#define HD_VARIADIC_FLOATING(room)                 ((room) & 15)
#define HD_VARIADIC_GUARD                          16 /* bytes on the stack behind them */

/* One place in the source.  Branch sites own two coverage bytes: coverage[2*branch+taken]. */
typedef struct hd_site {
    const char *function;
    const char *file;
    uint32_t line, column;
    uint32_t branch; /* number among the branches, UINT32_MAX if this is not one */
    uint32_t kind;   /* enum hd_site_kind */
} hd_site;
enum hd_site_kind {
    HD_SITE_OTHER,
    HD_SITE_BRANCH,
    HD_SITE_SWITCH,
    HD_SITE_LOOP,
    HD_SITE_CALL,
    HD_SITE_CHECK, /* branch to a handler of a check of clang that does not come back:
                      __hd_slow_branch, no coverage */
    /* Branch to a handler that comes back: the check fails if the condition is false, or true. */
    HD_SITE_CHECK_HOLDS,
    HD_SITE_CHECK_FAILS,
};

typedef struct hd_switch_case {
    uint64_t value;
    uint32_t target; /* number among the switch's distinct successor blocks */
} hd_switch_case;
/* A switch with n_targets distinct successors owns the consecutive sites
 * first_site .. first_site+n_targets-1, one per target; target 0 is the default's. */
typedef struct hd_switch {
    uint32_t first_site, width, n_cases, n_targets;
    const hd_switch_case *cases;
} hd_switch;

#define HD_IMAGE_USES_MESSAGES 2 /* actors, processes, sockets: there may be couriers */

typedef struct hd_global {
    const char *name;
    uint64_t address, size; /* the object */
    uint64_t padded;        /* object and the bytes behind it that belong to nobody */
    const char *file;
    uint32_t line;
    uint32_t is_constant : 1;
    uint32_t begins_copies : 1; /* the first of HD_FEW_COPIES, one for each thread, side by side;
                                 * others may have their addresses */
} hd_global;

/* A symbol that the program uses and does not define.  Functions: calls go through
 * `address`, filled in when the module is loaded.  Data (is_data): the program has its own
 * copy of `size` bytes at `address`, filled from the host's object of that name. */
typedef struct hd_import {
    const char *name;
    uint64_t address;
    uint32_t is_data, size;
} hd_import;

/* A program of the image: symbols of equal name in two programs are different objects. */
typedef struct hd_program {
    const char *name; /* of its first source, without folder and suffix */
    int (*main)(int, char **, char **);
    void (*const *constructors)(void); /* NULL-terminated, in order of priority */
    void (*const *destructors)(void);
} hd_program;

/* The ELF entry point of a module image is the address of this. */
typedef struct hd_image {
    uint64_t magic; /* HD_IMAGE_MAGIC */
    uint32_t version;
    uint32_t is_threaded;    /* 1: the program may create threads; HD_IMAGE_USES_MESSAGES */
    uint32_t sees_undefined; /* 1: memory begins as HD_WORD_FRESH; 2: and values of the code do */
    uint32_t reads_flags;    /* of floating point (compile/compiler/flags.c) */
    uint64_t n_imports, n_globals, n_sites, n_branches;
    hd_import *imports;
    const hd_global *globals;
    const hd_site *sites; /* sites[0] is "unknown place" */
    uint8_t *coverage;    /* 2 * n_branches bytes, page-aligned, in pages of its own */
    hd_registers *registers;
    int (*main)(int, char **, char **); /* these three are those of programs[0] */
    void (*const *constructors)(void);
    void (*const *destructors)(void);
    uint64_t n_programs; /* at least 1 */
    const hd_program *programs;
    /* Modules in which clang counts (compiler/counts.c): test vectors of decisions, which are the
     * last ways of `coverage` (but for one more, if they are odd: n_branches is half of all ways);
     * counters, behind them and in the same pages. */
    uint64_t n_vectors, n_counters;
    uint64_t *counters;
    uint64_t
        *unclean; /* right behind the counters; a bit for each global: machine/memory/unclean.c */
} hd_image;
#define HD_UNCLEAN_WORDS(n_globals) (((n_globals) + 63) / 64)
/* Bytes from `coverage` to the end of what no execution takes back. */
#define HD_COVERAGE_BYTES(image)                                                                   \
    ((uint64_t)((uint8_t *)((image)->unclean + HD_UNCLEAN_WORDS((image)->n_globals)) -             \
                (image)->coverage))
/* The first way that is a vector. */
#define HD_FIRST_VECTOR(image) (2 * (image)->n_branches - ((image)->n_vectors + 1) / 2 * 2)
#define HD_IMAGE_MAGIC         UINT64_C(0x31656c6464656820) /* " heddle1" */

/* ---- What the fast paths call when something is not concrete (machine/slow*.c). ----------
 * Every `site` is an index into hd_image.sites.  Concrete values come zero-extended. */
hd_shadow __hd_slow_binary(uint32_t op, uint32_t width, hd_shadow a, hd_shadow b, uint64_t x,
                           uint64_t y);
hd_shadow __hd_slow_cast(uint32_t cast, uint32_t from, uint32_t to, hd_shadow a, uint64_t x);
hd_shadow __hd_slow_select(uint32_t width, hd_shadow condition, hd_shadow a, hd_shadow b,
                           uint32_t taken, uint64_t x, uint64_t y);
hd_shadow __hd_slow_index(hd_shadow base, hd_shadow index, uint64_t base_value,
                          uint64_t index_value, uint32_t index_width, uint64_t scale);
hd_shadow __hd_slow_load(const void *p, hd_shadow address, uint32_t size, uint32_t width,
                         uint32_t site);
void __hd_slow_store(void *p, hd_shadow address, hd_shadow value, uint64_t concrete, uint32_t size,
                     uint32_t width, uint32_t site);
void __hd_slow_access(const void *p, hd_shadow address, uint64_t size, uint32_t is_store,
                      uint32_t site);
void __hd_slow_branch(hd_shadow condition, uint32_t taken, uint32_t site);
void __hd_slow_switch(hd_shadow value, uint64_t concrete, const hd_switch *table);
void __hd_slow_step(uint32_t site);
/* A symbolic value meets an operation that only works on concrete ones: said, with the site.
 * `what` is a short noun: "floating-point conversion", "inline assembly", ... */
void __hd_slow_concretize(hd_shadow value, uint64_t concrete, uint32_t width, const char *what,
                          uint32_t site);
/* A symbolic function pointer: the path continues with the concrete one; others are tried. */
void __hd_slow_callee(hd_shadow callee, uint64_t concrete, uint32_t site);
/* main returns a value that may depend on what nobody wrote. */
void __hd_slow_status(hd_shadow status, uint32_t site);
/* After a call of a function that may not be instrumented: arguments nobody took.  The name has
 * a '=' before it if the program looks at the result. */
void __hd_slow_external(const char *name, uint32_t site);
/* A symbolic argument or result that came through a pointer: one of `width` bits is expected. */
hd_shadow __hd_slow_fit(hd_shadow value, uint32_t width, uint32_t site);
/* Before inline assembly: n bytes at p are an operand, an operand is an address, or the assembly
 * may use memory that no operand names. */
#define HD_ASSEMBLY_READS  1u
#define HD_ASSEMBLY_WRITES 2u
void __hd_assembly(const void *p, uint64_t n, uint32_t how, uint32_t site);
void __hd_assembly_address(uint64_t address, uint32_t site);
void __hd_assembly_anywhere(uint32_t site);
/* Overflow bit and value of llvm.{s,u}{add,sub,mul}.with.overflow; op is ADD, SUB or MUL. */
hd_shadow __hd_slow_overflow(uint32_t op, uint32_t is_signed, uint32_t width, hd_shadow a,
                             hd_shadow b, uint64_t x, uint64_t y);
/* Other integer intrinsics, by name: "ctpop", "ctlz", "cttz", "bswap", "bitreverse", "abs", "smax",
 * "smin", "umax", "umin", "fshl", "fshr", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"; others
 * concretise. */
hd_shadow __hd_slow_intrinsic(const char *name, uint32_t width, hd_shadow a, hd_shadow b,
                              hd_shadow c, uint64_t x, uint64_t y, uint64_t z, uint32_t site);

/* Whole ranges; called before the operation itself, which stays in the program. */
void __hd_memcpy(void *to, hd_shadow to_shadow, const void *from, hd_shadow from_shadow, uint64_t n,
                 hd_shadow n_shadow, uint32_t site); /* memmove too */
void __hd_memset(void *to, hd_shadow to_shadow, hd_shadow byte, uint64_t concrete_byte, uint64_t n,
                 hd_shadow n_shadow, uint32_t site);
/* A variable-length local of n bytes at p, with HD_LOCAL_PAD bytes on both sides. */
void __hd_alloca(void *p, uint64_t n, uint32_t site);
/* An access that LLVM has taken apart, checked as a whole before its parts. */
void __hd_slow_touch(const void *p, hd_shadow address, uint64_t n, uint32_t is_store,
                     uint32_t site);
/* Checks of pointers; `data` is clang's record (ubsan.c).  shadows: of `from`, and above of `to`.
 */
void __hd_slow_aligned(const void *p, hd_shadow address, uint64_t mask, const void *data,
                       uint32_t site);
/* What is between the two: anything; steps that stay in the address space; nothing, it is p of
 * p->x. */
enum { HD_STEP_ANY, HD_STEP_SMALL, HD_STEP_MEMBER };
void __hd_slow_moved(const void *from, uint64_t shadows, const void *to, uint32_t step,
                     const void *data, uint32_t site);
/* What stands before the code of a function: this, how its arguments travel (`way`), and the hash
 * of its type (compiler/callees.c). */
#define HD_FUNCTION_SIGNATURE UINT32_C(0xc105cafe)
typedef struct hd_function_mark {
    uint32_t signature, way, hash;
} hd_function_mark;
/* A call through a pointer to a function of another type: type is its way << 32 | its hash. */
void __hd_slow_called(const void *function, uint64_t type, const void *data);
/* A computed goto to `label`, which the cache of its place does not know. */
#define HD_LABEL_CACHE 64
void __hd_slow_goto(const void *label, const void **cache, const void *const *labels, uint32_t n,
                    uint32_t site);
/* A copy by memcpy between places that may overlap. */
void __hd_slow_overlap(const void *to, hd_shadow to_shadow, const void *from, hd_shadow from_shadow,
                       uint64_t n, hd_shadow n_shadow, uint32_t site);
/* A direct one. */
void __hd_miscalled(const char *name, uint32_t is_lost, uint32_t site);
/* Locals between `low` and `high` are gone: dynamic ones of a scope that ends or of a function that
 * returns (`low` is the stack pointer), and those of functions left by longjmp (NULL: all below).
 */
void __hd_stack_restore(const void *low, const void *high, uint32_t poison);
/* Entry of a variadic function (fixed = how many of the numbered arguments are named) before
 * anything takes its arguments, and (after it) its va_start: argument number fixed+k lies in
 * the register save area at gp_offset+8*k while that is below 48, the others on the stack in
 * order.  The save area, the list and what lies on the stack hold stale shadows. */
void __hd_variadic_enter(uint32_t fixed);
void __hd_va_start(void *list);
/* Entry of a function with a struct by value at p: shadows of the caller's copy. `from` is
 * what the caller said through __hd_byval_pass, 0 if an uninstrumented function called;
 * `argument` is the position in the call, structs by value and floating point included. */
void __hd_byval_enter(void *p, uint64_t size, uint32_t argument);
void __hd_byval_pass(const void *from, uint32_t argument);
/* cmpxchg: called before; answers the shadow of the old value, and records success as a branch. */
hd_shadow __hd_cmpxchg(void *p, hd_shadow address, hd_shadow expected, uint64_t expected_value,
                       hd_shadow desired, uint64_t desired_value, uint32_t width, uint32_t site);

/* ---- Threads.  Only in modules that create threads (hd_image.is_threaded). ----------------
 * Before an access of memory that another thread may see, when is_threaded is not 0.  `how` is
 * the order of an atomic access (memory_order of stdatomic.h) shifted left by 8, and flags. */
#define HD_SHARED_WRITE  1u /* else a read */
#define HD_SHARED_ATOMIC 2u
#define HD_SHARED_UPDATE 4u /* atomic read-modify-write */
void __hd_slow_shared(const void *p, uint32_t size, uint32_t how, uint32_t site);
/* Before a compare-and-exchange: does it succeed in the state it runs in?  One that expects a
 * symbolic value is announced as an update instead. */
void __hd_slow_shared_compare(const void *p, uint32_t size, uint64_t expected, uint32_t how,
                              uint32_t site);
/* Before these if the address or the length is symbolic: the decisions that make them one
 * value come before the event. */
void __hd_slow_fix(const void *p, hd_shadow address, uint64_t n, hd_shadow n_shadow,
                   uint32_t is_store, uint32_t site);
/* At the header of a loop without effects of its own (no stores but to memory that
 * __hd_slow_shared sees, no calls that have any): `state` is a hash of everything that one
 * iteration hands to the next and of what it uses from before the loop; `way` is twice the
 * number of the loop, and 1 more if it begins here.  If nothing happened since the last arrival but
 * reads, and the state is the same, the thread waits until something that it read has changed. */
void __hd_slow_spin(uint64_t state, uint32_t way, uint32_t site);

/* Of thread-local objects so many copies are in the image; those of further threads are made when
 * they are asked for. */
#define HD_FEW_COPIES 64
char *__hd_slow_thread_object(char *first);

#define HD_LOCAL_PAD 16 /* poisoned bytes before a local object; at least as many behind it */
#endif

/* build.h -- one compilation inside heddle-compile, shared by the files of this folder.
 *
 * The way through the folder:
 *     frontend.c   C sources -> one linked bitcode module (driver.c for --function)
 *     counts.c     clang's counters and test vectors of decisions, if they are asked for
 *     programs.c   several programs side by side in it
 *     prepare.c    the whole program becomes private; passes that keep every branch
 *     literals.c   scopes of compound literals, which clang does not mark
 *     bounds.c     which indexes leave an object, and which only an array inside of one
 *     agree.c      calls by other types than the function's become what registers make of them
 *     holders.c    pointers in frames that are still there when the program ends
 *     pointer_checks.c  clang's checks of pointers become marks, which need no branches
 *     callees.c    ... and those of calls
 *     overlap.c    calls of memcpy, which are not copies of structs
 *     jumps.c      computed gotos
 *     defined.c    operations that C leaves undefined get the result that the processor makes
 *     certain.c, faithful.c   ... and every access that is not certainly right
 *     early.c      small functions inlined, branches numbered
 *     variadic.c   a guard behind variadic arguments
 *     escape.c, announced.c  memory that other threads may see; its accesses stay, as events
 *     globals.c, locals.c   room for poisoned bytes around every object
 *     perthread.c  thread-local objects: one copy per thread
 *     concrete.c, group.c   what can be symbolic at all; what shares one question
 *     dominators.c, upper_bounds.c, inside.c   accesses inside of globals, asked about as a whole
 *     hot_blocks.c    what of a long function is worth fast code
 *     clean_loops.c   loops with no others: one question before them
 *     instrument.c walks each function; computed.c, access_hooks.c, calls.c, inline_assembly.c,
 *                  control.c add hooks
 *     waiting_loops.c  loops that wait for another thread
 *     optimize.c   fast paths linked in and inlined, passes, object file
 *     code_parts.c      ... for each source one, side by side
 *     kept_files.c what the next compilation need not do again
 *     image.c      import stubs and tables, ld
 *     typeinfo.c   debug information -> the types file
 *     phases.c     a line on the terminal while any of this takes long
 *     word_lists.c names, looked up in short lists
 *
 * B1. Instrumentation never changes the control-flow graph: it adds calls of the hooks of
 *     machine/values/inline.c, and twin PHIs for shadows.  Pure operations may move up in their
 *     block.
 * B2. Every integer of 1 to 64 bits and every pointer has a shadow (an i32); other types
 *     have none and their operations make symbolic operands concrete.
 * B3. A first-class aggregate has one shadow per leaf, in order.
 * B4. What threads need is only in modules that create threads (is_threaded): in others there
 *     is no hook for it, and thread-local objects are ordinary globals.
 * Errors end this program: it prints one sentence and exits with status 2. */
#ifndef HD_COMPILE_BUILD_H
#define HD_COMPILE_BUILD_H
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/abi.h"
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

typedef hd_vec(LLVMValueRef) hd_values;
typedef hd_vec(const char *) hd_strings;
typedef hd_vec(LLVMBasicBlockRef) hd_code_blocks;

typedef struct hd_site_entry {
    const char *function, *file; /* borrowed from LLVM */
    unsigned line, column, branch, kind;
} hd_site_entry;

typedef struct hd_data_import {
    LLVMValueRef copy;
    char *name;
    uint64_t size;
} hd_data_import;

/* One row of the image's table of globals. */
typedef struct hd_global_object {
    LLVMValueRef global;
    uint64_t offset; /* of the object in it: copies of thread-local objects follow each other */
    uint64_t size, padded;
    bool begins_copies; /* it is the first of these, and other threads may see them */
} hd_global_object;

/* counts.c: a function in which clang counts. */
typedef struct hd_counted_function {
    char *name;
    uint64_t hash; /* of its shape */
    uint64_t n_counters, n_vectors, first_counter, first_vector;
} hd_counted_function;

typedef struct hd_local {
    LLVMValueRef at;
    uint64_t behind; /* poisoned bytes behind it */
    uint64_t size;
    bool is_shared;     /* another thread may use it */
    bool has_scope;     /* that ends before the function does */
    LLVMValueRef words; /* what to say of it then; NULL if it has no name */
} hd_local;

/* group.c: instructions that share one question. */
typedef struct hd_group {
    hd_values members;  /* loads and pure operations, in order */
    LLVMValueRef first; /* access, or NULL */
    LLVMValueRef last;  /* store or conditional branch behind them, or NULL */
    bool is_made;
} hd_group;

/* clean_loops.c: a loop that is asked about before it is entered. */
typedef struct hd_clean_loop {
    hd_code_blocks blocks; /* the header is the first */
    LLVMBasicBlockRef before;
    hd_vec(uint64_t) objects; /* that it accesses */
    LLVMValueRef unclean;     /* the answer, NULL until it is emitted */
} hd_clean_loop;

/* One program of the module; sources[first..first + n) are its own. */
typedef struct hd_build_program {
    const char *name;
    size_t first, n;
    hd_strings options;
} hd_build_program;

/* An option of one source: sources[source]. */
typedef struct hd_source_option {
    size_t source;
    const char *option;
} hd_source_option;

typedef struct hd_build {
    /* What was asked for. */
    hd_strings sources, options;       /* options for all programs */
    hd_vec(hd_source_option) own;      /* of single sources */
    hd_vec(hd_build_program) programs; /* at least one */
    const char *output;                /* directory for image, types, dependencies */
    const char *function;              /* --function, or NULL */
    const char *checks;                /* "all", "none", or a comma list */
    const char *allow;                 /* what a user lets sources read beside, or NULL */
    const char *kept;                  /* directory of kept files of the last time, or NULL */
    const char *resources;             /* directory of inline.bc and models/ */
    hd_text include;                   /* directory of heddle.h */

    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetMachineRef target;
    LLVMTargetDataRef layout;
    LLVMTypeRef void_type, i1, i8, i32, i64, pointer;

    hd_map certain; /* accesses of locals that sroa may have */
    bool sees_undefined;
    bool has_undefined;   /* fresh.c: values in the code that nobody wrote */
    uint32_t n_undefined; /* values that fresh.c made */
    bool reads_flags;     /* flags.c */

    /* Threads. */
    bool is_threaded;
    bool uses_messages; /* actors, processes or descriptors between them */
    hd_map privacy;     /* escape.c: object or parameter -> what is known about it */
    hd_map shared;      /* access -> the operands whose memory other threads may see, as bits */
    hd_map effects;     /* waiting_loops.c: function -> what is known about it */
    hd_map starts;      /* waiting_loops.c: header -> block in which an iteration begins */
    uint64_t n_spins;

    /* Instrumentation. */
    LLVMValueRef current; /* function */
    hd_map shadows;       /* value -> index of its first leaf in `leaves` */
    hd_values leaves;
    hd_map symbolic;         /* instructions of the current function that may be symbolic */
    hd_vec(hd_group) groups; /* of the current function */
    hd_map group_of;         /* instruction -> its group */
    hd_map rank, dominators; /* dominators.c: block -> place in the order, block */
    hd_map clean_loop_of;    /* block -> its number in `clean_loops` */
    hd_vec(hd_clean_loop) clean_loops;
    hd_map hot_blocks;       /* of a long function (hot_blocks.c) */
    hd_map asked;            /* branch whose question its group asks -> its site */
    hd_vec(hd_local) locals; /* of the current function */
    hd_map recursive;        /* recursion.c: functions that may call themselves */
    hd_map holders;          /* holders.c: number of a local -> its place */
    bool is_aside;           /* what is emitted runs seldom (HD_ASIDES) */
    bool has_loops;          /* or recursion, somewhere in the module */
    bool has_long_way;       /* instrument.c: a function of that kind is in it */
    LLVMValueRef body;       /* its first instruction that makes no local object */
    LLVMValueRef frame;      /* its stack pointer there, if it makes some later; or NULL */
    LLVMValueRef fuel;       /* local copy of hd_registers.fuel, NULL: use the register itself */
    hd_vec(hd_site_entry) sites;
    uint32_t n_branches;
    hd_map branch_sites; /* number before inlining -> its site */
    hd_map files;        /* directory and name -> the file as people call it */
    hd_map strings;      /* contents' hash -> global */
    hd_vec(hd_data_import) data_imports;
    hd_vec(hd_global_object) objects; /* globals listed in the image's table */
    hd_map object_of;                 /* global -> its index there, but for thread-local ones */
    hd_vec(hd_counted_function) counted;
    hd_map counted_of; /* hash of name and shape -> its index */
    uint64_t n_counters, n_vectors;
} hd_build;

/* -- main.c: errors ------------------------------------------------------------------------ */
_Noreturn void hd_fail(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* -- given_files.c ------------------------------------------------------------------------- */
/* From here on only what belongs to the build is read, and only its output written. */
void hd_build_confine(const hd_build *b);

/* -- phases.c ------------------------------------------------------------------------------ */
/* From now on say on a terminal what is being done, if that takes longer than a second. */
void hd_phases_show(void);
void hd_phase_begin(const char *what); /* kept, not copied */

/* -- child.c ------------------------------------------------------------------------------- */
/* Start argv[0] (found by PATH); `package` is what to install if it is missing.  The output
 * goes to `output` if that is not -1. */
int hd_process_start(const char *const *argv, const char *package, int output);
/* clang-19, argv[0], which makes bitcode or an object file; the one that is linked in, if it is the
 * same (own_clang.h). */
int hd_clang_start(const char *const *argv);
/* True if it ended with status 0. */
bool hd_process_wait(int pid);

/* -- frontend.c, driver.c, prepare.c ------------------------------------------------------- */
/* Compile and link all sources; writes the list of dependencies. */
/* Is this check asked for, by name or with all others? */
bool hd_frontend_checks(const hd_build *b, const char *word);
void hd_frontend_run(hd_build *b);
/* With -O0 everything is compiled as code that runs seldom is (hd_function_is_cold). */
bool hd_frontend_hurries(const hd_build *b);
/* The options every run of clang gets (front end and driver) for this source. */
void hd_frontend_options(const hd_build *b, size_t source, hd_strings *arguments);
/* What clang is told, and writes into debug information, if there are several programs. */
#define HD_PROGRAM_MARK "__HEDDLE_PROGRAM__="
/* programs.c: close program n, whose sources are all in `module`: what runs before and after its
 * main goes into tables; if there are several programs its names become its own. */
void hd_program_close(hd_build *b, LLVMModuleRef module, size_t n);
/* The symbol of its main; the caller frees it. */
char *hd_program_main(const hd_build *b, size_t n);
bool hd_function_is_main(LLVMValueRef function);
/* The name as in the source: without what hd_program_close added. */
const char *hd_source_name(LLVMValueRef v);
/* A C file that includes the source of `b->function` and calls it with inputs; replaces that
 * source in b->sources. */
void hd_driver_make(hd_build *b);
/* certain.c: before sroa, tie down the locals that are not certainly used right.  Calls that stand
 * for scopes of a local, a stack pointer that goes back, and an access of n bytes as a whole, until
 * they are instrumented. */
#define HD_MARK        "__hd_mark_"
#define HD_SCOPE_START HD_MARK "scope_start"
#define HD_SCOPE_AGAIN HD_SCOPE_START "_again" /* unless it has begun */
#define HD_SCOPE_END   HD_MARK "scope_end"
#define HD_TOUCH       HD_MARK "touch"
#define HD_RESTORE     HD_MARK "restore"
#define HD_HOLD        HD_MARK "hold"
#define HD_ALIGNED     HD_MARK "aligned"
#define HD_MOVED       HD_MARK "moved"
#define HD_MEMBER      HD_MARK "member"
#define HD_CALLED      HD_MARK "called"
#define HD_MISCALLED   HD_MARK "miscalled"
#define HD_OVERLAP     HD_MARK "overlap"
#define HD_JUMP        HD_MARK "jump"
#define HD_FRESH       HD_MARK "fresh"
void hd_locals_tie(hd_build *b);
/* The function that is called with a local to mark its scope. */
LLVMValueRef hd_scope_mark(hd_build *b, const char *name);
/* literals.c: note which locals of a source that clang has compiled are compound literals; mark
 * their scopes, before any pass. */
void hd_literals_find(hd_build *b, LLVMModuleRef module);
void hd_literals_end(hd_build *b);
/* pointer_checks.c: right after clang, its checks of pointers become marks; before sroa, those that
 * say nothing go.  A mark is (pointer, mask or new pointer, clang's record). */
void hd_pointer_checks_mark(hd_build *b);
void hd_pointer_checks_simplify(hd_build *b);
/* overlap.c: calls of memcpy become a mark, (to, from, length), and a copy; before sroa, marks for
 * what cannot overlap go. */
void hd_overlaps_mark(hd_build *b);
void hd_overlaps_simplify(hd_build *b);
/* jumps.c: a mark (target) at every computed goto, and its hook. */
void hd_jumps_mark(hd_build *b);
void hd_instrument_jump(hd_build *b, LLVMValueRef mark);
/* variadic.c: room behind what variadic calls pass, which nobody may read. */
#define HD_GUARD "__hd_guard"
void hd_variadic_guard(hd_build *b);
bool hd_is_guard(LLVMValueRef argument);
bool hd_is_pointer_mark(LLVMValueRef i);
/* 64 bits that are 0 if all is well; the hook that looks closer. */
LLVMValueRef hd_pointer_question(hd_build *b, LLVMValueRef mark);
void hd_instrument_pointer_mark(hd_build *b, LLVMValueRef mark);
/* A call of `name` with these before `where`. */
void hd_mark_put(hd_build *b, const char *name, LLVMValueRef first, LLVMValueRef second,
                 LLVMValueRef data, LLVMValueRef where);
/* callees.c: the same for calls, (pointer, way and hash of its type, clang's record), or (name, are
 * its arguments lost?). */
void hd_callees_mark(hd_build *b);
/* fresh.c: behind the patterns that clang gives to locals without an initialiser; if the local
 * becomes values, `offset` bytes from its start on; before and after everything is instrumented. */
#define HD_UNDEFINED_VALUE_OF "__hd_undefined_"
void hd_fresh_mark(hd_build *b);
/* A pattern's store with its mark right behind it: whatever the shadow was, the mark decides. */
bool hd_store_is_pattern(hd_build *b, LLVMValueRef i);
/* Are these bytes of a local nothing but padding? */
bool hd_fresh_has_gaps(hd_build *b, LLVMValueRef local, uint64_t offset, uint64_t n);
/* has_gaps: padding is to be seen as unwritten too, because somebody reads it. */
void hd_fresh_release(hd_build *b, LLVMValueRef local, LLVMValueRef mark, uint64_t offset,
                      bool has_gaps);
bool hd_instrument_undefined(hd_build *b, LLVMValueRef call);
void hd_undefined_lower(hd_build *b);
/* faithful.c: around sroa, which is not to drop what is to be checked. */
void hd_objects_hold(hd_build *b);
void hd_objects_release(hd_build *b);
void hd_local_tie(hd_build *b, LLVMValueRef local);
/* Rewrite once; tie accesses down before passes (after sroa), and cut the ties. */
void hd_faithful_rewrite(hd_build *b);
/* idle_checks.c: checks that hold whatever happens are no branches. */
void hd_checks_drop_decided(hd_build *b);
void hd_faithful_begin(hd_build *b);
void hd_faithful_end(hd_build *b);
void hd_constants_hide(hd_build *b);
void hd_constants_show(hd_build *b); /* right before code generation */
bool hd_global_is_constant(hd_build *b, LLVMValueRef global);
/* serial.c: waits at barriers whose result nobody looks at. */
void hd_serial_ignore(hd_build *b);
/* early.c: inlining before instrumentation; the number that all copies of a branch share. */
void hd_inline_early(hd_build *b);
bool hd_branch_number(hd_build *b, LLVMValueRef i, uint32_t *number);
/* escape.c: forget what was known of the module before it changed; can only one thread see what
 * the pointer points to? */
void hd_escape_begin(hd_build *b);
bool hd_pointer_is_private(hd_build *b, LLVMValueRef p);
bool hd_thread_local_is_private(hd_build *b, LLVMValueRef global);
/* May the callee keep the address that it gets by this use, for longer than the call? */
bool hd_call_keeps(hd_build *b, LLVMValueRef call, LLVMUseRef use);
/* announced.c: does the module create threads?  Tie shared accesses down (after sroa); release
 * those that turned out to be private (before it); find them for good, when no pass runs any more.
 */
bool hd_module_creates_threads(const hd_build *b);
/* Does the module call anything by which messages may be under way? */
bool hd_module_uses_messages(const hd_build *b);
/* flags.c: does anything look at flags of floating point? */
bool hd_module_reads_flags(const hd_build *b);
void hd_shared_keep(hd_build *b);
void hd_shared_release(hd_build *b);
void hd_shared_find(hd_build *b);
bool hd_operand_is_shared(const hd_build *b, LLVMValueRef i, unsigned operand);
/* Hooks at the builder's place, if the memory may be shared: a load, store or atomic access; an
 * intrinsic on n bytes; argument n of a call that is memory of type `type`. */
void hd_shared_access(hd_build *b, LLVMValueRef i);
void hd_shared_block(hd_build *b, LLVMValueRef i, LLVMValueRef n);
void hd_shared_leave(hd_build *b, const hd_local *local, LLVMValueRef where);
void hd_shared_argument(hd_build *b, LLVMValueRef call, unsigned n, LLVMTypeRef type);
/* All arguments of `call` that are memory, by the attribute that says so. */
void hd_shared_arguments(hd_build *b, LLVMValueRef call, const char *kind);
/* Models announce by themselves what they do as one event: p = __hd_announce(p, n, how).  What
 * is accessed through the result needs no hook. */
#define HD_ANNOUNCE "__hd_announce"
void hd_instrument_announce(hd_build *b, LLVMValueRef call);
/* bounds.c: checks of indexes get handlers by what the array is part of; before defined.c. */
void hd_bounds_name(hd_build *b);
/* agree.c: whenever functions were linked in. */
void hd_calls_agree(hd_build *b);
/* Can this call of `function`, by another type, be made one by its own? */
bool hd_call_can_agree(LLVMValueRef call, LLVMValueRef function);
/* holders.c: mark what pointers go into locals of functions that may not return; make a mark what
 * it stands for. */
void hd_holders_mark(hd_build *b);
void hd_instrument_hold(hd_build *b, LLVMValueRef mark);
/* defined.c: once, before the other rewritings. */
void hd_undefined_define(hd_build *b);
/* Nothing follows where this check of clang fails: there is nothing to go on with. */
void hd_check_end(hd_build *b, const char *handler);
/* What every function of the program and beside it carries. */
void hd_function_set_attributes(hd_build *b, LLVMValueRef f);
/* Everything between linking and instrumenting. */
void hd_prepare_run(hd_build *b);

/* -- shadows.c ----------------------------------------------------------------------------- */
bool hd_type_is_symbolic(LLVMTypeRef type);
bool hd_type_is_aggregate(LLVMTypeRef type);
unsigned hd_type_width(LLVMTypeRef type); /* of a symbolic type, in bits */
unsigned hd_type_n_leaves(LLVMTypeRef type);
/* Leaf number n: its type, byte offset, and index path (at most 8 deep). */
typedef struct hd_leaf {
    LLVMTypeRef type;
    uint64_t offset;
    unsigned path[8], depth;
} hd_leaf;
hd_leaf hd_type_leaf(const hd_build *b, LLVMTypeRef type, unsigned n);
/* Do none of the n bytes from `offset` on belong to a leaf? */
bool hd_type_is_padding(const hd_build *b, LLVMTypeRef type, uint64_t offset, uint64_t n);
/* The shadow of a scalar (or of leaf n); constants have shadow 0. */
LLVMValueRef hd_shadow_get(hd_build *b, LLVMValueRef v);
LLVMValueRef hd_shadow_leaf(hd_build *b, LLVMValueRef v, unsigned n);
void hd_shadow_set(hd_build *b, LLVMValueRef v, LLVMValueRef shadow);
void hd_shadow_set_leaf(hd_build *b, LLVMValueRef v, unsigned n, LLVMValueRef shadow);
bool hd_shadow_is_zero(LLVMValueRef shadow);

/* -- dominators.c, of the function that is instrumented ------------------------------------ */
void hd_dominators_find(hd_build *b, const hd_code_blocks *order);
bool hd_block_is_reached(const hd_build *b, LLVMBasicBlockRef block);
/* Immediate; NULL for the first block. */
LLVMBasicBlockRef hd_block_dominator(const hd_build *b, LLVMBasicBlockRef block);
bool hd_block_dominates(const hd_build *b, LLVMBasicBlockRef first, LLVMBasicBlockRef block);
/* Predecessors that are reached; a block that leads there in two ways is there twice. */
void hd_block_predecessors(const hd_build *b, LLVMBasicBlockRef block, hd_code_blocks *out);

/* -- upper_bounds.c: an integer is at most this in `block`, as an unsigned number ----------------
 */
uint64_t hd_value_most(const hd_build *b, LLVMValueRef v, LLVMBasicBlockRef block);

/* -- inside.c ------------------------------------------------------------------------------ */
#define HD_UNCLEAN   "__hd_unclean"
#define HD_NO_OBJECT UINT64_MAX
/* The global (its number in b->objects) that an access of `size` bytes in `block` certainly lies
 * inside of; or HD_NO_OBJECT. */
uint64_t hd_access_object(hd_build *b, LLVMValueRef p, uint64_t size, bool is_store,
                          LLVMBasicBlockRef block);
/* At the builder's place: 64 bits that are 0 if all bytes of the object are concrete. */
LLVMValueRef hd_emit_unclean(hd_build *b, uint64_t object);
/* 64 bits that are 0 if all that is accessed there is concrete; NULL if only its own bytes say. */
LLVMValueRef hd_emit_access_unclean(hd_build *b, LLVMValueRef p, uint64_t size, bool is_store);

/* -- clean_loops.c ------------------------------------------------------------------------- */
#define HD_CLEAN_LOOP_BLOCKS 128 /* longer loops have other things to do */
void hd_clean_loops_find(hd_build *b, const hd_code_blocks *order, const hd_code_blocks *headers);
/* Before the first instruction of such a loop is instrumented. */
void hd_clean_loop_enter(hd_build *b, LLVMValueRef i);
/* 64 bits that are 0 if everything in the loop around the block is concrete; NULL: it is none. */
LLVMValueRef hd_clean_loop_value(hd_build *b, LLVMBasicBlockRef block);
void hd_clean_loops_clear(hd_build *b);

/* -- hot_blocks.c -------------------------------------------------------------------------- */
/* Of so many instructions, before they are instrumented. */
bool hd_function_is_long(size_t size);
/* The hot ones of a long function, by its loops' headers; dominators are known. */
void hd_hot_blocks_find(hd_build *b, const hd_code_blocks *headers, size_t size);
bool hd_block_is_hot(const hd_build *b, LLVMBasicBlockRef block);

/* -- hooks.c ------------------------------------------------------------------------------- */
/* name, inline function, "result:parameters" with v void, i 32 bits, l 64 bits, p pointer */
#define HD_HOOKS(X)                                                                                \
    X(BINARY, "__hd_binary", "i:iiiill")                                                           \
    X(OVERFLOW, "__hd_overflow", "i:iiiiill")                                                      \
    X(CHECKED, "__hd_checked", "i:iiiiilli")                                                       \
    X(INTRINSIC, "__hd_intrinsic", "i:piiiillli")                                                  \
    X(CAST, "__hd_cast", "i:iiiil")                                                                \
    X(SELECT, "__hd_select", "i:iiiiill")                                                          \
    X(INDEX, "__hd_index", "i:iillil")                                                             \
    X(LOAD, "__hd_load", "i:piiii")                                                                \
    X(QUESTION, "__hd_question", "l:iipipipipi")                                                   \
    X(QUESTION_INSIDE, "__hd_question_inside", "l:liipipipipi")                                    \
    X(QUESTION_CLEAN, "__hd_question_clean", "l:liipipipipi")                                      \
    X(LOAD_INSIDE, "__hd_load_inside", "i:lpiiii")                                                 \
    X(STORE_INSIDE, "__hd_store_inside", "v:lpiiliii")                                             \
    X(ACCESS_INSIDE, "__hd_access_inside", "v:lpiiii")                                             \
    X(STORE, "__hd_store", "v:piiliii")                                                            \
    X(ACCESS, "__hd_access", "v:piiii")                                                            \
    X(BRANCH, "__hd_branch", "v:iiii")                                                             \
    X(CHECK, "__hd_check", "v:iii")                                                                \
    X(SWITCH, "__hd_switch", "v:ilp")                                                              \
    X(COVER, "__hd_cover", "v:i")                                                                  \
    X(COVER_SIDE, "__hd_cover_side", "v:i")                                                        \
    X(STEP, "__hd_step", "v:i")                                                                    \
    X(STEP_LOCAL, "__hd_step_local", "v:pi")                                                       \
    X(FUEL_LOAD, "__hd_fuel_load", "v:p")                                                          \
    X(FUEL_STORE, "__hd_fuel_store", "v:p")                                                        \
    X(OUTSIDE, "__hd_outside", "v:")                                                               \
    X(CONCRETIZE, "__hd_concretize", "v:ilipi")                                                    \
    X(CALLEE, "__hd_callee", "v:ili")                                                              \
    X(STATUS, "__hd_status", "v:ii")                                                               \
    X(PASS, "__hd_pass", "v:ii")                                                                   \
    X(ENTER, "__hd_enter", "l:")                                                                   \
    X(TAKE, "__hd_take", "i:li")                                                                   \
    X(RETURN, "__hd_return", "v:ii")                                                               \
    X(RETURNED, "__hd_returned", "l:")                                                             \
    X(RESULT, "__hd_result", "i:li")                                                               \
    X(FIT, "__hd_fit", "i:iii")                                                                    \
    X(ASSEMBLY, "__hd_assembly", "v:plii")                                                         \
    X(ASSEMBLY_ADDRESS, "__hd_assembly_address", "v:li")                                           \
    X(ASSEMBLY_ANYWHERE, "__hd_assembly_anywhere", "v:i")                                          \
    X(EXTERNAL, "__hd_external", "v:pi")                                                           \
    X(LOCAL_ENTER, "__hd_local_enter", "v:plli")                                                   \
    X(LOCAL_LEAVE, "__hd_local_leave", "v:pl")                                                     \
    X(LOCAL_NAME, "__hd_local_name", "v:pp")                                                       \
    X(SCOPE_START, "__hd_scope_start", "v:pl")                                                     \
    X(SCOPE_AGAIN, "__hd_scope_again", "v:pl")                                                     \
    X(SCOPE_END, "__hd_scope_end", "v:pl")                                                         \
    X(FRESH, "__hd_fresh", "v:pl")                                                                 \
    X(TOUCH, "__hd_touch", "v:pilii")                                                              \
    X(ALIGNED, "__hd_aligned", "v:pilpi")                                                          \
    X(MOVED, "__hd_moved", "v:pipiipi")                                                            \
    X(STORE_ASIDE, "__hd_aside_store", "v:plll")                                                   \
    X(ALIGNED_ASIDE, "__hd_aside_aligned", "v:pilpi")                                              \
    X(MOVED_ASIDE, "__hd_aside_moved", "v:plpipi")                                                 \
    X(CALLED, "__hd_called", "v:plp")                                                              \
    X(GOTO, "__hd_goto", "v:pppii")                                                                \
    X(OVERLAP, "__hd_overlap", "v:pipilii")                                                        \
    X(MISCALLED, "__hd_miscalled", "v:pii")                                                        \
    X(ASK_ALIGNED, "__hd_ask_aligned", "l:pl")                                                     \
    X(ASK_MOVED, "__hd_ask_moved", "l:ppi")                                                        \
    X(STACK_RESTORE, "__hd_stack_restore", "v:ppi")                                                \
    X(JUMPED, "__hd_jumped", "v:lp")                                                               \
    X(COPY, "__hd_copy", "v:pipili")                                                               \
    X(FILL, "__hd_fill", "v:piilli")                                                               \
    X(VARIADIC_CALL, "__hd_variadic_call", "v:ip")                                                 \
    X(MEMCPY, "__hd_memcpy", "v:pipilii")                                                          \
    X(MEMSET, "__hd_memset", "v:piillii")                                                          \
    X(ALLOCA, "__hd_alloca", "v:pli")                                                              \
    X(VARIADIC_ENTER, "__hd_variadic_enter", "v:i")                                                \
    X(VA_START, "__hd_va_start", "v:p")                                                            \
    X(BYVAL_ENTER, "__hd_byval_enter", "v:pli")                                                    \
    X(BYVAL_PASS, "__hd_byval_pass", "v:pi")                                                       \
    X(CMPXCHG, "__hd_cmpxchg", "i:piililii")                                                       \
    X(SHARED, "__hd_shared", "v:piii")                                                             \
    X(SHARED_BLOCK, "__hd_shared_block", "v:plii")                                                 \
    X(SHARED_FIX, "__hd_shared_fix", "v:piliii")                                                   \
    X(SHARED_COMPARE, "__hd_shared_compare", "v:piliii")                                           \
    X(SPIN, "__hd_spin", "v:lii")                                                                  \
    X(THREAD_OBJECT, "__hd_thread_object", "p:pl")

typedef enum hd_hook {
#define X(name, symbol, signature) HD_HOOK_##name,
    HD_HOOKS(X)
#undef X
} hd_hook;

/* Hooks that are not inlined: a stub of the image asks the question.  One call without branches is
 * half the work for LLVM, and a few instructions more than an inlined question, which matters
 * nowhere but in hot code: they are those of code beside it (b->is_aside), and those of calls and
 * events, which take hundreds of instructions anyway (shadows are 0). Hook, stub, the slow path of
 * the same arguments, which of these are shadows (bits; HD_ASIDE_ASKS: there is something to ask
 * although none is set), and the question: it goes on at 1 if the machine is to be asked, else eax
 * is 0 if there is a result; r11 is free.  Wild pointers go to the machine, which says more of them
 * than a fault would. */
#define HD_ASIDE_ASKS 0x80000000u
#define HD_ASK_REGION                                                                              \
    " movabs $.Lnot_region,%r11\n add %rdi,%r11\n shr $.Lunit,%r11\n cmp $.Lunits,%r11\n jae 1f\n"
/* Of the bytes from rdi to r11. */
#define HD_ASK_WORDS                                                                               \
    "2: cmp %rdi,%r11\n je 3f\n dec %r11\n cmpl $0,(,%r11,4)\n je 2b\n jmp 1f\n3:\n"
#define HD_ASIDES(X)                                                                               \
    X(BINARY, "__hd_aside_binary", "__hd_slow_binary", 1 << 2 | 1 << 3,                            \
      " mov %edx,%eax\n or %ecx,%eax\n jnz 1f\n ret\n1:\n")                                        \
    X(CAST, "__hd_aside_cast", "__hd_slow_cast", 1 << 3,                                           \
      " mov %ecx,%eax\n test %eax,%eax\n jnz 1f\n ret\n1:\n")                                      \
    X(INDEX, "__hd_aside_index", "__hd_slow_index", 1 << 0 | 1 << 1,                               \
      " mov %edi,%eax\n or %esi,%eax\n jnz 1f\n ret\n1:\n")                                        \
    X(CHECK, "__hd_aside_branch", "__hd_slow_branch", 1 << 0,                                      \
      " test %edi,%edi\n jnz 1f\n ret\n1:\n")                                                      \
    X(LOAD, "__hd_aside_load", "__hd_slow_load", HD_ASIDE_ASKS,                                    \
      " test %esi,%esi\n jnz 1f\n" HD_ASK_REGION " mov %edx,%r11d\n add %rdi,%r11\n" HD_ASK_WORDS  \
      " xor %eax,%eax\n ret\n1:\n")                                                                \
    X(STORE_ASIDE, "__hd_aside_store", "__hd_slow_store", 0,                                       \
      " test %rsi,%rsi\n jnz 1f\n" HD_ASK_REGION                                                   \
      " movzbl %cl,%r11d\n add %rdi,%r11\n" HD_ASK_WORDS " ret\n1:\n")                             \
    X(ACCESS, "__hd_aside_access", "__hd_slow_access", HD_ASIDE_ASKS,                              \
      " mov %edx,%edx\n test %esi,%esi\n jnz 1f\n" HD_ASK_REGION                                   \
      " mov %edx,%r11d\n add %rdi,%r11\n" HD_ASK_WORDS " ret\n1:\n")                               \
    X(ALIGNED_ASIDE, "__hd_aside_aligned", "__hd_slow_aligned", 0,                                 \
      " mov %rdi,%r11\n and %rdx,%r11\n jnz 1f\n test %esi,%esi\n jnz 1f\n ret\n1:\n")             \
    X(MOVED_ASIDE, "__hd_aside_moved", "__hd_slow_moved", 0,                                       \
      " test %rsi,%rsi\n jnz 1f\n mov %rdi,%r11\n shr $.Lregion_bits,%r11\n"                       \
      " cmp $.Lregion,%r11\n jne 1f\n cmp $.Lstep_any,%ecx\n jne 2f\n mov %rdx,%r11\n"             \
      " shr $.Lregion_bits,%r11\n cmp $.Lregion,%r11\n jne 1f\n2: ret\n1:\n")                      \
    X(EXTERNAL, "__hd_aside_external", "__hd_slow_external", 0,                                    \
      " mov .Lpassed(%rip),%r11\n or .Lreturned(%rip),%r11\n jnz 1f\n ret\n1:\n")                  \
    X(SHARED, "__hd_aside_shared", "__hd_slow_shared", 0,                                          \
      " cmpq $0,.Lis_threaded(%rip)\n jnz 1f\n ret\n1:\n")

/* Call the hook at the builder's place; as many LLVMValueRef arguments as its signature has. */
LLVMValueRef hd_emit(hd_build *b, hd_hook hook, ...);
LLVMValueRef hd_const32(const hd_build *b, uint64_t n);
LLVMValueRef hd_const64(const hd_build *b, uint64_t n);
/* Two shadows as the machine takes them together: the first in the lower half. */
LLVMValueRef hd_emit_shadows(hd_build *b, LLVMValueRef first, LLVMValueRef second);
/* The bits of an integer or pointer, zero-extended to 64. */
LLVMValueRef hd_emit_bits(hd_build *b, LLVMValueRef v);
/* A pointer to a constant C string; equal strings are shared. */
LLVMValueRef hd_emit_string(hd_build *b, const char *text);
/* Place the builder in front of `instruction`, or right behind it. */
void hd_emit_before(hd_build *b, LLVMValueRef instruction);
void hd_emit_after(hd_build *b, LLVMValueRef instruction);
/* If v has a symbolic type: say that it must be concrete here, because of `what`. */
void hd_emit_concrete(hd_build *b, LLVMValueRef v, const char *what, LLVMValueRef where);

/* -- sites.c ------------------------------------------------------------------------------- */
/* The site of an instruction as a constant, for hooks.  Equal places share one. */
/* As people call it; NULL if it is not known. */
const char *hd_file_of(hd_build *b, LLVMValueRef instruction);
LLVMValueRef hd_site_of(hd_build *b, LLVMValueRef instruction);
/* A fresh site; `branch` as in hd_site. */
uint32_t hd_site_add(hd_build *b, LLVMValueRef instruction, uint32_t branch, uint32_t kind);
/* Define __hd_sites, __hd_coverage and __hd_registers. */
void hd_sites_define(hd_build *b);

/* -- globals.c, locals.c, perthread.c ------------------------------------------------------ */
void hd_globals_pad(hd_build *b);
/* Bytes that belong to nobody behind an object of that size. */
uint64_t hd_global_bytes_behind(uint64_t size);
/* Give `to`, which takes the place of `from`, its linkage, alignment and debug information. */
void hd_global_copy_properties(hd_build *b, LLVMValueRef from, LLVMValueRef to);
/* `to` takes the place and the name of `from`. */
void hd_global_replace(LLVMValueRef from, LLVMValueRef to);
/* One thread's view is the program's: thread-local objects become ordinary ones. */
void hd_thread_locals_drop(hd_build *b);
/* A thread-local object becomes an array of padded copies, each listed in b->objects. */
void hd_thread_local_spread(hd_build *b, LLVMValueRef global);
/* The address of the running thread's copy takes the place of llvm.threadlocal.address. */
void hd_instrument_thread_local(hd_build *b, LLVMValueRef i);
/* Define __hd_globals; after everything that could replace a global. */
void hd_globals_define(hd_build *b);
/* Note the names of locals in the source, before any pass. */
void hd_locals_name(hd_build *b);
/* What to say of a local whose scope has ended: `name`, and where it is declared. */
void hd_local_name(hd_build *b, LLVMValueRef local, LLVMValueRef where, const char *name);
void hd_locals_pad(hd_build *b, LLVMValueRef function);
void hd_local_dynamic(hd_build *b, LLVMValueRef instruction);
/* A mark of certain.c: true if `call` is one, which is then dealt with. */
bool hd_instrument_mark(hd_build *b, LLVMValueRef call);
LLVMValueRef hd_emit_stack_pointer(hd_build *b);
/* Has a local one place in the frame, and how many bytes? */
bool hd_local_is_static(LLVMValueRef i);
uint64_t hd_local_size(const hd_build *b, LLVMValueRef local);

/* -- instrument.c and its parts ------------------------------------------------------------ */
void hd_instrument_run(hd_build *b);
void hd_instrument_one(hd_build *b, LLVMValueRef i);
bool hd_call_returns_twice(LLVMValueRef i);
/* Does the function run so seldom that its code is to be small (optimize.c)? */
bool hd_function_is_cold(LLVMValueRef f);
void hd_function_make_cold(hd_build *b, LLVMValueRef f);
/* concrete.c: which of a function's instructions may have a shadow other than 0. */
void hd_concrete_find(hd_build *b, const hd_values *all);
bool hd_value_may_be_symbolic(const hd_build *b, LLVMValueRef v);
/* group.c: find the groups of a block (which moves instructions); forget those of a function. */
void hd_groups_form(hd_build *b, LLVMBasicBlockRef block);
void hd_groups_clear(hd_build *b);
/* Instrument the group of `i` if it has one; true if nothing is left to do for `i`. */
bool hd_group_instrument(hd_build *b, LLVMValueRef i);
void hd_instrument_binary(hd_build *b, LLVMValueRef i);
void hd_instrument_compare(hd_build *b, LLVMValueRef i);
void hd_instrument_cast(hd_build *b, LLVMValueRef i);
void hd_instrument_select(hd_build *b, LLVMValueRef i);
void hd_instrument_index(hd_build *b, LLVMValueRef i);
void hd_instrument_extract(hd_build *b, LLVMValueRef i);
void hd_instrument_insert(hd_build *b, LLVMValueRef i);
void hd_instrument_load(hd_build *b, LLVMValueRef i);
void hd_instrument_store(hd_build *b, LLVMValueRef i);
void hd_instrument_rmw(hd_build *b, LLVMValueRef i);
void hd_instrument_cmpxchg(hd_build *b, LLVMValueRef i);
void hd_instrument_memory_intrinsic(hd_build *b, LLVMValueRef i, bool is_set);
void hd_instrument_va_copy(hd_build *b, LLVMValueRef i);
/* True if `i` calls an intrinsic (which is then dealt with). */
bool hd_instrument_intrinsic(hd_build *b, LLVMValueRef i);
void hd_instrument_call(hd_build *b, LLVMValueRef i);
void hd_instrument_assembly(hd_build *b, LLVMValueRef i);
/* Is the memory of that argument certainly not written? */
bool hd_assembly_only_reads(LLVMValueRef call, unsigned argument);
void hd_instrument_entry(hd_build *b, LLVMValueRef function);
void hd_instrument_return(hd_build *b, LLVMValueRef i);
void hd_instrument_branch(hd_build *b, LLVMValueRef i);
/* The site of a branch whose question comes with its group's. */
uint32_t hd_branch_asked_elsewhere(hd_build *b, LLVMValueRef i);
/* A block that reports a failed check of clang: it calls a handler, and ends there or goes on. */
bool hd_block_is_handler(LLVMBasicBlockRef block);
/* True for a branch to a handler of one of clang's checks. */
bool hd_branch_is_check(LLVMValueRef i);
uint32_t hd_check_site(hd_build *b, LLVMValueRef i);
void hd_instrument_switch(hd_build *b, LLVMValueRef i);
void hd_instrument_goto(hd_build *b, LLVMValueRef i);
void hd_instrument_loop(hd_build *b, LLVMBasicBlockRef header);
/* recursion.c: look at all functions, before there are hooks in them; count the calls of one that
 * may call itself. */
void hd_recursion_find(hd_build *b);
void hd_instrument_recursion(hd_build *b, LLVMValueRef function);
/* atomic_sections.c: put functions called __VERIFIER_atomic_* into atomic sections. */
void hd_atomic_sections_make(hd_build *b);
/* verdicts.c: calls of reach_error fail, and beside them calls of abort reject the execution. */
void hd_verdicts_replace(hd_build *b);
/* waiting_loops.c: could the loop be waiting for another thread?  Asked before there are hooks in
 * the function, after hd_spin_begin, which looks at all functions before there are any in the
 * module.
 */
void hd_spin_begin(hd_build *b);
bool hd_loop_may_spin(hd_build *b, LLVMBasicBlockRef header, const hd_code_blocks *reachable);
void hd_instrument_spin(hd_build *b, LLVMBasicBlockRef header, const hd_code_blocks *reachable);
/* Op of symbolic/expr.h for an LLVM binary opcode; 0 if there is none. */
unsigned hd_op_of(LLVMOpcode opcode);
LLVMValueRef hd_emit_binary(hd_build *b, unsigned op, unsigned width, LLVMValueRef sx,
                            LLVMValueRef sy, LLVMValueRef x, LLVMValueRef y);
const char *hd_value_name(LLVMValueRef v);
/* The type attribute `name` ("byval", "elementtype") of an argument, or NULL. */
LLVMTypeRef hd_call_attribute(LLVMValueRef call, unsigned argument, const char *name);

/* -- counts.c ------------------------------------------------------------------------------ */
/* Are clang's counters asked for, by this option among others? */
#define HD_COUNTING_OPTION "-fcoverage-mapping"
bool hd_frontend_counts(const hd_build *b);
/* Before anything else is done with the program, and when everything is instrumented. */
void hd_counts_number(hd_build *b);
void hd_counts_lower(hd_build *b);
/* Does the instruction choose between numbers of vectors?  It is as concrete as a counter. */
bool hd_is_vector_number(const hd_build *b, LLVMValueRef i);
/* Lets the ways through a decision, whose vector the call notes, go on without meeting
 * (decision_ways.c). */
void hd_decision_part(hd_build *b, LLVMValueRef step);
/* In the table of coverage: ways of branches, vectors (ways too), counters. */
uint64_t hd_vectors_offset(const hd_build *b);
uint64_t hd_counts_offset(const hd_build *b);
/* Behind them, the bits of globals (inside.c). */
uint64_t hd_unclean_offset(const hd_build *b);
uint64_t hd_coverage_ways(const hd_build *b);

/* -- optimize.c, image.c, typeinfo.c ------------------------------------------------------- */
void hd_target_init(hd_build *b);
/* Run passes by name on the whole module. */
void hd_passes_run(hd_build *b, const char *passes);
LLVMModuleRef hd_bitcode_read(hd_build *b, const char *path);
/* Is `name` a function of the machine, which is called so that registers stay as they are? */
bool hd_call_keeps_registers(const char *name);
/* Object files of the whole program, in b->output; their names are the caller's. */
void hd_optimize_run(hd_build *b, hd_strings *objects);
/* Passes behind instrumentation and an object file, of all that is in b->module.  Registers of cold
 * code are allocated block by block, in linear time. */
void hd_code_generate(hd_build *b, const char *object, bool is_cold);
/* Has the module no hot code at all? */
bool hd_module_hurries(const hd_build *b);
void hd_image_link(hd_build *b, const hd_strings *objects);

/* -- code_parts.c -------------------------------------------------------------------------------
 */
/* Functions that have code, in the order in which things are numbered: those of main's source last.
 */
void hd_functions_in_order(hd_build *b, hd_values *functions);
/* The program's functions are those that are there now; what is linked in later goes into every
 * part. */
typedef struct hd_parts hd_parts;
hd_parts *hd_parts_begin(hd_build *b);
/* Compiles all parts, and releases `parts`. */
void hd_parts_compile(hd_parts *parts, hd_strings *objects);

/* -- kept_files.c -------------------------------------------------------------------------- */
/* A hash of all that a kept file was made from. */
typedef struct hd_kept_name {
    uint64_t words[2];
} hd_kept_name;
hd_kept_name hd_kept_name_of(uint64_t kind, const void *bytes, size_t n);
void hd_kept_name_add(hd_kept_name *name, const char *text);
/* What was kept by that name, if it is there and whole: it is kept again. */
bool hd_kept_read(const hd_build *b, hd_kept_name name, hd_text *bytes);
/* Keep it for the next compilation, if the disk has room. */
void hd_kept_write(const hd_build *b, hd_kept_name name, const void *bytes, size_t n);

/* -- typeinfo.c ---------------------------------------------------------------------------- */
void hd_typeinfo_write(hd_build *b);

/* ---- word_lists.c ---- */
bool hd_name_begins(const char *name, const char *beginning);
bool hd_name_is_listed(const char *name, const char *const *list, size_t n);
bool hd_name_begins_as_listed(const char *name, const char *const *beginnings, size_t n);
#define HD_NAME_IS_IN(name, list) hd_name_is_listed(name, list, sizeof(list) / sizeof *(list))
#define HD_NAME_BEGINS_AS(name, list)                                                              \
    hd_name_begins_as_listed(name, list, sizeof(list) / sizeof *(list))
#endif

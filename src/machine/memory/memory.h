/* memory.h -- the program's memory: the region with its stacks, heaps and objects, fibers on those
 * stacks, and what happens when an access faults.
 *
 * Addresses depend on nothing but what the thread they belong to has done before (docs/design.md
 * D4), so that they mean the same in every execution and every order of threads.
 *
 * O1. Blocks of a heap have ascending addresses, with poison between them; a freed one is poison
 *     until it leaves the quarantine.
 * O2. Only bytes of the region have shadow words: nobody asks for any other.
 * O3. Writable pages of the image that a write has hit are known (hot) before the reset: those
 *     alone are copied back.
 * What core/state.h promises holds for everything here: shadows are looked at first.
 * Not here: what values mean that depend on inputs (values/). */
#ifndef HD_MACHINE_MEMORY_MEMORY_H
#define HD_MACHINE_MEMORY_MEMORY_H
#include "machine/core/state.h"

/* ---- region.c ---- */
bool hd_memory_init(hd_machine *m, hd_err *err);
/* The data segment is as every execution shall find it: from now on it is seen what changes. */
void hd_memory_watch(hd_machine *m);
/* A stack for thread `index`, if it has none yet; false if there can be none. */
bool hd_memory_stack(hd_machine *m, uint32_t index);
/* The records of threads up to `index`, and their heaps, are in use from now on. */
void hd_memory_need_record(hd_machine *m, uint32_t index);
/* Memory that a checkpoint keeps, so that the reset does not touch it: the stack of each thread
 * from an address on, and its shadow (0: not used), and pieces of the data segment. */
typedef struct hd_kept_stack {
    uint64_t stack, shadow;
    uint64_t hash; /* in the hostile build, if it is gone */
    bool is_gone;  /* with its thread: it stays as it is (C3 of checkpoint.h) */
} hd_kept_stack;
typedef struct hd_kept_memory {
    hd_vec(hd_kept_stack) stacks; /* by thread */
    size_t n_hot;
} hd_kept_memory;
/* The lowest address of the thread's stack that is not zero, or whose shadow may not be. */
void hd_memory_stack_in_use(const hd_thread *t, uint64_t *stack, uint64_t *shadow);
/* Of all that the thread may have left on its stack, and of its shadow. */
uint64_t hd_memory_stack_hash(const hd_thread *t);
/* Make [base, end) of the area usable; false when it is beyond the limit. */
bool hd_area_grow(hd_area *a, uint64_t end);
/* Give everything back: as before the first grow. */
void hd_area_drop(hd_area *a);
/* Host frames on the stack of a thread that were left without returning are no longer in use. */
void hd_memory_forget_frames(const hd_thread *t);
/* Host frames as above, those that are not far below `lowest` only: what is in use ends there. */
void hd_memory_forget_frames_from(const hd_thread *t, uint64_t lowest);
/* A write fault at `address` that only means "copy this page back at reset"? */
bool hd_memory_note_write(hd_machine *m, uint64_t address);
/* External code may write anywhere, in system calls too: watch no longer. */
void hd_memory_stop_watching(hd_machine *m);
/* The shadow words of [address, address+n) are about to become symbolic. */
void hd_memory_note_symbolic(hd_machine *m, uint64_t address, uint64_t n);
static inline bool hd_in_region(uint64_t address) {
    return address - HD_REGION < HD_REGION_SIZE;
}
/* All n shadow words become `poison`, or those of concrete bytes (unpoison). */
void hd_poison(uint64_t address, uint64_t n, hd_word poison);
static inline void hd_unpoison(uint64_t address, uint64_t n) {
    HD_CHECK_INVARIANT(O2, !n || (hd_in_region(address) && hd_in_region(address + n - 1)));
    memset(HD_SHADOW_OF(address), 0, n * sizeof(hd_word));
}

/* Is any shadow word of the n bytes set?  Four at a time: most are asked about 4 or 8 bytes. */
typedef uint64_t hd_four_words __attribute__((vector_size(16), aligned(4), may_alias));
static inline bool hd_any_word(uint64_t address, uint64_t n) {
    const hd_word *words = HD_SHADOW_OF(address);
    hd_four_words any = {0};
    hd_word rest = 0;
    uint64_t whole = n & ~UINT64_C(3);
    for (uint64_t i = 0; i < whole; i += 4)
        any |= *(const hd_four_words *)(words + i);
    for (uint64_t i = whole; i < n; i++)
        rest |= words[i];
    return (any[0] | any[1] | rest) != 0;
}

/* A process that is about to be confined makes the file that shadows of big freed blocks are mapped
 * from. */
void hd_poison_prepare(void);

/* ---- unclean.c ---- */
/* Shadow words of globals there may be something else than 0 from now on. */
void hd_unclean_note(hd_machine *m, uint64_t address, uint64_t n);
/* Does U1 hold for all globals? */
bool hd_unclean_is_true(const hd_machine *m);

/* ---- heap.c ---- */
/* Addresses from `base` on, at most `room` of them; `limit` bytes in use. */
void hd_heap_init(hd_heap *h, uint64_t base, uint64_t room, uint64_t limit);
void hd_heap_release(hd_heap *h);
/* All blocks are gone, and addresses begin anew. */
void hd_heap_reset(hd_heap *h);
/* The address of a new block, with bytes that look uninitialised (alloc) or zeros (calloc); NULL
 * when the limit is reached.  `pc`: who asked for it. */
void *hd_heap_alloc(hd_heap *h, uint64_t size, uint64_t alignment, uint64_t pc);
void *hd_heap_calloc(hd_heap *h, uint64_t size, uint64_t pc);
/* A block that the program does not free and that is no leak; and a copy of bytes in one. */
void *hd_heap_alloc_hidden(hd_heap *h, uint64_t n);
void *hd_heap_hide(hd_heap *h, const void *bytes, uint64_t n);
/* The block that holds `address` or whose padding does, or NULL. */
hd_block *hd_heap_near(const hd_heap *h, uint64_t address);
/* The block that starts at `address`, or NULL. */
hd_block *hd_heap_block(const hd_heap *h, uint64_t address);
/* `is_foreign`: a thread frees it that the heap does not belong to. */
void hd_heap_free_block(hd_heap *h, hd_block *b, uint64_t pc, bool is_foreign);

/* ---- objects.c ---- */
/* The accessible object that holds `address`; false if there is none. */
bool hd_object_at(const hd_machine *m, uint64_t address, hd_object *out);
/* The object nearest to a poisoned `address`, for messages and bounds; false if unknown. */
bool hd_object_near(const hd_machine *m, uint64_t address, hd_object *out);
/* The global, and the object behind an input pointer, nearest to `address`. */
bool hd_global_near(const hd_machine *m, uint64_t address, hd_object *out);
bool hd_input_near(const hd_machine *m, uint64_t address, hd_object *out);
/* Finding for an access of n bytes at `address`, of which byte `bad` is poisoned or not the
 * program's. */
_Noreturn void hd_end_bad_access(hd_machine *m, uint64_t address, uint64_t n, uint64_t bad,
                                 bool is_store, uint32_t site);
/* All accessible objects of at least `least` bytes, in an order that depends on them alone. */
void hd_objects_list(const hd_machine *m, hd_objects *out, uint64_t least);
/* Addresses below this are null pointers with an offset. */
#define HD_NEAR_NULL UINT64_C(65536)
/* All n bytes must be accessible, or the execution ends. */
void hd_check_range(hd_machine *m, uint64_t address, uint64_t n, bool is_store, uint32_t site);

/* ---- protection.c: what mmap and mprotect allow ---- */
/* From now on the process, whose memory is in place, may do this with whole pages. */
void hd_protect(hd_machine *m, uint32_t process, hd_range pages, hd_protection p, bool is_final);
/* Nothing is known of these pages any more: they are open. */
void hd_unprotect(hd_machine *m, uint32_t process, hd_range pages);
/* The first entry of the process that says something about the pages; NULL: they are open. */
const hd_protected *hd_protected_find(const hd_machine *m, uint32_t process, hd_range pages);
/* May nobody write there now? */
bool hd_is_read_only(const hd_machine *m, uint64_t address);
/* Memory of this process is about to be replaced by another's; it has been. */
void hd_protections_lift(hd_machine *m, uint32_t process);
void hd_protections_apply(hd_machine *m, uint32_t process);
/* A child is allowed what its parent is. */
void hd_protections_fork(hd_machine *m, uint32_t parent, uint32_t child);
/* Everything is open again. */
void hd_protections_forget(hd_machine *m);

/* ---- fiber.c ---- */
/* Run entry(argument) on the stack that ends at `stack`, until hd_fiber_leave(*saved). */
void hd_fiber_run(void **saved, void *stack, void (*entry)(void *), void *argument);
_Noreturn void hd_fiber_leave(void *saved);
/* Leave this stack for the one whose pointer was saved in `to`, until somebody comes back. */
void hd_fiber_switch(void **saved, void *to);
/* hd_fiber_switch, with function(argument) called on the stack `through` in between; *to is read
 * after it. */
void hd_fiber_switch_through(void **saved, void *const *to, void *through, void (*function)(void *),
                             void *argument);
/* Save this stack's pointer, and call function(argument, saved) on the stack `through`.  Whoever
 * goes on with that pointer returns from here: after fork there are two. */
void hd_fiber_fork(void **saved, void *through, void (*function)(void *, void *), void *argument);
/* function(context, threads) on the free part of another stack. */
uint32_t hd_fiber_call(void *stack, uint32_t (*function)(void *, hd_threads *), void *context,
                       hd_threads *threads);

/* ---- external.c: memory of this process that is not the program's ---- */
/* Are all n bytes mapped, and outside the region? */
bool hd_is_external(uint64_t address, uint64_t n);
/* hd_is_external before a read, which counts as lost precision: there is no shadow to look at. */
bool hd_external_read(hd_machine *m, uint64_t address, uint64_t n, uint32_t site);
/* An access of external memory that is no finding, but the execution cannot go on. */
_Noreturn void hd_end_external(hd_machine *m, bool is_store, uint32_t site);

/* ---- caller.c ---- */
/* A site on the line of the program that led to the host's frame `frame`; 0 if unknown. */
uint32_t hd_caller_site(hd_machine *m, const void *frame);
/* The address on the stack below which frames are of the machine's own functions, and above which
 * they are of the program. */
uint64_t hd_program_boundary(const hd_machine *m, const void *frame);
/* `site`, or the caller's if that is unknown or in a model. */
uint32_t hd_users_site(hd_machine *m, uint32_t site, const void *frame);
/* The call of the program that `frame` runs for; 0 if there is none. */
uint64_t hd_caller_pc(const hd_machine *m, const void *frame);

/* ---- operand.c: addresses of machine instructions ---- */
#define HD_OPERAND_RSP 4 /* registers are numbered as in the machine code */
typedef struct hd_operand {
    unsigned base, index, scale;
    bool has_base, has_index;
    int64_t displacement;
    uint64_t address;
} hd_operand;
/* The memory operand of the instruction at `code`, of which 16 bytes can be read; false if it
 * has none or one of an unusual kind.  Of AVX-512 instructions the displacement is not exact. */
bool hd_operand_decode(const uint8_t *code, const uint64_t *registers, hd_operand *out);
/* The address whose shadow the operand is; false if that cannot be told. */
bool hd_operand_unshadow(const hd_operand *o, const uint64_t *registers, uint64_t *address);
/* Which register to add what to, so that the operand is at `to`; false if there is no way. */
bool hd_operand_move(const hd_operand *o, uint64_t to, unsigned *number, uint64_t *change);

/* ---- memory/traps.c ---- */
/* Faults of the program become findings from now on, in this process. */
void hd_faults_install(void);
/* Program counters of the program from frame `frame` outwards, after those already there. */
void hd_stack_walk(hd_machine *m, hd_finding *f, const void *frame);
/* Where the block was allocated: the innermost frames of that time. */
void hd_stack_of_block(const hd_machine *m, const hd_block *b, hd_finding *f);

/* ---- whose memory it is ---- */
/* The thread on whose stack `address` is; HD_MAX_THREADS if it is on none. */
static inline uint32_t hd_stack_of(const hd_machine *m, uint64_t address) {
    if (address - HD_STACK_BASE >= HD_WORLD_BASE - HD_STACK_BASE)
        return HD_MAX_THREADS;
    uint64_t i = 0;
    if (address >= HD_FAR_STACKS)
        i = HD_FEW_THREADS + (address - HD_FAR_STACKS) / HD_FAR_STACK;
    else if (address >= HD_THREAD_STACKS)
        i = (address - HD_THREAD_STACKS) / HD_THREAD_STACK;
    if (i >= m->records.n || address < m->thread[i].stack_bottom ||
        address >= m->thread[i].stack_top)
        return HD_MAX_THREADS;
    return (uint32_t)i;
}
/* Where the lowest local object of a thread is noted. */
static inline uint64_t *hd_stack_low(hd_machine *m, uint32_t thread) {
    HD_CHECK(thread < m->records.n);
    return thread == m->threads.current ? &m->registers->stack_low : &m->thread[thread].stack_low;
}

/* For whoever calls a main function, at once after it has returned: other threads may still use its
 * locals, which live until the process ends, so that whatever is called from here on lies below
 * them. */
#define HD_KEEP_LOCALS_OF_MAIN(m)                                                                  \
    do {                                                                                           \
        uint64_t hd_here = (uint64_t)__builtin_frame_address(0);                                   \
        uint64_t hd_low = (m)->registers->stack_low - HD_LOCAL_PAD;                                \
        if ((m)->registers->is_threaded & 1 && hd_low < hd_here)                                   \
            *(volatile char *)__builtin_alloca(hd_here - hd_low) = 0;                              \
    } while (0)

/* The heap whose part of the region `address` is in. */
static inline hd_heap *hd_heap_of(const hd_machine *m, uint64_t address) {
    uint64_t i = 0;
    HD_CHECK(address - HD_HEAP_BASE < HD_HEAP_LIMIT);
    if (m->may.create)
        i = address < HD_FAR_HEAPS ? (address - HD_HEAP_BASE) / HD_THREAD_HEAP
                                   : HD_FEW_THREADS + (address - HD_FAR_HEAPS) / HD_FAR_HEAP;
    return &m->thread[i < HD_MAX_THREADS ? i : HD_MAX_THREADS - 1].heap;
}

/* Where thread `index` has its errno (libc/surroundings.c). */
uint64_t hd_errno_of(hd_machine *m, uint32_t index);
/* The errno of the running thread. */
static inline void hd_errno_set(hd_machine *m, int number) {
    HD_CHECK(m->running.errno_at >= HD_WORLD_BASE);
    *(int *)m->running.errno_at = number;
    hd_unpoison(m->running.errno_at, sizeof number);
}
static inline bool hd_errno_is_symbolic(const hd_machine *m) {
    return hd_any_word(m->running.errno_at, sizeof(int));
}
#endif

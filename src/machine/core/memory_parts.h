/* memory_parts.h -- parts of the machine that are about memory: the region, its heaps, objects,
 * surroundings. */
#ifndef HD_MACHINE_CORE_MEMORY_PARTS_H
#define HD_MACHINE_CORE_MEMORY_PARTS_H
#include "base/hostile.h"
#include "base/map.h"
#include "base/vec.h"
#include "machine/core/layout.h"
#include "machine/machine.h"
#include "program/abi.h"

/* Memory that processes share (tasks/shared.h). */
#define HD_SHARED_BASE   (HD_REGION + UINT64_C(0x25000000000))
#define HD_SHARED_LIMIT  UINT64_C(0x40000000)
#define HD_SHARES_MEMORY 2 /* in hd_registers.is_threaded */
#define HD_HAS_HANDLERS  4 /* there too: handlers of signals may touch what is accessed */
#define HD_IS_WATCHED    8 /* there too: alone; whether it looks at globals is noted (recall.h) */
/* Copies of host data that the program may read: argv, environment, character tables. */
#define HD_WORLD_BASE  (HD_REGION + UINT64_C(0x8000000000))
#define HD_WORLD_LIMIT UINT64_C(0x1000000)
/* Input objects too big for their variable's own slot. */
#define HD_INPUT_SLOT      UINT64_C(512)
#define HD_INPUT_SLOT_ROOM UINT64_C(480)
#define HD_INPUT_BIG       (HD_INPUT_BASE + HD_INPUT_LIMIT / 2)
#define HD_STACK_GUARD     UINT64_C(0x100000)
#define HD_STACK_ENTRY     UINT64_C(64) /* unused bytes above the first frame */
#define HD_PAGE            UINT64_C(4096)
/* Stacks of threads other than main, by index; main's may grow as far as here.  The first few have
 * much room, the others enough. */
#define HD_THREAD_STACKS (HD_STACK_BASE + UINT64_C(0x800000000))
#define HD_THREAD_STACK  UINT64_C(0x10000000) /* from one to the next */
#define HD_FAR_STACKS    (HD_STACK_BASE + UINT64_C(0x1000000000))
#define HD_FAR_STACK     UINT64_C(0x1000000)
/* Heaps of threads, by index, in programs that create any. */
#define HD_THREAD_HEAP UINT64_C(0x100000000)
#define HD_FAR_HEAPS   (HD_HEAP_BASE + HD_FEW_THREADS * HD_THREAD_HEAP)
#define HD_FAR_HEAP    UINT64_C(0x6000000)
_Static_assert(HD_FAR_STACKS + HD_MAX_THREADS * HD_FAR_STACK <= HD_WORLD_BASE &&
                   HD_FAR_HEAPS + HD_MAX_THREADS * HD_FAR_HEAP <= HD_HEAP_BASE + HD_HEAP_LIMIT &&
                   HD_HEAP_BASE + HD_HEAP_LIMIT <= HD_SHARED_BASE,
               "there is room for all threads");

/* A piece of the region whose bytes are poisoned until somebody allocates in it. */
typedef struct hd_area {
    uint64_t base, limit, mapped; /* mapped: end of what is mapped and poisoned */
    hd_word poison;
} hd_area;

typedef struct hd_block {
    uint64_t address, size, room;
    uint64_t allocated_at, freed_at; /* program counters */
    uint64_t callers[6]; /* return addresses around allocated_at: models may be there, as those of
                            scanf */
    bool is_free;
    bool is_buried;  /* free, and its shadow is a mapping of poison */
    bool is_hidden;  /* not the program's own: never a leak */
    bool is_reached; /* leaks.c: some pointer leads to it */
    bool is_foreign; /* freed by another thread than its heap's: never used again */
} hd_block;

typedef struct hd_heap {
    hd_area area;
    uint64_t top;            /* end of the last block and what is behind it */
    uint64_t dirty;          /* memory below this may hold bytes of earlier blocks */
    uint64_t limit;          /* of in_use: malloc fails beyond */
    hd_vec(hd_block) blocks; /* ascending addresses */
    size_t n_last;           /* blocks of the execution before, which are still there */
    hd_vec(uint32_t) freed;  /* block numbers in the order they were freed */
    size_t n_recycled;       /* of `freed`, those that left the quarantine */
    uint64_t quarantined;    /* bytes of freed blocks that must not be used again yet */
    uint64_t in_use;         /* bytes of live blocks that the program asked for */
    uint32_t reusable[48];   /* by size class: block number + 1 of a block to use again */
    hd_vec(uint32_t) next_reusable;
} hd_heap;

/* Something that an address can point into. */
typedef enum hd_object_kind {
    HD_OBJECT_NONE,
    HD_OBJECT_HEAP,
    HD_OBJECT_GLOBAL,
    HD_OBJECT_LOCAL,
    HD_OBJECT_INPUT
} hd_object_kind;
typedef struct hd_object {
    hd_object_kind kind;
    uint64_t base, size;
    const char *name;      /* globals */
    const hd_block *block; /* heap */
    bool is_constant;
} hd_object;
typedef hd_vec(hd_object) hd_objects;

typedef struct hd_range {
    uint64_t address, n;
} hd_range;

/* The site that a return address belongs to: caller.c */
typedef struct hd_place_cache {
    uint64_t pc;
    uint32_t site;
} hd_place_cache;
#define HD_N_CALLERS HD_HOSTILE(256, 2)

/* region.c: what the region consists of, and what is copied back. */
typedef struct hd_region {
    uint8_t *pristine;
    hd_vec(hd_range) hot;     /* pieces of the data segment that are copied back */
    uint8_t *page_is_hot;     /* by page, when the data segment is watched */
    hd_vec(hd_range) objects; /* of the first of `hot`: what in each the program may write to */
    bool is_watching;
    bool needs_reset;                  /* memory is as the last execution left it */
    hd_vec(const hd_global *) globals; /* ascending addresses */
    hd_vec(const hd_global *) copied; /* those that begin copies for threads which others may see */
    hd_range unclean;                 /* the last global that unclean.c was told of */
    hd_area inputs_small, inputs_big;
    hd_area shared_area;
} hd_region;

/* Objects of the C library that are about the program itself: what they begin with. */
typedef enum hd_own_kind {
    HD_OWN_NOTHING,
    HD_OWN_ENVIRONMENT,
    HD_OWN_NAME,
    HD_OWN_SHORT_NAME
} hd_own_kind;
typedef struct hd_own_object {
    uint64_t address;
    hd_own_kind kind;
} hd_own_object;

/* surroundings.c: copies of host data that the program may read. */
typedef struct hd_surroundings {
    uint64_t top, writable; /* the first bytes are copied back */
    uint8_t *pristine;
    hd_objects objects;
    uint64_t argv, environment, ctype[3];
    hd_own_object own[64]; /* where the programs have objects that are about themselves */
    uint32_t n_own;
    uint64_t thread_errno;              /* errno of all threads */
    uint64_t *node_argv, *node_environ; /* of the nodes of a scenario */
} hd_surroundings;

/* caller.c: places in the source. */
typedef struct hd_callers {
    struct hd_symbolizer *symbolizer; /* NULL until it is needed */
    hd_map sites;                     /* return addresses -> site */
    hd_place_cache cache[HD_N_CALLERS];
} hd_callers;

/* protection.c: pages that a process may not write to, or not touch at all. */
typedef enum hd_protection { HD_IS_OPEN, HD_IS_READ_ONLY, HD_IS_CLOSED } hd_protection;
typedef struct hd_protected {
    uint64_t address, n;
    uint32_t process;
    hd_protection protection;
    bool is_final;  /* shared memory of a file that was opened for reading */
    hd_word *words; /* shadows that poison stands for; NULL: all were zero */
} hd_protected;

/* region.c: memory that an execution has made symbolic or allocated for all processes. */
typedef struct hd_memory_part {
    uint64_t shared_top;
    HD_PART_LOOSE;
    HD_PART_LISTS;
    hd_vec(hd_range) symbolic_globals; /* shadow words to clear */
    hd_vec(hd_block *) reaching;       /* leaks.c: blocks still to be searched */
    hd_vec(hd_protected) guarded;      /* by mmap and mprotect */
    HD_PART_KEPT;
    HD_PART_MAPS;
} hd_memory_part;

#endif

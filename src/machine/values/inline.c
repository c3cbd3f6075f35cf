/* inline.c -- the fast paths: what instrumented code does for concrete values.
 *
 * Compiled by clang to bitcode when Heddle is built, linked into every module and always
 * inlined (docs/design.md D1).  Each function asks one question, "is anything here not concrete?",
 * and calls the machine only then.  LLVM removes most questions, because most shadows are
 * constants.  The instrumenter calls these and never makes control flow itself. */
#include "program/abi.h"
#include "symbolic/expr.h"

#define INLINE    __attribute__((always_inline, used, visibility("hidden")))
#define LIKELY(x) __builtin_expect(!!(x), 1)

extern hd_registers __hd_registers;
extern uint8_t __hd_coverage[];

/* Stubs of the image (compile/compiler/image.c) that unpack their last arguments and call the
 * slow path of the same name: few argument registers leave more to the program around. */
hd_shadow __hd_packed_binary(uint64_t x, uint64_t y, uint64_t shadows, uint32_t op_width);
hd_shadow __hd_packed_load(const void *p, hd_shadow address, uint64_t site_width_size);
void __hd_packed_store(void *p, uint64_t shadows, uint64_t concrete, uint64_t site_width_size);

#define PACK_SHADOWS(a, b)           ((uint64_t)(b) << 32 | (a))
#define PACK_SITE(site, width, size) ((uint64_t)(site) << 32 | (width) << 8 | (size))

typedef uint64_t words2 __attribute__((aligned(4), may_alias));
typedef uint64_t vector128 __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint64_t vector256 __attribute__((vector_size(32), aligned(4), may_alias));

/* No pass makes vectors of loops, or unrolls them all, any more (optimize.c): what follows is
 * written out.  Sizes are constants after inlining, of which little is left then. */

/* Of 3, 5, 6 or 7 words: the first and the last four, or two. */
static inline __attribute__((always_inline)) uint64_t union_of_few(const hd_word *s,
                                                                   uint32_t size) {
    if (size < 4)
        return size ? *(const words2 *)s | s[size - 1] : 0;
    vector128 v = *(const vector128 *)s | *(const vector128 *)(s + size - 4);
    return v[0] | v[1];
}

#define UNITE(from)                                                                                \
    if (size >= (from) + 8)                                                                        \
    v |= *(const vector256 *)(s + (from))

static inline __attribute__((always_inline)) uint64_t union_of_many(const hd_word *s,
                                                                    uint32_t size) {
    vector256 v = *(const vector256 *)(s + size - 8);
    UNITE(0);
    UNITE(8);
    UNITE(16);
    UNITE(24);
    for (uint32_t i = 32; i + 8 <= size; i += 8)
        v |= *(const vector256 *)(s + i);
    return v[0] | v[1] | v[2] | v[3];
}

/* The union of the shadow words of `size` bytes. */
static inline __attribute__((always_inline)) uint64_t shadow_union(const hd_word *s,
                                                                   uint32_t size) {
    switch (size) {
    case 1:
        return s[0];
    case 2:
        return *(const words2 *)s;
    case 4: {
        vector128 v = *(const vector128 *)s;
        return v[0] | v[1];
    }
    case 8: {
        vector256 v = *(const vector256 *)s;
        return v[0] | v[1] | v[2] | v[3];
    }
    default:
        return size < 8 ? union_of_few(s, size) : union_of_many(s, size);
    }
}

#define FILL(from)                                                                                 \
    if (n >= (from) + 8)                                                                           \
    *(vector256 *)(s + (from)) = all

/* Words that are all alike. */
static inline __attribute__((always_inline)) void fill_words(hd_word *s, uint64_t n, hd_word word) {
    uint64_t two = (uint64_t)word << 32 | word, done = n & ~UINT64_C(7);
    vector256 all = {two, two, two, two};
    FILL(0);
    FILL(8);
    FILL(16);
    FILL(24);
    for (uint64_t i = 32; i + 8 <= n; i += 8)
        *(vector256 *)(s + i) = all;
    if (n & 4)
        *(vector128 *)(s + done) = (vector128){two, two};
    if (n & 2)
        *(words2 *)(s + done + (n & 4)) = two;
    if (n & 1)
        s[n - 1] = word;
}

INLINE hd_shadow __hd_binary(uint32_t op, uint32_t width, hd_shadow a, hd_shadow b, uint64_t x,
                             uint64_t y) {
    return LIKELY((a | b) == 0) ? 0 : __hd_packed_binary(x, y, PACK_SHADOWS(a, b), width << 8 | op);
}

INLINE hd_shadow __hd_overflow(uint32_t op, uint32_t is_signed, uint32_t width, hd_shadow a,
                               hd_shadow b, uint64_t x, uint64_t y) {
    return LIKELY((a | b) == 0) ? 0 : __hd_slow_overflow(op, is_signed, width, a, b, x, y);
}

/* The concrete overflow bit; only asked when something is symbolic. */
static inline uint32_t overflows(uint32_t op, uint32_t is_signed, uint32_t width, uint64_t x,
                                 uint64_t y) {
    unsigned up = 64 - width;
    int64_t a = (int64_t)(x << up), b = (int64_t)(y << up), narrow;
    uint64_t wide;
    if (op == HD_OP_MUL)
        return is_signed ? __builtin_mul_overflow(a, b >> up, &narrow)
                         : __builtin_mul_overflow((uint64_t)a, y, &wide);
    if (op == HD_OP_ADD)
        return is_signed ? __builtin_add_overflow(a, b, &narrow)
                         : __builtin_add_overflow((uint64_t)a, (uint64_t)b, &wide);
    return is_signed ? __builtin_sub_overflow(a, b, &narrow)
                     : __builtin_sub_overflow((uint64_t)a, (uint64_t)b, &wide);
}

/* Arithmetic that clang checks: the branch on the overflow bit comes first, then the value. */
INLINE hd_shadow __hd_checked(uint32_t op, uint32_t is_signed, uint32_t width, hd_shadow a,
                              hd_shadow b, uint64_t x, uint64_t y, uint32_t site) {
    if (LIKELY((a | b) == 0))
        return 0;
    hd_shadow bit = __hd_slow_overflow(op, is_signed, width, a, b, x, y);
    if (bit)
        __hd_slow_branch(bit, overflows(op, is_signed, width, x, y), site);
    return __hd_slow_binary(op, width, a, b, x, y);
}

INLINE hd_shadow __hd_intrinsic(const char *name, uint32_t width, hd_shadow a, hd_shadow b,
                                hd_shadow c, uint64_t x, uint64_t y, uint64_t z, uint32_t site) {
    return LIKELY((a | b | c) == 0) ? 0 : __hd_slow_intrinsic(name, width, a, b, c, x, y, z, site);
}

INLINE hd_shadow __hd_cast(uint32_t cast, uint32_t from, uint32_t to, hd_shadow a, uint64_t x) {
    return LIKELY(a == 0) ? 0 : __hd_slow_cast(cast, from, to, a, x);
}

/* A concrete condition picks one shadow; a symbolic one makes an if-then-else. */
INLINE hd_shadow __hd_select(uint32_t width, hd_shadow condition, hd_shadow a, hd_shadow b,
                             uint32_t taken, uint64_t x, uint64_t y) {
    if (LIKELY(condition == 0))
        return taken ? a : b;
    return __hd_slow_select(width, condition, a, b, taken, x, y);
}

/* base + index * scale */
INLINE hd_shadow __hd_index(hd_shadow base, hd_shadow index, uint64_t base_value,
                            uint64_t index_value, uint32_t index_width, uint64_t scale) {
    return LIKELY((base | index) == 0)
               ? 0
               : __hd_slow_index(base, index, base_value, index_value, index_width, scale);
}

/* In these a symbolic address comes first: its null must reach the machine, which puts it on
 * the path, before the shadow of address 0 faults. */
INLINE hd_shadow __hd_load(const void *p, hd_shadow address, uint32_t size, uint32_t width,
                           uint32_t site) {
    if (LIKELY(address == 0) && LIKELY(shadow_union(HD_SHADOW_OF(p), size) == 0))
        return 0;
    return __hd_packed_load(p, address, PACK_SITE(site, width, size));
}

/* Not 0 if anything that a group of instructions uses is not concrete: `leaves` is the union of
 * the shadows that come from outside, the others are what it accesses. */
INLINE uint64_t __hd_question(hd_shadow leaves, uint32_t has_symbolic_address, const void *p,
                              uint32_t p_size, const void *q, uint32_t q_size, const void *r,
                              uint32_t r_size, const void *s, uint32_t s_size) {
    if (has_symbolic_address && !LIKELY(leaves == 0))
        return 1;
    return leaves | shadow_union(HD_SHADOW_OF(p), p_size) | shadow_union(HD_SHADOW_OF(q), q_size) |
           shadow_union(HD_SHADOW_OF(r), r_size) | shadow_union(HD_SHADOW_OF(s), s_size);
}

/* A group whose accesses are inside of globals (compile/compiler/inside.c): `unclean` is 0 if these
 * have only concrete bytes. */
INLINE uint64_t __hd_question_inside(uint64_t unclean, hd_shadow leaves,
                                     uint32_t has_symbolic_address, const void *p, uint32_t p_size,
                                     const void *q, uint32_t q_size, const void *r, uint32_t r_size,
                                     const void *s, uint32_t s_size) {
    if (has_symbolic_address && !LIKELY(leaves == 0))
        return 1;
    if (LIKELY(unclean == 0))
        return leaves;
    return __hd_question(leaves, 0, p, p_size, q, q_size, r, r_size, s, s_size);
}

/* In a loop in which everything is concrete if `unclean` is 0 (compile/compiler/clean_loops.c). */
INLINE uint64_t __hd_question_clean(uint64_t unclean, hd_shadow leaves,
                                    uint32_t has_symbolic_address, const void *p, uint32_t p_size,
                                    const void *q, uint32_t q_size, const void *r, uint32_t r_size,
                                    const void *s, uint32_t s_size) {
    if (LIKELY(unclean == 0))
        return 0;
    return __hd_question(leaves, has_symbolic_address, p, p_size, q, q_size, r, r_size, s, s_size);
}

INLINE hd_shadow __hd_load_inside(uint64_t unclean, const void *p, hd_shadow address, uint32_t size,
                                  uint32_t width, uint32_t site) {
    if (LIKELY(unclean == 0) && LIKELY(address == 0))
        return 0;
    return __hd_load(p, address, size, width, site);
}

INLINE void __hd_store(void *p, hd_shadow address, hd_shadow value, uint64_t concrete,
                       uint32_t size, uint32_t width, uint32_t site) {
    if (!(LIKELY(address == 0) && LIKELY((shadow_union(HD_SHADOW_OF(p), size) | value) == 0)))
        __hd_packed_store(p, PACK_SHADOWS(address, value), concrete, PACK_SITE(site, width, size));
}

INLINE void __hd_store_inside(uint64_t unclean, void *p, hd_shadow address, hd_shadow value,
                              uint64_t concrete, uint32_t size, uint32_t width, uint32_t site) {
    if (!(LIKELY(unclean == 0) && LIKELY((address | value) == 0)))
        __hd_store(p, address, value, concrete, size, width, site);
}

/* Accesses of types that are never symbolic (floating point, vectors, more than 64 bits). */
INLINE void __hd_access(const void *p, hd_shadow address, uint32_t size, uint32_t is_store,
                        uint32_t site) {
    if (!(LIKELY(address == 0) && LIKELY(shadow_union(HD_SHADOW_OF(p), size) == 0)))
        __hd_slow_access(p, address, size, is_store, site);
}

INLINE void __hd_access_inside(uint64_t unclean, const void *p, hd_shadow address, uint32_t size,
                               uint32_t is_store, uint32_t site) {
    if (!(LIKELY(unclean == 0) && LIKELY(address == 0)))
        __hd_access(p, address, size, is_store, site);
}

INLINE void __hd_branch(hd_shadow condition, uint32_t taken, uint32_t branch, uint32_t site) {
    __hd_coverage[2 * branch + taken] = 1;
    if (!LIKELY(condition == 0))
        __hd_slow_branch(condition, taken, site);
}

/* A check of clang: a branch that is not counted as covered. */
INLINE void __hd_check(hd_shadow condition, uint32_t taken, uint32_t site) {
    if (!LIKELY(condition == 0))
        __hd_slow_branch(condition, taken, site);
}

INLINE void __hd_switch(hd_shadow value, uint64_t concrete, const hd_switch *table) {
    if (!LIKELY(value == 0))
        __hd_slow_switch(value, concrete, table);
}

/* At the start of one side of a branch that is entered from there only. */
INLINE void __hd_cover_side(uint32_t side) {
    __hd_coverage[side] = 1;
}

/* At the start of each successor of a switch, and wherever else arrival is what counts. */
INLINE void __hd_cover(uint32_t branch) {
    __hd_coverage[2 * branch + 1] = 1;
}

INLINE void __hd_step(uint32_t site) {
    if (!LIKELY(--__hd_registers.fuel != 0))
        __hd_slow_step(site);
}

/* A step on a copy of the fuel that LLVM keeps in a machine register. */
INLINE void __hd_fuel_load(uint64_t *fuel) {
    *fuel = __hd_registers.fuel;
}

INLINE void __hd_fuel_store(const uint64_t *fuel) {
    __hd_registers.fuel = *fuel;
}

INLINE void __hd_step_local(uint64_t *fuel, uint32_t site) {
    if (!LIKELY(--*fuel != 0)) {
        __hd_registers.fuel = 0;
        __hd_slow_step(site);
        *fuel = __hd_registers.fuel;
    }
}

/* Something whose effects are not in the program's memory. */
INLINE void __hd_outside(void) {
    __hd_registers.n_outside++;
}

INLINE void __hd_concretize(hd_shadow value, uint64_t concrete, uint32_t width, const char *what,
                            uint32_t site) {
    if (!LIKELY(value == 0))
        __hd_slow_concretize(value, concrete, width, what, site);
}

INLINE void __hd_callee(hd_shadow callee, uint64_t concrete, uint32_t site) {
    if (!LIKELY(callee == 0))
        __hd_slow_callee(callee, concrete, site);
}

INLINE void __hd_status(hd_shadow status, uint32_t site) {
    if (!LIKELY(status == 0))
        __hd_slow_status(status, site);
}

INLINE void __hd_pass(uint32_t argument, hd_shadow value) {
    if (!LIKELY(value == 0)) {
        __hd_registers.args[argument] = value;
        __hd_registers.passed |= UINT64_C(1) << argument;
    }
}

INLINE void __hd_variadic_call(uint32_t room, const char *places) {
    __hd_registers.variadic_room = room;
    __hd_registers.variadic_places = places;
}

/* A callee with named arguments calls this first, then takes each. */
INLINE uint64_t __hd_enter(void) {
    uint64_t passed = __hd_registers.passed;
    if (!LIKELY(passed == 0))
        __hd_registers.passed = 0;
    return passed;
}

INLINE hd_shadow __hd_take(uint64_t passed, uint32_t argument) {
    if (LIKELY(passed == 0))
        return 0;
    return passed >> argument & 1 ? __hd_registers.args[argument] : 0;
}

INLINE void __hd_return(uint32_t number, hd_shadow value) {
    if (!LIKELY(value == 0)) {
        __hd_registers.rets[number] = value;
        __hd_registers.returned |= UINT64_C(1) << number;
    }
}

/* After a call: which results are symbolic. */
INLINE uint64_t __hd_returned(void) {
    uint64_t returned = __hd_registers.returned;
    if (!LIKELY(returned == 0))
        __hd_registers.returned = 0;
    return returned;
}

INLINE hd_shadow __hd_result(uint64_t returned, uint32_t number) {
    if (LIKELY(returned == 0))
        return 0;
    return returned >> number & 1 ? __hd_registers.rets[number] : 0;
}

/* By a pointer to a function the two sides may know it by different types. */
INLINE hd_shadow __hd_fit(hd_shadow value, uint32_t width, uint32_t site) {
    return LIKELY(value == 0) ? 0 : __hd_slow_fit(value, width, site);
}

/* After a call of something that is not, or may not be, instrumented. */
INLINE void __hd_external(const char *name, uint32_t site) {
    if (!LIKELY((__hd_registers.passed | __hd_registers.returned) == 0))
        __hd_slow_external(name, site);
}

/* A local object of `size` bytes at p, HD_LOCAL_PAD poisoned bytes before and `behind`
 * bytes after it.  Sizes and poison are constants, so these become a few vector stores. */
INLINE void __hd_local_enter(char *p, uint64_t size, uint64_t behind, uint32_t poison) {
    hd_word *s = HD_SHADOW_OF(p);
    fill_words(s - HD_LOCAL_PAD, HD_LOCAL_PAD, poison);
    __builtin_memset(s, 0, size * sizeof *s);
    fill_words(s + size, behind, poison);
    if ((uint64_t)p < __hd_registers.stack_low)
        __hd_registers.stack_low = (uint64_t)p;
}

INLINE void __hd_local_leave(char *p, uint64_t size) {
    fill_words(HD_SHADOW_OF(p), size, HD_POISON_RETURNED);
}

/* What to say of a local whose scope has ended lies in the bytes before it, which the program
 * cannot touch. */
INLINE void __hd_local_name(char *p, const char *words) {
    *(const char *volatile *)(p - sizeof words) = words;
}

INLINE void __hd_scope_start(char *p, uint64_t size) {
    __builtin_memset(HD_SHADOW_OF(p), 0, size * sizeof(hd_word));
}

/* Of a literal, which is evaluated once more: what it holds may be symbolic, and needed. */
INLINE void __hd_scope_again(char *p, uint64_t size) {
    if (*HD_SHADOW_OF(p) == HD_POISON_SCOPE)
        __hd_scope_start(p, size);
}

INLINE void __hd_scope_end(char *p, uint64_t size) {
    fill_words(HD_SHADOW_OF(p), size, HD_POISON_SCOPE);
}

/* The bytes were never written, but for the pattern of clang. */
INLINE void __hd_fresh(char *p, uint64_t n) {
    fill_words(HD_SHADOW_OF(p), n, HD_WORD_FRESH);
}

/* setjmp returned: not for the first time if it is not 0. */
INLINE void __hd_jumped(uint64_t result, const void *stack) {
    if (!LIKELY(result == 0))
        __hd_stack_restore(0, stack, HD_POISON_RETURNED);
}

/* An access of n bytes that is made in parts, some of which nobody needs.  The small ones are asked
 * about here. */
INLINE void __hd_touch(const void *p, hd_shadow address, uint64_t n, uint32_t is_store,
                       uint32_t site) {
    if (!(LIKELY(address == 0) && n <= 64 && LIKELY(shadow_union(HD_SHADOW_OF(p), n) == 0)))
        __hd_slow_touch(p, address, n, is_store, site);
}

/* Is the address a multiple of mask + 1?  And did pointer arithmetic begin and end at addresses: in
 * the region both are, and if it takes small steps only it cannot leave them without having begun
 * elsewhere.  The first two answer bits for the question of a group. */
INLINE uint64_t __hd_ask_aligned(const void *p, uint64_t mask) {
    return (uint64_t)p & mask;
}

INLINE uint64_t __hd_ask_moved(const void *from, const void *to, uint32_t step) {
    uint64_t away = (uint64_t)from >> HD_REGION_BITS ^ HD_REGION >> HD_REGION_BITS;
    return step != HD_STEP_ANY
               ? away
               : away | ((uint64_t)to >> HD_REGION_BITS ^ HD_REGION >> HD_REGION_BITS);
}

INLINE void __hd_aligned(const void *p, hd_shadow address, uint64_t mask, const void *data,
                         uint32_t site) {
    if (!LIKELY((__hd_ask_aligned(p, mask) | address) == 0))
        __hd_slow_aligned(p, address, mask, data, site);
}

INLINE void __hd_moved(const void *from, hd_shadow from_shadow, const void *to, hd_shadow to_shadow,
                       uint32_t step, const void *data, uint32_t site) {
    if (!LIKELY((__hd_ask_moved(from, to, step) | from_shadow | to_shadow) == 0))
        __hd_slow_moved(from, PACK_SHADOWS(from_shadow, to_shadow), to, step, data, site);
}

/* A call through a pointer: does a function of this type begin there?  Where no code can be the
 * call itself will fail. */
INLINE void __hd_called(const void *function, uint64_t type, const void *data) {
    const hd_function_mark *mark = (const hd_function_mark *)function - 1;
    if (LIKELY((uint64_t)function - HD_IMAGE_BASE < HD_IMAGE_LIMIT) &&
        !LIKELY(mark->hash == (uint32_t)type))
        __hd_slow_called(function, type, data);
}

INLINE void __hd_goto(const void *label, const void **cache, const void *const *labels, uint32_t n,
                      uint32_t site) {
    if (!LIKELY(cache[((uint64_t)label >> 2) % HD_LABEL_CACHE] == label))
        __hd_slow_goto(label, cache, labels, n, site);
}

/* A copy to the same place is no overlap: nothing moves. */
INLINE void __hd_overlap(const void *to, hd_shadow to_shadow, const void *from,
                         hd_shadow from_shadow, uint64_t n, hd_shadow n_shadow, uint32_t site) {
    uint64_t up = (uint64_t)to - (uint64_t)from, down = (uint64_t)from - (uint64_t)to;
    if (!(LIKELY((to_shadow | from_shadow | n_shadow) == 0) && LIKELY((up >= n) & (down >= n))))
        __hd_slow_overlap(to, to_shadow, from, from_shadow, n, n_shadow, site);
}

/* Copies and fills of a small constant size. */
INLINE void __hd_copy(void *to, hd_shadow to_shadow, const void *from, hd_shadow from_shadow,
                      uint64_t n, uint32_t site) {
    if (!(LIKELY((to_shadow | from_shadow) == 0) &&
          LIKELY((shadow_union(HD_SHADOW_OF(to), n) | shadow_union(HD_SHADOW_OF(from), n)) == 0)))
        __hd_memcpy(to, to_shadow, from, from_shadow, n, 0, site);
}

INLINE void __hd_fill(void *to, hd_shadow to_shadow, hd_shadow byte, uint64_t concrete_byte,
                      uint64_t n, uint32_t site) {
    if (!(LIKELY(to_shadow == 0) && LIKELY((shadow_union(HD_SHADOW_OF(to), n) | byte) == 0)))
        __hd_memset(to, to_shadow, byte, concrete_byte, n, 0, site);
}

/* ---- Threads: only modules that create some call these. ---- */

INLINE void __hd_shared(const void *p, uint32_t size, uint32_t how, uint32_t site) {
    if (!LIKELY(__hd_registers.is_threaded == 0))
        __hd_slow_shared(p, size, how, site);
}

INLINE void __hd_shared_block(const void *p, uint64_t size, uint32_t how, uint32_t site) {
    if (!LIKELY(__hd_registers.is_threaded == 0) && size != 0)
        __hd_slow_shared(p, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, how, site);
}

/* Whether it succeeds is not known yet if it expects a symbolic value: an update then. */
INLINE void __hd_shared_compare(const void *p, uint32_t size, uint64_t expected,
                                hd_shadow expected_shadow, uint32_t how, uint32_t site) {
    if (LIKELY(__hd_registers.is_threaded == 0))
        return;
    if (LIKELY(expected_shadow == 0))
        __hd_slow_shared_compare(p, size, expected, how, site);
    else
        __hd_slow_shared(p, size, how, site);
}

/* Before these, if the address or the length may be symbolic. */
INLINE void __hd_shared_fix(const void *p, hd_shadow address, uint64_t n, hd_shadow n_shadow,
                            uint32_t is_store, uint32_t site) {
    if (!LIKELY((address | n_shadow) == 0) && __hd_registers.is_threaded)
        __hd_slow_fix(p, address, n, n_shadow, is_store, site);
}

INLINE void __hd_spin(uint64_t state, uint32_t way, uint32_t site) {
    if (!LIKELY(__hd_registers.is_threaded == 0))
        __hd_slow_spin(state, way, site);
}

/* The running thread's copy of a thread-local object. */
INLINE char *__hd_thread_object(char *first, uint64_t distance) {
    if (LIKELY(__hd_registers.thread < HD_FEW_COPIES))
        return first + __hd_registers.thread * distance;
    return __hd_slow_thread_object(first);
}

/* Loads, stores and ranges where something is symbolic or poisoned.
 *
 * A store writes for each byte "byte i of expression e"; a load puts the expression together
 * again, from as few pieces as possible.  A piece whose value under the model is not what
 * lies in memory was overwritten by code that is not instrumented: its shadow is dropped. */
#include "machine/values/values.h"
#include "program/abi.h"

/* By sizes that are constants: a copy of `size` bytes to the stack would be read as eight, and the
 * processor waits for such. */
static inline uint64_t read_bytes(uint64_t address, uint32_t size) {
    uint64_t value = 0;
    HD_CHECK(size <= sizeof value);
    switch (size) {
    case 1:
        return *(const uint8_t *)address;
    case 4: {
        uint32_t four;
        memcpy(&four, (const void *)address, sizeof four);
        return four;
    }
    case 8:
        memcpy(&value, (const void *)address, sizeof value);
        return value;
    default:
        memcpy(&value, (const void *)address, size);
        return value;
    }
}

/* The expression of bytes 0..size-1 of `e`. */
static hd_expr low_bytes(hd_graph *g, hd_expr e, uint32_t size) {
    HD_CHECK(size && 8 * size <= hd_expr_width(g, e));
    return hd_expr_width(g, e) == 8 * size ? e : hd_expr_extract(g, e, 0, 8 * size);
}

/* How many words from s[i] on belong together: consecutive bytes of one expression, or
 * concrete ones. */
static uint32_t piece_length(const hd_word *s, uint32_t i, uint32_t size) {
    HD_CHECK(i < size);
    uint32_t n = 1;
    while (s[i] == HD_WORD_FRESH && i + n < size && s[i + n] == HD_WORD_FRESH)
        n++;
    if (s[i] == HD_WORD_FRESH)
        return n;
    while (i + n < size && (s[i] ? s[i + n] == s[i] + n && HD_WORD_BYTE(s[i + n]) : !s[i + n]))
        n++;
    return n;
}

/* Bytes that nobody wrote, as far as shadows tell: a leaf, that all who load them see from now on.
 */
static hd_expr fresh_piece(hd_machine *m, uint64_t address, hd_word *s, uint32_t n) {
    uint64_t concrete = read_bytes(address, n);
    if (concrete != (HD_UNDEFINED_VALUE & hd_mask(8 * n))) {
        memset(s, 0, n * sizeof *s);
        return hd_expr_const(m->graph, 8 * n, concrete);
    }
    hd_expr leaf = hd_fresh_leaf(m, address, n);
    HD_ASSERT(hd_expr_width(m->graph, leaf) == 8 * n);
    for (uint32_t i = 0; i < n; i++)
        s[i] = HD_WORD(leaf, i);
    return leaf;
}

/* One piece, as a constant if memory does not agree with its expression. */
static hd_expr piece_expr(hd_machine *m, uint64_t address, hd_word *s, uint32_t n) {
    hd_graph *g = m->graph;
    uint64_t concrete = read_bytes(address, n);
    if (!s[0])
        return hd_expr_const(g, 8 * n, concrete);
    if (s[0] == HD_WORD_FRESH)
        return fresh_piece(m, address, s, n);
    HD_CHECK_INVARIANT(A2, 8 * (HD_WORD_BYTE(s[0]) + n) <= hd_expr_width(g, HD_WORD_EXPR(s[0])));
    hd_expr e = hd_expr_extract(g, HD_WORD_EXPR(s[0]), 8 * HD_WORD_BYTE(s[0]), 8 * n);
    if (hd_eval_value(m->expressions.eval, e) == concrete)
        return e;
    memset(s, 0, n * sizeof *s);
    return hd_expr_const(g, 8 * n, concrete);
}

static hd_expr join_pieces(hd_machine *m, uint64_t address, uint32_t size) {
    hd_word *s = HD_SHADOW_OF(address);
    hd_expr whole = HD_NONE;
    for (uint32_t i = 0, n; i < size; i += n) {
        n = piece_length(s, i, size);
        hd_expr piece = piece_expr(m, address + i, s + i, n);
        whole = whole ? hd_expr_concat(m->graph, piece, whole) : piece;
    }
    HD_CHECK(hd_expr_width(m->graph, whole) == 8 * size);
    return whole;
}

hd_expr hd_load_expr(hd_machine *m, uint64_t address, uint32_t size) {
    hd_word *s = HD_SHADOW_OF(address);
    HD_CHECK(size && size <= 8);
    if (!HD_WORD_IS_SYMBOLIC(s[0]) || HD_WORD_BYTE(s[0]) || s[0] == HD_WORD_FRESH ||
        piece_length(s, 0, size) != size)
        return join_pieces(m, address, size);
    hd_expr e = low_bytes(m->graph, HD_WORD_EXPR(s[0]), size);
    uint64_t concrete = read_bytes(address, size);
    if (hd_eval_value(m->expressions.eval, e) == concrete)
        return e;
    memset(s, 0, size * sizeof *s);
    return hd_expr_const(m->graph, 8 * size, concrete);
}

hd_expr hd_load_words(hd_machine *m, uint64_t address, uint32_t size) {
    HD_CHECK(size && size <= 8 && hd_in_region(address));
    const hd_word *s = HD_SHADOW_OF(address);
    hd_word all = 0;
    for (uint32_t i = 0; i < size; i++)
        all |= s[i];
    return all ? hd_shadow_of(m, hd_load_expr(m, address, size)) : HD_NONE;
}

void hd_store_words(hd_machine *m, uint64_t address, uint32_t size, hd_expr e) {
    HD_CHECK(hd_in_region(address));
    hd_word *s = HD_SHADOW_OF(address);
    if (!e || hd_expr_is_const(m->graph, e)) {
        memset(s, 0, size * sizeof *s);
        return;
    }
    HD_ASSERT(e < HD_POISON_FIRST >> 3);
    HD_CHECK_INVARIANT(V1, hd_expr_width(m->graph, e) == 8 * size);
    hd_memory_note_symbolic(m, address, size);
    for (uint32_t i = 0; i < size; i++)
        s[i] = HD_WORD(e, i);
}

static void check_words(hd_machine *m, uint64_t address, uint32_t size, bool is_store,
                        uint32_t site) {
    if (!hd_in_region(address))
        hd_end_bad_access(m, address, size, 0, is_store, site);
    const hd_word *s = HD_SHADOW_OF(address);
    for (uint32_t i = 0; i < size; i++)
        if (HD_WORD_IS_POISON(s[i]))
            hd_end_bad_access(m, address, size, i, is_store, site);
}

/* What a load of `width` bits sees of `8 * size` bits. */
static hd_shadow as_value(hd_machine *m, hd_expr e, uint32_t width) {
    if (!e)
        return HD_NONE;
    if (width < hd_expr_width(m->graph, e))
        e = hd_expr_extract(m->graph, e, 0, width);
    return hd_shadow_of(m, e);
}

/* The most frequent load: all bytes of one expression, seen as a whole.  HD_NONE if it is
 * anything else. */
static inline hd_expr whole_expr(hd_machine *m, uint64_t at, uint32_t size, uint32_t width) {
    const hd_word *s = HD_SHADOW_OF(at);
    hd_expr e = HD_WORD_EXPR(s[0]);
    if (!HD_WORD_IS_SYMBOLIC(s[0]) || HD_WORD_BYTE(s[0]) || e == HD_EXPR_FRESH ||
        width != 8 * size || hd_expr_width(m->graph, e) != width)
        return HD_NONE;
    for (uint32_t i = 1; i < size; i++)
        if (s[i] != s[0] + i)
            return HD_NONE;
    return hd_eval_value(m->expressions.eval, e) == read_bytes(at, size) ? e : HD_NONE;
}

/* Beyond the limit on decisions memory is only checked, and forgets what it was made of. */
static hd_shadow access_concretely(hd_machine *m, uint64_t at, uint32_t size, bool is_store,
                                   uint32_t site) {
    hd_check_range(m, at, size, is_store, site);
    memset(HD_SHADOW_OF(at), 0, size * sizeof(hd_word));
    return HD_NONE;
}

/* Was the address made one value by decisions, before the event of this access? */
static hd_shadow unless_pinned(hd_machine *m, hd_shadow address) {
    if (address != m->running.pinned)
        return address;
    m->running.pinned = HD_NONE;
    return HD_NONE;
}

hd_shadow __hd_slow_load(const void *p, hd_shadow address, uint32_t size, uint32_t width,
                         uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t at = (uint64_t)p;
    if (m->execution.is_concrete)
        return access_concretely(m, at, size, false, site);
    address = unless_pinned(m, address);
    if (address)
        return as_value(m, hd_address_load(m, at, address, size, site), width);
    if (!hd_in_region(at) && hd_external_read(m, at, size, site))
        return HD_NONE;
    if (!hd_in_region(at))
        hd_end_bad_access(m, at, size, 0, false, site);
    hd_expr whole = whole_expr(m, at, size, width);
    if (whole)
        return whole;
    check_words(m, at, size, false, site);
    return as_value(m, hd_load_words(m, at, size), width);
}

/* The value as it lies in memory: whole bytes. */
static hd_expr as_bytes(hd_machine *m, hd_shadow value, uint64_t concrete, uint32_t size,
                        uint32_t width) {
    HD_CHECK(width && width <= 8 * size);
    hd_expr e = hd_expr_of(m, value, width, concrete & hd_mask(width));
    return width < 8 * size ? hd_expr_zext(m->graph, e, 8 * size) : e;
}

/* The first store to memory that nobody wrote, the most frequent one in programs that see that: all
 * is said when the words are clear. */
static inline bool is_fresh(uint64_t at, uint32_t size) {
    if (!hd_in_region(at))
        return false;
    hd_word *s = HD_SHADOW_OF(at), others = 0;
    for (uint32_t i = 0; i < size; i++)
        others |= s[i] & ~HD_WORD_FRESH; /* 0 for no other word: nodes 1 and 2 are constants */
    if (others)
        return false;
    memset(s, 0, size * sizeof *s);
    return true;
}

void __hd_slow_store(void *p, hd_shadow address, hd_shadow value, uint64_t concrete, uint32_t size,
                     uint32_t width, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t at = (uint64_t)p;
    if (m->execution.is_concrete) {
        access_concretely(m, at, size, true, site);
        return;
    }
    address = unless_pinned(m, address);
    if (address) {
        hd_address_store(m, at, address, as_bytes(m, value, concrete, size, width), size, site);
        return;
    }
    if (!value && is_fresh(at, size))
        return;
    check_words(m, at, size, true, site);
    hd_store_words(m, at, size, value ? as_bytes(m, value, concrete, size, width) : HD_NONE);
}

bool hd_any_input(hd_machine *m, uint64_t at, uint64_t n) {
    const hd_word *s = HD_SHADOW_OF(at);
    for (uint64_t i = 0; i < n; i++)
        if (s[i] && (i == 0 || HD_WORD_EXPR(s[i]) != HD_WORD_EXPR(s[i - 1])) &&
            hd_define(m, HD_WORD_EXPR(s[i]), NULL, 0))
            return true;
    return false;
}

void __hd_slow_access(const void *p, hd_shadow address, uint64_t size, uint32_t is_store,
                      uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t at = (uint64_t)p;
    address = unless_pinned(m, address);
    if (address)
        hd_address_pin(m, at, address, size, is_store, site);
    if (!is_store && hd_external_read(m, at, size, site))
        return;
    hd_check_range(m, at, size, is_store, site);
    hd_word *s = HD_SHADOW_OF(at);
    if (!is_store && hd_any_word(at, size) && !hd_any_input(m, at, size))
        return; /* floating point has no shadows: who never wrote it is not known any more */
    for (uint64_t i = 0; i < size; i++)
        if (s[i] && !is_store) {
            hd_approximate(m, site,
                           "load of a floating-point, vector, 128-bit or variadic struct value");
            return;
        }
    if (is_store)
        memset(s, 0, size * sizeof *s);
}

/* A symbolic address is the business of the parts, which put it on the path. */
void __hd_slow_touch(const void *p, hd_shadow address, uint64_t n, uint32_t is_store,
                     uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t at = (uint64_t)p;
    if (!address && !(hd_is_external(at, n) && !is_store))
        hd_check_range(m, at, n, is_store, site);
}

/* ---- ranges ---- */

/* A symbolic length: may it be too long?  Then the path goes on with this one. */
void hd_settle_length(hd_machine *m, hd_expr length, uint64_t n, uint64_t to, uint64_t from,
                      uint32_t site) {
    hd_object a, b;
    uint64_t room = UINT64_MAX;
    if (hd_object_at(m, to, &a))
        room = a.base + a.size - to;
    if (from && hd_object_at(m, from, &b) && b.base + b.size - from < room)
        room = b.base + b.size - from;
    if (room != UINT64_MAX) {
        HD_ASSERT(hd_expr_width(m->graph, length) == 64);
        hd_expr limit = hd_expr_const(m->graph, 64, room);
        hd_record(m, site, hd_expr_binary(m->graph, HD_OP_ULE, length, limit), n <= room,
                  HD_BRANCH_ADDRESS);
        if (n > room)
            return; /* the access itself says what is wrong */
    }
    hd_pin_within(m, length, n, 0, room, site);
}

/* For models that need not look at all of what they are given.  Where it begins is their business,
 * if that is symbolic. */
void __heddle_readable(const void *p, uint64_t n) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m), at = (uint64_t)p;
    hd_expr length = hd_argument(m, passed, 1);
    hd_object o;
    if (hd_argument(m, passed, 0) || !hd_in_region(at))
        return;
    if (length && hd_object_at(m, at, &o)) {
        uint64_t room = o.base + o.size - at;
        hd_record(m, hd_caller_site(m, __builtin_frame_address(0)),
                  hd_expr_binary(m->graph, HD_OP_ULE, length, hd_expr_const(m->graph, 64, room)),
                  n <= room, HD_BRANCH_ADDRESS);
    }
    hd_check_range(m, at, n, false, 0);
}

/* A symbolic range: first where it begins, if there is anything to do, because how long it may be
 * depends on that, and then its length.  If there is nothing to do, where it would begin is not
 * decided, and nothing may be asked that depends on it. */
static bool settle_range(hd_machine *m, uint64_t to, hd_shadow to_shadow, uint64_t from,
                         hd_shadow from_shadow, uint64_t n, hd_shadow n_shadow, uint32_t site) {
    hd_graph *g = m->graph;
    if (n_shadow && (to_shadow || from_shadow)) {
        hd_expr zero = hd_expr_const(g, hd_expr_width(g, n_shadow), 0);
        hd_record(m, site, hd_expr_binary(g, HD_OP_EQ, n_shadow, zero), n == 0, HD_BRANCH_VALUE);
    }
    if (n && to_shadow)
        hd_address_pin(m, to, to_shadow, n_shadow ? 1 : n, true, site);
    if (n && from_shadow)
        hd_address_pin(m, from, from_shadow, n_shadow ? 1 : n, false, site);
    if (n_shadow && (n || !(to_shadow || from_shadow)))
        hd_settle_length(m, n_shadow, n, to, from, site);
    return n > 0;
}

void __hd_memcpy(void *to, hd_shadow to_shadow, const void *from, hd_shadow from_shadow, uint64_t n,
                 hd_shadow n_shadow, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t target = (uint64_t)to, source = (uint64_t)from;
    to_shadow = hd_define(m, to_shadow, HD_USE_ADDRESS, site);
    from_shadow = hd_define(m, from_shadow, HD_USE_ADDRESS, site);
    n_shadow = hd_define(m, n_shadow, HD_USE_LENGTH, site);
    if (!settle_range(m, target, to_shadow, source, from_shadow, n, n_shadow, site))
        return;
    bool is_external = hd_external_read(m, source, n, site);
    if (!is_external)
        hd_check_range(m, source, n, false, site);
    hd_check_range(m, target, n, true, site);
    if (!is_external && hd_any_word(source, n)) {
        hd_memory_note_symbolic(m, target, n);
        memmove(HD_SHADOW_OF(target), HD_SHADOW_OF(source), n * sizeof(hd_word));
    } else if (hd_any_word(target, n))
        hd_unpoison(target, n);
}

void __hd_memset(void *to, hd_shadow to_shadow, hd_shadow byte, uint64_t concrete_byte, uint64_t n,
                 hd_shadow n_shadow, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t target = (uint64_t)to;
    (void)concrete_byte;
    to_shadow = hd_define(m, to_shadow, HD_USE_ADDRESS, site);
    n_shadow = hd_define(m, n_shadow, HD_USE_LENGTH, site);
    if (!settle_range(m, target, to_shadow, 0, HD_NONE, n, n_shadow, site))
        return;
    hd_check_range(m, target, n, true, site);
    if (byte && hd_expr_width(m->graph, byte) > 8)
        byte = hd_expr_extract(m->graph, byte, 0, 8);
    if (byte)
        hd_memory_note_symbolic(m, target, n);
    hd_poison(target, n, byte ? HD_WORD(byte, 0) : 0);
}

void __hd_alloca(void *p, uint64_t n, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t at = (uint64_t)p;
    if (at < m->running.stack_bottom + HD_LOCAL_PAD || n > m->running.stack_top - at)
        hd_end_finding(m, HD_FINDING_STACK_OVERFLOW, site,
                       "variable-length object of %lu bytes does not fit on the stack", n);
    hd_poison(at - HD_LOCAL_PAD, HD_LOCAL_PAD, HD_POISON_LOCAL);
    hd_unpoison(at, n);
    hd_poison(at + n, HD_LOCAL_PAD, HD_POISON_LOCAL);
    if (at < m->registers->stack_low)
        m->registers->stack_low = at;
}

void __hd_stack_restore(const void *low, const void *high, uint32_t poison) {
    hd_machine *m = hd_enter();
    uint64_t from = (uint64_t)low, to = (uint64_t)high;
    if (!low)
        from = m->registers->stack_low - HD_LOCAL_PAD;
    if (from < m->running.stack_bottom || to > m->running.stack_top || from >= to)
        return;
    hd_poison(from, to - from, poison);
    if (from < m->registers->stack_low)
        m->registers->stack_low = from;
}

/* ---- compare and exchange ---- */

hd_expr hd_load_content(hd_machine *m, uint64_t address, uint32_t size) {
    const hd_word *s = HD_SHADOW_OF(address);
    if (m->execution.is_concrete || !hd_any_word(address, size))
        return HD_NONE;
    for (uint32_t i = 0; i < size; i++)
        if (HD_WORD_IS_POISON(s[i]))
            return HD_NONE;
    return hd_define(m, hd_shadow_of(m, hd_load_expr(m, address, size)), NULL, 0);
}

uint32_t hd_threads_load_content(hd_threads *threads, uint32_t thread) {
    const hd_action *a = &threads->action[thread];
    HD_CHECK(a->n_accesses && a->access[0].size <= sizeof(uint64_t));
    return hd_load_content(threads->machine, hd_action_object(a), a->access[0].size);
}

hd_shadow __hd_cmpxchg(void *p, hd_shadow address, hd_shadow expected, uint64_t expected_value,
                       hd_shadow desired, uint64_t desired_value, uint32_t width, uint32_t site) {
    hd_machine *m = hd_enter_uncounted();
    hd_graph *g = m->graph;
    uint64_t at = (uint64_t)p;
    uint32_t size = (width + 7) / 8;
    address = unless_pinned(m, address);
    if (address)
        hd_address_pin(m, at, address, size, true, site);
    else if (!expected && !desired && hd_in_region(at) && !hd_any_word(at, size))
        return HD_NONE; /* all is concrete, and stays so */
    m->call.n_entries++;
    hd_check_range(m, at, size, true, site);
    hd_expr old = hd_load_expr(m, at, size);
    if (!hd_expr_is_const(g, old) || expected) {
        hd_expr wanted = as_bytes(m, expected, expected_value, size, width);
        hd_record(m, site, hd_expr_binary(g, HD_OP_EQ, old, wanted),
                  read_bytes(at, size) == (expected_value & hd_mask(width)), HD_BRANCH_EXCHANGE);
    }
    if (read_bytes(at, size) == (expected_value & hd_mask(width)))
        hd_store_words(m, at, size, as_bytes(m, desired, desired_value, size, width));
    return as_value(m, old, width);
}

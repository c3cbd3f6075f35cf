/* Memory of the program that library functions touch: events, as if the program's own code did it,
 * and the checks that come before every access.
 *
 * Constants, and locals whose address stays with their thread (compile/compiler/escape.c), are seen
 * by nobody else: they make no events.  Bytes whose number is not known before they are read are
 * events of their own: what an event touches must not depend on what others write meanwhile. */
#include "machine/tasks/library.h"

/* Is `address` in a local object of the running thread whose border says that it is private? */
static bool is_private_local(const hd_machine *m, uint64_t address) {
    uint64_t low = address, bottom = m->registers->stack_low - HD_LOCAL_PAD;
    if (address < bottom || address >= m->running.stack_top)
        return false;
    while (low > bottom && !HD_WORD_IS_POISON(*HD_SHADOW_OF(low)))
        low--;
    return *HD_SHADOW_OF(low) == HD_POISON_PRIVATE;
}

bool hd_is_private(const hd_machine *m, uint64_t address) {
    if (address < HD_STACK_BASE)
        return address >= HD_IMAGE_BASE && address < m->module->data_start;
    if (address < HD_WORLD_BASE)
        return is_private_local(m, address);
    return address >= HD_WORLD_BASE + m->surroundings.writable && address < m->surroundings.top;
}

/* Can another thread, or another process, see an access of this memory? */
static inline bool is_seen(const hd_machine *m, uint64_t address) {
    if (__builtin_expect(hd_is_unseen(m), 1))
        return false;
    bool has_others = hd_is_threaded(m) || m->registers->is_threaded & HD_HAS_HANDLERS;
    return (has_others || hd_is_shared(address)) && hd_in_region(address) &&
           !hd_is_private(m, address);
}

static void announce(hd_machine *m, uint64_t address, uint64_t n, uint32_t how) {
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    if (m->calls.n_pending)
        hd_approximate_pending(m, site, NULL);
    __hd_slow_shared((const void *)address, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX, how, site);
}

void hd_library_touch(hd_machine *m, const void *p, uint64_t n) {
    uint64_t address = (uint64_t)p;
    if (n && is_seen(m, address))
        announce(m, address, n, 0);
    if (n && !hd_external_read(m, address, n, 0))
        hd_check_range(m, address, n, false, 0);
}

/* Of a structure there may be members that nobody needs. */
#define NUMBER 8

static void read_for(hd_machine *m, const void *p, uint64_t n, const char *use) {
    hd_library_touch(m, p, n);
    hd_define_memory(m, p, n, use);
    if (n && hd_in_region((uint64_t)p) && hd_any_word((uint64_t)p, n) &&
        !hd_words_are_decided(m, HD_SHADOW_OF(p), n,
                              hd_caller_site(m, __builtin_frame_address(0))))
        hd_approximate_memory(m);
}

void hd_library_read(hd_machine *m, const void *p, uint64_t n) {
    read_for(m, p, n, HD_USE_MEMORY);
}

void hd_library_read_record(hd_machine *m, const void *p, uint64_t n) {
    read_for(m, p, n, n <= NUMBER ? HD_USE_MEMORY : NULL);
}

/* What it is used for, as in uninitialised.c; `moves`: it is only handed on. */
static hd_library_text read_block(hd_machine *m, const void *p, uint64_t n, bool moves,
                                  const char *use) {
    hd_library_text t = {
        .at = p, .n = n, .words = hd_in_region((uint64_t)p) ? HD_SHADOW_OF(p) : NULL};
    hd_library_touch(m, p, n);
    if (!moves)
        hd_define_memory(m, p, n, use);
    if (!n || !is_seen(m, (uint64_t)p))
        return t;
    hd_word *words = hd_execution_alloc(m, n * sizeof *words);
    t.at = memcpy(hd_execution_alloc(m, n), p, n);
    t.words = memcpy(words, HD_SHADOW_OF(p), n * sizeof *words);
    HD_INVARIANT(B1, !hd_in_region((uint64_t)t.at));
    return t;
}

hd_library_text hd_library_read_block(hd_machine *m, const void *p, uint64_t n) {
    return read_block(m, p, n, true, NULL);
}

hd_library_text hd_library_use_block(hd_machine *m, const void *p, uint64_t n) {
    return read_block(m, p, n, false, HD_USE_MEMORY);
}

/* ---- what decides, and what is handed on ---- */

static hd_expr byte_of(hd_machine *m, hd_word word) {
    return hd_expr_extract(m->graph, HD_WORD_EXPR(word), 8 * HD_WORD_BYTE(word), 8);
}

/* The expression that the words are all of, from its lowest byte on; HD_NONE if there is none. */
static hd_expr whole_of(const hd_machine *m, const hd_word *words, uint32_t size) {
    if (!HD_WORD_IS_SYMBOLIC(words[0]))
        return HD_NONE;
    hd_expr e = HD_WORD_EXPR(words[0]);
    for (uint32_t i = 0; i < size; i++)
        if (words[i] != HD_WORD(e, i))
            return HD_NONE;
    return hd_expr_width(m->graph, e) == 8 * size ? e : HD_NONE;
}

/* Up to 8 bytes: as one value, which may be a pointer, or byte by byte, the highest first. */
static void decide_word(hd_machine *m, const uint8_t *bytes, const hd_word *words, uint32_t size,
                        uint32_t site) {
    HD_ASSERT(size <= 8);
    hd_expr whole = size == 8 ? whole_of(m, words, size) : HD_NONE;
    if (whole) {
        hd_address_choose(m, whole, site);
        return;
    }
    for (uint32_t i = size; i-- > 0;)
        if (HD_WORD_IS_SYMBOLIC(words[i]))
            hd_pin_value(m, byte_of(m, words[i]), bytes[i], site);
}

static void decide(hd_machine *m, const uint8_t *bytes, const hd_word *words, uint64_t n) {
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    for (uint64_t i = 0; i < n; i += 8)
        decide_word(m, bytes + i, words + i, n - i < 8 ? (uint32_t)(n - i) : 8, site);
}

static bool is_any_symbolic(const hd_word *words, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        if (HD_WORD_IS_SYMBOLIC(words[i]))
            return true;
    return false;
}

void hd_library_get(hd_machine *m, void *to, const void *from, uint64_t n) {
    hd_library_text t = read_block(m, from, n, false, n <= NUMBER ? HD_USE_MEMORY : NULL);
    if (n)
        memcpy(to, t.at, n);
    if (t.words && is_any_symbolic(t.words, n))
        decide(m, to, t.words, n);
}

/* Byte by byte. */
static hd_expr put_together(hd_machine *m, const uint8_t *bytes, const hd_word *words,
                            uint32_t size) {
    hd_expr e = HD_NONE;
    for (uint32_t i = 0; i < size; i++) {
        hd_expr byte = HD_WORD_IS_SYMBOLIC(words[i]) ? byte_of(m, words[i])
                                                     : hd_expr_const(m->graph, 8, bytes[i]);
        e = i ? hd_expr_concat(m->graph, byte, e) : byte;
    }
    return e;
}

hd_number hd_library_number_of(hd_machine *m, const void *bytes, const hd_word *words,
                               uint32_t size) {
    hd_number number = {0};
    HD_ASSERT(size && size <= sizeof number.value);
    memcpy(&number.value, bytes, size);
    if (!words || !is_any_symbolic(words, size))
        return number;
    number.e = whole_of(m, words, size);
    if (!number.e)
        number.e = put_together(m, bytes, words, size);
    return number;
}

hd_number hd_library_number(hd_machine *m, const void *from, uint32_t size) {
    hd_library_text t = hd_library_read_block(m, from, size);
    return hd_library_number_of(m, t.at, t.words, size);
}

bool hd_library_is_set(hd_machine *m, hd_number number) {
    if (number.e) {
        hd_expr zero = hd_expr_const(m->graph, hd_expr_width(m->graph, number.e), 0);
        hd_record(m, hd_caller_site(m, __builtin_frame_address(0)),
                  hd_expr_binary(m->graph, HD_OP_EQ, number.e, zero), number.value == 0,
                  HD_BRANCH_VALUE);
    }
    return number.value != 0;
}

uint64_t hd_library_bits(hd_machine *m, hd_number number, uint64_t mask) {
    unsigned width = number.e ? hd_expr_width(m->graph, number.e) : 0;
    HD_ASSERT(width <= 64);
    uint32_t site = number.e ? hd_caller_site(m, __builtin_frame_address(0)) : 0;
    for (unsigned bit = width; bit-- > 0;)
        if (mask >> bit & 1)
            hd_record(m, site, hd_expr_extract(m->graph, number.e, bit, 1), number.value >> bit & 1,
                      HD_BRANCH_VALUE);
    return number.value & mask;
}

void hd_library_put_number(hd_machine *m, void *to, hd_number number, uint32_t size) {
    HD_ASSERT(size <= sizeof number.value);
    hd_library_write(m, to, size);
    memcpy(to, &number.value, size);
    hd_store_words(m, (uint64_t)to, size, number.e);
}

void hd_library_write(hd_machine *m, void *p, uint64_t n) {
    uint64_t address = (uint64_t)p;
    if (n && is_seen(m, address))
        announce(m, address, n, HD_SHARED_WRITE);
    hd_check_range(m, address, n, true, 0);
}

void hd_library_store(hd_machine *m, void *to, const void *from, uint64_t n) {
    if (!n)
        return;
    hd_library_write(m, to, n);
    memcpy(to, from, n);
    hd_unpoison((uint64_t)to, n);
}

/* ---- text ---- */

/* With other values it would end elsewhere: that is another path.  Asked about every unit, whatever
 * it is now, so that the other path asks the same. */
static void decide_end(hd_machine *m, uint64_t at, uint32_t size, bool is_last) {
    hd_expr e = hd_load_words(m, at, size);
    if (!e)
        return;
    hd_expr zero = hd_expr_const(m->graph, 8 * size, 0);
    hd_record(m, hd_caller_site(m, __builtin_frame_address(0)),
              hd_expr_binary(m->graph, HD_OP_EQ, e, zero), is_last, HD_BRANCH_PROGRAM);
}

static bool is_zero(uint64_t at, uint32_t size) {
    return hd_value_at(at, size) == 0;
}

/* The next unit is read: is it the last one? */
static bool read_unit(hd_machine *m, uint64_t at, uint32_t size, bool is_event) {
    if (is_event)
        announce(m, at, size, 0);
    hd_check_range(m, at, size, false, 0);
    bool is_last = is_zero(at, size);
    hd_define_memory(m, (const void *)at, size, HD_USE_TEXT);
    decide_end(m, at, size, is_last);
    return is_last;
}

/* Room for one more unit in memory that nobody else writes to: what was read is what is used. */
static void grow(hd_machine *m, hd_library_text *t, uint64_t n, uint32_t size) {
    if (n + size <= t->room)
        return;
    uint64_t room = 2 * (n + size) + 32;
    char *bytes = hd_execution_alloc(m, room);
    hd_word *words = hd_execution_alloc(m, room * sizeof *words);
    if (n) {
        memcpy(bytes, t->at, n);
        memcpy(words, t->words, n * sizeof *words);
    }
    HD_ASSERT(room >= n + size);
    t->at = bytes;
    t->words = words;
    t->room = room;
}

static void keep(hd_machine *m, hd_library_text *t, uint64_t unit, uint32_t size) {
    uint64_t n = t->n * size;
    grow(m, t, n, size);
    HD_INVARIANT(B1, n + size <= t->room && !hd_in_region((uint64_t)t->at));
    memcpy((char *)t->at + n, (const void *)unit, size);
    memcpy((hd_word *)t->words + n, HD_SHADOW_OF(unit), size * sizeof *t->words);
}

static hd_library_text external_text(const void *s, uint64_t limit, uint32_t size) {
    hd_library_text t = {.at = s};
    while (t.n < limit && !is_zero((uint64_t)s + t.n * size, size))
        t.n++;
    return t;
}

/* How many bytes from here on are accessible, concrete and not 0, as far as blocks show it. */
#define BLOCK 16
static uint64_t plain_bytes(uint64_t at, uint64_t limit) {
    uint64_t n = 0;
    for (; n + BLOCK <= limit && !hd_any_word(at + n, BLOCK); n += BLOCK) {
        const char *end = memchr((const void *)(at + n), 0, BLOCK);
        if (end)
            return (uint64_t)end - at;
    }
    return n;
}

/* Does the text end before its unit n, because no more are to be read? */
static bool is_limit(hd_machine *m, hd_number limit, uint64_t n) {
    if (limit.e) {
        hd_expr here = hd_expr_const(m->graph, hd_expr_width(m->graph, limit.e), n);
        hd_record(m, hd_caller_site(m, __builtin_frame_address(0)),
                  hd_expr_binary(m->graph, HD_OP_EQ, limit.e, here), n == limit.value,
                  HD_BRANCH_PROGRAM);
    }
    return n >= limit.value;
}

hd_library_text hd_library_read_text(hd_machine *m, const void *s, uint64_t limit, uint32_t size) {
    return hd_library_read_limited(m, s, (hd_number){.value = limit}, size);
}

hd_library_text hd_library_read_limited(hd_machine *m, const void *s, hd_number limit,
                                        uint32_t size) {
    uint64_t at = (uint64_t)s;
    bool is_event = is_seen(m, at), is_last = false;
    hd_library_text t = {.at = s, .words = HD_SHADOW_OF(s)};
    HD_ASSERT(size == 1 || size == sizeof(uint32_t));
    if (limit.value && hd_external_read(m, at, 1, 0))
        return external_text(s, limit.value, size);
    if (!is_event && size == 1 && !limit.e && hd_in_region(at)) {
        t.n = plain_bytes(at, limit.value);
        at += t.n;
    }
    for (; !is_last && !is_limit(m, limit, t.n); t.n += !is_last, at += size) {
        is_last = read_unit(m, at, size, is_event);
        t.is_symbolic |= hd_any_word(at, size);
        if (is_event)
            keep(m, &t, at, size);
    }
    if (is_event && !is_last)
        grow(m, &t, t.n * size, size); /* there is a 0 behind it */
    return t;
}

bool hd_library_is_lost(hd_machine *m, const hd_library_text *t, uint32_t size) {
    return t->is_symbolic &&
           !hd_words_are_decided(m, t->words, t->n * size,
                                 hd_caller_site(m, __builtin_frame_address(0)));
}

const char *hd_library_string(hd_machine *m, const char *s) {
    hd_library_text t = hd_library_read_text(m, s, UINT64_MAX, 1);
    if (hd_library_is_lost(m, &t, 1))
        hd_approximate_memory(m);
    return t.at;
}

const char *hd_library_name(hd_machine *m, const char *s) {
    hd_library_text t = hd_library_read_text(m, s, UINT64_MAX, 1);
    if (t.is_symbolic)
        decide(m, (const uint8_t *)t.at, t.words, t.n);
    return t.at;
}

/* ---- state that the C library keeps for all threads of a process ---- */

void hd_library_state(hd_machine *m, uint64_t token, bool is_store) {
    if (!hd_is_threaded(m))
        return;
    hd_action a =
        hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, is_store ? HD_MODE_WRITE : HD_MODE_READ);
    a.access[0].address = token;
    hd_visible(m, &a);
}

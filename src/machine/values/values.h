/* values.h -- what instrumented code asks about values that depend on inputs: accesses, decisions,
 * calls, and the inputs themselves.
 *
 * The functions that code calls are in program/abi.h; these are what the rest of the machine needs
 * of them.  A value has a shadow: HD_NONE if it is concrete, else its expression.
 *
 * V1. The expression of a value is as wide as the value, that of bytes in memory 8 bits for each.
 * V2. What the sink is told agrees with the model: an expression evaluated there is the value that
 *     the processor has.
 * Not here: who may access what (memory/), what inputs are called (symbolic/variables.h). */
#ifndef HD_MACHINE_VALUES_VALUES_H
#define HD_MACHINE_VALUES_VALUES_H
#include "machine/memory/memory.h"

/* ---- slow_memory.c ---- */
/* The length of a copy or fill goes on the path.  `from` 0: none. */
void hd_settle_length(hd_machine *m, hd_expr length, uint64_t n, uint64_t to, uint64_t from,
                      uint32_t site);
/* The expression of `size` (1 to 8) accessible bytes, HD_NONE if they are concrete. */
hd_expr hd_load_words(hd_machine *m, uint64_t address, uint32_t size);
/* The expression of the bytes, which is a constant if they are concrete: never HD_NONE. */
hd_expr hd_load_expr(hd_machine *m, uint64_t address, uint32_t size);
/* The expression of bytes that may be poisoned: poisoned ones count as concrete. */
hd_expr hd_load_content(hd_machine *m, uint64_t address, uint32_t size);
/* hd_threads.content of programs with inputs. */
uint32_t hd_threads_load_content(hd_threads *threads, uint32_t thread);
/* Make the bytes those of `e` (8*size bits wide), or concrete if it is HD_NONE. */
void hd_store_words(hd_machine *m, uint64_t address, uint32_t size, hd_expr e);

/* ---- uninitialised.c: memory that was never written ---- */
hd_expr hd_define_slowly(hd_machine *m, hd_expr e, const char *use, uint32_t site);
#define HD_USE_ADDRESS  "an address"
#define HD_USE_LENGTH   "the length of a copy"
#define HD_USE_ARGUMENT "an argument of a library call"
#define HD_USE_MEMORY   "what a library call reads"
#define HD_USE_TEXT     "the end of a string"
#define HD_USE_STATUS   "the exit status"
/* `use` ("a branch", NULL: nothing that matters) depends on `e`: a finding, if `e` depends on what
 * nobody wrote.  Returns the shadow of `e` without that. */
static inline hd_shadow hd_define(hd_machine *m, hd_expr e, const char *use, uint32_t site) {
    return __builtin_expect(m->may.see_undefined, 0) && e
               ? hd_shadow_of(m, hd_define_slowly(m, e, use, site))
               : e;
}
/* hd_define for what was computed in registers: most programs never meet such memory. */
static inline hd_shadow hd_define_computed(hd_machine *m, hd_expr e, const char *use,
                                           uint32_t site) {
    return __builtin_expect(m->lessons.meets_undefined, 0) ? hd_define(m, e, use, site) : e;
}
/* hd_define for n accessible bytes. */
void hd_define_memory(hd_machine *m, const void *p, uint64_t n, const char *use);
/* Do shadows say that any of the bytes depends on inputs?  (Not: that nobody wrote it.) */
bool hd_any_input(hd_machine *m, uint64_t at, uint64_t n);
/* hd_define for the arguments that are passed; returns which of them are still symbolic. */
uint64_t hd_define_arguments(hd_machine *m, uint64_t passed, const char *use);
/* The expression that a load of bytes which nobody has written sees. */
hd_expr hd_fresh_leaf(hd_machine *m, uint64_t address, uint32_t size);
/* A new object, of which nothing was written.  Bigger ones count as written. */
#define HD_FRESH_LIMIT UINT64_C(0x100000)
void hd_fresh_begin(hd_machine *m, void *p, uint64_t n);

/* ---- symbolic_address.c: accesses through symbolic addresses ---- */
hd_expr hd_address_load(hd_machine *m, uint64_t at, hd_expr address, uint32_t size, uint32_t site);
void hd_address_store(hd_machine *m, uint64_t at, hd_expr address, hd_expr value, uint32_t size,
                      uint32_t site);
/* The access stays where it is: says on which condition, and checks nothing else. */
void hd_address_pin(hd_machine *m, uint64_t at, hd_expr address, uint64_t n, bool is_store,
                    uint32_t site);

/* The path goes on with the value, or with the object that the pointer points to, that it is
 * now: others are other paths. */
void hd_address_choose(hd_machine *m, hd_expr value, uint32_t site);
/* The access will be at this address and no other: decisions only, before a visible access. */
void hd_address_fix(hd_machine *m, uint64_t at, hd_expr address, uint64_t n, bool is_store,
                    uint32_t site);

/* ---- alias.c: accesses through input pointers ---- */
/* "The pointer points to this object."  As an equality with the object's owner where the
 * owner points there itself: it means the same here, and still does when the solver gives
 * both another object. */
hd_expr hd_alias_points_to(hd_machine *m, hd_expr pointer, const hd_input_object *object);
/* `pointer` is the variable of a pointer whose constant offset leads to `at`. */
hd_expr hd_alias_load(hd_machine *m, uint64_t at, uint32_t size, hd_expr pointer, uint32_t site);
void hd_alias_store(hd_machine *m, uint64_t at, uint32_t size, hd_expr pointer, hd_expr value);

/* ---- slow_control.c ---- */
void hd_record(hd_machine *m, uint32_t site, hd_expr condition, bool taken, hd_branch_kind kind);
/* A check on the path: the execution goes on whether it holds or not. */
void hd_record_check(hd_machine *m, uint32_t site, hd_expr holds, bool taken);

/* ---- pin.c ---- */
/* The path goes on with this value only: bit by bit. */
void hd_pin_value(hd_machine *m, hd_expr value, uint64_t concrete, uint32_t site);
/* A number that the path keeps between `least` and `most`, and that is mostly made of
 * a smaller one: the path goes on with this value only. */
void hd_pin_within(hd_machine *m, hd_expr value, uint64_t concrete, uint64_t least, uint64_t most,
                   uint32_t site);
/* Has the running thread decided each variable of `e`?  Then its value is decided. */
bool hd_is_pinned(const hd_machine *m, hd_expr e);

/* ---- decided.c: values that become constants, and need not be a loss ---- */
/* Few bits of inputs decide the value, and the path goes on with it only; false: it is lost. */
bool hd_value_is_decided(hd_machine *m, hd_expr value, uint32_t site);
/* Bytes that the words are of: is each of them decided?  False: some are lost. */
bool hd_words_are_decided(hd_machine *m, const hd_word *words, uint64_t n, uint32_t site);

/* ---- slow_calls.c ---- */
/* What va_start fills in, by the System V ABI: where the next arguments are, in the areas of saved
 * registers and of memory.  Offsets beyond the registers mean that all are in memory. */
typedef struct hd_va_record {
    uint32_t gp_offset, fp_offset;
    uint64_t overflow_arg_area, reg_save_area;
} __attribute__((may_alias)) hd_va_record;
#define HD_VA_GENERAL_END 48u  /* six integer registers */
#define HD_VA_SAVED_BYTES 176u /* and eight vector registers */
/* The arguments of a modelled function must be concrete from here on: hd_address_choose for
 * argument i, or for all. */
void hd_settle_argument(hd_machine *m, uint64_t passed, unsigned i);
void hd_settle_arguments(hd_machine *m);
/* The function takes argument i as a constant: is the value decided (decided.c)?  And which of those
 * that were passed are not. */
bool hd_argument_is_decided(hd_machine *m, uint64_t passed, unsigned i);
uint64_t hd_arguments_lost(hd_machine *m, uint64_t passed);
/* Say something about the external call that is under way, once its site is known. */
void hd_approximate_call(hd_machine *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hd_bound_call(hd_machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The external call has read memory of the program without its shadow, which was not zero. */
void hd_approximate_memory(hd_machine *m);
/* A printing function has seen symbolic arguments: its result, if anybody looks, is concrete. */
void hd_note_printed(hd_machine *m);
/* Calls that did not come back have no site and no name. */
void hd_approximate_pending(hd_machine *m, uint32_t site, const char *name);

/* ---- inputs.c ---- */
/* The memory becomes an input of that name: of a type, several of a type, or bytes (that lie like
 * values of the type; 0: like nothing). */
void hd_input_cells(hd_machine *m, uint64_t address, uint64_t size, hd_type_id type,
                    const char *name);
void hd_input_array(hd_machine *m, uint64_t address, uint64_t size, uint64_t n, hd_type_id type,
                    const char *name);
void hd_input_bytes(hd_machine *m, uint64_t address, uint64_t n, hd_type_id type, const char *name);
/* An input of 64 bits from lo to hi. */
hd_expr hd_input_choose(hd_machine *m, long lo, long hi);
/* An input of the running thread: one of 0..n-1, all of which are explored.  `what` names it. */
uint32_t hd_thread_choice(hd_machine *m, uint32_t n, const char *what);
/* Something that happens or not, under that name; first it does not.  Not open: it does not happen,
 * whatever its input says. */
typedef void hd_choice_name(const void *context, char *out, size_t size);
bool hd_named_choice(hd_machine *m, hd_choice_name *name, const void *context, bool is_open);
/* A choice about what arrives: number `nth` of all that are made for this thread, whoever runs
 * now. */
bool hd_arrival_choice(hd_machine *m, uint32_t thread, uint32_t nth, hd_choice_name *name,
                       const void *context, bool is_open, uint32_t site);
/* Bytes outside of the program's memory become inputs, which are what they were first. */
void hd_input_words(hd_machine *m, const char *name, uint8_t *bytes, uint32_t *words, uint32_t n);
/* Bytes that arrive become inputs in the same way: from number `nth` on of all that are made so for
 * this thread, whoever runs now. */
void hd_arrival_words(hd_machine *m, uint32_t thread, uint32_t nth, const char *name,
                      uint8_t *bytes, uint32_t *words, uint32_t n);
/* The next of the variables that this execution uses. */
void hd_input_note_use(hd_machine *m, hd_var v);
const hd_input_object *hd_inputs_object_at(const hd_machine *m, uint64_t address);
/* May the pointer variable point to this object?  It may to its own, and to those of
 * variables that were used before it (N2: an object belongs to the first that points there). */
bool hd_inputs_may_point(const hd_machine *m, hd_var pointer, const hd_input_object *object);
/* The variable of a cell in the object that the pointer would own, as an expression, made now if
 * it is new, cell by cell like the object of `owner`; HD_NONE if it has no cell just there. */
hd_expr hd_inputs_own_cell(hd_machine *m, hd_var pointer, hd_var owner, uint64_t bit_offset,
                           unsigned width);

/* ---- ubsan.c: handlers of clang's checks, by the names of clang ---- */
#define HD_CHECK_HANDLERS(X)                                                                       \
    X(add_overflow)                                                                                \
    X(sub_overflow)                                                                                \
    X(mul_overflow)                                                                                \
    X(negate_overflow)                                                                             \
    X(divrem_overflow)                                                                             \
    X(shift_out_of_bounds)                                                                         \
    X(out_of_bounds)                                                                               \
    X(member_out_of_bounds)                                                                        \
    X(vla_bound_not_positive)                                                                      \
    X(float_cast_overflow)                                                                         \
    X(load_invalid_value)                                                                          \
    X(pointer_overflow)                                                                            \
    X(type_mismatch_v1)                                                                            \
    X(alignment_assumption)                                                                        \
    X(invalid_builtin)                                                                             \
    X(nonnull_arg)                                                                                 \
    X(nonnull_return_v1)                                                                           \
    X(function_type_mismatch)                                                                      \
    X(implicit_conversion)
#endif

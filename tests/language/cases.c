/* cases.c -- odd corners of C, each a function of two bytes with a result of six bits.
 *
 * property_language.c compiles this natively and calls every case with all inputs; and runs Heddle
 * on it with the name of a case as argument: the results must be the same.  EXACT cases must be
 * explored completely, LISTED ones must say what is approximated, with file and line. */
#include "control.h"
#include "memory.h"
#include "values.h"

#define CASES(X)                                                                                   \
    X(bit_fields, EXACT)                                                                           \
    X(bit_field_updates, EXACT)                                                                    \
    X(packed, EXACT)                                                                               \
    X(union_pun, EXACT)                                                                            \
    X(union_of_structs, EXACT)                                                                     \
    X(flexible_array, EXACT)                                                                       \
    X(blocks_of_an_arena, EXACT)                                                                   \
    X(nothing_to_copy, EXACT)                                                                      \
    X(nested_designators, EXACT)                                                                   \
    X(struct_holes, EXACT)                                                                         \
    X(struct_return, EXACT)                                                                        \
    X(struct_mixed, EXACT)                                                                         \
    X(struct_assignment, EXACT)                                                                    \
    X(compound_literals, EXACT)                                                                    \
    X(function_pointers, EXACT)                                                                    \
    X(function_pointer_chosen, EXACT)                                                              \
    X(callbacks, EXACT)                                                                            \
    X(recursion, EXACT)                                                                            \
    X(mutual_recursion, EXACT)                                                                     \
    X(variadic, EXACT)                                                                             \
    X(variadic_mixed, EXACT)                                                                       \
    X(inlined, EXACT)                                                                              \
    X(static_state, EXACT)                                                                         \
    X(computed_goto, EXACT)                                                                        \
    X(switch_in_loop, EXACT)                                                                       \
    X(switch_ranges, EXACT)                                                                        \
    X(switch_wide, EXACT)                                                                          \
    X(duffs_device, EXACT)                                                                         \
    X(long_jump, EXACT)                                                                            \
    X(long_jump_value, LISTED)                                                                     \
    X(nested_loops, EXACT)                                                                         \
    X(short_circuit, EXACT)                                                                        \
    X(conditional_chain, EXACT)                                                                    \
    X(comma_and_assignment, EXACT)                                                                 \
    X(statement_expression, EXACT)                                                                 \
    X(cleanup_attribute, EXACT)                                                                    \
    X(char_signedness, EXACT)                                                                      \
    X(conversions, EXACT)                                                                          \
    X(shifts, EXACT)                                                                               \
    X(shift_wide, EXACT)                                                                           \
    X(division, EXACT)                                                                             \
    X(division_unsigned, EXACT)                                                                    \
    X(division_constant, EXACT)                                                                    \
    X(rotates, EXACT)                                                                              \
    X(bit_builtins, EXACT)                                                                         \
    X(byte_swaps, EXACT)                                                                           \
    X(overflow_builtins, EXACT)                                                                    \
    X(saturating, EXACT)                                                                           \
    X(bool_values, EXACT)                                                                          \
    X(enumerations, EXACT)                                                                         \
    X(wide_arithmetic, EXACT)                                                                      \
    X(int128, LISTED)                                                                              \
    X(crc8, EXACT)                                                                                 \
    X(gray_code, EXACT)                                                                            \
    X(floats, LISTED)                                                                              \
    X(float_compare, LISTED)                                                                       \
    X(constant_table, EXACT)                                                                       \
    X(large_table, EXACT)                                                                          \
    X(negative_index, EXACT)                                                                       \
    X(pointer_walk, EXACT)                                                                         \
    X(pointer_difference, EXACT)                                                                   \
    X(pointer_as_integer, EXACT)                                                                   \
    X(tagged_pointer, EXACT)                                                                       \
    X(xor_swap, EXACT)                                                                             \
    X(matrix, EXACT)                                                                               \
    X(variable_array, EXACT)                                                                       \
    X(variable_matrix, EXACT)                                                                      \
    X(reallocated, EXACT)                                                                          \
    X(memory_pool, EXACT)                                                                          \
    X(search_tree, EXACT)                                                                          \
    X(linked_list, EXACT)                                                                          \
    X(hash_table, EXACT)                                                                           \
    X(overlapping_copies, EXACT)                                                                   \
    X(copies_of_any_length, EXACT)                                                                 \
    X(type_punned_copy, EXACT)                                                                     \
    X(volatile_access, EXACT)                                                                      \
    X(restrict_pointers, EXACT)                                                                    \
    X(generic_selection, EXACT)                                                                    \
    X(sorting, EXACT)                                                                              \
    X(searching, EXACT)                                                                            \
    X(strings, EXACT)                                                                              \
    X(more_strings, EXACT)                                                                         \
    X(tokens, EXACT)                                                                               \
    X(numbers, EXACT)                                                                              \
    X(hexadecimal, EXACT)                                                                          \
    X(characters, EXACT)                                                                           \
    X(memory_functions, EXACT)                                                                     \
    X(absolute_values, EXACT)                                                                      \
    X(quotient_and_remainder, LISTED)                                                              \
    X(error_numbers, EXACT)                                                                        \
    X(parser, EXACT)                                                                               \
    X(utf8, EXACT)                                                                                 \
    X(bytecode, EXACT)                                                                             \
    X(tic_tac_toe, EXACT)                                                                          \
    X(run_lengths, EXACT)

enum { EXACT, LISTED };

const struct language_case {
    const char *name;
    int (*run)(u8, u8);
    int is_listed;
} language_cases[] = {
#define X(name, how) {#name, name, how},
    CASES(X)
#undef X
        {0}};

#ifdef __HEDDLE__
#include <heddle.h>

int main(int argc, char **argv) {
    u8 a, b;
    const struct language_case *c = language_cases;
    while (argc > 1 && c->name && strcmp(c->name, argv[1]) != 0)
        c++;
    heddle_input(a);
    heddle_input(b);
    int result = c->run(a, b);
    for (int i = 0; i < 64; i++) /* each is a path */
        if (result == i)
            return i;
    return 64;
}
#endif

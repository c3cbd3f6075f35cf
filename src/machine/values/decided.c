/* Values that Heddle does not follow any further, but that few bits of inputs decide: each of them
 * is a path of its own (option `value_bits`), so that nothing is lost by going on with the one at
 * hand.
 *
 * Whether a value has few bits is a question about its expression alone: it does not depend on
 * orders of threads, on the search, or on the number of workers. */
#include "machine/values/values.h"

/* Bits of all inputs that the value depends on, as far as they matter here; pointers have too many.
 */
static uint32_t bits_behind(const hd_machine *m, hd_expr value) {
    const hd_support *inputs = hd_expr_support(m->graph, value);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < inputs->n && bits <= m->options.value_bits; i++) {
        const hd_var_info *v = hd_variables_info(m->variables, inputs->v[i]);
        bits += v->kind == HD_VAR_POINTER ? UINT8_MAX : v->width;
    }
    return bits;
}

bool hd_value_is_decided(hd_machine *m, hd_expr value, uint32_t site) {
    if (!value || hd_expr_is_const(m->graph, value))
        return true;
    if (!m->options.value_bits || hd_expr_width(m->graph, value) > 64 ||
        bits_behind(m, value) > m->options.value_bits)
        return false;
    hd_pin_value(m, value, hd_eval_value(m->expressions.eval, value), site);
    return true;
}

/* The bytes are decided one by one, all that can be: a byte that cannot makes no other one a loss
 * less. */
bool hd_words_are_decided(hd_machine *m, const hd_word *words, uint64_t n, uint32_t site) {
    bool is_all = true;
    for (uint64_t i = 0; i < n; i++) {
        if (!HD_WORD_IS_SYMBOLIC(words[i]))
            continue;
        hd_expr byte =
            hd_expr_extract(m->graph, HD_WORD_EXPR(words[i]), 8 * HD_WORD_BYTE(words[i]), 8);
        is_all &= hd_value_is_decided(m, byte, site);
    }
    return is_all;
}

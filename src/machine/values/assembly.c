/* Inline assembly runs as it is: what it reads has concrete values, and what it may have written
 * has them too.  Which memory that is say its operands; an address in a register may lead to all of
 * its object, and assembly that clobbers "memory" without an address may use any. */
#include "machine/values/values.h"

static bool is_any_symbolic(const hd_word *s, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        if (HD_WORD_IS_SYMBOLIC(s[i]))
            return true;
    return false;
}

static void make_concrete(hd_word *s, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        if (HD_WORD_IS_SYMBOLIC(s[i]))
            s[i] = 0;
}

void __hd_assembly(const void *p, uint64_t n, uint32_t how, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t at = (uint64_t)p;
    hd_check_range(m, at, n, how & HD_ASSEMBLY_WRITES, site);
    if (how & HD_ASSEMBLY_READS && !hd_words_are_decided(m, HD_SHADOW_OF(at), n, site))
        hd_approximate(m, site, "inline assembly on memory that depends on inputs");
    if (how & HD_ASSEMBLY_WRITES)
        make_concrete(HD_SHADOW_OF(at), n);
}

void __hd_assembly_address(uint64_t address, uint32_t site) {
    hd_machine *m = hd_enter();
    hd_object object;
    if (!hd_object_at(m, address, &object) ||
        !is_any_symbolic(HD_SHADOW_OF(object.base), object.size))
        return;
    if (!hd_words_are_decided(m, HD_SHADOW_OF(object.base), object.size, site))
        hd_approximate(m, site, "inline assembly on memory that depends on inputs");
    make_concrete(HD_SHADOW_OF(object.base), object.size);
}

void __hd_assembly_anywhere(uint32_t site) {
    hd_machine *m = hd_enter();
    if (hd_variables_n(m->variables))
        hd_approximate(m, site, "inline assembly that may use any memory");
}

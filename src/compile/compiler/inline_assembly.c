/* inline_assembly.c -- inline assembly: what its operands say about memory.
 *
 * Constraints come in the order of operands, first those of results: "=*m" writes memory, "*m"
 * reads it, "r" may be an address, "~{memory}" says that more memory is used than operands name. */
#include "compile/compiler/build.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct constraints {
    const char *at;
    size_t n;
} constraints;

static constraints constraints_of(LLVMValueRef call) {
    constraints c;
    c.at = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &c.n);
    return c;
}

/* The next one, without what separates them; false behind the last. Commas stand in no braces. */
static bool next_constraint(constraints *all, constraints *one) {
    if (all->n == 0)
        return false;
    const char *comma = memchr(all->at, ',', all->n);
    *one = (constraints){all->at, comma ? (size_t)(comma - all->at) : all->n};
    size_t used = one->n + (comma ? 1 : 0);
    *all = (constraints){all->at + used, all->n - used};
    return true;
}

static bool is_memory(const constraints *one) {
    return memchr(one->at, '*', one->n) != NULL;
}

/* Does a constraint stand for an argument?  Results in registers and clobbers do not. */
static bool is_argument(const constraints *one) {
    return one->n && one->at[0] != '~' && (one->at[0] != '=' || is_memory(one));
}

static bool clobbers_memory(LLVMValueRef call) {
    constraints all = constraints_of(call), one;
    while (next_constraint(&all, &one))
        if (one.n == 9 && strncmp(one.at, "~{memory}", 9) == 0)
            return true;
    return false;
}

/* Only what waits, or keeps an order: barriers to the compiler have no text. */
static bool is_barrier(LLVMValueRef call) {
    static const char *const known[] = {"pause", "nop", "rep", "mfence", "lfence", "sfence"};
    size_t n;
    const char *p = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &n), *end = p + n;
    while (p < end) {
        size_t length = 0;
        while (p + length < end && isalnum((unsigned char)p[length]))
            length++;
        bool is_known = length == 0 && (isspace((unsigned char)*p) || *p == ';');
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is_known |= strlen(known[k]) == length && strncmp(p, known[k], length) == 0;
        if (!is_known)
            return false;
        p += length ? length : 1;
    }
    return true;
}

/* The text is one instruction that moves something, not to operand `number` of it. */
static bool moves_from(LLVMValueRef call, unsigned number) {
    char last[16];
    size_t n;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &n);
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    int length = snprintf(last, sizeof last, "$%u", number);
    bool is_one = !memchr(text, ';', n) && !memchr(text, '\n', n) && n > 3;
    return is_one && strncmp(text, "mov", 3) == 0 && n > (size_t)length &&
           strncmp(text + n - (size_t)length, last, (size_t)length) != 0;
}

/* Inputs are only read, by the rules of compilers.  Not all programs keep to them, so that it
 * counts where the text says the same. */
bool hd_assembly_only_reads(LLVMValueRef call, unsigned argument) {
    constraints all = constraints_of(call), one;
    unsigned n = 0;
    for (unsigned number = 0; next_constraint(&all, &one); number++) {
        if (!is_argument(&one))
            continue;
        if (n++ == argument)
            return one.at[0] != '=' && moves_from(call, number);
    }
    return false;
}

/* Memory that it reads, before the shadows of what it writes go. */
static void use_memory(hd_build *b, LLVMValueRef call, uint32_t how) {
    constraints all = constraints_of(call), one;
    unsigned n = 0;
    while (next_constraint(&all, &one)) {
        if (!is_argument(&one))
            continue;
        LLVMTypeRef type = hd_call_attribute(call, n, "elementtype");
        bool is_write = one.at[0] == '=';
        if (type && is_write == (how == HD_ASSEMBLY_WRITES))
            hd_emit(b, HD_HOOK_ASSEMBLY, LLVMGetOperand(call, n),
                    hd_const64(b, LLVMStoreSizeOfType(b->layout, type)), hd_const32(b, how),
                    hd_site_of(b, call));
        n++;
    }
}

static bool is_address(const hd_build *b, LLVMValueRef v) {
    return LLVMTypeOf(v) == b->pointer || LLVMTypeOf(v) == b->i64;
}

/* What lies behind its addresses, or anywhere if it has none. */
static void use_unnamed(hd_build *b, LLVMValueRef call) {
    bool has_address = false;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        LLVMValueRef v = LLVMGetOperand(call, n);
        if (hd_call_attribute(call, n, "elementtype") || !is_address(b, v))
            continue;
        hd_emit(b, HD_HOOK_ASSEMBLY_ADDRESS, hd_emit_bits(b, v), hd_site_of(b, call));
        has_address = true;
    }
    if (!has_address && clobbers_memory(call))
        hd_emit(b, HD_HOOK_ASSEMBLY_ANYWHERE, hd_site_of(b, call));
}

void hd_instrument_assembly(hd_build *b, LLVMValueRef i) {
    hd_emit_before(b, i);
    hd_emit(b, HD_HOOK_OUTSIDE);
    hd_shared_arguments(b, i, "elementtype");
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++)
        hd_emit_concrete(b, LLVMGetOperand(i, n), "inline assembly", i);
    if (is_barrier(i))
        return;
    use_unnamed(b, i);
    use_memory(b, i, HD_ASSEMBLY_READS);
    use_memory(b, i, HD_ASSEMBLY_WRITES);
}

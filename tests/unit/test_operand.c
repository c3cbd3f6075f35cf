/* Memory operands of machine instructions, against bytes that the GNU assembler made. */
#include "machine/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define CODE(...) ((const uint8_t[16]){__VA_ARGS__})

/* Register i holds a number that tells it from the others. */
static const uint64_t registers[16] = {
    0x1000000, 0x1100000, 0x1200000, 0x1300000, 0x1400000, 0x1500000, 0x1600000, 0x1700000,
    0x1800000, 0x1900000, 0x1a00000, 0x1b00000, 0x1c00000, 0x1d00000, 0x1e00000, 0x1f00000};

static void assert_address(const uint8_t *code, uint64_t address) {
    hd_operand o;
    assert_true(hd_operand_decode(code, registers, &o));
    assert_int_equal(o.address, address);
}

static void test_addressing(void **state) {
    (void)state;
    /* mov 0x50(,%rax,4),%rcx */
    assert_address(CODE(0x48, 0x8b, 0x0c, 0x85, 0x50), 4 * registers[0] + 0x50);
    /* cmpl $0, 0(,%rdi,4) */
    assert_address(CODE(0x83, 0x3c, 0xbd), 4 * registers[7]);
    /* vmovdqu -4(,%rax,4),%ymm0 */
    assert_address(CODE(0xc5, 0xfe, 0x6f, 0x04, 0x85, 0xfc, 0xff, 0xff, 0xff),
                   4 * registers[0] - 4);
    /* vpmovzxdq (%r15,%rcx,4),%ymm1 */
    assert_address(CODE(0xc4, 0xc2, 0x7d, 0x35, 0x0c, 0x8f), registers[15] + 4 * registers[1]);
    /* movl $5, 0x60(%r12,%rax,4) */
    assert_address(CODE(0x41, 0xc7, 0x44, 0x84, 0x60, 5), registers[12] + 4 * registers[0] + 0x60);
    /* mov (%rdi),%eax */
    assert_address(CODE(0x8b, 0x07), registers[7]);
    /* mov -8(%rbp),%rax */
    assert_address(CODE(0x48, 0x8b, 0x45, 0xf8), registers[5] - 8);
    /* mov (%r12),%eax: needs a SIB byte without an index */
    assert_address(CODE(0x41, 0x8b, 0x04, 0x24), registers[12]);
    /* mov (%rax,%r12,1),%eax: r12 is an index though its low bits are rsp's */
    assert_address(CODE(0x42, 0x8b, 0x04, 0x20), registers[0] + registers[12]);
    /* movzwl 2(%r13),%eax */
    assert_address(CODE(0x41, 0x0f, 0xb7, 0x45, 0x02), registers[13] + 2);
    /* vmovdqu32 0x10(%r13,%rcx,4),%xmm3{%k1}{z}: the displacement counts vectors */
    assert_address(CODE(0x62, 0xd1, 0x7e, 0x89, 0x6f, 0x5c, 0x8d, 0x01),
                   registers[13] + 4 * registers[1] + 0x10);
    /* vmovdqu64 0(,%rax,4),%zmm0 */
    assert_address(CODE(0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x04, 0x85), 4 * registers[0]);
}

static void test_others_are_refused(void **state) {
    (void)state;
    hd_operand o;
    assert_false(hd_operand_decode(CODE(0x89, 0xc8), registers, &o)); /* mov %ecx,%eax */
    assert_false(hd_operand_decode(CODE(0x8b, 0x05, 1, 0, 0, 0), registers, &o)); /* 1(%rip) */
    assert_false(hd_operand_decode(CODE(0x50), registers, &o));                   /* push %rax */
    assert_false(hd_operand_decode(CODE(0xc3), registers, &o));                   /* ret */
    /* mov %fs:(%rax),%eax */
    assert_false(hd_operand_decode(CODE(0x64, 0x8b, 0x00), registers, &o));
    /* vpgatherdd %ymm2,(%rax,%ymm1,4),%ymm0 */
    assert_false(hd_operand_decode(CODE(0xc4, 0xe2, 0x6d, 0x90, 0x04, 0x88), registers, &o));
    assert_false(hd_operand_decode(CODE(0x48, 0xab), registers, &o)); /* stos */
}

static void test_unshadow(void **state) {
    (void)state;
    hd_operand o;
    uint64_t values[16] = {UINT64_C(0xdeadbeefdeadbeef)}, address;
    /* mov 0x50(,%rax,4),%rcx: the register tells all bits */
    assert_true(hd_operand_decode(CODE(0x48, 0x8b, 0x0c, 0x85, 0x50), values, &o));
    assert_true(hd_operand_unshadow(&o, values, &address));
    assert_int_equal(address, UINT64_C(0xdeadbeefdeadbeef) + 0x14);
    /* mov (%rax),%ecx: only if they were not lost */
    assert_true(hd_operand_decode(CODE(0x8b, 0x08), values, &o));
    assert_false(hd_operand_unshadow(&o, values, &address));
    values[0] = 4 * UINT64_C(0x7fff12345678);
    assert_true(hd_operand_decode(CODE(0x8b, 0x08), values, &o));
    assert_true(hd_operand_unshadow(&o, values, &address));
    assert_int_equal(address, UINT64_C(0x7fff12345678));
}

static void assert_moves(const uint8_t *code, uint64_t to) {
    hd_operand o;
    unsigned number;
    uint64_t change, values[16];
    memcpy(values, registers, sizeof values);
    assert_true(hd_operand_decode(code, values, &o));
    assert_true(hd_operand_move(&o, to, &number, &change));
    values[number] += change;
    assert_true(hd_operand_decode(code, values, &o));
    assert_int_equal(o.address, to);
}

static void test_move(void **state) {
    (void)state;
    assert_moves(CODE(0x48, 0x8b, 0x0c, 0x85, 0x50), UINT64_C(0x7f0000001010));
    assert_moves(CODE(0x48, 0x8b, 0x0c, 0x85, 0x50), 0x1010);
    assert_moves(CODE(0xc4, 0xc2, 0x7d, 0x35, 0x0c, 0x8f), 0x1010);
    assert_moves(CODE(0x8b, 0x07), 0x1010);
    hd_operand o;
    unsigned number;
    uint64_t change;
    /* mov (%rax,%rax,4),%eax: one register, two factors */
    assert_true(hd_operand_decode(CODE(0x8b, 0x04, 0x80), registers, &o));
    assert_false(hd_operand_move(&o, 0x1010, &number, &change));
}

static void test_external_memory(void **state) {
    (void)state;
    static int ours;
    assert_true(hd_is_external((uint64_t)&ours, sizeof ours));
    assert_true(hd_is_external((uint64_t)&state, 8));
    assert_false(hd_is_external(0, 1));
    assert_false(hd_is_external(UINT64_C(0x123456789), 1));
    assert_false(hd_is_external(UINT64_C(0xdeadbeefdeadbeef), 4));
    assert_false(hd_is_external(HD_REGION + 1, 1));
    assert_false(hd_is_external(4 * HD_REGION, 1));
    assert_false(hd_is_external(UINT64_MAX - 2, 8));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addressing),      cmocka_unit_test(test_others_are_refused),
        cmocka_unit_test(test_unshadow),        cmocka_unit_test(test_move),
        cmocka_unit_test(test_external_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

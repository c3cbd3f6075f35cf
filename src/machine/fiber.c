/* Another stack for the program: the smallest possible switch.
 *
 * Only what the System V ABI asks a callee to keep is saved; the floating-point control words
 * are among it, so that a program that changes the rounding mode changes it for itself only
 * (M3).  Leaving never unwinds: the program's stack is simply abandoned. */
#include "machine/machine_int.h"

__asm__(".text\n"
        ".globl hd_fiber_run\n"
        ".type hd_fiber_run, @function\n"
        "hd_fiber_run:\n"
        "    push %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    sub $8, %rsp\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    mov %rcx, %rdi\n"
        "    xor %ebp, %ebp\n" /* the end of the chain of frames */
        "    call *%rdx\n"
        "    ud2\n"
        ".size hd_fiber_run, .-hd_fiber_run\n"
        ".globl hd_fiber_leave\n"
        ".type hd_fiber_leave, @function\n"
        "hd_fiber_leave:\n"
        "    mov %rdi, %rsp\n"
        "    ldmxcsr (%rsp)\n"
        "    fldcw 4(%rsp)\n"
        "    add $8, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    cld\n"
        "    ret\n"
        ".size hd_fiber_leave, .-hd_fiber_leave\n");

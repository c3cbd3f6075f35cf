/* Jumps out of functions: the set of signals that a buffer has kept, and handlers that are left.
 *
 * glibc's functions make and follow the jump.  What they would save and bring back is the set of
 * this process of Heddle; the program's own stands behind it in the buffer, where the kernel's set
 * of 64 signals leaves room.  siglongjmp changes the set before it jumps, so that what was let in
 * by that runs its handler in the function that jumps. */
#include "machine/channels/ipc.h"
#include "machine/libc/libc.h"
#include "machine/tasks/signals.h"

#include <setjmp.h>

enum { KERNEL_SET, OWN_SET };        /* words of __saved_mask */
enum { STACK = 6, MANGLED_BY = 17 }; /* glibc keeps rsp turned, and mixed with a secret */

/* The program's own __sigsetjmp must be the one that is called: it keeps where it returns to. */
/* clang-format off */
__asm__(".text\n"
        ".globl hd_libc_sigsetjmp\n"
        ".type hd_libc_sigsetjmp, @function\n"
        "hd_libc_sigsetjmp:\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    sub $8, %rsp\n"
        "    call hd_jump_prepare\n"
        "    add $8, %rsp\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    jmp __sigsetjmp@PLT\n"
        ".size hd_libc_sigsetjmp, .-hd_libc_sigsetjmp\n");
/* clang-format on */

void hd_jump_prepare(struct __jmp_buf_tag *buffer, int keeps_set) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    if (!keeps_set)
        return;
    hd_check_range(m, (uint64_t)buffer, sizeof *buffer, true, 0);
    buffer->__saved_mask.__val[OWN_SET] = m->may.signal ? *hd_signals_blocked(m) : 0;
}

static uint64_t target_of(const struct __jmp_buf_tag *buffer) {
    uint64_t mixed = (uint64_t)buffer->__jmpbuf[STACK], secret;
    __asm__("mov %%fs:0x30, %0" : "=r"(secret));
    return (mixed >> MANGLED_BY | mixed << (64 - MANGLED_BY)) ^ secret;
}

void hd_libc_longjmp(struct __jmp_buf_tag *buffer, int value) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    if (m->may.signal && buffer->__mask_was_saved)
        hd_signals_let_in(m, buffer->__saved_mask.__val[OWN_SET]);
    if (m->may.signal)
        hd_signals_leave_to(m, target_of(buffer));
    siglongjmp(buffer, value);
}

/* Numbers that nobody can know before: here they are the same in every execution, which is said
 * beside the verdict.  Others are inputs: heddle_bytes.  Each thread has its own, so that they do
 * not depend on the order of threads and nodes. */
#include "machine/channels/ipc.h"
#include "machine/libc/libc_ipc.h"

#include "base/hash.h"

#include <errno.h>
#include <sys/random.h>

#define MOST_ENTROPY 256 /* bytes that getentropy gives at a time */

uint8_t hd_random_byte(hd_machine *m) {
    uint32_t me = hd_thread_current(m);
    return (uint8_t)hd_hash_add(1 + (uint64_t)me, m->thread[me].n_random++);
}

static void fill(hd_machine *m, void *out, size_t n, const char *function) {
    uint8_t *bytes = hd_execution_alloc(m, n + 1);
    hd_approximate_call(m, "bytes of %s, which are always the same", function);
    for (size_t i = 0; i < n; i++)
        bytes[i] = hd_random_byte(m);
    hd_ipc_store_plain(m, out, bytes, n);
}

ssize_t hd_libc_getrandom(void *out, size_t n, unsigned flags) {
    hd_machine *m = hd_ipc_enter();
    if (flags & ~(unsigned)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE) ||
        (flags & (GRND_RANDOM | GRND_INSECURE)) == (GRND_RANDOM | GRND_INSECURE))
        return hd_ipc_fail(m, EINVAL);
    fill(m, out, n, "getrandom");
    return (ssize_t)n;
}

int hd_libc_getentropy(void *out, size_t n) {
    hd_machine *m = hd_ipc_enter();
    if (n > MOST_ENTROPY)
        return hd_ipc_fail(m, EIO);
    fill(m, out, n, "getentropy");
    return 0;
}

static uint32_t next_number(hd_machine *m, const char *function) {
    uint32_t number = 0;
    hd_approximate_call(m, "numbers of %s, which are always the same", function);
    for (int i = 0; i < 4; i++)
        number = number << 8 | hd_random_byte(m);
    return number;
}

uint32_t hd_libc_arc4random(void) {
    return next_number(hd_ipc_enter(), "arc4random");
}

uint32_t hd_libc_arc4random_uniform(uint32_t bound) {
    hd_machine *m = hd_ipc_enter();
    return bound ? next_number(m, "arc4random_uniform") % bound : 0;
}

void hd_libc_arc4random_buf(void *out, size_t n) {
    fill(hd_ipc_enter(), out, n, "arc4random_buf");
}

/* Memory that is mapped in this process and not the program's: that of external code.
 *
 * A library function that nobody modelled may hand out pointers to memory of its own, as
 * localeconv() does.  To use them is no mistake of the program.  Reads go on with what lies
 * there, and are counted as lost precision, because nothing is known about that memory.  Writes
 * would survive the execution, or hit Heddle itself if the pointer is a stray one after all: the
 * execution ends there, without a verdict. */
#include "machine/memory/memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

/* Asks the kernel, because a look at it could fault. */
static bool is_mapped(uint64_t address) {
    uint8_t byte;
    struct iovec here = {&byte, 1}, there = {(void *)address, 1};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1)
        return true;
    /* Some sandboxes forbid that call. */
    return errno != EFAULT && mincore((void *)(address & ~(HD_PAGE - 1)), HD_PAGE, &byte) == 0;
}

static bool is_shadow(uint64_t address) {
    return address - 4 * HD_REGION < 4 * HD_REGION_SIZE;
}

bool hd_is_external(uint64_t address, uint64_t n) {
    if (hd_in_region(address) || is_shadow(address) || address + n < address)
        return false;
    return is_mapped(address) && (n < 2 || is_mapped(address + n - 1));
}

bool hd_external_read(hd_machine *m, uint64_t address, uint64_t n, uint32_t site) {
    if (hd_in_region(address) || !hd_is_external(address, n))
        return false;
    hd_approximate(m, hd_users_site(m, site, __builtin_frame_address(0)),
                   "read of memory of external code");
    return true;
}

void hd_end_external(hd_machine *m, bool is_store, uint32_t site) {
    site = hd_users_site(m, site, __builtin_frame_address(0));
    hd_approximate_as(m, HD_LOSS_END, site,
                      is_store ? "write to memory of external code (executions end there)"
                               : "symbolic read of memory of external code (executions end there)");
    hd_end_rejected(m);
}

/* A program without mutexes: used as long as nothing else defines these. */
#include "machine/threads.h"

#define WEAK __attribute__((weak))
WEAK bool hd_sync_is_enabled(hd_machine *m, const hd_action *a) { (void)m, (void)a; return true; }
WEAK void hd_sync_settle(hd_machine *m, hd_action *a) { (void)m, (void)a; }
WEAK void hd_sync_describe_wait(hd_machine *m, const hd_action *a, hd_text *out) { (void)m, (void)a, (void)out; }
WEAK void hd_sync_describe_held(hd_machine *m, uint32_t thread, hd_text *out) { (void)m, (void)thread, (void)out; }
WEAK bool hd_sync_is_lost_wakeup(hd_machine *m) { (void)m; return false; }
WEAK void hd_sync_check_gone(hd_machine *m, uint64_t address, uint64_t size, uint32_t site) { (void)m, (void)address, (void)size, (void)site; }
WEAK void hd_sync_reset(hd_machine *m) { (void)m; }
WEAK void hd_sync_thread_ended(hd_machine *m, uint32_t t) { (void)m, (void)t; }
WEAK void hd_sync_release(hd_machine *m) { (void)m; }
WEAK void hd_machine_lock_cycles(const hd_machine *m, hd_text *out) { (void)m, (void)out; }

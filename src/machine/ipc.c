#include "machine/ipc.h"
bool hd_ipc_is_enabled(hd_machine *m, const hd_action *a) {
    (void)m, (void)a;
    return true;
}
void hd_ipc_settle(hd_machine *m, hd_action *a) {
    (void)m, (void)a;
}
void hd_descriptors_reset(hd_machine *m) {
    (void)m;
}
void hd_descriptors_fork(hd_machine *m, uint32_t parent, uint32_t child) {
    (void)m, (void)parent, (void)child;
}
void hd_descriptors_exit(hd_machine *m, uint32_t process) {
    (void)m, (void)process;
}
void hd_ipc_describe_wait(hd_machine *m, const hd_action *a, hd_text *out) {
    (void)m, (void)a;
    hd_text_add(out, "waits");
}

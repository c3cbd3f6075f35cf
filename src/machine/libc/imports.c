/* What a program uses and does not define: functions by their rows (functions.def), and objects. */
#include "machine/libc/libc.h"
#include "program/functions.h"

#include <dlfcn.h>

bool hd_import_function(hd_import *i, uint64_t number) {
    HD_ASSERT(!i->is_data);
    const hd_function *row = hd_function_find(i->name);
    void *function = row && row->function ? row->function : dlsym(RTLD_DEFAULT, i->name);
    i->address = hd_gateway_bind(number, row, (uint64_t)function);
    return row && row->kind != HD_FUNCTION_REFUSED;
}

bool hd_import_is_outside(const char *name) {
    const hd_function *row = hd_function_find(name);
    return row && row->flags & HD_FUNCTION_OUTSIDE;
}

/* ---- data ---- */

bool hd_import_data(const hd_import *i) {
    HD_ASSERT(i->is_data && hd_in_region(i->address));
    const void *host = dlsym(RTLD_DEFAULT, i->name);
    if (!host)
        return false;
    memcpy((void *)i->address, host, i->size);
    /* Strings of this machine's environment, and Heddle's name, are outside the region: none. */
    if (hd_own_kind_of(i->name) != HD_OWN_NOTHING)
        memset((void *)i->address, 0, i->size);
    return true;
}

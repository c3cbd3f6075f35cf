/* Loading libnats (libnats.h). */
#include "fleet/cluster/libnats.h"

#include <dlfcn.h>
#include <stddef.h>

#define LIBRARY "libnats.so.3.4"

static const struct {
    const char *name;
    size_t offset;
} table[] = {
#define X(name) {#name, offsetof(hd_nats_functions, name)},
    HD_NATS_FUNCTIONS(X)
#undef X
};

static bool find_all(void *library, hd_nats_functions *functions, hd_err *err) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        void *function = dlsym(library, table[i].name);
        if (!function)
            return hd_err_set(err, "cannot use a cluster: %s has no %s", LIBRARY, table[i].name);
        *(void **)((char *)functions + table[i].offset) = function;
    }
    return true;
}

const hd_nats_functions *hd_nats_load(hd_err *err) {
    static hd_nats_functions functions;
    static bool is_loaded;
    if (is_loaded)
        return &functions;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        hd_err_set(err, "cannot use a cluster: %s is not installed", LIBRARY);
        hd_err_hint(err, "install the Debian package libnats3.4");
        return NULL;
    }
    is_loaded = find_all(library, &functions, err);
    return is_loaded ? &functions : NULL;
}

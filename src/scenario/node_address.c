/* Addresses: given ones are checked, the others are the next free ones of 10.0.0.0/16,
 * without those that end with 0 or 255. */
#include "scenario/scenario_int.h"

#include <arpa/inet.h>
#include <string.h>

typedef struct numeric_address {
    int family;
    unsigned char bytes[16];
} numeric_address;

static bool parse(const char *text, numeric_address *a) {
    *a = (numeric_address){.family = AF_INET};
    if (inet_pton(AF_INET, text, a->bytes) == 1)
        return true;
    a->family = AF_INET6;
    return inet_pton(AF_INET6, text, a->bytes) == 1;
}

/* Why no node can have it, or NULL. */
static const char *objection(const numeric_address *a) {
    static const unsigned char zero[16], loopback[16] = {[15] = 1};
    if (a->family == AF_INET6)
        return memcmp(a->bytes, zero, 16) == 0       ? "it stands for any address"
               : memcmp(a->bytes, loopback, 16) == 0 ? "it is every node's own"
               : a->bytes[0] == 0xff                 ? "it is a multicast address"
                                                     : NULL;
    return a->bytes[0] == 0      ? "it stands for any address"
           : a->bytes[0] == 127  ? "it is every node's own"
           : a->bytes[0] >= 0xe0 ? "it is a multicast or broadcast address"
                                 : NULL;
}

static bool is_taken(const hd_reader *r, const numeric_address *wanted, size_t *by) {
    for (*by = 0; *by < r->scenario->nodes.n; ++*by) {
        numeric_address a;
        const char *text = r->scenario->nodes.at[*by].address;
        if (text && parse(text, &a) && a.family == wanted->family &&
            memcmp(a.bytes, wanted->bytes, 16) == 0)
            return true;
    }
    return false;
}

static bool check(hd_reader *r, size_t n) {
    hd_scenario_node *node = &r->scenario->nodes.at[n];
    hd_text_place at = r->entries.at[r->origins.at[n].entry].address.at;
    numeric_address a;
    size_t by;
    if (!parse(node->address, &a)) {
        hd_reader_fail(r, at, "expected an address such as 10.0.0.1 or fd00::1, found '%.60s'",
                       node->address);
        return hd_err_hint(r->err, "write it in numbers and without a port, or leave it out");
    }
    if (objection(&a)) {
        hd_reader_fail(r, at, "no node can have the address %s: %s", node->address, objection(&a));
        return hd_err_hint(r->err, "choose one such as 10.0.0.1, or leave it out");
    }
    if (is_taken(r, &a, &by) && by < n) {
        hd_reader_fail(r, at, "the address %s is that of node '%s' already", node->address,
                       r->scenario->nodes.at[by].name);
        return hd_err_hint(r->err, "choose another, or leave it out%s",
                           r->entries.at[r->origins.at[n].entry].has_count
                               ? "; {index} differs for each node"
                               : "");
    }
    return true;
}

static void choose(hd_reader *r, size_t n, unsigned *last) {
    numeric_address a = {.family = AF_INET, .bytes = {10, 0}};
    size_t by;
    do {
        ++*last;
        a.bytes[2] = (unsigned char)(*last / 256);
        a.bytes[3] = (unsigned char)*last;
    } while (a.bytes[3] == 0 || a.bytes[3] == 255 || is_taken(r, &a, &by));
    r->scenario->nodes.at[n].address = hd_text_format("10.0.%u.%u", a.bytes[2], a.bytes[3]);
}

bool hd_addresses_assign(hd_reader *r) {
    unsigned last = 0;
    for (size_t n = 0; n < r->scenario->nodes.n; n++)
        if (r->scenario->nodes.at[n].address && !check(r, n))
            return false;
    for (size_t n = 0; n < r->scenario->nodes.n; n++)
        if (!r->scenario->nodes.at[n].address)
            choose(r, n, &last);
    return true;
}

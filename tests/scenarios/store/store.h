/* store.h -- requests to a store of one number, and what its two servers tell each other. */
#ifndef STORE_H
#define STORE_H
#include "../udp.h"

enum { PORT = 7200 };
enum kind { PUT = 1, STORED, REPLICATE, REPLICATED, GET, VALUE };
struct message {
    int32_t kind, value;
};
#endif

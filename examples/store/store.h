/* store.h -- requests to a store of numbers under keys, and what its two servers tell each other. */
#ifndef STORE_H
#define STORE_H
#include "../clock.h"
#include "../udp.h"

enum { PORT = 7200, KEYS = 4 };
enum kind { PUT = 1, STORED, GET, VALUE, ELSEWHERE, REPLICATE, REPLICATED, BEAT };

/* `number`: of a request, by its client; of an operation, by the primary, from 1. */
struct message {
    int32_t kind, number, key, value, request;
};
#endif

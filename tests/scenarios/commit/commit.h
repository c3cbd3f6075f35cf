/* commit.h -- what coordinator and participants tell each other. */
#ifndef COMMIT_H
#define COMMIT_H
#include "../udp.h"

enum { PORT = 7100 };
enum kind { PREPARE = 1, YES, NO, COMMIT, ABORT, DONE };
struct message {
    int32_t kind, transaction;
};
#endif

/* The table of kinds of actions, expanded into words. */
#include "machine/action/action.h"

static const char *const words_of[] = {
#define X(name, words, ...) words,
    HD_ACTIONS(X)
#undef X
};

const char *hd_token_words(uint64_t address) {
    switch (address) {
    case HD_TOKEN_AT_EXIT:
        return "handlers of atexit";
    case HD_TOKEN_OUTSIDE:
        return "names of files";
    case HD_TOKEN_NAMES:
        return "names of semaphores and memory";
    case HD_TOKEN_RECORDS:
        return "those who wait for records of files";
    case HD_TOKEN_SHOWN:
        return "exported variables";
    default:
        if (address - HD_TOKEN_NUMBER(0, 0) < HD_TOKENS(1))
            return "number of a descriptor";
        if (address - HD_TOKEN_SENT(0) < HD_MAX_THREADS)
            return "number of messages that were sent";
        if (address - HD_TOKEN_CUT(0) < HD_TOKENS(1))
            return "link between nodes";
        if (address - HD_TOKEN_KEY(0, 0) < HD_TOKENS(1))
            return "key of threads";
        if (address - HD_TOKEN_FILE(0) < HD_TOKENS(1))
            return "content of a file";
        if (address - HD_TOKEN_SERIAL(0, 0) < 16 * HD_MAX_THREADS)
            return "the serial thread of a barrier";
        return address >= HD_TOKEN_SIGNAL(0) && address < HD_TOKEN_SIGNALS ? "handlers of signals"
                                                                           : NULL;
    }
}

const char *hd_action_words(hd_action_kind kind) {
    return kind < HD_N_ACTIONS ? words_of[kind] : "does something unknown";
}

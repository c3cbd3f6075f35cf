/* commit.h -- what coordinator and participants of a two-phase commit tell each other, and the log
 * in which each of them keeps what it must know after it was started again.
 *
 * The log is a file of records, written one behind the other.  A record that was cut short, because
 * its writer died, is none. */
#ifndef COMMIT_H
#define COMMIT_H
#include "../clock.h"
#include "../udp.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

enum { PORT = 7100 };
enum kind { PREPARE = 1, YES, NO, COMMIT, ABORT, DONE, QUERY };

struct message {
    int32_t kind, transaction, amount;
};

/* What a log remembers of a transaction; the last record counts. */
enum status { UNKNOWN, BEGUN, PREPARED, COMMITTED, ABORTED, ENDED };

struct record {
    int32_t status, transaction, amount;
};

static const char *log_file;

/* On return the record is on the disk. */
static void log_write(enum status status, int transaction, int amount) {
    struct record r = {status, transaction, amount};
    int file = open(log_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, &r, sizeof r) != sizeof r || fsync(file) != 0)
        fail(log_file);
    close(file);
}

/* Calls `replay` for every record, the oldest first. */
static void log_read(void (*replay)(const struct record *)) {
    struct record r;
    int file = open(log_file, O_RDONLY);
    if (file < 0)
        return; /* it never wrote anything */
    while (read(file, &r, sizeof r) == sizeof r)
        replay(&r);
    close(file);
}
#endif

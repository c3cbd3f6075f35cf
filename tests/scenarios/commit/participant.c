/* A participant of a two-phase commit.
 *
 *     participant LOG
 *
 * It votes yes, and does then what the coordinator says.  Who knows nothing of a transaction did not
 * vote for it, and may so abort it by himself (presumed abort).
 *
 * That is right as long as a participant never forgets that it voted.  -DFIXED: it writes that into
 * its log before it votes, and reads the log when it starts.  Without it a participant that reboots
 * between its vote and the decision aborts what the others commit. */
#include "commit.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef __HEDDLE__
#include <heddle.h>
#endif

static int fd;
static int has_voted, has_committed, has_aborted;
static const char *log_file;

static void remember_vote(void) {
#ifdef FIXED
    int file = open(log_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, "v", 1) != 1)
        fail(log_file);
    close(file);
#endif
    has_voted = 1;
}

static void read_log(void) {
#ifdef FIXED
    has_voted = access(log_file, F_OK) == 0;
#endif
}

static enum kind obey(enum kind decision) {
    if (decision == COMMIT && has_voted)
        has_committed = 1;
    else
        has_aborted = 1;
    return DONE;
}

static enum kind answer_to(const struct message *m) {
    if (m->kind != PREPARE)
        return obey((enum kind)m->kind);
    if (has_aborted)
        return NO;
    remember_vote();
    return YES;
}

int main(int argc, char **argv) {
    struct message m;
    struct sockaddr_in from;
    log_file = argc > 1 ? argv[1] : "participant.log";
#ifdef __HEDDLE__
    heddle_export("committed", &has_committed, sizeof has_committed);
    heddle_export("aborted", &has_aborted, sizeof has_aborted);
#endif
    fd = udp_open(PORT);
    read_log();
    while (udp_receive(fd, &from, &m, sizeof m, -1)) {
        m.kind = answer_to(&m);
        udp_send(fd, &from, &m, sizeof m);
    }
    return 0;
}

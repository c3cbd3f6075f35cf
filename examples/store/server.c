/* A server of a replicated store: one is the primary, the other its backup.
 *
 *     server primary LOG BACKUP      answers clients, and sends what they store to the backup
 *     server backup LOG PRIMARY      keeps it, and takes over when it does not hear from the primary
 *
 * Operations are numbered, written into a log, and sent to the backup one after the other, again if it
 * does not confirm in time.  A request that is repeated, because the answer was lost, is not carried
 * out twice.  The primary lets the backup hear from it now and then.  A server that is started again
 * reads its log.
 *
 * A client that was told "stored" must find its number, also if the primary has crashed since then.  So
 * the primary must not say so before the backup has the operation; if the backup does not answer it is
 * better to say nothing than to promise too much.  -DEARLY: it answers as soon as its own log has it,
 * which is faster by a way to the backup and back.  If it crashes then before the operation is under way,
 * or if that datagram is lost, the backup takes over without it. */
#include "store.h"

#include <fcntl.h>
#include <unistd.h>

enum {
    PATIENCE = 60, /* milliseconds until an operation is sent again */
    TRIES = 3,
    BEAT_TIME = 100,    /* between two signs of life */
    SILENCE = 250,      /* without one, until the backup takes over */
    END = 800,          /* so that an execution ends */
    MOST = 8,           /* operations */
};

struct operation {
    int32_t key, value, request;
};

static int fd, is_primary, has_backup;
static struct sockaddr_in peer;
static const char *log_file;

static struct operation done[MOST + 1]; /* by number */
static int n_done, value[KEYS];

/* Of the primary: the operation that the backup has not confirmed, and who waits for it. */
static int waiting_for, n_tries;
static struct sockaddr_in client;
static int64_t retry_at = NEVER, beat_at = NEVER, silence_at = NEVER;

/* ---- operations ---- */

static void apply(const struct operation *o) {
    done[++n_done] = *o;
    value[o->key] = o->value;
}

static void write_log(const struct operation *o) {
    int file = open(log_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, o, sizeof *o) != sizeof *o)
        fail(log_file);
    close(file);
}

static void read_log(void) {
    struct operation o;
    int file = open(log_file, O_RDONLY);
    if (file < 0)
        return;
    while (n_done < MOST && read(file, &o, sizeof o) == sizeof o)
        apply(&o);
    close(file);
}

static int is_operation(const struct message *m) {
    return m->key >= 0 && m->key < KEYS && n_done < MOST;
}

static void carry_out(const struct message *m) {
    struct operation o = {m->key, m->value, m->request};
    write_log(&o);
    apply(&o);
}

/* The operation that a request became; 0: none. */
static int number_of(int request) {
    for (int i = n_done; i > 0; i--)
        if (done[i].request == request)
            return i;
    return 0;
}

/* ---- messages ---- */

static void tell(const struct sockaddr_in *to, enum kind kind, int number) {
    struct message m = {kind, number, done[number].key, done[number].value, done[number].request};
    udp_send(fd, to, &m, sizeof m);
}

static void say_stored(const struct sockaddr_in *to, int request) {
    struct message m = {.kind = STORED, .request = request};
    udp_send(fd, to, &m, sizeof m);
}

static void replicate(void) {
    n_tries++;
    retry_at = now() + PATIENCE;
    tell(&peer, REPLICATE, waiting_for);
}

static void beat(void) {
    struct message m = {.kind = BEAT, .number = n_done};
    udp_send(fd, &peer, &m, sizeof m);
    beat_at = now() + BEAT_TIME;
}

/* ---- what clients ask ---- */

static void put(const struct sockaddr_in *from, const struct message *m) {
    int known = number_of(m->request);
    if (known && known != waiting_for) {
        say_stored(from, m->request); /* the answer was lost */
        return;
    }
    if (known || waiting_for || !is_operation(m))
        return; /* it is under way, or somebody else's is: the client will ask again */
    carry_out(m);
    if (!has_backup) {
        say_stored(from, m->request);
        return;
    }
    waiting_for = n_done;
    client = *from;
    n_tries = 0;
#ifdef EARLY
    say_stored(from, m->request);
#endif
    replicate();
}

static void get(const struct sockaddr_in *from, const struct message *m) {
    struct message answer = {VALUE, m->number, m->key, 0, m->request};
    if (m->key < 0 || m->key >= KEYS)
        return;
    answer.value = value[m->key];
    udp_send(fd, from, &answer, sizeof answer);
}

static void send_elsewhere(const struct sockaddr_in *from, const struct message *m) {
    struct message answer = {ELSEWHERE, m->number, m->key, 0, m->request};
    udp_send(fd, from, &answer, sizeof answer);
}

/* ---- what servers tell each other ---- */

static void take_operation(const struct message *m) {
    silence_at = now() + SILENCE;
    if (m->number == n_done + 1 && is_operation(m))
        carry_out(m);
    if (m->number <= n_done)
        tell(&peer, REPLICATED, m->number); /* once more, if that was lost */
}

static void note_replicated(const struct message *m) {
    if (m->number != waiting_for)
        return;
    waiting_for = 0;
    retry_at = NEVER;
#ifndef EARLY
    say_stored(&client, done[m->number].request);
#endif
}

/* ---- time ---- */

static int64_t first_of(int64_t a, int64_t b) {
    return a == NEVER ? b : b == NEVER || a < b ? a : b;
}

static void act_in_time(void) {
    if (retry_at != NEVER && retry_at <= now()) {
        retry_at = NEVER;
        if (n_tries < TRIES)
            replicate();
    }
    if (beat_at != NEVER && beat_at <= now())
        beat();
    if (silence_at != NEVER && silence_at <= now()) {
        silence_at = NEVER;
        is_primary = 1; /* without a backup */
        has_backup = 0;
    }
}

/* ---- a server ---- */

static void take(const struct message *m, const struct sockaddr_in *from) {
    if (m->kind == REPLICATE && !is_primary)
        take_operation(m);
    else if (m->kind == REPLICATED && is_primary)
        note_replicated(m);
    else if (m->kind == BEAT && !is_primary)
        silence_at = now() + SILENCE;
    else if (m->kind == PUT || m->kind == GET) {
        if (!is_primary)
            send_elsewhere(from, m);
        else if (m->kind == PUT)
            put(from, m);
        else
            get(from, m);
    }
}

static void serve(int64_t end) {
    while (now() < end) {
        struct message m;
        struct sockaddr_in from;
        int64_t next = first_of(first_of(retry_at, beat_at), first_of(silence_at, end));
        if (udp_receive(fd, &from, &m, sizeof m, left_until(next)))
            take(&m, &from);
        act_in_time();
    }
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    is_primary = has_backup = strcmp(argv[1], "primary") == 0;
    log_file = argv[2];
    read_log();
    fd = udp_open(PORT);
    peer = udp_address(argv[3], PORT);
    int64_t end = now() + END;
    if (is_primary)
        beat();
    else
        silence_at = now() + SILENCE;
    serve(end);
    return 0;
}

/* line.h -- the line to a NATS server: streams, messages by sequence, work queues, plain messages.
 *
 * The only file that knows libnats, which is loaded when the first line is opened: most runs need
 * none.  A server that is away for a while is waited for: whoever asks is held up, with one
 * sentence to the user, for as long as the options say.  Other failures are one sentence at once.
 *
 * Promise (tests/unit/test_line.c): what was published is in the stream once: a repeated attempt
 *     has the same id, by which the server knows it.
 * N2. A reader gives every message of its stream, in order, whatever happens to the server.  A
 *     server that has lost what it had given is found out: after each break the last message is
 *     looked at again.
 * Not here: what messages mean (post.h). */
#ifndef HD_FLEET_CLUSTER_LINE_H
#define HD_FLEET_CLUSTER_LINE_H
#include "base/err.h"
#include "base/text.h"

#include <signal.h>
#include <stdint.h>

typedef struct hd_line hd_line;

typedef struct hd_line_options {
    const char *servers;           /* nats://HOST[:PORT][,nats://...]; tls:// too */
    const char *credentials;       /* file with a JWT and its seed, or NULL */
    const char *nkey, *nkey_seed;  /* a public key and the file of its seed, or NULL */
    const char *ca;                /* file of certificates that are trusted, or NULL */
    const char *certificate, *key; /* files of this client's, or NULL */
    double patience;               /* seconds that a server may be away */
    uint32_t replicas;             /* of streams that are made; 0 = 1 */
    void (*note)(void *context, const char *sentence); /* or NULL */
    void *context;
    const volatile sig_atomic_t *n_interrupts; /* more than one: waits for nothing; or NULL */
} hd_line_options;

/* NULL if there is no server with JetStream that lets us in. */
hd_line *hd_line_open(const hd_line_options *options, hd_err *err);
void hd_line_close(hd_line *l);
/* Bytes that one message may have. */
size_t hd_line_most_bytes(const hd_line *l);
/* The servers, as the options name them. */
const char *hd_line_servers(const hd_line *l);

/* ---- streams ---- */
typedef enum hd_stream_kind {
    HD_STREAM_QUEUE, /* each message goes to one reader, and is gone when that is done with it */
    HD_STREAM_LOG,   /* all messages stay */
    HD_STREAM_STORE  /* the last message of each subject stays */
} hd_stream_kind;
/* A stream of all messages on `subject`; good if it is there already. */
bool hd_line_make_stream(hd_line *l, const char *name, const char *subject, hd_stream_kind kind,
                         hd_err *err);
bool hd_line_has_stream(hd_line *l, const char *name, bool *has, hd_err *err);
/* Good if there is none. */
bool hd_line_delete_stream(hd_line *l, const char *name, hd_err *err);
bool hd_line_purge_stream(hd_line *l, const char *name, hd_err *err);
/* Messages before a sequence are gone. */
bool hd_line_trim_stream(hd_line *l, const char *name, uint64_t before, hd_err *err);
/* Messages on a subject, which may end in ".>", are gone. */
bool hd_line_purge_subject(hd_line *l, const char *name, const char *subject, hd_err *err);

/* ---- publishing, and asking for what is there ---- */
typedef struct hd_publication {
    const char *subject, *id; /* id: the same for each attempt */
    const void *bytes;
    size_t n;
    bool is_first;      /* only if the subject has none yet, */
    uint64_t after;     /* or if its last one has this sequence; 0 = whatever it has */
    uint64_t *sequence; /* filled if it is not NULL: its own */
} hd_publication;
/* NOT_FIRST: the subject has another last message. */
typedef enum hd_published { HD_PUBLISHED, HD_NOT_FIRST, HD_NOT_PUBLISHED } hd_published;
hd_published hd_line_publish(hd_line *l, const hd_publication *p, hd_err *err);
/* The last message of a subject, appended to `out`; its sequence, 0 if there is none. */
bool hd_line_get_last(hd_line *l, const char *stream, const char *subject, hd_text *out,
                      uint64_t *sequence, hd_err *err);

/* ---- a stream, message by message ---- */
typedef struct hd_log_reader hd_log_reader;
/* Gives all messages from the first one on. */
hd_log_reader *hd_log_reader_new(hd_line *l, const char *stream, const char *subject);
/* Before the first one is read: those up to this sequence are known. */
void hd_log_reader_begin_behind(hd_log_reader *r, uint64_t sequence);
void hd_log_reader_free(hd_log_reader *r);
typedef enum hd_read { HD_READ, HD_READ_NOTHING, HD_READ_FAILED } hd_read;
/* The next message, or NOTHING if none comes within so many seconds.  `bytes` are good until the
 * next call. */
hd_read hd_log_reader_next(hd_log_reader *r, double seconds, const void **bytes, size_t *n,
                           hd_err *err);
/* The number, in the stream, of the message that was read last; 0 = none. */
uint64_t hd_log_reader_sequence(const hd_log_reader *r);

/* ---- a work queue ---- */
typedef struct hd_work_queue hd_work_queue;
/* A message that is not taken for done within `patience` seconds after it was last held goes to
 * somebody else. */
hd_work_queue *hd_work_queue_open(hd_line *l, const char *stream, const char *subject,
                                  double patience, hd_err *err);
void hd_work_queue_close(hd_work_queue *q);
typedef struct hd_delivery {
    const void *bytes;
    size_t n;
    uint64_t n_before; /* how often it was delivered before */
    void *message;
} hd_delivery;
/* The next message.  NOTHING also if the server does not answer: whoever publishes says so. */
hd_read hd_work_queue_take(hd_work_queue *q, double seconds, hd_delivery *d);
/* The message is still being worked on: its patience begins again. */
void hd_delivery_hold(const hd_delivery *d);
/* The message is done with, and nobody gets it again. */
void hd_delivery_end(hd_delivery *d);
/* Somebody will get it again: at once, or when the patience of the queue ends. */
void hd_delivery_drop(hd_delivery *d);
/* Only the memory is given back: the server hears nothing. */
void hd_delivery_forget(hd_delivery *d);

/* ---- plain messages: who listens hears them, and nobody else ever does ---- */
void hd_line_say(hd_line *l, const char *subject, const void *bytes, size_t n);
typedef struct hd_ear hd_ear;
/* `hear` is called in another thread. */
hd_ear *hd_ear_open(hd_line *l, const char *subject,
                    void (*hear)(void *context, const void *bytes, size_t n), void *context,
                    hd_err *err);
void hd_ear_close(hd_ear *ear);
#endif

/* A line to a NATS server (line.h).
 *
 * Everything that is asked of the server goes through `insist`, which tries again while the server
 * is away.  libnats connects again by itself; what it would keep for later is turned off, so that
 * a message is either with the server or with us. */
#include "fleet/cluster/line.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/panic.h"
#include "base/vec.h"
#include "fleet/cluster/libnats.h"

#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PAUSE           0.1  /* seconds between two attempts */
#define ATTEMPTS        10   /* to find JetStream */
#define ANSWER          2000 /* milliseconds that one attempt may take */
#define SILENCE         0.5  /* seconds without a message: is the reader still served? */
#define MOST_LOST       20   /* times that the same message may not come when asked for */
#define SECOND          INT64_C(1000000000)
#define HASHED          256            /* bytes at the end of a message that tell it from others */
#define REMEMBERED      (600 * SECOND) /* how long the server knows ids of messages */
#define MESSAGE_HEADERS 4096           /* bytes that headers of a message take at most */

struct hd_line {
    const hd_nats_functions *nats;
    hd_line_options options;
    natsConnection *connection;
    jsCtx *stream;
};

/* ---- what went wrong ---- */

typedef struct nats_fault {
    natsStatus status;
    jsErrCode code;
} nats_fault;

static bool is_fine(nats_fault f) {
    return f.status == NATS_OK;
}

/* May the server do better soon? */
static bool is_away(nats_fault f) {
    switch (f.status) {
    case NATS_IO_ERROR:
    case NATS_CONNECTION_CLOSED:
    case NATS_NO_SERVER:
    case NATS_STALE_CONNECTION:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_TIMEOUT:
    case NATS_NO_RESPONDERS:
    case NATS_INSUFFICIENT_BUFFER: /* it would have to be kept until the server is back */
        return true;
    default:
        return f.code == JSClusterNotAvailErr || f.code == JSClusterNotLeaderErr ||
               f.code == JSStreamOfflineErr || f.code == JSConsumerOfflineErr;
    }
}

/* One row for each thing that can be wrong with a server. */
typedef struct complaint {
    int status, code; /* natsStatus, jsErrCode; 0 = any */
    const char *words, *hint;
} complaint;

#define START "start it with 'nats-server -js', and see that it can be reached from here"
#define ROOM  "give it more room (max_file of its jetstream settings), or delete old runs"
static const complaint complaints[] = {
    {NATS_CONNECTION_AUTH_FAILED, 0, "refuses these credentials",
     "give others with '--creds', '--nkey' or 'nats://USER:PASSWORD@HOST'"},
    {NATS_NOT_PERMITTED, 0, "does not permit this",
     "the account needs JetStream, 'heddle.>' and '_INBOX.>'"},
    {NATS_SECURE_CONNECTION_WANTED, 0, "does not offer TLS",
     "write 'nats://', without '--tls-...'"},
    {NATS_SECURE_CONNECTION_REQUIRED, 0, "wants TLS",
     "write 'tls://' for 'nats://', and '--tls-ca FILE' if its certificate is your own"},
    {NATS_SSL_ERROR, 0, "cannot be trusted or does not trust us",
     "check '--tls-ca', '--tls-cert' and '--tls-key'"},
    {NATS_ADDRESS_MISSING, 0, "has no address", "write it as nats://HOST or nats://HOST:PORT"},
    {NATS_INVALID_ARG, 0, "has no address", "write it as nats://HOST or nats://HOST:PORT"},
    {NATS_NO_SERVER_SUPPORT, 0, "is too old", "Heddle needs nats-server 2.7 or newer"},
    {0, JSConsumerPullNotDurableErr, "is too old", "Heddle needs nats-server 2.7 or newer"},
    {0, JSNotEnabledErr, "has no JetStream", START},
    {0, JSNotEnabledForAccountErr, "has no JetStream for this account",
     "turn it on for the account, or use another"},
    {0, JSStorageResourcesExceededErr, "is full", ROOM},
    {0, JSMemoryResourcesExceededErr, "is full", ROOM},
    {0, JSAccountResourcesExceededErr, "is full", ROOM},
    {0, JSInsufficientResourcesErr, "is full", ROOM},
    {0, JSStreamStoreFailedErr, "is full", ROOM},
    {0, JSStreamReplicasNotSupportedErr, "is alone and cannot keep several copies",
     "leave out '--replicas', or use a cluster of servers"},
    {0, JSClusterNoPeersErr, "has too few peers for so many copies",
     "give a smaller '--replicas', or add servers"},
    {NATS_NO_SERVER, 0, "does not answer", START},
    {NATS_TIMEOUT, 0, "does not answer", START},
    {NATS_NO_RESPONDERS, 0, "has no JetStream", START},
    {NATS_IO_ERROR, 0, "does not answer", START},
    {NATS_CONNECTION_CLOSED, 0, "does not answer", START},
    {NATS_CONNECTION_DISCONNECTED, 0, "does not answer", START},
    {NATS_STALE_CONNECTION, 0, "does not answer", START},
    {NATS_INSUFFICIENT_BUFFER, 0, "does not answer", START},
};

static const complaint *find_complaint(nats_fault f) {
    for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++) {
        const complaint *c = &complaints[i];
        if (c->code ? c->code == (int)f.code : c->status == (int)f.status)
            return c;
    }
    return NULL;
}

static bool complain(const hd_line *l, nats_fault f, hd_err *err) {
    const complaint *c = find_complaint(f);
    if (c) {
        hd_err_set(err, "the NATS server at '%s' %s", l->options.servers, c->words);
        return hd_err_hint(err, "%s", c->hint);
    }
    return hd_err_set(err, "the NATS server at '%s' failed: %s (%d)", l->options.servers,
                      l->nats->natsStatus_GetText(f.status), (int)f.code);
}

static void say(const hd_line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const hd_line *l, const char *format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (l->options.note)
        l->options.note(l->options.context, sentence);
}

/* ---- trying again ---- */

typedef nats_fault attempt(hd_line *l, void *what);

static bool is_hurried(const hd_line *l) {
    return l->options.n_interrupts && *l->options.n_interrupts > 1;
}

/* Servers that have just been started find each other in a second or two. */
#define MOST_GATHERING 10.0

/* How long to try again: 0 if it is no use. */
static double patience_with(const hd_line *l, nats_fault f) {
    double most = l->options.patience;
    if (f.code == JSClusterNoPeersErr)
        return most < MOST_GATHERING ? most : MOST_GATHERING;
    return is_away(f) ? most : 0;
}

static nats_fault insist(hd_line *l, attempt *ask, void *what) {
    double began = hd_clock_now();
    nats_fault f = ask(l, what);
    bool has_told = false;
    while (hd_clock_now() - began < patience_with(l, f) && !is_hurried(l)) {
        if (!has_told)
            say(l, "the NATS server at '%s' %s; trying for %.0f seconds", l->options.servers,
                is_away(f) ? "does not answer" : "has too few peers so far", patience_with(l, f));
        has_told = true;
        usleep((useconds_t)(PAUSE * 1e6));
        f = ask(l, what);
    }
    if (has_told && is_fine(f))
        say(l, "the NATS server answers again");
    return f;
}

/* ---- opening ---- */

/* The list of servers, as libnats wants it; `copy` is what it points into. */
static size_t split_servers(char *copy, const char **servers, size_t most) {
    size_t n = 0;
    for (char *rest = copy, *word; (word = strsep(&rest, ",")) && n < most;)
        if (*word)
            servers[n++] = word;
    return n;
}

static natsStatus set_servers(const hd_nats_functions *nats, natsOptions *o, const char *list) {
    const char *servers[64];
    char *copy = hd_text_format("%s", list);
    size_t n = split_servers(copy, servers, 64);
    natsStatus s = n ? nats->natsOptions_SetServers(o, servers, (int)n) : NATS_ADDRESS_MISSING;
    free(copy);
    return s;
}

static natsStatus set_identity(const hd_nats_functions *nats, natsOptions *o,
                               const hd_line_options *w) {
    natsStatus s = NATS_OK;
    if (w->credentials)
        s = nats->natsOptions_SetUserCredentialsFromFiles(o, w->credentials, NULL);
    if (s == NATS_OK && w->nkey)
        s = nats->natsOptions_SetNKeyFromSeed(o, w->nkey, w->nkey_seed);
    if (s == NATS_OK && (w->ca || w->certificate || strncmp(w->servers, "tls:", 4) == 0))
        s = nats->natsOptions_SetSecure(o, true);
    if (s == NATS_OK && w->ca)
        s = nats->natsOptions_LoadCATrustedCertificates(o, w->ca);
    if (s == NATS_OK && w->certificate)
        s = nats->natsOptions_LoadCertificatesChain(o, w->certificate, w->key);
    return s;
}

/* libnats would write such errors to standard error. */
static void be_quiet(natsConnection *connection, natsSubscription *sub, natsStatus s,
                     void *context) {
    (void)connection, (void)sub, (void)s, (void)context;
}

static natsStatus set_options(const hd_nats_functions *nats, natsOptions *o,
                              const hd_line_options *w) {
    natsStatus s = set_servers(nats, o, w->servers);
    if (s == NATS_OK)
        s = nats->natsOptions_SetName(o, "heddle");
    if (s == NATS_OK)
        s = nats->natsOptions_SetTimeout(o, ANSWER);
    if (s == NATS_OK)
        s = nats->natsOptions_SetMaxReconnect(o, -1);
    if (s == NATS_OK)
        s = nats->natsOptions_SetReconnectWait(o, (int64_t)(PAUSE * 1000));
    if (s == NATS_OK)
        s = nats->natsOptions_SetReconnectBufSize(o, 0);
    if (s == NATS_OK)
        s = nats->natsOptions_SetFailRequestsOnDisconnect(o, true);
    if (s == NATS_OK)
        s = nats->natsOptions_SetErrorHandler(o, be_quiet, NULL);
    return s == NATS_OK ? set_identity(nats, o, w) : s;
}

static nats_fault connect_once(hd_line *l, void *options) {
    return (nats_fault){l->nats->natsConnection_Connect(&l->connection, options), 0};
}

static nats_fault ask_for_jetstream(hd_line *l) {
    jsAccountInfo *info = NULL;
    nats_fault f = {l->nats->natsConnection_HasHeaderSupport(l->connection), 0};
    if (is_fine(f) && !l->stream)
        f.status = l->nats->natsConnection_JetStream(&l->stream, l->connection, NULL);
    if (is_fine(f))
        f.status = l->nats->js_GetAccountInfo(&info, l->stream, NULL, &f.code);
    l->nats->jsAccountInfo_Destroy(info);
    return f;
}

/* A server that has just started may not have it yet; one that has none answers alike. */
static nats_fault find_jetstream(hd_line *l) {
    nats_fault f = ask_for_jetstream(l);
    for (int i = 0; i < ATTEMPTS && is_away(f); i++) {
        usleep((useconds_t)(PAUSE * 1e6));
        f = ask_for_jetstream(l);
    }
    return f;
}

static bool connect(hd_line *l, hd_err *err) {
    natsOptions *o = NULL;
    nats_fault f = {l->nats->natsOptions_Create(&o), 0};
    if (is_fine(f))
        f.status = set_options(l->nats, o, &l->options);
    if (is_fine(f))
        f = insist(l, connect_once, o);
    l->nats->natsOptions_Destroy(o);
    if (is_fine(f))
        f = find_jetstream(l);
    return is_fine(f) || complain(l, f, err);
}

hd_line *hd_line_open(const hd_line_options *options, hd_err *err) {
    const hd_nats_functions *nats = hd_nats_load(err);
    if (!nats)
        return NULL;
    HD_ASSERT(options->servers && options->patience >= 0);
    hd_line *l = calloc(1, sizeof *l);
    if (!l)
        hd_out_of_memory();
    *l = (hd_line){.nats = nats, .options = *options};
    if (connect(l, err))
        return l;
    hd_line_close(l);
    return NULL;
}

void hd_line_close(hd_line *l) {
    if (!l)
        return;
    if (l->connection)
        l->nats->natsConnection_FlushTimeout(l->connection, ANSWER / 4);
    l->nats->jsCtx_Destroy(l->stream);
    if (l->connection)
        l->nats->natsConnection_Close(l->connection);
    l->nats->natsConnection_Destroy(l->connection);
    free(l);
}

size_t hd_line_most_bytes(const hd_line *l) {
    int64_t most = l->nats->natsConnection_GetMaxPayload(l->connection);
    return most > 2 * MESSAGE_HEADERS ? (size_t)most - MESSAGE_HEADERS : MESSAGE_HEADERS;
}

const char *hd_line_servers(const hd_line *l) {
    return l->options.servers;
}

/* ---- streams ---- */

typedef struct stream_request {
    const char *name, *subject;
    hd_stream_kind kind;
    uint64_t before; /* a sequence; 0 = all */
    bool has;
} stream_request;

static nats_fault add_stream(hd_line *l, void *what) {
    const stream_request *r = what;
    const char *subjects[] = {r->subject};
    jsStreamConfig c;
    nats_fault f = {l->nats->jsStreamConfig_Init(&c), 0};
    c.Name = r->name;
    c.Subjects = subjects;
    c.SubjectsLen = 1;
    c.Retention = r->kind == HD_STREAM_QUEUE ? js_WorkQueuePolicy : js_LimitsPolicy;
    c.MaxMsgsPerSubject = r->kind == HD_STREAM_STORE ? 1 : -1;
    c.Replicas = l->options.replicas ? l->options.replicas : 1;
    c.Duplicates = REMEMBERED;
    f.status = l->nats->js_AddStream(NULL, l->stream, &c, NULL, &f.code);
    return f;
}

bool hd_line_make_stream(hd_line *l, const char *name, const char *subject, hd_stream_kind kind,
                         hd_err *err) {
    stream_request r = {.name = name, .subject = subject, .kind = kind};
    nats_fault f = insist(l, add_stream, &r);
    return is_fine(f) || complain(l, f, err);
}

static nats_fault look_for_stream(hd_line *l, void *what) {
    stream_request *r = what;
    jsStreamInfo *info = NULL;
    nats_fault f = {NATS_OK, 0};
    f.status = l->nats->js_GetStreamInfo(&info, l->stream, r->name, NULL, &f.code);
    l->nats->jsStreamInfo_Destroy(info);
    r->has = is_fine(f);
    return f.code == JSStreamNotFoundErr || f.status == NATS_NOT_FOUND ? (nats_fault){NATS_OK, 0}
                                                                       : f;
}

bool hd_line_has_stream(hd_line *l, const char *name, bool *has, hd_err *err) {
    stream_request r = {.name = name};
    nats_fault f = insist(l, look_for_stream, &r);
    *has = r.has;
    return is_fine(f) || complain(l, f, err);
}

static nats_fault delete_stream(hd_line *l, void *what) {
    const stream_request *r = what;
    nats_fault f = {NATS_OK, 0};
    f.status = l->nats->js_DeleteStream(l->stream, r->name, NULL, &f.code);
    return f.code == JSStreamNotFoundErr || f.status == NATS_NOT_FOUND ? (nats_fault){NATS_OK, 0}
                                                                       : f;
}

bool hd_line_delete_stream(hd_line *l, const char *name, hd_err *err) {
    stream_request r = {.name = name};
    nats_fault f = insist(l, delete_stream, &r);
    return is_fine(f) || complain(l, f, err);
}

static nats_fault purge_stream(hd_line *l, void *what) {
    const stream_request *r = what;
    jsOptions o;
    nats_fault f = {l->nats->jsOptions_Init(&o), 0};
    o.Stream.Purge.Subject = r->subject;
    o.Stream.Purge.Sequence = r->before;
    f.status = l->nats->js_PurgeStream(l->stream, r->name, &o, &f.code);
    return f;
}

static bool purge(hd_line *l, stream_request r, hd_err *err) {
    nats_fault f = insist(l, purge_stream, &r);
    return is_fine(f) || complain(l, f, err);
}

bool hd_line_purge_stream(hd_line *l, const char *name, hd_err *err) {
    return purge(l, (stream_request){.name = name}, err);
}

bool hd_line_trim_stream(hd_line *l, const char *name, uint64_t before, hd_err *err) {
    HD_ASSERT(before); /* 0 would be all */
    return purge(l, (stream_request){.name = name, .before = before}, err);
}

bool hd_line_purge_subject(hd_line *l, const char *name, const char *subject, hd_err *err) {
    return purge(l, (stream_request){.name = name, .subject = subject}, err);
}

/* ---- publishing ---- */

static nats_fault publish_once(hd_line *l, void *what) {
    const hd_publication *p = what;
    jsPubOptions o;
    jsPubAck *answer = NULL;
    nats_fault f = {l->nats->jsPubOptions_Init(&o), 0};
    o.MaxWait = ANSWER;
    o.MsgId = p->id;
    o.ExpectNoMessage = p->is_first;
    o.ExpectLastSubjectSeq = p->after;
    f.status =
        l->nats->js_Publish(&answer, l->stream, p->subject, p->bytes, (int)p->n, &o, &f.code);
    if (is_fine(f) && p->sequence)
        *p->sequence = answer->Sequence;
    l->nats->jsPubAck_Destroy(answer);
    return f;
}

hd_published hd_line_publish(hd_line *l, const hd_publication *p, hd_err *err) {
    HD_ASSERT(p->n <= hd_line_most_bytes(l));
    hd_publication copy = *p;
    nats_fault f = insist(l, publish_once, &copy);
    if (is_fine(f))
        return HD_PUBLISHED;
    if ((p->is_first || p->after) && f.code == JSStreamWrongLastSequenceErr)
        return HD_NOT_FIRST;
    complain(l, f, err);
    return HD_NOT_PUBLISHED;
}

typedef struct last_request {
    const char *stream, *subject;
    hd_text *out;
    uint64_t sequence; /* 0 = there is none */
} last_request;

static void add_data(const hd_line *l, const natsMsg *m, hd_text *out) {
    hd_text_add_bytes(out, l->nats->natsMsg_GetData(m), (size_t)l->nats->natsMsg_GetDataLength(m));
}

static nats_fault get_last(hd_line *l, void *what) {
    last_request *r = what;
    natsMsg *m = NULL;
    nats_fault f = {NATS_OK, 0};
    f.status = l->nats->js_GetLastMsg(&m, l->stream, r->stream, r->subject, NULL, &f.code);
    r->sequence = is_fine(f) ? l->nats->natsMsg_GetSequence(m) : 0;
    if (is_fine(f))
        add_data(l, m, r->out);
    l->nats->natsMsg_Destroy(m);
    bool is_missing = f.status == NATS_NOT_FOUND || f.code == JSNoMessageFoundErr ||
                      f.code == JSStreamNotFoundErr;
    return is_missing ? (nats_fault){NATS_OK, 0} : f;
}

bool hd_line_get_last(hd_line *l, const char *stream, const char *subject, hd_text *out,
                      uint64_t *sequence, hd_err *err) {
    last_request r = {stream, subject, out, 0};
    nats_fault f = insist(l, get_last, &r);
    *sequence = r.sequence;
    return is_fine(f) || complain(l, f, err);
}

/* ---- reading ---- */

/* Messages are pushed by the server; who serves us may be gone after a restart.  So when nothing
 * has come for a while, or something is missing, it is asked again from where we are. */
struct hd_log_reader {
    hd_line *line;
    char *stream, *subject;
    natsSubscription *from;
    natsMsg *message; /* given last */
    uint64_t sequence;
    uint64_t last;    /* hash of the one that was read last; 0 = it is not known */
    bool is_compared; /* it comes again first, to see whether it is still there */
    bool is_lost;     /* another one is in its place */
    double asked;     /* when the server was last known to serve us */
    uint64_t end;     /* of the stream, when it was last asked for */
    unsigned n_lost;  /* how often it was asked again since the last message */
};

hd_log_reader *hd_log_reader_new(hd_line *l, const char *stream, const char *subject) {
    hd_log_reader *r = calloc(1, sizeof *r);
    if (!r)
        hd_out_of_memory();
    *r = (hd_log_reader){.line = l,
                         .stream = hd_text_format("%s", stream),
                         .subject = hd_text_format("%s", subject)};
    return r;
}

void hd_log_reader_begin_behind(hd_log_reader *r, uint64_t sequence) {
    HD_ASSERT(!r->from && !r->sequence);
    r->sequence = sequence;
}

static void leave_subscription(hd_log_reader *r) {
    r->line->nats->natsSubscription_Destroy(r->from);
    r->from = NULL;
}

static void drop_message(hd_log_reader *r) {
    r->line->nats->natsMsg_Destroy(r->message);
    r->message = NULL;
}

void hd_log_reader_free(hd_log_reader *r) {
    drop_message(r);
    leave_subscription(r);
    free(r->stream);
    free(r->subject);
    free(r);
}

uint64_t hd_log_reader_sequence(const hd_log_reader *r) {
    return r->sequence;
}

static nats_fault subscribe(hd_line *l, void *what) {
    hd_log_reader *r = what;
    jsSubOptions o;
    nats_fault f = {l->nats->jsSubOptions_Init(&o), 0};
    o.Stream = r->stream;
    o.Config.AckPolicy = js_AckNone;
    o.Config.DeliverPolicy = js_DeliverByStartSequence;
    r->is_compared = r->last;
    o.Config.OptStartSeq = r->sequence + !r->is_compared;
    f.status = l->nats->js_SubscribeSync(&r->from, l->stream, r->subject, NULL, &o, &f.code);
    return f;
}

static nats_fault find_end(hd_line *l, void *what) {
    hd_log_reader *r = what;
    jsStreamInfo *info = NULL;
    nats_fault f = {NATS_OK, 0};
    f.status = l->nats->js_GetStreamInfo(&info, l->stream, r->stream, NULL, &f.code);
    if (is_fine(f))
        r->end = info->State.LastSeq;
    l->nats->jsStreamInfo_Destroy(info);
    return f;
}

/* Is there something that should have come? */
static bool is_forgotten(hd_log_reader *r, bool *yes, hd_err *err) {
    nats_fault f = insist(r->line, find_end, r);
    *yes = r->end > r->sequence;
    return is_fine(f) || complain(r->line, f, err);
}

static bool complain_of_loss(const hd_log_reader *r, hd_err *err) {
    hd_err_set(err, "the NATS server at '%s' has lost messages of the run",
               r->line->options.servers);
    return hd_err_hint(err, "start 'heddle run' again: it goes on with what is there");
}

static bool serve_again(hd_log_reader *r, hd_err *err) {
    leave_subscription(r);
    if (++r->n_lost > MOST_LOST)
        return complain_of_loss(r, err);
    nats_fault f = insist(r->line, subscribe, r);
    r->asked = hd_clock_now();
    return is_fine(f) || complain(r->line, f, err);
}

/* Two messages of the log end alike only if they are the same: there their seals are. */
static uint64_t hash_message(const hd_nats_functions *nats, const natsMsg *m) {
    size_t n = (size_t)nats->natsMsg_GetDataLength(m), last = n < HASHED ? n : HASHED;
    return hd_hash_bytes(n, nats->natsMsg_GetData(m) + n - last, last) | 1;
}

/* A server that was ended without being asked may have lost what it had answered for: then others
 * have written something else there meanwhile. */
static void compare_last(hd_log_reader *r, const natsMsg *m, uint64_t sequence) {
    if (r->is_compared && sequence == r->sequence)
        r->is_lost = hash_message(r->line->nats, m) != r->last;
    r->is_compared = false;
}

/* Is the message the one that comes next (N2)?  Those that were given already are passed over. */
static bool take_message(hd_log_reader *r, natsMsg *m, bool *is_gap) {
    const hd_nats_functions *nats = r->line->nats;
    jsMsgMetaData *about = NULL;
    bool has = nats->natsMsg_GetMetaData(&about, m) == NATS_OK;
    uint64_t sequence = has ? about->Sequence.Stream : 0;
    nats->jsMsgMetaData_Destroy(about);
    *is_gap = sequence > r->sequence + 1;
    compare_last(r, m, sequence);
    if (sequence != r->sequence + 1) {
        nats->natsMsg_Destroy(m);
        return false;
    }
    HD_INVARIANT(N2, !r->message && !r->is_lost && !*is_gap);
    r->sequence = sequence;
    r->last = hash_message(nats, m);
    r->message = m;
    r->asked = hd_clock_now();
    r->n_lost = 0;
    return true;
}

/* Looks whether all is right with a reader that has had nothing for a while. */
static bool check_service(hd_log_reader *r, bool is_wrong, hd_err *err) {
    if (r->from && !is_wrong && hd_clock_now() - r->asked < SILENCE)
        return true;
    bool is_needed = true;
    r->asked = hd_clock_now();
    if (r->from && !is_wrong && !is_forgotten(r, &is_needed, err))
        return false;
    return !is_needed || serve_again(r, err);
}

/* Rounded up, and one more because libnats cuts the moment until which it waits: who wakes up too
 * early waits twice more for a millisecond. */
static int64_t whole_ms(double seconds) {
    return (seconds > 0 ? (int64_t)(seconds * 1000) : 0) + 1;
}

/* Without seconds only what is here already is given: to wait a millisecond for nothing behind each
 * entry kept a coordinator from handing out. */
hd_read hd_log_reader_next(hd_log_reader *r, double seconds, const void **bytes, size_t *n,
                           hd_err *err) {
    const hd_nats_functions *nats = r->line->nats;
    double until = hd_clock_now() + seconds;
    bool is_wrong = false;
    drop_message(r);
    do {
        natsMsg *m = NULL;
        double left = until - hd_clock_now();
        if (!check_service(r, is_wrong, err))
            return HD_READ_FAILED;
        natsStatus s =
            nats->natsSubscription_NextMsg(&m, r->from, seconds > 0 ? whole_ms(left) : 0);
        is_wrong = s != NATS_OK && s != NATS_TIMEOUT;
        bool is_next = s == NATS_OK && take_message(r, m, &is_wrong);
        if (r->is_lost) {
            complain_of_loss(r, err);
            return HD_READ_FAILED;
        }
        if (is_next) {
            *bytes = nats->natsMsg_GetData(r->message);
            *n = (size_t)nats->natsMsg_GetDataLength(r->message);
            return HD_READ;
        }
    } while (hd_clock_now() < until);
    return HD_READ_NOTHING;
}

/* ---- a work queue ---- */

struct hd_work_queue {
    hd_line *line;
    const char *stream, *subject;
    double patience;
    natsSubscription *from;
};

static nats_fault subscribe_queue(hd_line *l, void *what) {
    hd_work_queue *q = what;
    jsSubOptions o;
    nats_fault f = {l->nats->jsSubOptions_Init(&o), 0};
    o.Stream = q->stream;
    o.Config.AckPolicy = js_AckExplicit;
    o.Config.AckWait = (int64_t)(q->patience * (double)SECOND);
    o.Config.MaxAckPending = -1;
    o.Config.MaxDeliver = -1;
    f.status =
        l->nats->js_PullSubscribe(&q->from, l->stream, q->subject, "workers", NULL, &o, &f.code);
    return f;
}

hd_work_queue *hd_work_queue_open(hd_line *l, const char *stream, const char *subject,
                                  double patience, hd_err *err) {
    hd_work_queue *q = calloc(1, sizeof *q);
    if (!q)
        hd_out_of_memory();
    *q = (hd_work_queue){.line = l, .stream = stream, .subject = subject, .patience = patience};
    nats_fault f = insist(l, subscribe_queue, q);
    q->stream = q->subject = NULL;
    if (is_fine(f))
        return q;
    complain(l, f, err);
    free(q);
    return NULL;
}

void hd_work_queue_close(hd_work_queue *q) {
    q->line->nats->natsSubscription_Destroy(q->from);
    free(q);
}

/* What a delivery needs to be answered. */
typedef struct delivered {
    const hd_nats_functions *nats;
    natsMsg *message;
} delivered;

hd_read hd_work_queue_take(hd_work_queue *q, double seconds, hd_delivery *d) {
    const hd_nats_functions *nats = q->line->nats;
    natsMsgList list = {0};
    jsMsgMetaData *about = NULL;
    jsErrCode code = 0;
    int64_t wait = seconds > 0.005 ? (int64_t)(seconds * 1000) : 5;
    if (nats->natsSubscription_Fetch(&list, q->from, 1, wait, &code) != NATS_OK || !list.Count) {
        nats->natsMsgList_Destroy(&list);
        return HD_READ_NOTHING;
    }
    delivered *x = malloc(sizeof *x);
    if (!x)
        hd_out_of_memory();
    *x = (delivered){nats, list.Msgs[0]};
    list.Msgs[0] = NULL;
    nats->natsMsgList_Destroy(&list);
    *d = (hd_delivery){.bytes = nats->natsMsg_GetData(x->message),
                       .n = (size_t)nats->natsMsg_GetDataLength(x->message),
                       .message = x};
    if (nats->natsMsg_GetMetaData(&about, x->message) == NATS_OK)
        d->n_before = about->NumDelivered - 1;
    nats->jsMsgMetaData_Destroy(about);
    return HD_READ;
}

void hd_delivery_hold(const hd_delivery *d) {
    const delivered *x = d->message;
    x->nats->natsMsg_InProgress(x->message, NULL);
}

void hd_delivery_forget(hd_delivery *d) {
    delivered *x = d->message;
    x->nats->natsMsg_Destroy(x->message);
    free(x);
    *d = (hd_delivery){0};
}

void hd_delivery_end(hd_delivery *d) {
    const delivered *x = d->message;
    x->nats->natsMsg_Ack(x->message, NULL);
    hd_delivery_forget(d);
}

void hd_delivery_drop(hd_delivery *d) {
    const delivered *x = d->message;
    x->nats->natsMsg_Nak(x->message, NULL);
    hd_delivery_forget(d);
}

/* ---- plain messages ---- */

void hd_line_say(hd_line *l, const char *subject, const void *bytes, size_t n) {
    HD_ASSERT(n <= hd_line_most_bytes(l));
    l->nats->natsConnection_Publish(l->connection, subject, bytes, (int)n);
}

struct hd_ear {
    const hd_nats_functions *nats;
    natsSubscription *from;
    void (*hear)(void *context, const void *bytes, size_t n);
    void *context;
    sem_t is_over; /* nothing will be heard any more */
};

static void note_end(void *ear) {
    sem_post(&((hd_ear *)ear)->is_over);
}

static void hear_message(natsConnection *connection, natsSubscription *sub, natsMsg *m, void *ear) {
    const hd_ear *e = ear;
    (void)connection, (void)sub;
    e->hear(e->context, e->nats->natsMsg_GetData(m), (size_t)e->nats->natsMsg_GetDataLength(m));
    e->nats->natsMsg_Destroy(m);
}

hd_ear *hd_ear_open(hd_line *l, const char *subject,
                    void (*hear)(void *context, const void *bytes, size_t n), void *context,
                    hd_err *err) {
    hd_ear *e = calloc(1, sizeof *e);
    if (!e)
        hd_out_of_memory();
    *e = (hd_ear){.nats = l->nats, .hear = hear, .context = context};
    sem_init(&e->is_over, 0, 0);
    nats_fault f = {
        l->nats->natsConnection_Subscribe(&e->from, l->connection, subject, hear_message, e), 0};
    if (is_fine(f))
        f.status = l->nats->natsSubscription_SetOnCompleteCB(e->from, note_end, e);
    if (is_fine(f))
        return e;
    complain(l, f, err);
    e->nats->natsSubscription_Destroy(e->from);
    free(e);
    return NULL;
}

void hd_ear_close(hd_ear *e) {
    e->nats->natsSubscription_Unsubscribe(e->from);
    while (sem_wait(&e->is_over) < 0 && errno == EINTR)
        ;
    e->nats->natsSubscription_Destroy(e->from);
    sem_destroy(&e->is_over);
    free(e);
}

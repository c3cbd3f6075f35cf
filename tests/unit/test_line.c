/* Lines to real servers (fleet/cluster/line.h), and the seal under messages: each test starts a
 * nats-server of its own on loopback, and stops it. */
#include "base/clock.h"
#include "fleet/cluster/line.h"
#include "fleet/cluster/seal.h"
#include "fleet/cluster/server.h"
#include "tool/nats_jwt.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netinet/in.h>

#include <cmocka.h>

static const char *const with_jetstream[] = {"-js", NULL};

typedef struct place {
    hd_server server;
    hd_line *line;
    atomic_uint n_notes;
    atomic_bool is_enough;
} place;

static void count_note(void *context, const char *sentence) {
    place *p = context;
    assert_true(strlen(sentence) > 10);
    p->n_notes++;
}

static hd_line_options options_of(place *p) {
    return (hd_line_options){
        .servers = p->server.url, .patience = 20, .note = count_note, .context = p};
}

static int set_up(void **state) {
    hd_err err = {0};
    place *p = calloc(1, sizeof *p);
    *state = p;
    if (!hd_server_start(&p->server, with_jetstream, &err))
        fail_msg("%s", err.message);
    hd_line_options o = options_of(p);
    if (!(p->line = hd_line_open(&o, &err)))
        fail_msg("%s", err.message);
    return 0;
}

static int tear_down(void **state) {
    place *p = *state;
    hd_line_close(p->line);
    hd_server_stop(&p->server);
    free(p);
    return 0;
}

static void make(place *p, const char *name, const char *subject, hd_stream_kind kind) {
    hd_err err = {0};
    if (!hd_line_make_stream(p->line, name, subject, kind, &err))
        fail_msg("%s", err.message);
}

static hd_published put(place *p, const char *subject, const char *id, const char *words) {
    hd_err err = {0};
    hd_publication what = {.subject = subject, .id = id, .bytes = words, .n = strlen(words)};
    hd_published answer = hd_line_publish(p->line, &what, &err);
    if (answer == HD_NOT_PUBLISHED)
        fail_msg("%s", err.message);
    return answer;
}

static void expect_next(hd_log_reader *r, const char *words) {
    hd_err err = {0};
    const void *bytes;
    size_t n;
    hd_read answer = hd_log_reader_next(r, 10, &bytes, &n, &err);
    if (answer != HD_READ)
        fail_msg("nothing came instead of '%s': %s", words, err.message);
    assert_int_equal(n, strlen(words));
    assert_memory_equal(bytes, words, n);
}

static void expect_nothing(hd_log_reader *r) {
    hd_err err = {0};
    const void *bytes;
    size_t n;
    assert_int_equal(hd_log_reader_next(r, 0.05, &bytes, &n, &err), HD_READ_NOTHING);
}

/* ---- streams ---- */

static void a_log_is_read_in_order(void **state) {
    place *p = *state;
    make(p, "L", "log", HD_STREAM_LOG);
    make(p, "L", "log", HD_STREAM_LOG); /* it is there already */
    assert_int_equal(put(p, "log", "1", "one"), HD_PUBLISHED);
    assert_int_equal(put(p, "log", "2", "two"), HD_PUBLISHED);
    assert_int_equal(put(p, "log", "1", "one"), HD_PUBLISHED); /* once (N1) */
    hd_log_reader *r = hd_log_reader_new(p->line, "L", "log");
    expect_next(r, "one");
    expect_next(r, "two");
    assert_int_equal(hd_log_reader_sequence(r), 2);
    expect_nothing(r);
    put(p, "log", "3", "three");
    expect_next(r, "three");
    hd_log_reader_free(r);
}

static void a_log_survives_its_server(void **state) {
    place *p = *state;
    hd_err err = {0};
    make(p, "L", "log", HD_STREAM_LOG);
    put(p, "log", "1", "one");
    hd_log_reader *r = hd_log_reader_new(p->line, "L", "log");
    expect_next(r, "one");
    for (int i = 0; i < 3; i++) {
        hd_server_end(&p->server, i ? SIGKILL : SIGTERM);
        assert_true(hd_server_restart(&p->server, with_jetstream, &err));
        char words[2] = {(char)('a' + i), 0};
        assert_int_equal(put(p, "log", words, words), HD_PUBLISHED);
        expect_next(r, words);
    }
    hd_log_reader_free(r);
}

/* The server was ended, and comes back without the last message; others write another one. */
static void a_log_that_has_lost_something(void **state) {
    place *p = *state;
    hd_err err = {0};
    const void *bytes;
    size_t n;
    make(p, "L", "log", HD_STREAM_LOG);
    put(p, "log", "1", "one");
    put(p, "log", "2", "two");
    hd_log_reader *r = hd_log_reader_new(p->line, "L", "log");
    expect_next(r, "one");
    expect_next(r, "two");
    assert_true(hd_line_delete_stream(p->line, "L", &err));
    make(p, "L", "log", HD_STREAM_LOG);
    put(p, "log", "3", "one");
    put(p, "log", "4", "other");
    put(p, "log", "5", "more");
    hd_server_end(&p->server, SIGKILL);
    assert_true(hd_server_restart(&p->server, with_jetstream, &err));
    hd_read answer = HD_READ_NOTHING;
    for (int i = 0; i < 40 && answer == HD_READ_NOTHING; i++)
        answer = hd_log_reader_next(r, 0.5, &bytes, &n, &err);
    assert_int_equal(answer, HD_READ_FAILED);
    assert_non_null(strstr(err.message, "has lost messages"));
    hd_log_reader_free(r);
}

static void a_log_can_be_trimmed(void **state) {
    place *p = *state;
    hd_err err = {0};
    uint64_t found;
    hd_text out = {0};
    make(p, "L", "log", HD_STREAM_LOG);
    make(p, "S", "store.>", HD_STREAM_STORE);
    for (char c = 'a'; c <= 'e'; c++)
        put(p, "log", (char[]){c, 0}, (char[]){c, 0});
    assert_true(hd_line_trim_stream(p->line, "L", 3, &err));
    hd_log_reader *r = hd_log_reader_new(p->line, "L", "log");
    hd_log_reader_begin_behind(r, 2);
    expect_next(r, "c");
    expect_next(r, "d");
    expect_next(r, "e");
    expect_nothing(r);
    hd_log_reader_free(r);
    put(p, "store.one.0", NULL, "x");
    put(p, "store.one.1", NULL, "y");
    put(p, "store.two.0", NULL, "z");
    assert_true(hd_line_purge_subject(p->line, "S", "store.one.>", &err));
    assert_true(hd_line_get_last(p->line, "S", "store.one.1", &out, &found, &err) && !found);
    assert_true(hd_line_get_last(p->line, "S", "store.two.0", &out, &found, &err) && found);
    hd_text_release(&out);
}

/* A server that comes back while somebody waits for it; it ends with the thread that started it. */
static void *come_back(void *place_) {
    place *p = place_;
    hd_err err = {0};
    usleep(700000);
    bool ok = hd_server_restart(&p->server, with_jetstream, &err);
    while (ok && !p->is_enough)
        usleep(5000);
    return ok ? p : NULL;
}

static void a_server_that_is_away_is_waited_for(void **state) {
    place *p = *state;
    pthread_t other;
    void *came_back;
    make(p, "L", "log", HD_STREAM_LOG);
    hd_server_end(&p->server, SIGKILL);
    pthread_create(&other, NULL, come_back, p);
    hd_err err = {0};
    hd_publication one = {.subject = "log", .id = "1", .bytes = "one", .n = 3};
    hd_published answer = hd_line_publish(p->line, &one, &err);
    p->is_enough = true;
    pthread_join(other, &came_back); /* before anything can fail: it uses `p` */
    assert_int_equal(answer, HD_PUBLISHED);
    assert_non_null(came_back);
    assert_int_equal(p->n_notes, 2); /* away, and back */
}

static void the_last_of_a_subject_stays(void **state) {
    place *p = *state;
    hd_err err = {0};
    hd_text out = {0};
    uint64_t found, second = 0;
    make(p, "S", "store.>", HD_STREAM_STORE);
    put(p, "store.a", NULL, "old");
    put(p, "store.a", NULL, "new");
    hd_publication first = {.subject = "store.a", .bytes = "other", .n = 5, .is_first = true};
    assert_int_equal(hd_line_publish(p->line, &first, &err), HD_NOT_FIRST);
    first.subject = "store.b";
    assert_int_equal(hd_line_publish(p->line, &first, &err), HD_PUBLISHED);
    assert_true(hd_line_get_last(p->line, "S", "store.a", &out, &found, &err));
    assert_int_equal(found, 2);
    assert_string_equal(out.at, "new");
    assert_true(hd_line_get_last(p->line, "S", "store.c", &out, &found, &err));
    assert_int_equal(found, 0);
    assert_true(hd_line_get_last(p->line, "none", "store.c", &out, &found, &err));
    assert_int_equal(found, 0);
    /* Only behind the one that is known. */
    hd_publication next = {
        .subject = "store.a", .bytes = "next", .n = 4, .after = 2, .sequence = &second};
    assert_int_equal(hd_line_publish(p->line, &next, &err), HD_PUBLISHED);
    assert_int_equal(second, 4);
    assert_int_equal(hd_line_publish(p->line, &next, &err), HD_NOT_FIRST);
    hd_text_release(&out);
}

static void streams_come_and_go(void **state) {
    place *p = *state;
    hd_err err = {0};
    bool has;
    assert_true(hd_line_has_stream(p->line, "L", &has, &err));
    assert_false(has);
    make(p, "L", "log", HD_STREAM_LOG);
    put(p, "log", NULL, "gone");
    assert_true(hd_line_purge_stream(p->line, "L", &err));
    assert_true(hd_line_has_stream(p->line, "L", &has, &err));
    assert_true(has);
    assert_true(hd_line_delete_stream(p->line, "L", &err));
    assert_true(hd_line_delete_stream(p->line, "L", &err));
    assert_true(hd_line_has_stream(p->line, "L", &has, &err));
    assert_false(has);
}

/* ---- work queues ---- */

static hd_delivery take(hd_work_queue *q, const char *words, uint64_t n_before) {
    hd_delivery d;
    assert_int_equal(hd_work_queue_take(q, 10, &d), HD_READ);
    assert_int_equal(d.n, strlen(words));
    assert_memory_equal(d.bytes, words, d.n);
    assert_int_equal(d.n_before, n_before);
    return d;
}

static void work_that_nobody_ends_goes_to_another(void **state) {
    place *p = *state;
    hd_err err = {0};
    make(p, "Q", "queue", HD_STREAM_QUEUE);
    hd_work_queue *mine = hd_work_queue_open(p->line, "Q", "queue", 1, &err);
    hd_work_queue *theirs = hd_work_queue_open(p->line, "Q", "queue", 1, &err);
    hd_delivery none;
    assert_int_equal(hd_work_queue_take(mine, 0.05, &none), HD_READ_NOTHING);
    put(p, "queue", NULL, "one");
    put(p, "queue", NULL, "two");
    hd_delivery one = take(mine, "one", 0), two = take(theirs, "two", 0);
    for (int i = 0; i < 4; i++) { /* for longer than its patience */
        hd_delivery_hold(&one);
        usleep(400000);
    }
    hd_delivery again = take(mine, "two", 1);
    hd_delivery_end(&again);
    hd_delivery_end(&one);
    hd_delivery_end(&two); /* too late: nothing happens */
    assert_int_equal(hd_work_queue_take(theirs, 1.5, &none), HD_READ_NOTHING);
    put(p, "queue", NULL, "three");
    hd_delivery three = take(mine, "three", 0);
    hd_delivery_drop(&three);
    three = take(theirs, "three", 1);
    hd_delivery_end(&three);
    hd_work_queue_close(mine);
    hd_work_queue_close(theirs);
}

/* ---- plain messages ---- */

static void hear(void *context, const void *bytes, size_t n) {
    atomic_uint *sum = context;
    for (size_t i = 0; i < n; i++)
        *sum += ((const uint8_t *)bytes)[i];
}

static void who_listens_hears(void **state) {
    place *p = *state;
    hd_err err = {0};
    atomic_uint sum = 0;
    hd_line_say(p->line, "news", "\1", 1);
    hd_ear *ear = hd_ear_open(p->line, "news", hear, &sum, &err);
    assert_non_null(ear);
    hd_line_say(p->line, "news", "\2\3", 2);
    for (int i = 0; i < 1000 && sum < 5; i++)
        usleep(5000);
    hd_ear_close(ear);
    hd_line_say(p->line, "news", "\7", 1);
    assert_int_equal(sum, 5);
}

/* ---- servers that will not do ---- */

static void expect_refusal(const hd_line_options *o, const char *words) {
    hd_err err = {0};
    hd_line *l = hd_line_open(o, &err);
    if (l)
        fail_msg("connected, without '%s'", words);
    if (!strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    assert_true(err.hint[0]);
}

static void nobody_is_there(void **state) {
    (void)state;
    place p = {0};
    hd_line_options o = options_of(&p);
    double began = hd_clock_now();
    o.servers = "nats://127.0.0.1:1";
    o.patience = 0.5;
    expect_refusal(&o, "does not answer");
    assert_true(hd_clock_now() - began >= 0.4 && hd_clock_now() - began < 10);
    assert_int_equal(p.n_notes, 1);
    o.servers = ",";
    expect_refusal(&o, "has no address");
}

static void refuse_with(const char *const *words, const char *url, const char *complaint) {
    place p = {0};
    hd_err err = {0};
    char servers[128];
    if (!hd_server_start(&p.server, words, &err))
        fail_msg("%s", err.message);
    hd_line_options o = options_of(&p);
    snprintf(servers, sizeof servers, url, p.server.port);
    o.servers = servers;
    o.patience = 1;
    expect_refusal(&o, complaint);
    hd_server_stop(&p.server);
}

static void a_server_without_jetstream(void **state) {
    (void)state;
    static const char *const without[] = {NULL};
    refuse_with(without, "nats://127.0.0.1:%d", "has no JetStream");
}

static void wrong_credentials(void **state) {
    (void)state;
    static const char *const with_password[] = {"-js", "--user", "u", "--pass", "p", NULL};
    refuse_with(with_password, "nats://127.0.0.1:%d", "refuses these credentials");
    refuse_with(with_password, "nats://u:wrong@127.0.0.1:%d", "refuses these credentials");
}

static void right_credentials(void **state) {
    (void)state;
    static const char *const with_password[] = {"-js", "--user", "u", "--pass", "p", NULL};
    place p = {0};
    hd_err err = {0};
    char url[64];
    assert_true(hd_server_start(&p.server, with_password, &err));
    hd_line_options o = options_of(&p);
    snprintf(url, sizeof url, "nats://u:p@127.0.0.1:%d", p.server.port);
    o.servers = url;
    hd_line *l = hd_line_open(&o, &err);
    assert_non_null(l);
    hd_line_close(l);
    hd_server_stop(&p.server);
}

/* ---- who we are, and who they are ---- */

#define TLS "tests/tls/"
static const char *const with_tls[] = {"-js",         "--tls",
                                       "--tlscert",   TLS "server.pem",
                                       "--tlskey",    TLS "server.key",
                                       "--tlscacert", TLS "ca.pem",
                                       "--tlsverify", NULL};

static void a_server_with_certificates(void **state) {
    (void)state;
    place p = {0};
    hd_err err = {0};
    char url[64];
    assert_true(hd_server_start(&p.server, with_tls, &err));
    snprintf(url, sizeof url, "tls://127.0.0.1:%d", p.server.port);
    hd_line_options o = {.servers = url,
                         .patience = 1,
                         .ca = TLS "ca.pem",
                         .certificate = TLS "client.pem",
                         .key = TLS "client.key"};
    hd_line *l = hd_line_open(&o, &err);
    if (!l)
        fail_msg("%s", err.message);
    hd_line_close(l);
    o.ca = NULL; /* the server is not trusted */
    expect_refusal(&o, "cannot be trusted");
    o.ca = TLS "ca.pem";
    o.certificate = o.key = NULL; /* we are not */
    assert_null(hd_line_open(&o, &err));
    o.ca = NULL;
    o.servers = p.server.url; /* nats://: it asks for TLS all the same */
    expect_refusal(&o, "cannot be trusted");
    hd_server_stop(&p.server);
}

static char *read_word(const char *path) {
    hd_text text = {0};
    assert_true(hd_text_read_file(&text, path));
    text.at[strcspn(text.at, "\n")] = '\0';
    return text.at;
}

static void a_server_that_knows_us_by_our_key(void **state) {
    (void)state;
    place p = {0};
    hd_err err = {0};
    char file[300], *key = read_word(TLS "user.nkey");
    assert_true(hd_server_start(&p.server, with_jetstream, &err));
    hd_server_end(&p.server, SIGTERM);
    snprintf(file, sizeof file, "%s/conf", p.server.directory);
    FILE *f = fopen(file, "w");
    fprintf(f, "jetstream { max_file: 10MB }\nauthorization { users: [ { nkey: %s } ] }\n", key);
    fclose(f);
    const char *const with_users[] = {"-c", file, NULL};
    if (!hd_server_restart(&p.server, with_users, &err))
        fail_msg("%s", err.message);
    hd_line_options o = options_of(&p);
    o.patience = 1;
    expect_refusal(&o, "refuses these credentials");
    o.nkey = key;
    o.nkey_seed = TLS "user.seed";
    hd_line *l = hd_line_open(&o, &err);
    if (!l)
        fail_msg("%s", err.message);
    hd_line_close(l);
    free(key);
    hd_server_stop(&p.server);
}

static void write_file(const char *path, const hd_text *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text->at, 1, text->n, f), text->n);
    fclose(f);
}

/* A server that knows an operator only: who comes is vouched for by an account of it. */
static void a_server_that_trusts_an_operator(void **state) {
    (void)state;
    place p = {0};
    hd_err err = {0};
    hd_text settings = {0}, ours = {0}, theirs = {0};
    char file[300], creds[300], strange[300];
    assert_true(hd_server_start(&p.server, with_jetstream, &err));
    hd_server_end(&p.server, SIGTERM);
    snprintf(file, sizeof file, "%s/conf", p.server.directory);
    snprintf(creds, sizeof creds, "%s/creds", p.server.directory);
    snprintf(strange, sizeof strange, "%s/strange", p.server.directory);
    hd_text_add(&settings, "jetstream { max_file: 10MB }\n");
    jwt_write_settings(&settings);
    jwt_write_credentials(&ours, false);
    jwt_write_credentials(&theirs, true);
    write_file(file, &settings);
    write_file(creds, &ours);
    write_file(strange, &theirs);
    const char *const with_operator[] = {"-c", file, NULL};
    if (!hd_server_restart(&p.server, with_operator, &err))
        fail_msg("%s", err.message);
    hd_line_options o = options_of(&p);
    o.patience = 2;
    expect_refusal(&o, "refuses these credentials");
    o.credentials = strange;
    expect_refusal(&o, "refuses these credentials");
    o.credentials = creds;
    p.line = hd_line_open(&o, &err);
    if (!p.line)
        fail_msg("%s", err.message);
    make(&p, "L", "log", HD_STREAM_LOG);
    assert_int_equal(put(&p, "log", "1", "one"), HD_PUBLISHED);
    hd_line_close(p.line);
    hd_server_stop(&p.server);
    hd_text_release(&settings);
    hd_text_release(&ours);
    hd_text_release(&theirs);
}

static void files_that_are_not_there(void **state) {
    place *p = *state;
    hd_line_options o = options_of(p);
    hd_err err = {0};
    o.patience = 1;
    o.credentials = "/nowhere/user.creds";
    assert_null(hd_line_open(&o, &err));
    o.credentials = NULL;
    o.ca = "/nowhere/ca.pem";
    expect_refusal(&o, "cannot be trusted");
}

static void a_full_server(void **state) {
    (void)state;
    place p = {0};
    hd_err err = {0};
    char file[300];
    assert_true(hd_server_start(&p.server, with_jetstream, &err));
    hd_server_end(&p.server, SIGTERM);
    snprintf(file, sizeof file, "%s/conf", p.server.directory);
    FILE *f = fopen(file, "w");
    fputs("jetstream { max_file: 100KB, max_mem: 1MB }\n", f);
    fclose(f);
    const char *const small[] = {"-c", file, NULL};
    if (!hd_server_restart(&p.server, small, &err))
        fail_msg("%s", err.message);
    hd_line_options o = options_of(&p);
    p.line = hd_line_open(&o, &err);
    assert_non_null(p.line);
    make(&p, "L", "log", HD_STREAM_LOG);
    char *bytes = calloc(1, 40000);
    hd_publication what = {.subject = "log", .bytes = bytes, .n = 40000};
    hd_published answer = HD_PUBLISHED;
    for (int i = 0; i < 10 && answer == HD_PUBLISHED; i++)
        answer = hd_line_publish(p.line, &what, &err);
    free(bytes);
    assert_int_equal(answer, HD_NOT_PUBLISHED);
    if (!strstr(err.message, "is full"))
        fail_msg("%s", err.message);
    hd_line_close(p.line);
    hd_server_stop(&p.server);
}

static void too_many_copies(void **state) {
    place *p = *state;
    hd_err err = {0};
    hd_line_options o = options_of(p);
    o.replicas = 3;
    hd_line *l = hd_line_open(&o, &err);
    assert_non_null(l);
    assert_false(hd_line_make_stream(l, "L", "log", HD_STREAM_LOG, &err));
    assert_non_null(strstr(err.message, "copies"));
    hd_line_close(l);
}

/* A server of long ago: it knows no headers. */
static void *speak_old(void *listener) {
    int fd = accept(*(int *)listener, NULL, NULL);
    dprintf(fd, "INFO {\"server_id\":\"old\",\"version\":\"1.4.1\",\"max_payload\":1048576}\r\n");
    char bytes[4096];
    ssize_t n;
    while ((n = read(fd, bytes, sizeof bytes - 1)) > 0) {
        bytes[n] = '\0';
        if (strstr(bytes, "PING"))
            dprintf(fd, "PONG\r\n");
    }
    close(fd);
    return NULL;
}

static void a_server_that_is_too_old(void **state) {
    (void)state;
    pthread_t server;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 1), 0);
    getsockname(listener, (struct sockaddr *)&at, &size);
    pthread_create(&server, NULL, speak_old, &listener);
    char url[64];
    snprintf(url, sizeof url, "nats://127.0.0.1:%d", ntohs(at.sin_port));
    expect_refusal(&(hd_line_options){.servers = url, .patience = 1}, "is too old");
    pthread_join(server, NULL);
    close(listener);
}

/* ---- the seal ---- */

static void what_is_sealed_can_be_opened(void **state) {
    (void)state;
    hd_seal ours, others;
    hd_err err = {0};
    hd_text message = {0};
    size_t n;
    assert_true(hd_seal_make(&ours, "run-1", &err));
    assert_true(hd_seal_make(&others, "run-1", &err));
    assert_memory_not_equal(ours.key, others.key, HD_KEY_SIZE);
    hd_text_add(&message, "go");
    hd_seal_close(&ours, "subject", &message);
    assert_int_equal(message.n, 2 + HD_SEAL_SIZE);
    assert_true(hd_seal_open(&ours, "subject", message.at, message.n, &n));
    assert_int_equal(n, 2);
    assert_false(hd_seal_open(&others, "subject", message.at, message.n, &n));
    assert_false(hd_seal_open(&ours, "another", message.at, message.n, &n));
    hd_seal renamed = ours;
    renamed.run[0] = 'x';
    assert_false(hd_seal_open(&renamed, "subject", message.at, message.n, &n));
    for (size_t i = 0; i < message.n; i++) {
        message.at[i] ^= 1;
        assert_false(hd_seal_open(&ours, "subject", message.at, message.n, &n));
        message.at[i] ^= 1;
        assert_false(hd_seal_open(&ours, "subject", message.at, i, &n));
    }
    hd_text_release(&message);
}

static void codes_are_those_of_the_standard(void **state) {
    (void)state;
    char name[HD_HASH_SIZE];
    hd_hash_name("abc", 3, name);
    assert_string_equal(name, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hd_hash_name("", 0, name);
    assert_string_equal(name, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void tokens_are_kept_in_files(void **state) {
    (void)state;
    hd_seal made, read;
    hd_err err = {0};
    struct stat status;
    char directory[HD_SCRATCH_SIZE], path[HD_SCRATCH_SIZE + 8];
    assert_true(hd_scratch_make(directory, "heddle-test", &err));
    snprintf(path, sizeof path, "%s/token", directory);
    fclose(fopen(path, "w"));
    assert_true(hd_seal_make(&made, "a_run", &err));
    assert_false(hd_seal_write(&made, path, &err)); /* it is there */
    unlink(path);
    assert_true(hd_seal_write(&made, path, &err));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 077, 0);
    assert_true(hd_seal_read(&read, path, &err));
    assert_memory_equal(&made, &read, sizeof made);
    FILE *f = fopen(path, "w");
    fputs("heddle-token-1 a_run 0123\n", f);
    fclose(f);
    assert_false(hd_seal_read(&read, path, &err));
    assert_non_null(strstr(err.message, "not the token"));
    assert_int_equal(truncate(path, 0), 0);
    assert_false(hd_seal_read(&read, path, &err));
    unlink(path);
    assert_false(hd_seal_read(&read, path, &err));
    assert_non_null(strstr(err.message, "cannot read"));
    hd_scratch_remove(directory);
}

static void names_of_runs(void **state) {
    (void)state;
    hd_err err = {0};
    assert_true(hd_run_name_check("a-Run_7", &err));
    for (const char **bad =
             (const char *[]){"", "a b", "a.b", "a>", "a*",
                              "0123456789012345678901234567890123456789012345678901", NULL};
         *bad; bad++)
        assert_false(hd_run_name_check(*bad, &err));
}

int main(void) {
#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_SERVER(a_log_is_read_in_order),
        WITH_SERVER(a_log_survives_its_server),
        WITH_SERVER(a_log_that_has_lost_something),
        WITH_SERVER(a_log_can_be_trimmed),
        WITH_SERVER(a_server_that_is_away_is_waited_for),
        WITH_SERVER(the_last_of_a_subject_stays),
        WITH_SERVER(streams_come_and_go),
        WITH_SERVER(work_that_nobody_ends_goes_to_another),
        WITH_SERVER(who_listens_hears),
        WITH_SERVER(files_that_are_not_there),
        WITH_SERVER(too_many_copies),
        cmocka_unit_test(nobody_is_there),
        cmocka_unit_test(a_server_without_jetstream),
        cmocka_unit_test(wrong_credentials),
        cmocka_unit_test(right_credentials),
        cmocka_unit_test(a_server_with_certificates),
        cmocka_unit_test(a_server_that_knows_us_by_our_key),
        cmocka_unit_test(a_server_that_trusts_an_operator),
        cmocka_unit_test(a_full_server),
        cmocka_unit_test(a_server_that_is_too_old),
        cmocka_unit_test(what_is_sealed_can_be_opened),
        cmocka_unit_test(codes_are_those_of_the_standard),
        cmocka_unit_test(tokens_are_kept_in_files),
        cmocka_unit_test(names_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* heddle serve -- a run in a browser of this machine, while it goes. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/report_page.h"
#include "cli/served_run.h"
#include "serve/web_server.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#define USUAL_PORT 7321
#define KEY_BYTES  16

typedef struct serve_values {
    uint64_t port;
    double max_time, replay_time;
} serve_values;

#define AT(field) offsetof(serve_values, field)
static const hd_option options[] = {
    {"port", 'p', HD_OPTION_COUNT, AT(port), "N",
     "of 127.0.0.1; 0: any that is free (default 7321)", NULL, false},
    {"max-time", 't', HD_OPTION_SECONDS, AT(max_time), "T", "end after this time (default: at ^C)",
     NULL, false},
    {"replay-time", 0, HD_OPTION_SECONDS, AT(replay_time), "T",
     "for running tests again when the report is made; 0: none is (default 3s)", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

static volatile sig_atomic_t is_enough;

static void note_signal(int number) {
    (void)number;
    is_enough = 1;
}

/* The key is a part of every address: other users of the machine can connect, and know none. */
typedef struct service {
    hd_served_run run;
    double deadline; /* 0 = none */
    char key[2 * KEY_BYTES + 1];
} service;

static bool make_key(service *s, hd_err *err) {
    unsigned char bytes[KEY_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return hd_err_set(err, "the system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(s->key + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* What stands behind "/KEY" in a path; NULL if the key is another.  How long that takes does not
 * depend on how much of it was guessed. */
static const char *behind_key(const service *s, const char *path) {
    size_t n = strlen(s->key);
    unsigned char differs = 0;
    if (strlen(path) <= n)
        return NULL;
    for (size_t i = 0; i < n; i++)
        differs |= (unsigned char)(path[1 + i] ^ s->key[i]);
    return differs ? NULL : path + 1 + n;
}

static void give(hd_web_answer *a, const char *type, const hd_text *body) {
    a->type = type;
    hd_text_add_bytes(&a->body, hd_text_string(body), body->n);
}

static void answer(void *context, const char *path, hd_web_answer *a) {
    hd_served_run *run = &((service *)context)->run;
    const char *rest = behind_key(context, path);
    const hd_text *report;
    if (rest && strcmp(rest, "/state") == 0) {
        give(a, "application/json", hd_served_run_state(run));
    } else if (!rest || strcmp(rest, "/") != 0) {
        a->status = 404;
    } else if ((report = hd_served_run_report(run))) {
        give(a, "text/html", report);
    } else {
        a->type = "text/html";
        hd_live_page(&a->body);
    }
}

static bool goes_on(void *context) {
    service *s = context;
    hd_served_run_tick(&s->run);
    return !is_enough && (s->deadline == 0 || hd_clock_now() < s->deadline);
}

static bool serve(service *s, const serve_values *v, hd_err *err) {
    hd_web_server *server = hd_web_server_open((uint16_t)v->port, err);
    if (!server)
        return false;
    hd_print(stdout, "http://127.0.0.1:%u/%s/ shows %s until ^C\n", hd_web_server_port(server),
             s->key, s->run.directory);
    fflush(stdout);
    hd_web_server_run(server, &(hd_web_calls){s, answer, goes_on});
    hd_web_server_close(server);
    return true;
}

static bool check(const serve_values *v, const hd_arguments *a, hd_err *err) {
    if (a->files.n != 1) {
        hd_err_set(err, "%s", a->files.n ? "too many arguments" : "no run directory given");
        return hd_err_hint(err, "write 'heddle serve DIR', for example 'heddle serve heddle-out'");
    }
    if (v->port <= UINT16_MAX)
        return true;
    hd_err_set(err, "there is no port %llu", (unsigned long long)v->port);
    return hd_err_hint(err, "ports are 1 to 65535; 0 is any that is free");
}

static bool start(const serve_values *v, const hd_arguments *a, hd_err *err) {
    service s = {.deadline = v->max_time > 0 ? hd_clock_now() + v->max_time : 0};
    bool ok = check(v, a, err) && make_key(&s, err) &&
              hd_served_run_open(&s.run, a->files.at[0], v->replay_time, err) && serve(&s, v, err);
    hd_served_run_close(&s.run);
    return ok;
}

static int run(int argc, char **argv) {
    serve_values v = {.port = USUAL_PORT, .replay_time = HD_REPLAY_SECONDS};
    hd_arguments a = {0};
    hd_err err;
    signal(SIGINT, note_signal);
    signal(SIGTERM, note_signal);
    bool ok = hd_options_parse(&table, argc, argv, &v, &a, &err);
    ok = ok && start(&v, &a, &err);
    hd_arguments_release(&a);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_serve = {
    "serve",
    "show a run in a browser while it goes",
    "serve DIR [--port N] [--max-time T]",
    "Shows a run in a browser of this machine as it goes: how far it is, findings as they come,\n"
    "coverage, units.  When the run has ended the page becomes its report ('heddle report').\n"
    "Listens on 127.0.0.1 only, answers reading requests for this one run, and only those that "
    "have\n"
    "the key of the address that it prints.  From elsewhere: 'ssh -L'.\n"
    "Only reads: a run that goes on is not disturbed.  Ends at ^C, or after --max-time.",
    &table,
    run,
};

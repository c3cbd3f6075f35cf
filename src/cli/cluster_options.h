/* cluster_options.h -- how a command of a cluster finds its servers, and its run. */
#ifndef HD_CLI_CLUSTER_OPTIONS_H
#define HD_CLI_CLUSTER_OPTIONS_H
#include "cli/options.h"
#include "fleet/cluster/line.h"

typedef struct hd_cluster_values {
    const char *servers, *token, *creds, *nkey, *nkey_seed, *ca, *cert, *key;
    double server_time; /* 0: not given */
} hd_cluster_values;

/* Rows for the table of options of a command; `at(field)` is where its values have one. */
#define HD_CLUSTER_OPTIONS(at)                                                                     \
    {"cluster",   0,     HD_OPTION_TEXT,                                                           \
     at(servers), "URL", "NATS servers, nats://HOST[:PORT][,...]; see 'heddle help cluster'",      \
     NULL,        false},                                                                          \
        {"token", 0,    HD_OPTION_TEXT, at(token), "FILE", "the token of a run on a cluster",      \
         NULL,    false},                                                                          \
        {"creds",   0,      HD_OPTION_TEXT,                                                        \
         at(creds), "FILE", "credentials for the servers: a JWT and its seed",                     \
         NULL,      false},                                                                        \
        {"nkey", 0, HD_OPTION_TEXT, at(nkey), "KEY", "public NKey for the servers", NULL, false},  \
        {"nkey-seed", 0,    HD_OPTION_TEXT, at(nkey_seed), "FILE", "the seed of that NKey",        \
         NULL,        false},                                                                      \
        {"tls-ca", 0,      HD_OPTION_TEXT,                                                         \
         at(ca),   "FILE", "certificates that the servers' are signed by",                         \
         NULL,     false},                                                                         \
        {"tls-cert", 0,    HD_OPTION_TEXT, at(cert), "FILE", "certificate of this client",         \
         NULL,       false},                                                                       \
        {"tls-key", 0, HD_OPTION_TEXT, at(key), "FILE", "key of that certificate", NULL, false}, { \
        "server-time", 0, HD_OPTION_SECONDS, at(server_time), "TIME",                              \
            "give up when no server answers for so long (default 60s)", NULL, false                \
    }

/* Has a command that works for a run what it needs, and no more? */
bool hd_cluster_is_given(const hd_cluster_values *v, const hd_arguments *a, const char *command,
                         hd_err *err);
/* Are the values complete, and can their files be read? */
bool hd_cluster_check(const hd_cluster_values *v, hd_err *err);
/* As the library wants them; without replicas, notes and interrupts. */
hd_line_options hd_cluster_line(const hd_cluster_values *v);
#endif

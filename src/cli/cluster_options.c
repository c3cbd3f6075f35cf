/* Options that commands of a cluster share (cluster_options.h). */
#include "cli/cluster_options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_SERVER_TIME 60.0

static bool go_together(const char *a, const char *b, const char *names, hd_err *err) {
    if (!a == !b)
        return true;
    hd_err_set(err, "options %s need each other", names);
    return hd_err_hint(err, "give both, or none");
}

static bool check_file(const char *option, const char *path, hd_err *err) {
    if (!path || access(path, R_OK) == 0)
        return true;
    hd_err_set(err, "cannot read '%s': %s", path, strerror(errno));
    return hd_err_hint(err, "option '--%s' names a file", option);
}

bool hd_cluster_is_given(const hd_cluster_values *v, const hd_arguments *a, const char *command,
                         hd_err *err) {
    const char *missing = !v->servers ? "cluster" : !v->token ? "token" : NULL;
    if (a->files.n) {
        hd_err_set(err, "'%s' is no option of 'heddle %s'", a->files.at[0], command);
        return hd_err_hint(err, "the program comes with the run");
    }
    if (!missing)
        return true;
    hd_err_set(err, "option '--%s' is missing", missing);
    return hd_err_hint(err, "heddle %s --cluster nats://HOST --token FILE", command);
}

/* [nats://|tls://][USER:PASSWORD@]HOST[:PORT], n characters of it. */
static bool is_address(const char *at, size_t n) {
    const char *end = at + n, *host = at;
    for (const char *c = at; c + 2 < end; c++)
        if (strncmp(c, "://", 3) == 0) {
            if (strncmp(at, "nats://", 7) != 0 && strncmp(at, "tls://", 6) != 0)
                return false;
            host = c + 3;
            break;
        }
    for (const char *c = host; c < end; c++)
        if (*c == '@')
            host = c + 1;
    return host < end && *host != ':' && !memchr(host, ' ', (size_t)(end - host));
}

/* What can be no address would be tried for as long as a server may be away. */
static bool check_servers(const char *servers, hd_err *err) {
    for (const char *at = servers; at && *at;) {
        size_t n = strcspn(at, ",");
        if (!is_address(at, n)) {
            hd_err_set(err, "'%.*s' is no address of a NATS server", (int)n, at);
            return hd_err_hint(err, "write it as nats://HOST or tls://HOST, with :PORT if need be");
        }
        at += n + (at[n] == ',');
    }
    return true;
}

bool hd_cluster_check(const hd_cluster_values *v, hd_err *err) {
    return check_servers(v->servers, err) &&
           go_together(v->nkey, v->nkey_seed, "'--nkey' and '--nkey-seed'", err) &&
           go_together(v->cert, v->key, "'--tls-cert' and '--tls-key'", err) &&
           check_file("creds", v->creds, err) && check_file("nkey-seed", v->nkey_seed, err) &&
           check_file("tls-ca", v->ca, err) && check_file("tls-cert", v->cert, err) &&
           check_file("tls-key", v->key, err);
}

hd_line_options hd_cluster_line(const hd_cluster_values *v) {
    return (hd_line_options){.servers = v->servers,
                             .credentials = v->creds,
                             .nkey = v->nkey,
                             .nkey_seed = v->nkey_seed,
                             .ca = v->ca,
                             .certificate = v->cert,
                             .key = v->key,
                             .patience = v->server_time > 0 ? v->server_time : DEFAULT_SERVER_TIME};
}

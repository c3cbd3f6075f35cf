/* A run at its server: begun, or found there (cluster.h). */
#include "fleet/cluster/cluster.h"

#include "base/clock.h"
#include "fleet/cluster/talk.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LISTEN 1.5 /* seconds in which a coordinator says something */

static bool refuse_token(hd_post *post, hd_err *err) {
    hd_err_set(err, "run '%s' at '%s' has another token", hd_post_run(post), hd_post_servers(post));
    return hd_err_hint(err, "name its token with '--token FILE', or another run with '--run NAME'");
}

static bool read_manifest(hd_post *post, bool *is_there, hd_manifest *m, hd_err *err) {
    hd_text bytes = {0};
    hd_declared answer = hd_post_read_declared(post, &bytes, err);
    bool ok = answer == HD_NOT_DECLARED || answer == HD_DECLARED;
    *is_there = answer == HD_DECLARED;
    if (answer == HD_DECLARED_BY_OTHERS)
        refuse_token(post, err);
    else if (*is_there && !hd_manifest_unpack(bytes.at, bytes.n, m))
        ok = hd_err_set(err, "run '%s' is of another version of Heddle", hd_post_run(post));
    hd_text_release(&bytes);
    return ok;
}

/* ---- is somebody there? ---- */

typedef struct listener {
    pthread_mutex_t lock;
    hd_notice call; /* coordinator 0: nothing was heard */
} listener;

static void hear(void *context, const void *bytes, size_t n) {
    listener *l = context;
    hd_notice call;
    if (!hd_notice_unpack(bytes, n, &call))
        return;
    pthread_mutex_lock(&l->lock);
    l->call = call;
    pthread_mutex_unlock(&l->lock);
}

static bool has_heard(listener *l) {
    pthread_mutex_lock(&l->lock);
    bool has = l->call.coordinator;
    pthread_mutex_unlock(&l->lock);
    return has;
}

static bool check_nobody_coordinates(hd_post *post, hd_err *err) {
    listener l = {.lock = PTHREAD_MUTEX_INITIALIZER};
    double until = hd_clock_now() + LISTEN;
    if (!hd_post_listen(post, HD_TALK_ORDERS, hear, &l, err))
        return false;
    while (hd_clock_now() < until && !has_heard(&l))
        usleep(20000);
    hd_post_stop_listening(post);
    if (!l.call.coordinator)
        return true;
    hd_err_set(err, "run '%s' is coordinated by another 'heddle run' on %s", hd_post_run(post),
               l.call.host);
    return hd_err_hint(err, "add this machine with 'heddle worker', or give the run another name "
                            "with '--run'");
}

/* ---- beginning ---- */

static bool declare(hd_post *post, hd_manifest *m, const char *module, const char *standard_input,
                    bool *was_there, hd_err *err) {
    hd_text bytes = {0};
    if (!hd_post_found(post, err) || !hd_manifest_add_directory(m, post, module, "module", err) ||
        (standard_input && !hd_manifest_add_file(m, post, standard_input, "stdin", err)))
        return false;
    hd_manifest_pack(&bytes, m);
    hd_published answer = hd_post_declare(post, &bytes, err);
    hd_text_release(&bytes);
    *was_there = answer == HD_NOT_FIRST; /* somebody began it at the same time */
    return answer != HD_NOT_PUBLISHED;
}

static bool go_on_with(hd_post *post, hd_manifest *m, hd_manifest *there, hd_err *err) {
    bool is_same = hd_manifest_is_same(m, there);
    bool ok = is_same && hd_manifest_check(there, m->version, hd_post_run(post), err);
    if (!is_same) {
        hd_err_set(err, "run '%s' at '%s' is of another program or another search",
                   hd_post_run(post), hd_post_servers(post));
        hd_err_hint(err, "give this one another name with '--run NAME'");
    }
    hd_manifest old = *m;
    *m = *there;
    hd_manifest_release(&old);
    return ok && check_nobody_coordinates(post, err);
}

bool hd_cluster_found(hd_post *post, hd_manifest *m, const char *module, const char *standard_input,
                      bool *was_there, hd_err *err) {
    hd_manifest there = {0};
    *was_there = false;
    if (!read_manifest(post, was_there, &there, err))
        return false;
    if (!*was_there && !declare(post, m, module, standard_input, was_there, err))
        return false;
    if (!*was_there)
        return true;
    if (!there.version && !read_manifest(post, was_there, &there, err))
        return false;
    return go_on_with(post, m, &there, err);
}

bool hd_cluster_join(hd_post *post, const char *version, hd_manifest *m, hd_err *err) {
    bool is_there;
    if (!read_manifest(post, &is_there, m, err))
        return false;
    if (!is_there) {
        hd_err_set(err, "there is no run '%s' at '%s'", hd_post_run(post), hd_post_servers(post));
        return hd_err_hint(err, "start it with 'heddle run --cluster'; it may have ended");
    }
    if (hd_manifest_check(m, version, hd_post_run(post), err))
        return true;
    hd_manifest_release(m);
    return false;
}

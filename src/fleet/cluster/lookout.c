/* Listening to a run (lookout.h): what is said there is for observer `top_view`. */
#include "fleet/cluster/lookout.h"

#include "base/clock.h"
#include "base/panic.h"
#include "fleet/cluster/talk.h"

#include <pthread.h>
#include <stdlib.h>

struct hd_lookout {
    hd_post *post;
    pthread_mutex_t lock;
    hd_observers *seen; /* under the lock */
};

static void add(hd_lookout *w, const void *live, size_t n) {
    pthread_mutex_lock(&w->lock);
    hd_observers_add(w->seen, live, n);
    pthread_mutex_unlock(&w->lock);
}

static void hear_coordinator(void *lookout, const void *bytes, size_t n) {
    hd_notice notice;
    if (hd_notice_unpack(bytes, n, &notice))
        add(lookout, notice.live, notice.n_live);
}

static void hear_machine(void *lookout, const void *bytes, size_t n) {
    hd_news news;
    if (!hd_news_unpack(bytes, n, &news))
        return;
    add(lookout, news.live.at, news.live.n);
    hd_news_release(&news);
}

hd_lookout *hd_lookout_open(hd_post *post, hd_err *err) {
    hd_lookout *w = calloc(1, sizeof *w);
    if (!w)
        hd_out_of_memory();
    w->post = post;
    w->seen = hd_observers_new();
    pthread_mutex_init(&w->lock, NULL);
    if (hd_post_listen(post, HD_TALK_ORDERS, hear_coordinator, w, err) &&
        hd_post_listen(post, HD_TALK_NEWS, hear_machine, w, err))
        return w;
    hd_lookout_close(w);
    return NULL;
}

void hd_lookout_close(hd_lookout *w) {
    hd_post_stop_listening(w->post);
    hd_observers_free(w->seen);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

hd_picture hd_lookout_look(hd_lookout *w) {
    pthread_mutex_lock(&w->lock);
    hd_picture p = hd_observers_look(w->seen, hd_clock_now());
    pthread_mutex_unlock(&w->lock);
    return p;
}

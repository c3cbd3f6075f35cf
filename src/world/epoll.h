/* epoll.h -- which files are ready, and lists of files that somebody is interested in.
 *
 * Readiness is what poll(2) answers, computed from the state of the file alone.  Buffers have no
 * limit, so that what can be written to is always ready for it. */
#ifndef HD_WORLD_EPOLL_H
#define HD_WORLD_EPOLL_H
#include "world/net.h"

/* A file with what somebody wants to know of it, and what came of it. */
typedef struct hd_polled {
    hd_file *file; /* NULL: skipped */
    int descriptor;
    uint32_t wanted; /* POLLIN, ... */
} hd_polled;

/* One entry of an interest list. */
typedef struct hd_interest {
    hd_file *file;
    int descriptor;
    uint32_t events; /* as given: EPOLLIN, EPOLLET, ... */
    uint64_t data;
    uint32_t data_shadow; /* expression of `data`; 0: it is concrete */
    uint32_t n_seen;      /* news of the file when it was reported last */
    bool is_fresh;        /* not reported since it was added or changed */
    bool is_spent;        /* EPOLLONESHOT */
} hd_interest;

typedef struct hd_epoll {
    uint32_t id, owner;
    hd_interest *at;
    uint32_t n, room;
} hd_epoll;

/* All of POLLIN, POLLOUT, POLLHUP, POLLRDHUP, POLLERR, ... that hold; `now` is the time. */
uint32_t hd_file_ready(const hd_file *f, uint64_t now);
/* All that it could ever be, besides POLLERR and POLLHUP. */
uint32_t hd_file_may_be(const hd_file *f);
/* How often something new has come that who waits for `wanted` could notice. */
uint32_t hd_file_news(const hd_file *f, uint32_t wanted);
/* The queue that its readiness for reading depends on, or NULL. */
hd_queue *hd_file_input(const hd_file *f);
/* When it becomes ready by itself; UINT64_MAX: never. */
uint64_t hd_file_due(const hd_file *f);

hd_epoll *hd_epoll_new(hd_net *n, uint32_t id, uint32_t owner);
hd_interest *hd_epoll_find(const hd_epoll *e, int descriptor, const hd_file *file);
void hd_epoll_add(hd_net *n, hd_epoll *e, hd_interest entry);
void hd_epoll_remove(hd_epoll *e, hd_interest *entry);
/* Does list `e` lead to list `to`, itself or through lists that it has? */
bool hd_epoll_leads_to(const hd_epoll *e, const hd_epoll *to);
/* Would too many lists lie in each other if `above` had `below`?  Linux allows four steps. */
bool hd_epoll_is_too_deep(const hd_net *n, const hd_epoll *above, const hd_epoll *below);
/* A file is gone: nobody is interested in it any more. */
void hd_epoll_forget(hd_epoll *e, const hd_file *file);
/* What would be reported about the entry now; 0 = nothing. */
uint32_t hd_interest_ready(const hd_interest *i, uint64_t now);
/* The entry was reported. */
void hd_interest_report(hd_interest *i);
#endif

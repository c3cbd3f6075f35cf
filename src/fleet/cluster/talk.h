/* talk.h -- what coordinator and machines say to each other without writing it down.
 *
 * Nothing is lost if it is not heard: orders are given again, news come again. */
#ifndef HD_FLEET_CLUSTER_TALK_H
#define HD_FLEET_CLUSTER_TALK_H
#include "fleet/source.h"

/* The run as its coordinator knows it, with what machines have told since their last bundles. */
typedef struct hd_overview {
    hd_run_counters counters;
    uint64_t n_findings;
    uint64_t n_units, n_left, n_out; /* there ever were; are left; are with machines or offered */
    double elapsed;                  /* seconds since this coordinator began */
} hd_overview;

/* From the coordinator: an order (source.h), or how things are. */
typedef struct hd_notice {
    uint64_t coordinator;
    char host[64];
    bool has_order;
    hd_order order;       /* with one */
    hd_overview overview; /* without */
} hd_notice;
void hd_notice_pack(hd_text *out, const hd_notice *c);
bool hd_notice_unpack(const void *bytes, size_t n, hd_notice *c);

typedef struct hd_unit_at {
    uint64_t unit, epoch;
} hd_unit_at;

/* From a machine. */
typedef struct hd_news {
    uint64_t machine;
    char host[64];
    bool is_leaving;
    hd_shift shift;
    uint64_t executions;     /* since it came */
    hd_vec(hd_unit_at) held; /* units that it has */
} hd_news;
void hd_news_pack(hd_text *out, const hd_news *news);
/* There is nothing to release if it fails. */
bool hd_news_unpack(const void *bytes, size_t n, hd_news *news);
void hd_news_release(hd_news *news);

/* A number that nobody else has, and the name of this machine. */
uint64_t hd_number_make(void);
void hd_host_name(char host[64]);
#endif

/* talk.h -- what coordinator and machines say to each other without writing it down.
 *
 * Nothing is lost if it is not heard: orders are given again, news come again. */
#ifndef HD_FLEET_CLUSTER_TALK_H
#define HD_FLEET_CLUSTER_TALK_H
#include "fleet/source.h"

/* From the coordinator: an order (source.h), or how things are. */
typedef struct hd_notice {
    uint64_t coordinator;
    char host[64];
    bool has_order;
    hd_order order;   /* with one */
    const void *live; /* hd_observers_glance; of what is unpacked: in those bytes */
    size_t n_live;
} hd_notice;
void hd_notice_pack(hd_text *out, const hd_notice *c);
bool hd_notice_unpack(const void *bytes, size_t n, hd_notice *c);

/* From a machine. */
typedef struct hd_news {
    uint64_t machine;
    bool is_leaving;
    uint32_t n_workers, n_idle;
    hd_text live;         /* hd_observers_glance */
    hd_unit_numbers held; /* units that it has */
} hd_news;
void hd_news_pack(hd_text *out, const hd_news *news);
/* There is nothing to release if it fails. */
bool hd_news_unpack(const void *bytes, size_t n, hd_news *news);
void hd_news_release(hd_news *news);

/* A number that nobody else has, and the name of this machine. */
uint64_t hd_number_make(void);
void hd_host_name(char host[64]);
#endif

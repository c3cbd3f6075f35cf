/* served_page.h -- the report of a run that has ended, made by a process of its own while others
 * are answered. */
#ifndef HD_CLI_SERVED_PAGE_H
#define HD_CLI_SERVED_PAGE_H
#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct hd_served_page {
    pid_t maker; /* 0 = nobody is at it */
    int paper;   /* what it writes to */
    bool is_ready;
    hd_text page;
    char *failure; /* why there is none, or NULL */
} hd_served_page;

void hd_served_page_begin(hd_served_page *p, const char *directory, double replay_time);
/* Looks whether it is ready. */
void hd_served_page_look(hd_served_page *p);
/* Forgets it; who is at it ends. */
void hd_served_page_clear(hd_served_page *p);
#endif

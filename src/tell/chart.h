/* chart.h -- the story of a program of several processes: a message sequence chart in text.
 *
 *     main      actor 1   actor 2
 *               ring.c:50 ring.c:50
 *       |         |         |
 *       |------------------>|    sent at ring.c:52, received at ring.c:30
 *       |         #         |    waits for a message at ring.c:30
 *       |         |         X    assertion 'x > 0' failed at ring.c:31
 *
 * A column is a process, with the place where it was created; a row is something that happened, in
 * order.  A message is drawn when it is received.  A fault has a row with its name.  Marks: # cannot go on, X fails, * anything else.
 * With too many processes for columns the rows are lines, "main -> actor 2".
 * Not here: threads of one process (story.h). */
#ifndef HD_TELL_CHART_H
#define HD_TELL_CHART_H
#include "tell/story.h"

typedef enum hd_row_kind {
    HD_ROW_MARK,    /* `from` does or suffers something */
    HD_ROW_MESSAGE, /* from one to another */
    HD_ROW_LOST,    /* a message that does not get there: ends in `mark` */
    HD_ROW_BIRTH,   /* `from` creates `to` */
    HD_ROW_KILL,
    HD_ROW_TIME,
    HD_ROW_NOTE, /* about all of them */
} hd_row_kind;

typedef struct hd_row {
    hd_row_kind kind;
    uint16_t from, to;
    char mark;
    hd_thread_set alive; /* processes */
    char *text;
    char *brief; /* a shorter text, for charts with little room beside them; or NULL */
    uint32_t site;  /* where `to` does it, or `from` if nobody else is in it; 0 = not known */
    uint32_t sent;  /* messages: where `from` sent it */
    uint32_t event; /* so many events came before it */
} hd_row;

/* One execution, or its beginning. */
typedef struct hd_tale {
    const hd_action *events;
    size_t n, n_told;         /* the story ends after so many */
    const hd_action *waiting; /* what is left at the end, of threads and couriers */
    size_t n_waiting;
    const hd_fault_event *faults; /* in the order of events */
    size_t n_faults;
    bool is_over;           /* nothing happens after the story */
    uint32_t failed_thread; /* 1 + who failed in the end; 0 = nobody in particular */
    const char *failure;    /* how; NULL = what is left says it */
} hd_tale;

struct hd_chart;
/* Fill a chart that is empty, for hd_chart_release. */
void hd_chart_make(const hd_storyteller *s, const hd_tale *tale, struct hd_chart *chart);
void hd_chart_release(struct hd_chart *chart);
/* Append the chart. */
void hd_chart_tell(const hd_storyteller *s, const hd_tale *tale, hd_text *out);

/* ---- chart_draw.c ---- */
typedef struct hd_chart {
    uint32_t n_processes;
    struct hd_column {
        hd_participant who;
        char place[64]; /* where it was created; "" = not known or no room */
        bool is_shown;
        size_t at; /* of its line */
    } *column;     /* n_processes */
    hd_vec(hd_row) rows;
} hd_chart;
void hd_chart_draw(hd_chart *c, hd_text *out);
#endif

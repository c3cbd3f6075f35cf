/* trace.h -- an execution event by event, each with its place: all that a story leaves out.
 *
 * Steps are what threads did and what inputs decided, in order; what they could not do comes last.
 * With several processes there are rows too, those of a chart (chart.h).  A trace has its own
 * copies of everything: it outlives the machine.
 *
 * B1. Steps that stand for an event are numbered from 1 in the order of the execution; decisions,
 *     what could not be done, and what failed have the number 0.
 * Promise (tests/terminal.sh): places are user's own files: what happens inside of Heddle's models
 *     of libc has none.
 * Not here: what is worth telling (story.h), printing (report/). */
#ifndef HD_TELL_TRACE_H
#define HD_TELL_TRACE_H
#include "tell/chart.h"
#include "tell/rerun.h"

/* What a step is like: flag, and the letter that stands for it in files. */
#define HD_STEP_FLAGS(X)                                                                           \
    X(SHARED, 's')   /* about what several threads use, or about threads */                        \
    X(WRITES, 'w')   /* to memory */                                                               \
    X(READS, 'r')    /* memory */                                                                  \
    X(ACQUIRES, 'a') /* the object */                                                              \
    X(RELEASES, 'e') /* the object */                                                              \
    X(FAILED, 'n')   /* in vain, or by its timeout */                                              \
    X(RACES, '!')    /* nothing orders it with another access of the same memory */                \
    X(WAITS, '#')    /* cannot go on */                                                            \
    X(FAILS, 'X')    /* what the execution shows goes wrong here */                                \
    X(COURIER, 'm')  /* a message under way */                                                     \
    X(ALL, 'A')      /* about nobody in particular */                                              \
    X(DECIDES, 'd')  /* no event: inputs decide */
typedef enum hd_step_bit {
#define X(name, letter) HD_STEP_BIT_##name,
    HD_STEP_FLAGS(X)
#undef X
        HD_N_STEP_FLAGS
} hd_step_bit;
typedef enum hd_step_flag {
#define X(name, letter) HD_STEP_##name = 1 << HD_STEP_BIT_##name,
    HD_STEP_FLAGS(X)
#undef X
} hd_step_flag;

typedef struct hd_trace_step {
    uint64_t event; /* B1 */
    uint32_t thread, process, flags;
    char *words;  /* "reads 'balance'" */
    char *object; /* "balance"; "" if it is about none */
    char *file;   /* "" if there is none */
    uint32_t line;
    uint64_t value; /* what was there before it, if has_value */
    bool has_value;
} hd_trace_step;

typedef struct hd_lane {
    char *name; /* of a thread, "thread 1", or of a process */
    char *file; /* where it was created; "" if that is not known */
    uint32_t line;
} hd_lane;

/* Of a chart: from one lane to another. */
typedef struct hd_chart_step {
    hd_row_kind kind;
    uint32_t from, to;
    uint64_t event; /* so many came before it */
    char mark;
    char *words, *file, *sent_file;
    uint32_t line, sent_line;
} hd_chart_step;

typedef struct hd_trace {
    hd_vec(hd_lane) threads, processes; /* the latter if there are several */
    hd_vec(hd_trace_step) steps;
    hd_vec(hd_chart_step) rows;
    bool is_cut; /* it went on after the last step */
} hd_trace;

/* Fill an empty trace from the last run of `r`. */
void hd_trace_make(const hd_rerun *r, const hd_image *image, hd_trace *trace);
void hd_trace_release(hd_trace *t);
/* "m", "main": how a thread is called in a list of events. */
void hd_trace_name(const hd_trace *t, const hd_trace_step *s, hd_text *out);
#endif

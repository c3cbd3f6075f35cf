/* recall_int.h -- what the files of recall.h share: what is known, and where the trail has come. */
#ifndef HD_MACHINE_TASKS_RECALL_INT_H
#define HD_MACHINE_TASKS_RECALL_INT_H
#include "machine/tasks/recall.h"

#define HD_RECALL_THREADS 64 /* a word has a bit for each */
#define HD_NOWHERE        0  /* no stop */

/* What an action is to those who do without running it. */
typedef enum hd_recall_role {
    HD_ROLE_ACCESS, /* of up to eight bytes of one word of a global */
    HD_ROLE_TAKES,  /* a lock, and nobody else has it then */
    HD_ROLE_GIVES,  /* it back */
    HD_ROLE_JOINS,
    HD_ROLE_EXITS,
    HD_ROLE_BEARS, /* is always run */
    HD_ROLE_ENDED, /* no action: the thread has ended */
} hd_recall_role;

typedef struct hd_stop {
    hd_action action; /* one access at most is in use */
    uint64_t steps;   /* that the thread has made up to here */
    uint64_t mask;    /* ACCESS: of the value */
    uint32_t ways;    /* 1 + the first of those that are known; 0: none */
    uint32_t n_ways;
    uint32_t location;
    uint8_t role, shift; /* shift: ACCESS, bits of the word below the value */
} hd_stop;

typedef struct hd_recall_way {
    uint64_t met, left; /* ACCESS: what is at its place before and afterwards */
    uint32_t from, to;  /* stops */
    uint32_t next;      /* 1 + another way from the same stop */
    bool is_clean;      /* K3 */
} hd_recall_way;

/* A word of a global, or a lock: 1 + who has it. */
typedef struct hd_recall_place {
    uint64_t word;
    uint64_t value;
    bool is_lock;
} hd_recall_place;

/* One event: what was before it. */
typedef struct hd_trail_entry {
    uint64_t value, hash;
    uint32_t thread, stop, location;
    uint8_t role;
} hd_trail_entry;

typedef struct hd_recall {
    bool is_off; /* for good: the program does what is not followed */

    /* What is known for good. */
    hd_vec(hd_stop) stops;          /* the first is none */
    hd_vec(hd_recall_way) ways;     /* of all stops */
    hd_vec(hd_recall_place) places; /* with what they hold now */
    hd_map place_of;                /* word -> place */
    hd_map way_of;                  /* of stops with many */
    hd_map born;                    /* first stops of threads, by where they were created */
    hd_map endings;                 /* steps of main at the end, by K5 */

    /* The state after the trail (K6). */
    hd_vec(hd_trail_entry) trail;
    hd_vec(uint64_t) lines; /* of its events, as scripts have them */
    uint64_t hash;          /* of all events, as hd_execution.hash */
    uint64_t sum;           /* of all places and their values */
    uint64_t joined;        /* threads, as bits */
    uint32_t n_threads, n_unjoined;
    uint32_t stop_of[HD_RECALL_THREADS];

    /* The execution that is followed: a thread is under way from its last stop. */
    bool is_under_way;
    uint32_t traveller;
    uint32_t from;      /* its stop */
    uint64_t met;       /* there */
    uint64_t n_entries; /* of the machine, when it left */

    /* Executions so far: does recalling pay? */
    uint32_t n_tried, n_recalled, n_rests, n_resting;
    bool starts_anew; /* after a rest the trail is of another time */
} hd_recall;

/* ---- recall.c ---- */
static inline uint64_t hd_recall_bit(uint32_t thread) {
    return UINT64_C(1) << thread;
}
static inline const hd_stop *hd_recall_stop(const hd_recall *r, uint32_t thread) {
    HD_CHECK(thread < HD_RECALL_THREADS && r->stop_of[thread] < r->stops.n);
    return &r->stops.at[r->stop_of[thread]];
}
/* The value of an access that stands there, now. */
static inline uint64_t hd_recall_value(const hd_recall *r, const hd_stop *s) {
    return r->places.at[s->location].value >> s->shift & s->mask;
}
/* The way from a stop for what is met there; NULL if nobody went there. */
const hd_recall_way *hd_recall_find_way(const hd_recall *r, uint32_t from, uint64_t met);
/* Event `a` of the thread at its stop: on the trail, with all that changes but where the thread
 * comes to.  `left`: of an access. */
void hd_recall_push(hd_recall *r, const hd_action *a, uint64_t left);
/* What joins leave: does main go on alone? */
static inline bool hd_recall_is_alone(const hd_recall *r) {
    return r->n_unjoined == 1;
}
/* Only the first n events are kept. */
void hd_recall_cut(hd_recall *r, uint32_t n);
/* How many events the script and the trail have in common; all of the script, or none. */
bool hd_recall_is_on_trail(const hd_recall *r, const hd_script *script);
#define HD_ENDING_LOOKS UINT64_MAX /* in place of steps: it depends on words */
/* The name of the end of an execution whose last event is that of the trail, with all words or
 * without. */
uint64_t hd_recall_name_ending(const hd_recall *r, bool has_words);
#endif

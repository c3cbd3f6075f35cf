/* story.h -- an interleaving of threads told in a few lines: who did what to what others use.
 *
 *     thread 1          reads 'balance' at bank.c:9
 *     thread 2          reads 'balance' at bank.c:9, writes 'balance' at bank.c:10
 *     thread 1          writes 'balance' at bank.c:10
 *
 * What only one thread touches, or nobody changes, is left out; long stories lose their middle.
 * Not here: which execution to tell (shorten.h), programs of several processes (chart.h). */
#ifndef HD_TELL_STORY_H
#define HD_TELL_STORY_H
#include "base/text.h"
#include "base/vec.h"
#include "machine/machine.h"

typedef struct hd_storyteller {
    const hd_site *sites;
    uint64_t n_sites;
    void *context;
    /* A name for the memory or object at `address`; "" if it has none. */
    size_t (*describe)(void *context, uint64_t address, char *out, size_t size);
    /* Processes: machine.h.  NULL: there is one. */
    bool (*participant)(void *context, uint32_t number, hd_participant *out);
    uint32_t (*process_of)(void *context, uint32_t thread);
    bool (*is_courier)(void *context, uint32_t thread);
    uint32_t n_processes;
} hd_storyteller;

/* Append the lines of the events; the last `n_waiting` of them are what threads stand before and
 * cannot do. */
void hd_story_tell(const hd_storyteller *s, const hd_action *events, size_t n, size_t n_waiting,
                   hd_text *out);
/* What these events of one thread do, in one sentence. */
void hd_story_turn(const hd_storyteller *s, const hd_action *const *events, size_t n, hd_text *out);
/* What one event does, without its place: "locks 'm' (mutex)". */
void hd_story_clause(const hd_storyteller *s, const hd_action *event, hd_text *out);
/* What it is about: the first access that is no token; NULL if there is none. */
const hd_access *hd_story_object_of(const hd_action *event);
/* An array of `n`: is the event about what several threads use?  The caller frees it. */
bool *hd_story_what_matters(const hd_action *events, size_t n);
/* Of `n` lines, is line `i` told, left out, or the first that is left out? */
typedef enum hd_telling { HD_TOLD, HD_LEFT_OUT, HD_FIRST_LEFT_OUT } hd_telling;
hd_telling hd_story_is_told(size_t i, size_t n);
/* Append a line that no event stands behind. */
void hd_story_add(hd_text *out, const char *who, const char *what);
/* "thread 0 (main)", "thread 1". */
const char *hd_story_thread(uint32_t thread, char buffer[32]);
/* "'counter'", "'m' (mutex)", "memory at 0x...". */
void hd_story_object(const hd_storyteller *s, uint64_t address, hd_text *out);
/* " at bank.c:9"; nothing for an unknown place. */
void hd_story_place(const hd_storyteller *s, uint32_t site, hd_text *out);
#endif

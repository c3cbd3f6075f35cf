/* What a search of whole systems does not do (search.h): it is one piece, which is not shared, and
 * has no orders of threads. */
#include "explore/system/system.h"

#include "base/panic.h"

HD_SEARCH_DECLARE(hd_system)

void hd_system_assume(void *search, const hd_expr *conditions, uint32_t n) {
    (void)search, (void)conditions;
    HD_ASSERT(n == 0); /* the command line refuses it */
}

uint64_t hd_system_hash(void *search) {
    return ((const hd_system_search *)search)->n_handed_out;
}

void hd_system_print_path(const void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_system_print_schedule(const void *search, hd_text *out) {
    (void)search, (void)out;
}

const hd_race *hd_system_races(const void *search, uint32_t *n) {
    (void)search;
    *n = 0;
    return NULL;
}

bool hd_system_is_rebuilding(const void *search) {
    return ((const hd_system_search *)search)->is_rebuilding;
}

/* Expressions of states stay where they are. */
void hd_system_compact(void *search) {
    (void)search;
}

bool hd_system_split(void *search, hd_text *out) {
    (void)search, (void)out;
    return false;
}

void hd_system_save_rounds(const void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_system_begin_anew(void *search) {
    (void)search;
    HD_BUG("nothing is found out about a system in the order of time");
}

void hd_system_take_classes(void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_system_take_races(void *search, hd_text *out) {
    (void)search, (void)out;
}

bool hd_system_lift(void *search, hd_text *out) {
    (void)search, (void)out;
    return false;
}

void hd_system_take_asked(void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_system_save_followed(const void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_system_save_context(const void *search, hd_text *out) {
    (void)search, (void)out;
}

bool hd_system_begin_unit(void *search, hd_unpack *path) {
    (void)search, (void)path;
    return false;
}

const hd_search hd_search_system = HD_SEARCH_ROW(hd_system);

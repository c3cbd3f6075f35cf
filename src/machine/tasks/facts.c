/* Facts about the program that executions find out (spin.c, atomic_section.c, handler_memory.c),
 * one set for each explorer that has executions in turn. */
#include "machine/core/parts.h"
#include "machine/tasks/process.h"

void hd_machine_exchange_facts(hd_machine *m) {
    hd_facts now = m->facts;
    m->facts = m->facts_aside;
    m->facts_aside = now;
}

static void release_set(hd_facts *f) {
    hd_map_release(&f->rounds);
    hd_map_release(&f->section_of);
    hd_map_release(&f->section_places);
    hd_map_release(&f->handled);
    hd_vec_release(&f->sections);
}

void hd_machine_forget_facts(hd_machine *m) {
    release_set(&m->facts);
    m->facts = (hd_facts){0};
}

static void release(hd_machine *m) {
    release_set(&m->facts);
    release_set(&m->facts_aside);
}

/* Sections are learned by their own part, with what decides whether they are. */
static void leave(hd_machine *m, hd_box *b) {
    const hd_outcome *o = m->call.outcome;
    uint64_t round = o->end == HD_END_RETRY ? o->new_round : 0;
    hd_box_put(b, &round, sizeof round);
    hd_box_put_map(b, &m->facts.handled);
}

static void take(hd_machine *m, hd_box *b) {
    uint64_t round;
    hd_box_take(b, &round, sizeof round);
    HD_ASSERT(round <= INT64_MAX);
    if (round)
        hd_map_put(&m->facts.rounds, round, 1);
    hd_map handled = {0};
    hd_box_take_map(b, &handled);
    for (size_t i = 0; i < handled.capacity; i++)
        if (handled.keys[i] != HD_MAP_EMPTY)
            hd_handled_learn(m, handled.keys[i], handled.values[i]);
    hd_map_release(&handled);
}

const hd_part hd_part_facts = {
    "facts", {NULL, NULL, release, NULL}, HD_PART_NO_CHECKPOINT, {leave, take}, HD_PART_NO_TASKS};

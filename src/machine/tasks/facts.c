/* Facts about the program that executions find out (spin.c, atomic_section.c, handler_memory.c),
 * one set for each explorer that has executions in turn. */
#include "machine/tasks/threads.h"

static hd_facts take(hd_machine *m) {
    return (hd_facts){.rounds = m->facts.rounds,
                      .n_rounds = m->facts.n_rounds,
                      .has_big_sections = m->facts.has_big_sections,
                      .sections = m->facts.sections,
                      .section_of = m->facts.section_of,
                      .section_places = m->facts.section_places,
                      .handled = m->facts.handled};
}

static void put(hd_machine *m, const hd_facts *f) {
    m->facts.rounds = f->rounds;
    m->facts.n_rounds = f->n_rounds;
    m->facts.has_big_sections = f->has_big_sections;
    m->facts.sections = f->sections;
    m->facts.section_of = f->section_of;
    m->facts.section_places = f->section_places;
    m->facts.handled = f->handled;
}

void hd_machine_exchange_facts(hd_machine *m) {
    hd_facts now = take(m);
    put(m, &m->facts_aside);
    m->facts_aside = now;
}

void hd_facts_release(hd_machine *m) {
    for (int i = 0; i < 2; i++) {
        hd_map_release(&m->facts.rounds);
        hd_map_release(&m->facts.section_of);
        hd_map_release(&m->facts.section_places);
        hd_map_release(&m->facts.handled);
        hd_vec_release(&m->facts.sections);
        hd_machine_exchange_facts(m);
    }
}

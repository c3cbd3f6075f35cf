/* Facts about the program that executions find out (spin.c, atomic_section.c, handler_memory.c),
 * one set for each explorer that has executions in turn. */
#include "machine/tasks/threads.h"

static hd_facts take(hd_machine *m) {
    return (hd_facts){.rounds = m->rounds,
                      .n_rounds = m->n_rounds,
                      .has_big_sections = m->has_big_sections,
                      .sections = m->sections,
                      .section_of = m->section_of,
                      .section_places = m->section_places,
                      .handled = m->handled};
}

static void put(hd_machine *m, const hd_facts *f) {
    m->rounds = f->rounds;
    m->n_rounds = f->n_rounds;
    m->has_big_sections = f->has_big_sections;
    m->sections = f->sections;
    m->section_of = f->section_of;
    m->section_places = f->section_places;
    m->handled = f->handled;
}

void hd_machine_exchange_facts(hd_machine *m) {
    hd_facts now = take(m);
    put(m, &m->aside);
    m->aside = now;
}

void hd_facts_release(hd_machine *m) {
    for (int i = 0; i < 2; i++) {
        hd_map_release(&m->rounds);
        hd_map_release(&m->section_of);
        hd_map_release(&m->section_places);
        hd_map_release(&m->handled);
        hd_vec_release(&m->sections);
        hd_machine_exchange_facts(m);
    }
}

/* Messages that nobody receives, data that nobody reads before it is closed, and failures of nodes
 * that nobody waits for.
 *
 * All may be meant, so that they are warnings; --fail-on-orphans makes findings of the first two,
 * --fail-on-exit of the last (run.c). */
#include "machine/channels/ipc.h"
#include "machine/core/parts.h"
#include "machine/sync/sync.h"

#include <stdio.h>

typedef struct orphan {
    uint64_t key;
    char *text;
} orphan;

struct hd_orphans {
    hd_vec(orphan) at; /* different ones, over all executions */
};

#define MOST 20 /* that are told */

static void note(hd_machine *m, uint64_t key, const char *text) {
    if (!m->orphans && !(m->orphans = calloc(1, sizeof *m->orphans)))
        hd_out_of_memory();
    for (size_t i = 0; i < m->orphans->at.n; i++)
        if (m->orphans->at.at[i].key == key)
            return;
    HD_ASSERT(m->orphans->at.n <= MOST);
    if (m->orphans->at.n < MOST)
        hd_vec_push(&m->orphans->at, ((orphan){key, hd_text_format("%s", text)}));
}

static void release(hd_machine *m) {
    if (!m->orphans)
        return;
    for (size_t i = 0; i < m->orphans->at.n; i++)
        free(m->orphans->at.at[i].text);
    hd_vec_release(&m->orphans->at);
    free(m->orphans);
    m->orphans = NULL;
}

static void add_place(const hd_machine *m, uint32_t site, hd_text *out) {
    const hd_site *s = &m->image->sites[site];
    if (site && site < m->image->n_sites && s->line)
        hd_text_add(out, " at %s:%u", s->file, s->line);
}

static void describe_message(const hd_machine *m, uint32_t courier, hd_text *out) {
    HD_ASSERT(m->thread[courier].is_courier);
    const hd_action *a = &m->threads.action[courier];
    hd_text_add(out, "a message from ");
    hd_process_describe(m, (uint32_t)(a->value >> 32), out);
    hd_text_add(out, " to ");
    hd_process_describe(m, m->threads.process[courier], out);
}

static _Noreturn void fail(hd_machine *m, uint32_t site, const hd_text *text) {
    HD_ASSERT(m->options.fail_on_orphans);
    hd_finding_fill(m, HD_FINDING_ORPHAN, site);
    snprintf(m->call.outcome->finding.message, sizeof m->call.outcome->finding.message, "%s",
             hd_text_string(text));
    m->call.outcome->failed_thread = 0;
    m->call.outcome->failed_event = m->execution.n_events;
    hd_threads_leave(m);
}

static void treat_message(hd_machine *m, uint32_t courier) {
    uint32_t site = (uint32_t)m->threads.action[courier].value;
    hd_text text = {0};
    describe_message(m, courier, &text);
    hd_text_add(&text, " is never received");
    if (m->options.fail_on_orphans)
        fail(m, site, &text);
    hd_text_add(&text, " in some executions: sent");
    add_place(m, site, &text);
    note(m, site, hd_text_string(&text));
    hd_text_release(&text);
}

void hd_orphans_at_end(hd_machine *m) {
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive) {
        if (m->thread[t].is_courier && hd_kind_is(m->threads.action[t].kind, HD_KIND_DELIVERS))
            treat_message(m, t);
    }
}

/* "main ends without having read 3 bytes of ..." */
static void treat_unread(hd_machine *m, uint32_t process, const char *does, const hd_text *unread,
                         uint32_t site, uint64_t key) {
    hd_text text = {0};
    hd_process_describe(m, process, &text);
    hd_text_add(&text, " %s without having read %s", does, hd_text_string(unread));
    if (m->options.fail_on_orphans) {
        hd_note_finding(m, HD_FINDING_ORPHAN, site, "%s", hd_text_string(&text));
    } else {
        hd_text_add(&text, " in some executions");
        note(m, key, hd_text_string(&text));
    }
    hd_text_release(&text);
}

/* One that is killed could not have read. */
static void end_process(hd_machine *m, uint32_t process, bool is_killed) {
    hd_text unread = {0};
    if (is_killed)
        return;
    hd_ipc_unread(m, process, &unread);
    if (unread.n) /* a finding is where it was last */
        treat_unread(m, process, "ends", &unread, m->threads.action[m->threads.current].site,
                     (uint64_t)process << 32 | UINT32_MAX);
    hd_text_release(&unread);
}

const hd_part hd_part_orphans = {"orphans",
                                 {NULL, NULL, release, NULL},
                                 HD_PART_NO_CHECKPOINT,
                                 HD_PART_NOT_ISOLATED,
                                 {NULL, NULL, NULL, end_process, NULL, NULL}};

void hd_orphans_at_close(hd_machine *m, const hd_file *f, int descriptor) {
    hd_text unread = {0}, does = {0};
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    hd_ipc_unread_of(m, f, descriptor, &unread);
    hd_text_add(&does, "closes");
    add_place(m, site, &does);
    if (unread.n)
        treat_unread(m, hd_process_current(m), hd_text_string(&does), &unread, site,
                     (uint64_t)site << 32 | (UINT32_MAX - 1));
    hd_text_release(&unread);
    hd_text_release(&does);
}

/* Which execution of all nodes has it is only known when that is run. */
void hd_orphans_at_status(hd_machine *m, int status) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    if (!p->name || m->call.is_alone)
        return;
    hd_text text = {0};
    hd_process_describe(m, hd_process_current(m), &text);
    hd_text_add(&text, " ends with status %d in some executions", status);
    note(m, (uint64_t)p->node << 40 | (uint64_t)status << 32 | (UINT32_MAX - 2),
         hd_text_string(&text));
    hd_text_release(&text);
}

static void describe_weak_orders(const hd_machine *m, hd_text *out) {
    for (size_t i = 0; i < m->told.weak_orders.n; i++) {
        hd_text_add(out, "memory_order_seq_cst is what runs at ");
        hd_sync_describe_place(m, m->told.weak_orders.at[i], out);
        hd_text_add(out, ": what else the weaker order there allows is not shown\n");
    }
}

void hd_machine_warnings(const hd_machine *m, hd_text *out) {
    hd_machine_lock_cycles(m, out);
    describe_weak_orders(m, out);
    for (size_t i = 0; m->orphans && i < m->orphans->at.n; i++)
        hd_text_add(out, "%s\n", m->orphans->at.at[i].text);
}

/* Words for deadlocks, warnings and stories. */
#include "machine/channels/ipc.h"
#include "machine/core/kinds.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

static void describe_socket(const hd_socket *s, hd_text *out) {
    bool has_peer = s->state == HD_SOCKET_CONNECTED || s->state == HD_SOCKET_BROKEN;
    const hd_address *a =
        has_peer && (s->domain != AF_UNIX || s->peer.n_path) ? &s->peer : &s->local;
    hd_text_add(out, "'");
    hd_socket_print(s, a, out);
    hd_text_add(out, "'");
}

/* The other end itself, if it is here. */
static const hd_socket *other_end(const hd_net *n, const hd_socket *s) {
    return s->cable ? hd_cable_end(n, s->cable, !s->is_server) : s->other;
}

/* Processes that could do something at the other end: it is the files that have it. */
static void describe_holders(hd_machine *m, const hd_file *f, hd_text *out) {
    const hd_net *n = hd_ipc_net(m);
    uint32_t found = 0;
    if (f->kind == HD_FILE_SOCKET && f->socket->cable && m->call.is_alone)
        return; /* it is elsewhere */
    const hd_socket *end = f->kind == HD_FILE_SOCKET ? other_end(n, f->socket) : NULL;
    for (uint32_t p = 0; p < n->tables.n; p++)
        for (uint32_t i = 0; i < n->tables.at[p].n; i++) {
            const hd_file *other = n->tables.at[p].at[i].file;
            bool is_other_end =
                other && other != f &&
                (f->kind == HD_FILE_PIPE
                     ? other->queue == f->queue && other->kind == HD_FILE_PIPE
                     : other->kind == HD_FILE_SOCKET && end && other->socket == end);
            if (!is_other_end)
                continue;
            hd_text_add(out, found++ ? " and " : " (the other end is open in ");
            hd_process_describe(m, p, out);
            break;
        }
    hd_text_add(out, found ? ")" : " (nobody has the other end open)");
}

void hd_ipc_describe_file(hd_machine *m, const hd_file *f, hd_text *out) {
    if (!f) {
        hd_text_add(out, "a queue");
        return;
    }
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_PIPE:
        hd_text_add(out, "a pipe");
        describe_holders(m, f, out);
        break;
    case HD_FILE_SOCKET:
        describe_socket(f->socket, out);
        if (hd_socket_is_connected_kind(f->socket) && f->socket->other)
            describe_holders(m, f, out);
        break;
    case HD_FILE_MESSAGES:
        hd_text_add(out, "message queue '%s'",
                    f->messages->name ? f->messages->name : "(unlinked)");
        break;
    case HD_FILE_EVENT:
        hd_text_add(out, "an eventfd");
        break;
    case HD_FILE_TIMER:
        hd_text_add(out, "a timer");
        break;
    case HD_FILE_EPOLL:
        hd_text_add(out, "an epoll descriptor");
        break;
    default:
        hd_text_add(out, f->kind == HD_FILE_DISK ? "a file" : "descriptor %d", f->host);
    }
}

bool hd_ipc_describe_wait(hd_machine *m, const hd_action *a, hd_text *out) {
    if (!m->ipc || !hd_kind_is(a->kind, HD_KIND_QUEUE) || m->thread[a->thread].is_courier)
        return false;
    const hd_ipc_request *r = &m->ipc->request[a->thread];
    if (!r->describe)
        return false;
    r->describe(m, r, out);
    return true;
}

/* ---- names ---- */

void hd_ipc_name(hd_machine *m, const hd_queue *q, const char *format, ...) {
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    HD_ASSERT(m->ipc);
    const uint64_t *known = hd_map_find(&m->ipc->names, hd_ipc_id(q));
    if (known && strcmp((const char *)*known, text) == 0)
        return;
    if (known)
        free((void *)*known);
    char *copy = strdup(text);
    if (!copy)
        hd_out_of_memory();
    hd_map_put(&m->ipc->names, hd_ipc_id(q), (uint64_t)copy);
}

const char *hd_ipc_name_at(const hd_machine *m, uint64_t address) {
    if (!m->ipc || address >> 62 != 1)
        return "";
    const uint64_t *known = hd_map_find(&m->ipc->names, address >> 32 & UINT32_C(0x3fffffff));
    return known ? (const char *)*known : "";
}

void hd_ipc_name_socket(hd_machine *m, const hd_socket *s) {
    hd_text text = {0};
    hd_socket_print(s, &s->local, &text);
    if (s->other && hd_socket_is_network(s)) {
        hd_text_add(&text, " from ");
        hd_address_print(&s->other->local, &text);
    }
    hd_ipc_name(m, s->in, "%s", hd_text_string(&text));
    hd_text_release(&text);
}

void hd_ipc_unread_of(hd_machine *m, const hd_file *f, int descriptor, hd_text *out) {
    const hd_queue *source = hd_file_source(f);
    uint64_t n = source && f->n_references == 1 ? hd_queue_unread(source) : 0;
    if (!n)
        return;
    hd_text_add(out, "%s%lu byte%s of ", out->n ? ", " : "", (unsigned long)n, n == 1 ? "" : "s");
    hd_ipc_describe_file(m, f, out);
    hd_text_add(out, " (descriptor %d)", descriptor);
}

void hd_ipc_unread(hd_machine *m, uint32_t process, hd_text *out) {
    if (!m->ipc || process >= m->ipc->net.tables.n)
        return;
    const hd_descriptor_table *t = &m->ipc->net.tables.at[process];
    for (uint32_t i = 0; i < t->n; i++)
        if (t->at[i].file)
            hd_ipc_unread_of(m, t->at[i].file, (int)i, out);
}

/* Of nodes that wait for others, and whoever has no words of its own. */
void hd_describe_queue(hd_machine *m, const hd_action *a, hd_text *out) {
    if (!hd_ipc_describe_wait(m, a, out))
        hd_text_add(out, "waits before it %s", hd_action_words(a->kind));
}

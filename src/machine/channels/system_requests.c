/* Sockets that talk to the system of their host (AF_NETLINK): what is sent is answered at once,
 * into the sender's own queue.
 *
 * They are datagram sockets like those of a UNIX domain, and nobody else hears them. What the
 * system says is in world/netlink.c. Nobody is told when something changes that others ask for:
 * whoever joins a group to hear it is told so. */
#include "machine/channels/ipc.h"
#include "machine/values/values.h"

#include <errno.h>
#include <linux/netlink.h>

/* A number that no other socket of the host has. */
static bool is_free(const hd_net *n, const hd_socket *s, uint32_t id) {
    for (const hd_socket *o = n->askers; o; o = o->next_asker)
        if (o != s && o->host == s->host && o->state != HD_SOCKET_CLOSED &&
            hd_netlink_id(&o->local) == id)
            return false;
    return true;
}

static void set_id(hd_net *n, hd_socket *s, uint32_t id) {
    memcpy(s->local.ip, &id, sizeof id);
    if (!s->is_bound) {
        s->next_asker = n->askers;
        n->askers = s;
    }
    s->is_bound = true;
}

/* The number of the process, or from the highest on down. */
static void bind_any(hd_machine *m, hd_socket *s) {
    uint32_t id = HD_PID + hd_ipc_process(m);
    hd_net *n = hd_ipc_net(m);
    if (s->is_bound)
        return;
    if (!is_free(n, s, id))
        for (id = (uint32_t)-4097; !is_free(n, s, id);)
            id--;
    set_id(n, s, id);
}

int hd_ipc_bind_asker(hd_machine *m, hd_socket *s, const hd_address *a) {
    uint32_t id = hd_netlink_id(a), groups;
    memcpy(&groups, a->ip + sizeof id, sizeof groups);
    if (s->is_bound && id != hd_netlink_id(&s->local))
        return EINVAL;
    if (id && !is_free(hd_ipc_net(m), s, id))
        return EADDRINUSE;
    if (id)
        set_id(hd_ipc_net(m), s, id);
    else
        bind_any(m, s);
    memcpy(s->local.ip + sizeof id, &groups, sizeof groups);
    if (groups)
        hd_bound_call(m, "nobody is told by netlink when routes change");
    return 0;
}

static void say_losses(hd_machine *m, const hd_netlink_answer *a) {
    if (a->has_changed)
        hd_bound_call(m, "routes are kept and told again, and no packet goes by them");
    if (a->is_unknown)
        hd_bound_call(m, "a request of netlink that is not modelled is refused (EOPNOTSUPP)");
}

static hd_item *new_answer(hd_machine *m, const uint8_t *bytes, uint32_t n) {
    hd_arena *arena = &hd_ipc_net(m)->arena;
    hd_item *item = hd_item_new(arena, HD_ITEM_DATA);
    item->bytes = hd_bytes_copy(arena, bytes, NULL, n);
    item->from = (hd_address){.family = AF_NETLINK};
    return item;
}

int64_t hd_ipc_ask_system(hd_machine *m, hd_file *f, const hd_ipc_message *message) {
    hd_socket *s = f->socket;
    hd_netlink_answer a = {0};
    HD_ASSERT(s->asks_system && s->domain == AF_UNIX);
    if (message->to && hd_netlink_id(message->to))
        hd_ipc_refuse(m, "message by netlink to a process, which is not modelled (executions end "
                         "there)");
    if (message->bytes.words)
        hd_approximate_call(m, "a request of netlink that depends on inputs");
    bind_any(m, s);
    hd_netlink_ask(hd_ipc_net(m), s->host, hd_netlink_id(&s->local), message->bytes.at,
                   message->bytes.n, &a);
    uint32_t n = (uint32_t)a.cuts.n, from = 0;
    hd_item **items = hd_arena_alloc(&hd_ipc_net(m)->arena, (n + 1) * sizeof *items);
    for (uint32_t i = 0; i < n; from = a.cuts.at[i++])
        items[i] = new_answer(m, a.bytes.at + from, a.cuts.at[i] - from);
    say_losses(m, &a);
    hd_netlink_answer_release(&a); /* a put is an event, and may be the end of the execution */
    for (uint32_t i = 0; i < n; i++)
        if (!hd_ipc_put(m, s->in, f, items[i]))
            break;
    return message->bytes.n;
}

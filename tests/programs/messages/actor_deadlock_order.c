/* A deadlock that needs an order of messages.  A lock server gives each of two locks to one client
 * at a time; the clients take them in opposite orders, or in the same one with -DORDERED.
 *
 * run: --por none
 * verdict: complete
 * executions: 74
 * paths: 36
 * finding: deadlock 1
 *
 * run: --por message
 * verdict: complete
 * executions: 68
 * paths: 36
 * finding: deadlock 1
 *
 * run:
 * verdict: complete
 * executions: 36
 * paths: 36
 * finding: deadlock 1
 *
 * run: -DORDERED --por none
 * verdict: complete
 * executions: 88
 * paths: 44
 *
 * run: -DORDERED --por message
 * verdict: complete
 * executions: 88
 * paths: 44
 *
 * run: -DORDERED
 * verdict: complete
 * executions: 44
 * paths: 44 */
#include <assert.h>
#include <heddle.h>
#include <stdbool.h>

enum { SERVER = 1, CLIENTS = 2, NOBODY = -1 };

struct request {
    int lock;
    bool is_release;
};

static struct lock { heddle_actor holder, waiter; } locks[2] = {{NOBODY, NOBODY}, {NOBODY, NOBODY}};

static void grant(struct lock *l, heddle_actor to) {
    l->holder = to;
    heddle_send(to, "", 1);
}

static void take(struct lock *l, heddle_actor client) {
    if (l->holder == NOBODY) {
        grant(l, client);
    } else {
        assert(l->waiter == NOBODY);
        l->waiter = client;
    }
}

static void give_back(struct lock *l) {
    heddle_actor next = l->waiter;
    l->holder = l->waiter = NOBODY;
    if (next != NOBODY)
        grant(l, next);
}

static void server(void *unused) {
    (void)unused;
    heddle_may_idle();
    for (;;) {
        struct request r;
        heddle_receive(&r, sizeof r);
        if (r.is_release)
            give_back(&locks[r.lock]);
        else
            take(&locks[r.lock], heddle_sender());
    }
}

static void ask(int lock, bool is_release) {
    struct request r = {lock, is_release};
    heddle_send(SERVER, &r, sizeof r);
}

static void client(void *number) {
    int first = *(int *)number;
#ifdef ORDERED
    first = 0;
#endif
    char granted;
    ask(first, false);
    heddle_receive(&granted, sizeof granted);
    ask(!first, false);
    heddle_receive(&granted, sizeof granted); // BUG deadlock
    ask(!first, true);
    ask(first, true);
}

int main(void) {
    heddle_spawn(server, 0, 0);
    for (int i = 0; i < CLIENTS; i++)
        heddle_spawn(client, &i, sizeof i);
}

/* The virtual network without a machine: queues, addresses, ports, descriptors, sockets. */
#include "world/epoll.h"
#include "world/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after those three */
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/un.h>

static hd_net net;

static int set_up(void **state) {
    (void)state;
    hd_net_clear(&net);
    return 0;
}

static hd_item *data(const char *text, const uint32_t *words) {
    hd_item *item = hd_item_new(&net.arena, HD_ITEM_DATA);
    item->bytes = hd_bytes_copy(&net.arena, text, words, (uint32_t)strlen(text));
    return item;
}

static hd_address v4(const char *ip, uint16_t port) {
    hd_address a = {.family = AF_INET, .port = port};
    assert_true(hd_ip_parse(ip, a.ip));
    return a;
}

static hd_address path(const char *text) {
    hd_address a = {.family = AF_UNIX, .n_path = (uint8_t)strlen(text)};
    memcpy(a.path, text, a.n_path);
    return a;
}

static hd_socket *new_socket(int domain, int type, uint32_t process) {
    static uint32_t id;
    return hd_socket_new(&net, domain, type, process, ++id);
}

/* ---- queues ---- */

static void queues_keep_their_order(void **state) {
    (void)state;
    hd_queue *q = hd_queue_new(&net.arena, 1, 0);
    char text[2] = "a";
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 3; i++) {
            text[0] = (char)('a' + i);
            hd_queue_put(&net.arena, q, data(text, NULL));
        }
        for (int i = 0; i < 3; i++) {
            assert_int_equal(hd_queue_first(q)->bytes.at[0], 'a' + i);
            hd_queue_pop(q);
        }
    }
    assert_true(hd_queue_is_empty(q));
    assert_int_equal(q->n_put, 300);
    assert_null(hd_queue_first(q));
}

static void a_queue_grows_while_it_is_used(void **state) {
    (void)state;
    hd_queue *q = hd_queue_new(&net.arena, 1, 0);
    for (uint32_t i = 0; i < 500; i++) {
        hd_item *item = data("x", NULL);
        item->priority = i;
        hd_queue_put(&net.arena, q, item);
        if (i % 3 == 2)
            hd_queue_pop(q);
    }
    for (uint32_t i = q->n_taken; i < q->n_put; i++)
        assert_int_equal(hd_queue_at(q, i)->priority, i);
    assert_int_equal(q->n_taken, 166);
}

static void higher_priorities_come_first(void **state) {
    (void)state;
    static const uint32_t given[] = {1, 3, 2, 3, 0, 1}, order[] = {1, 3, 2, 0, 5, 4};
    hd_queue *q = hd_queue_new(&net.arena, 1, 0);
    hd_item *items[6];
    for (int i = 0; i < 6; i++) {
        items[i] = data("m", NULL);
        items[i]->priority = given[i];
        hd_queue_put_by_priority(&net.arena, q, items[i]);
    }
    for (int i = 0; i < 6; i++) {
        assert_ptr_equal(hd_queue_first(q), items[order[i]]);
        hd_queue_pop(q);
    }
}

static void streams_fall_into_reads_of_any_size(void **state) {
    (void)state;
    hd_queue *q = hd_queue_new(&net.arena, 1, 0);
    const uint32_t words[3] = {7, 8, 9};
    uint8_t bytes[8];
    uint32_t got[8], n_items;
    bool has_words;
    hd_queue_put(&net.arena, q, data("ab", NULL));
    hd_queue_put(&net.arena, q, data("cde", words));
    assert_int_equal(hd_stream_available(q, 4, &n_items), 4);
    assert_int_equal(n_items, 2);
    hd_stream_copy(q, 1, 3, bytes, got, &has_words);
    assert_memory_equal(bytes, "bcd", 3);
    assert_true(has_words);
    assert_int_equal(got[0], 0);
    assert_int_equal(got[2], 8);
    hd_stream_take(q, 3);
    assert_int_equal(hd_queue_unread(q), 2);
    assert_int_equal(hd_stream_available(q, 100, &n_items), 2);
    hd_stream_copy(q, 0, 2, bytes, got, &has_words);
    assert_memory_equal(bytes, "de", 2);
    assert_int_equal(got[1], 9);
    hd_stream_take(q, 2);
    assert_true(hd_queue_is_empty(q));
}

static void concrete_bytes_have_no_words(void **state) {
    (void)state;
    const uint32_t none[3] = {0}, one[3] = {0, 5, 0};
    assert_null(hd_bytes_copy(&net.arena, "abc", none, 3).words);
    assert_non_null(hd_bytes_copy(&net.arena, "abc", one, 3).words);
    assert_int_equal(hd_bytes_copy(&net.arena, "abc", one, 3).words[1], 5);
}

/* ---- addresses ---- */

static void check_printed(const hd_address *a, const char *expected) {
    hd_text out = {0};
    hd_address_print(a, &out);
    assert_string_equal(hd_text_string(&out), expected);
    hd_text_release(&out);
}

static void addresses_are_read_and_written(void **state) {
    (void)state;
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(7000)};
    struct sockaddr_storage out;
    hd_address a, b;
    inet_pton(AF_INET, "10.0.0.1", &in.sin_addr);
    assert_int_equal(hd_address_read(&in, sizeof in, AF_INET, &a), 0);
    check_printed(&a, "10.0.0.1:7000");
    assert_int_equal(hd_address_write(&a, AF_INET, &out), sizeof in);
    assert_memory_equal(&out, &in, sizeof in);
    assert_int_equal(hd_address_read(&in, sizeof in - 1, AF_INET, &a), EINVAL);
    assert_int_equal(hd_address_read(&in, sizeof in, AF_INET6, &a), EAFNOSUPPORT);
    assert_int_equal(hd_address_read(&in, sizeof in, AF_UNIX, &a), EINVAL);
    /* As an IPv6 address it is the mapped one, and the same. */
    assert_int_equal(hd_address_read(&in, sizeof in, AF_INET, &a), 0);
    uint32_t n = hd_address_write(&a, AF_INET6, &out);
    assert_int_equal(hd_address_read(&out, n, AF_INET6, &b), 0);
    assert_true(hd_address_is_same(&a, &b));
    b.port++;
    assert_false(hd_address_is_same(&a, &b));
}

static void paths_end_and_abstract_names_do_not(void **state) {
    (void)state;
    struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "/tmp/x"};
    struct sockaddr_storage out;
    hd_address a;
    assert_int_equal(hd_address_read(&un, sizeof un, AF_UNIX, &a), 0);
    assert_int_equal(a.n_path, 6);
    check_printed(&a, "/tmp/x");
    assert_int_equal(hd_address_write(&a, AF_UNIX, &out),
                     offsetof(struct sockaddr_un, sun_path) + 7);
    memcpy(un.sun_path, "\0ab\0c", 5);
    uint32_t n = offsetof(struct sockaddr_un, sun_path) + 5;
    assert_int_equal(hd_address_read(&un, n, AF_UNIX, &a), 0);
    assert_int_equal(a.n_path, 5);
    assert_int_equal(hd_address_write(&a, AF_UNIX, &out), n);
    hd_address none;
    assert_int_equal(hd_address_read(&un, sizeof(sa_family_t), AF_UNIX, &none), 0);
    assert_int_equal(none.n_path, 0);
}

static void kinds_of_numbers_are_known(void **state) {
    (void)state;
    uint8_t ip[HD_IP_SIZE];
    assert_true(hd_ip_parse("127.1.2.3", ip) && hd_ip_is_loopback(ip) && hd_ip_is_v4(ip));
    assert_true(hd_ip_parse("::1", ip) && hd_ip_is_loopback(ip) && !hd_ip_is_v4(ip));
    assert_true(hd_ip_parse("0.0.0.0", ip) && hd_ip_is_any(ip));
    assert_true(hd_ip_parse("::", ip) && hd_ip_is_any(ip));
    assert_true(hd_ip_parse("255.255.255.255", ip) && hd_ip_is_broadcast(ip));
    assert_true(hd_ip_parse("239.255.0.1", ip) && hd_ip_is_group(ip));
    assert_false(hd_ip_parse("223.255.255.255", ip) && hd_ip_is_group(ip));
    assert_false(hd_ip_parse("240.0.0.0", ip) && hd_ip_is_group(ip));
    assert_true(hd_ip_parse("ff02::1", ip) && hd_ip_is_group(ip));
    assert_false(hd_ip_parse("fe80::1", ip) && hd_ip_is_group(ip));
    assert_false(hd_ip_parse("localhost", ip));
    assert_false(hd_ip_parse("1.2.3", ip));
}

/* ---- hosts and ports ---- */

static void hosts_have_names_and_addresses(void **state) {
    (void)state;
    hd_hosts h = {0};
    uint8_t ip[HD_IP_SIZE], source[HD_IP_SIZE];
    uint32_t host;
    assert_true(hd_hosts_add(&h, "alpha", "10.0.0.1"));
    assert_true(hd_hosts_add(&h, "beta", "10.0.0.2"));
    assert_false(hd_hosts_add(&h, "gamma", "10.0.0"));
    assert_true(hd_hosts_place(&h, 0, "alpha"));
    assert_true(hd_hosts_place(&h, 2, "beta"));
    assert_false(hd_hosts_place(&h, 1, "gamma"));
    assert_int_not_equal(hd_hosts_of(&h, 0), hd_hosts_of(&h, 2));
    assert_int_equal(hd_hosts_of(&h, 1), 0);
    hd_ip_parse("10.0.0.2", ip);
    assert_true(hd_hosts_route(&h, hd_hosts_of(&h, 0), ip, &host));
    assert_int_equal(host, hd_hosts_of(&h, 2));
    hd_hosts_source(&h, hd_hosts_of(&h, 0), ip, source);
    hd_ip_parse("10.0.0.1", ip);
    assert_true(hd_ip_is_same(source, ip));
    hd_ip_parse("fe80::a00:2", ip); /* what 10.0.0.2 has on its link */
    assert_true(hd_hosts_route(&h, hd_hosts_of(&h, 0), ip, &host));
    assert_int_equal(host, hd_hosts_of(&h, 2));
    hd_hosts_source(&h, hd_hosts_of(&h, 0), ip, source);
    hd_ip_parse("fe80::a00:1", ip);
    assert_true(hd_ip_is_same(source, ip));
    hd_ip_parse("fe80::a00:3", ip);
    assert_false(hd_hosts_route(&h, hd_hosts_of(&h, 0), ip, &host));
    hd_ip_parse("127.0.0.1", ip);
    assert_true(hd_hosts_route(&h, hd_hosts_of(&h, 2), ip, &host));
    assert_int_equal(host, hd_hosts_of(&h, 2));
    hd_ip_parse("8.8.8.8", ip);
    assert_false(hd_hosts_route(&h, 0, ip, &host));
    assert_string_equal(hd_hosts_name(&h, hd_hosts_of(&h, 2)), "beta");
    assert_string_equal(hd_hosts_find(&h, "LOCALHOST")->name, "localhost");
    assert_null(hd_hosts_find(&h, "delta"));
    hd_hosts_release(&h);
}

static void an_address_is_bound_once(void **state) {
    (void)state;
    hd_address a = v4("127.0.0.1", 80), any = v4("0.0.0.0", 80), other = v4("127.0.0.2", 80);
    hd_socket *s = new_socket(AF_INET, SOCK_STREAM, 0), *t = new_socket(AF_INET, SOCK_STREAM, 0);
    hd_socket *u = new_socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(hd_port_bind(&net, s, &a), 0);
    assert_int_equal(hd_port_bind(&net, s, &other), EINVAL);
    assert_int_equal(hd_port_bind(&net, t, &a), EADDRINUSE);
    assert_int_equal(hd_port_bind(&net, t, &any), EADDRINUSE);
    assert_int_equal(hd_port_bind(&net, u, &any), 0);
    assert_int_equal(hd_port_bind(&net, t, &other), 0);
    hd_address outside = v4("10.9.9.9", 80);
    assert_int_equal(hd_port_bind(&net, new_socket(AF_INET, SOCK_STREAM, 0), &outside),
                     EADDRNOTAVAIL);
}

static void sharing_an_address_needs_both(void **state) {
    (void)state;
    hd_address a = v4("127.0.0.1", 81);
    hd_socket *s = new_socket(AF_INET, SOCK_STREAM, 0), *t = new_socket(AF_INET, SOCK_STREAM, 0);
    t->is_reusable = true;
    assert_int_equal(hd_port_bind(&net, s, &a), 0);
    assert_int_equal(hd_port_bind(&net, t, &a), EADDRINUSE);
    s->is_reusable = true;
    assert_int_equal(hd_port_bind(&net, t, &a), 0);
    hd_socket *third = new_socket(AF_INET, SOCK_STREAM, 0);
    third->is_reusable = true;
    assert_int_equal(hd_socket_listen(s, 1), 0);
    assert_int_equal(hd_port_bind(&net, third, &a), EADDRINUSE);
}

static void paths_stay_until_they_are_unlinked(void **state) {
    (void)state;
    int error;
    hd_address a = path("/tmp/s");
    hd_socket *s = new_socket(AF_UNIX, SOCK_STREAM, 0);
    assert_null(hd_port_find(&net, 0, SOCK_STREAM, &a, &error));
    assert_int_equal(error, ENOENT);
    assert_int_equal(hd_port_bind(&net, s, &a), 0);
    assert_null(hd_port_find(&net, 0, SOCK_STREAM, &a, &error));
    assert_int_equal(error, ECONNREFUSED);
    assert_int_equal(hd_socket_listen(s, 1), 0);
    assert_ptr_equal(hd_port_find(&net, 0, SOCK_STREAM, &a, &error), s);
    assert_null(hd_port_find(&net, 0, SOCK_DGRAM, &a, &error));
    assert_int_equal(error, EPROTOTYPE);
    hd_socket_close(&net, s);
    assert_null(hd_port_find(&net, 0, SOCK_STREAM, &a, &error));
    assert_int_equal(error, ECONNREFUSED);
    assert_int_equal(hd_port_bind(&net, new_socket(AF_UNIX, SOCK_STREAM, 0), &a), EADDRINUSE);
    assert_true(hd_port_unlink(&net, 0, "/tmp/s"));
    assert_false(hd_port_unlink(&net, 0, "/tmp/s"));
    assert_int_equal(hd_port_bind(&net, new_socket(AF_UNIX, SOCK_STREAM, 0), &a), 0);
}

static void ports_are_free_again_after_closing(void **state) {
    (void)state;
    int error;
    hd_address a = v4("127.0.0.1", 82);
    hd_socket *s = new_socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(hd_port_bind(&net, s, &a), 0);
    assert_ptr_equal(hd_port_find(&net, 0, SOCK_DGRAM, &a, &error), s);
    hd_socket_close(&net, s);
    assert_null(hd_port_find(&net, 0, SOCK_DGRAM, &a, &error));
    assert_int_equal(hd_port_bind(&net, new_socket(AF_INET, SOCK_DGRAM, 0), &a), 0);
}

static void doors_are_shared_by_all_that_could_meet(void **state) {
    (void)state;
    hd_address a = v4("127.0.0.1", 90), any = v4("0.0.0.0", 90), other = v4("127.0.0.1", 91);
    assert_int_equal(hd_port_door(0, SOCK_STREAM, &a), hd_port_door(0, SOCK_STREAM, &any));
    assert_int_not_equal(hd_port_door(0, SOCK_STREAM, &a), hd_port_door(0, SOCK_STREAM, &other));
    assert_int_not_equal(hd_port_door(0, SOCK_STREAM, &a), hd_port_door(0, SOCK_DGRAM, &a));
    assert_int_not_equal(hd_port_door(0, SOCK_STREAM, &a), hd_port_door(1, SOCK_STREAM, &a));
}

/* Items of a door have numbers one after the other, whichever socket had it (N4). */
static void who_binds_again_goes_on_counting(void **state) {
    (void)state;
    hd_address a = v4("127.0.0.1", 7000);
    for (uint32_t round = 0; round < 3; round++) {
        hd_socket *s = new_socket(AF_INET, SOCK_DGRAM, 0);
        assert_int_equal(hd_port_bind(&net, s, &a), 0);
        assert_int_equal(s->in->n_put, 2 * round);
        assert_true(hd_queue_is_empty(s->in));
        hd_queue_put(&net.arena, s->in, data("x", NULL));
        hd_queue_put(&net.arena, s->in, data("y", NULL));
        assert_int_equal(hd_queue_first(s->in)->bytes.at[0], 'x');
        hd_queue_pop(s->in);
        hd_socket_close(&net, s);
    }
    hd_socket *other = new_socket(AF_INET, SOCK_DGRAM, 0);
    hd_address b = v4("127.0.0.1", 7001);
    assert_int_equal(hd_port_bind(&net, other, &b), 0);
    assert_int_equal(other->in->n_put, 0);
}

static void groups_are_heard_by_those_who_joined(void **state) {
    (void)state;
    int error;
    hd_address any = v4("0.0.0.0", 7000), group = v4("239.0.0.1", 7001);
    hd_address to = v4("127.0.0.1", 7000), to_other = v4("127.0.0.1", 7001);
    memcpy(to.group, group.ip, HD_IP_SIZE);
    memcpy(to_other.group, group.ip, HD_IP_SIZE);
    hd_socket *s = new_socket(AF_INET, SOCK_DGRAM, 0), *t = new_socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(hd_port_bind(&net, s, &any), 0);
    assert_int_equal(hd_port_bind(&net, t, &group), 0);
    assert_int_equal(hd_port_bind(&net, new_socket(AF_INET, SOCK_STREAM, 0), &group),
                     EADDRNOTAVAIL);
    assert_null(hd_port_find(&net, 0, SOCK_DGRAM, &to, &error));
    memcpy(s->groups[s->n_groups++], to.group, HD_IP_SIZE);
    memcpy(t->groups[t->n_groups++], to.group, HD_IP_SIZE);
    assert_ptr_equal(hd_port_find(&net, 0, SOCK_DGRAM, &to, &error), s);
    assert_ptr_equal(hd_port_find(&net, 0, SOCK_DGRAM, &to_other, &error), t);
    to.group[15] = 2;
    assert_null(hd_port_find(&net, 0, SOCK_DGRAM, &to, &error));
    hd_address alone = v4("127.0.0.1", 7001); /* who is bound to a group hears nothing else */
    assert_null(hd_port_find(&net, 0, SOCK_DGRAM, &alone, &error));
}

/* A port is one for both kinds of addresses, unless a socket is for IPv6 alone; what is of IPv6 is for
 * sockets of it. */
static void a_port_of_ipv6_alone_is_another(void **state) {
    (void)state;
    int error;
    hd_address any = v4("0.0.0.0", 7000), six = hd_address_any(AF_INET6, 7000);
    hd_address to = hd_address_loopback(AF_INET6, 7000), to_four = v4("127.0.0.1", 7000);
    hd_socket *s = new_socket(AF_INET, SOCK_DGRAM, 0), *t = new_socket(AF_INET6, SOCK_DGRAM, 0);
    assert_int_equal(hd_port_bind(&net, s, &any), 0);
    assert_null(hd_port_find(&net, 0, SOCK_DGRAM, &to, &error));
    assert_int_equal(hd_port_bind(&net, t, &six), EADDRINUSE);
    t->is_v6_only = true;
    assert_int_equal(hd_port_bind(&net, t, &six), 0);
    assert_ptr_equal(hd_port_find(&net, 0, SOCK_DGRAM, &to, &error), t);
    assert_ptr_equal(hd_port_find(&net, 0, SOCK_DGRAM, &to_four, &error), s);
    hd_socket_close(&net, s);
    assert_null(hd_port_find(&net, 0, SOCK_DGRAM, &to_four, &error));
}

static void those_without_a_port_get_one(void **state) {
    (void)state;
    hd_address zero = v4("127.0.0.1", 0);
    hd_socket *s = new_socket(AF_INET, SOCK_DGRAM, 0), *t = new_socket(AF_INET, SOCK_DGRAM, 0);
    t->in->id = s->in->id; /* would get the same */
    assert_int_equal(hd_port_bind(&net, s, &zero), 0);
    hd_port_bind_any(&net, t, zero.ip);
    assert_true(s->local.port >= 32768 && t->local.port >= 32768);
    assert_int_not_equal(s->local.port, t->local.port);
}

/* ---- descriptors ---- */

static void the_lowest_free_number_is_given(void **state) {
    (void)state;
    hd_file *f = hd_file_new(&net, HD_FILE_PIPE, O_RDONLY);
    assert_int_equal(hd_descriptor_add(&net, 0, 0, f, false), 3);
    assert_int_equal(hd_descriptor_add(&net, 0, 0, f, false), 4);
    assert_int_equal(hd_descriptor_add(&net, 1, 0, f, true), 3);
    assert_int_equal(f->n_references, 3);
    assert_ptr_equal(hd_descriptor_remove(&net, 0, 3), f);
    assert_null(hd_descriptor_file(&net, 0, 3));
    assert_int_equal(hd_descriptor_add(&net, 0, 0, f, false), 3);
    assert_int_equal(hd_descriptor_add(&net, 0, 100, f, false), 100);
    assert_null(hd_descriptor_file(&net, 0, -1));
    assert_null(hd_descriptor_file(&net, 0, 5000));
    assert_int_equal(hd_descriptor_add(&net, 0, HD_MAX_DESCRIPTORS, f, false), -1);
}

static void children_have_what_parents_had(void **state) {
    (void)state;
    hd_file *f = hd_file_new(&net, HD_FILE_PIPE, O_RDONLY), *g = hd_file_new(&net, HD_FILE_PIPE, 0);
    hd_descriptor_add(&net, 0, 0, f, false);
    hd_net_fork(&net, 0, 3);
    hd_descriptor_add(&net, 0, 0, g, false);
    assert_ptr_equal(hd_descriptor_file(&net, 3, 3), f);
    assert_null(hd_descriptor_file(&net, 3, 4));
    assert_int_equal(f->n_references, 2);
    assert_true(f->is_shared);
    assert_false(g->is_shared);
    hd_descriptor_remove(&net, 3, 3);
    assert_ptr_equal(hd_descriptor_file(&net, 0, 3), f);
}

/* ---- sockets ---- */

static void connections_have_two_ends(void **state) {
    (void)state;
    hd_address a = v4("127.0.0.1", 83), any = v4("0.0.0.0", 83);
    hd_socket *listener = new_socket(AF_INET, SOCK_STREAM, 1);
    hd_socket *client = new_socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(hd_port_bind(&net, listener, &any), 0);
    assert_int_equal(hd_socket_listen(listener, 5), 0);
    hd_port_bind_any(&net, client, a.ip);
    client->peer = a;
    hd_socket *server = hd_socket_connect(&net, client, listener, 1000);
    assert_ptr_equal(server->other, client);
    assert_ptr_equal(client->other, server);
    assert_true(hd_address_is_same(&server->peer, &client->local));
    assert_true(hd_address_is_same(&client->peer, &server->local));
    assert_ptr_equal(hd_queue_first(listener->in)->connection, server);
    assert_int_equal(server->in->door, 0);
    assert_int_equal(hd_socket_send_error(client), 0);
    assert_int_equal(hd_socket_farewell(client), HD_ITEM_END);
    hd_queue_put(&net.arena, client->in, data("unread", NULL));
    assert_int_equal(hd_socket_farewell(client), HD_ITEM_RESET);
}

static void broken_connections_say_so_once(void **state) {
    (void)state;
    hd_socket *s = new_socket(AF_INET, SOCK_STREAM, 0), *t = new_socket(AF_INET, SOCK_STREAM, 0);
    hd_socket_join(s, t);
    hd_socket_break(s);
    assert_int_equal(hd_socket_send_error(s), ECONNRESET);
    assert_int_equal(hd_socket_send_error(s), EPIPE);
    hd_socket_join(s, t);
    s->in->has_ended = true;
    hd_socket_break(s);
    assert_int_equal(hd_socket_send_error(s), EPIPE);
}

static void states_forbid_what_they_should(void **state) {
    (void)state;
    hd_socket *udp = new_socket(AF_INET, SOCK_DGRAM, 0), *un = new_socket(AF_UNIX, SOCK_STREAM, 0);
    hd_socket *tcp = new_socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(hd_socket_listen(udp, 1), EOPNOTSUPP);
    assert_int_equal(hd_socket_listen(un, 1), EINVAL);
    assert_int_equal(hd_socket_send_error(un), ENOTCONN);
    assert_int_equal(hd_socket_send_error(tcp), EPIPE);
    hd_socket_join(tcp, new_socket(AF_INET, SOCK_STREAM, 0));
    assert_int_equal(hd_socket_listen(tcp, 1), EINVAL);
}

/* ---- readiness ---- */

#define SHOWN (POLLIN | POLLOUT | POLLHUP | POLLERR | POLLRDHUP)

static uint32_t ready(const hd_file *f) {
    return hd_file_ready(f, 0) & SHOWN;
}

static void pipes_are_ready_as_on_linux(void **state) {
    (void)state;
    hd_file *in = hd_file_new(&net, HD_FILE_PIPE, O_RDONLY);
    hd_file *out = hd_file_new(&net, HD_FILE_PIPE, O_WRONLY);
    in->queue = out->queue = hd_queue_new(&net.arena, 1, 0);
    assert_int_equal(ready(in), 0);
    assert_int_equal(ready(out), POLLOUT);
    hd_queue_put(&net.arena, in->queue, data("x", NULL));
    assert_int_equal(ready(in), POLLIN);
    in->queue->has_ended = true;
    assert_int_equal(ready(in), POLLIN | POLLHUP);
    hd_queue_pop(in->queue);
    assert_int_equal(ready(in), POLLHUP);
    in->queue->is_closed = true;
    assert_int_equal(ready(out), POLLOUT | POLLERR);
}

static void sockets_are_ready_as_on_linux(void **state) {
    (void)state;
    hd_file *f = hd_file_new(&net, HD_FILE_SOCKET, O_RDWR);
    hd_socket *s = f->socket = new_socket(AF_INET, SOCK_STREAM, 0);
    hd_socket *t = new_socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(ready(f), POLLOUT | POLLHUP);
    hd_socket_join(s, t);
    assert_int_equal(ready(f), POLLOUT);
    hd_queue_put(&net.arena, s->in, data("x", NULL));
    assert_int_equal(ready(f), POLLOUT | POLLIN);
    hd_queue_pop(s->in);
    s->in->has_ended = true;
    assert_int_equal(ready(f), POLLOUT | POLLIN | POLLRDHUP);
    s->has_shut_writing = true;
    assert_int_equal(ready(f), POLLOUT | POLLIN | POLLRDHUP | POLLHUP);
    hd_socket_break(s);
    assert_int_equal(ready(f), POLLOUT | POLLIN | POLLRDHUP | POLLHUP | POLLERR);
    hd_file *listener = hd_file_new(&net, HD_FILE_SOCKET, O_RDWR);
    listener->socket = new_socket(AF_INET, SOCK_STREAM, 0);
    hd_port_bind_any(&net, listener->socket, NULL);
    hd_socket_listen(listener->socket, 1);
    assert_int_equal(ready(listener), 0);
}

static void edges_are_reported_once(void **state) {
    (void)state;
    hd_file *f = hd_file_new(&net, HD_FILE_PIPE, O_RDONLY);
    f->queue = hd_queue_new(&net.arena, 1, 0);
    hd_epoll *e = hd_epoll_new(&net, 2, 0);
    hd_epoll_add(&net, e, (hd_interest){.file = f, .events = EPOLLIN | EPOLLET, .is_fresh = true});
    hd_epoll_add(&net, e, (hd_interest){.file = f, .descriptor = 1, .events = EPOLLIN});
    hd_epoll_add(&net, e,
                 (hd_interest){.file = f, .descriptor = 2, .events = EPOLLIN | EPOLLONESHOT});
    for (int i = 0; i < 3; i++)
        assert_int_equal(hd_interest_ready(&e->at[i], 0), 0);
    hd_queue_put(&net.arena, f->queue, data("x", NULL));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hd_interest_ready(&e->at[i], 0), EPOLLIN);
        hd_interest_report(&e->at[i]);
    }
    assert_int_equal(hd_interest_ready(&e->at[0], 0), 0);
    assert_int_equal(hd_interest_ready(&e->at[1], 0), EPOLLIN);
    assert_int_equal(hd_interest_ready(&e->at[2], 0), 0);
    hd_queue_put(&net.arena, f->queue, data("y", NULL));
    assert_int_equal(hd_interest_ready(&e->at[0], 0), EPOLLIN);
    assert_non_null(hd_epoll_find(e, 1, f));
    hd_epoll_forget(e, f);
    assert_int_equal(e->n, 0);
}

static void timers_are_ready_when_it_is_time(void **state) {
    (void)state;
    hd_file *f = hd_file_new(&net, HD_FILE_TIMER, O_RDWR);
    f->counter = hd_arena_alloc(&net.arena, sizeof *f->counter);
    assert_int_equal(hd_file_ready(f, 100) & POLLIN, 0);
    assert_true(hd_file_due(f) == UINT64_MAX);
    f->counter->expires = 50;
    assert_int_equal(hd_file_ready(f, 49) & POLLIN, 0);
    assert_int_equal(hd_file_ready(f, 50) & POLLIN, POLLIN);
    assert_int_equal(hd_file_due(f), 50);
}

/* ---- message queues ---- */

static void message_queues_live_by_name(void **state) {
    (void)state;
    hd_message_queue *q = hd_messages_new(&net, "/q", 1, 0, 2, 10);
    assert_ptr_equal(hd_messages_find(&net, "/q"), q);
    assert_null(hd_messages_find(&net, "/r"));
    assert_false(hd_queue_is_full(q->queue));
    hd_queue_put(&net.arena, q->queue, data("1", NULL));
    hd_queue_put(&net.arena, q->queue, data("2", NULL));
    assert_true(hd_queue_is_full(q->queue));
    hd_queue_pop(q->queue);
    assert_false(hd_queue_is_full(q->queue));
    q->name = NULL;
    assert_null(hd_messages_find(&net, "/q"));
}

static void memory_is_used_again(void **state) {
    (void)state;
    hd_arena a = {0};
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1000; i++) {
            uint8_t *p = hd_arena_alloc(&a, 100);
            for (int k = 0; k < 100; k++)
                assert_int_equal(p[k], 0);
            memset(p, 255, 100);
        }
        size_t n = a.blocks.n;
        hd_arena_clear(&a);
        if (round)
            assert_int_equal(n, a.blocks.n);
    }
    assert_non_null(hd_arena_alloc(&a, 100000000));
    hd_arena_release(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(queues_keep_their_order, set_up),
        cmocka_unit_test_setup(a_queue_grows_while_it_is_used, set_up),
        cmocka_unit_test_setup(higher_priorities_come_first, set_up),
        cmocka_unit_test_setup(streams_fall_into_reads_of_any_size, set_up),
        cmocka_unit_test_setup(concrete_bytes_have_no_words, set_up),
        cmocka_unit_test_setup(addresses_are_read_and_written, set_up),
        cmocka_unit_test_setup(paths_end_and_abstract_names_do_not, set_up),
        cmocka_unit_test_setup(kinds_of_numbers_are_known, set_up),
        cmocka_unit_test_setup(hosts_have_names_and_addresses, set_up),
        cmocka_unit_test_setup(an_address_is_bound_once, set_up),
        cmocka_unit_test_setup(sharing_an_address_needs_both, set_up),
        cmocka_unit_test_setup(paths_stay_until_they_are_unlinked, set_up),
        cmocka_unit_test_setup(ports_are_free_again_after_closing, set_up),
        cmocka_unit_test_setup(doors_are_shared_by_all_that_could_meet, set_up),
        cmocka_unit_test_setup(who_binds_again_goes_on_counting, set_up),
        cmocka_unit_test_setup(groups_are_heard_by_those_who_joined, set_up),
        cmocka_unit_test_setup(a_port_of_ipv6_alone_is_another, set_up),
        cmocka_unit_test_setup(those_without_a_port_get_one, set_up),
        cmocka_unit_test_setup(the_lowest_free_number_is_given, set_up),
        cmocka_unit_test_setup(children_have_what_parents_had, set_up),
        cmocka_unit_test_setup(connections_have_two_ends, set_up),
        cmocka_unit_test_setup(broken_connections_say_so_once, set_up),
        cmocka_unit_test_setup(states_forbid_what_they_should, set_up),
        cmocka_unit_test_setup(pipes_are_ready_as_on_linux, set_up),
        cmocka_unit_test_setup(sockets_are_ready_as_on_linux, set_up),
        cmocka_unit_test_setup(edges_are_reported_once, set_up),
        cmocka_unit_test_setup(timers_are_ready_when_it_is_time, set_up),
        cmocka_unit_test_setup(message_queues_live_by_name, set_up),
        cmocka_unit_test_setup(memory_is_used_again, set_up),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hd_net_release(&net);
    return failed;
}

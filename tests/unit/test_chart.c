/* Message sequence charts: what is drawn, and how. */
#include "tell/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const hd_site sites[] = {
    {"?", "?", 0, 0, UINT32_MAX, 0},
    {"main", "src/ring.c", 50, 1, UINT32_MAX, 0},
    {"send", "src/ring.c", 10, 1, UINT32_MAX, 0},
    {"get", "src/ring.c", 20, 1, UINT32_MAX, 0},
    {"get", "src/other.c", 30, 1, UINT32_MAX, 0},
};
enum { NOWHERE, MAIN, SEND, GET, OTHER };

/* Threads 0 to 9 are the first ones of processes 0 to 9; 10 is a second one of process 1; from 20
 * on couriers, 20 + p goes to process p; 40 is the clock. */
enum { SECOND = 10, TO = 20, CLOCK = 40 };

static hd_participant cast[10];

static size_t describe(void *context, uint64_t address, char *out, size_t size) {
    (void)context, (void)address;
    snprintf(out, size, "shared");
    return strcspn(out, " (");
}
static bool participant(void *context, uint32_t number, hd_participant *out) {
    (void)context;
    *out = cast[number];
    return cast[number].name[0] != '\0';
}
static uint32_t process_of(void *context, uint32_t thread) {
    (void)context;
    return thread == CLOCK ? 0 : thread >= TO ? thread - TO : thread == SECOND ? 1 : thread;
}
static bool is_courier(void *context, uint32_t thread) {
    (void)context;
    return thread >= TO;
}

static hd_storyteller teller(uint32_t n) {
    for (uint32_t p = 0; p < 10; p++) {
        cast[p] = (hd_participant){.main_thread = p, .site = p ? MAIN : NOWHERE};
        if (p < n)
            snprintf(cast[p].name, sizeof cast[p].name, p ? "actor %u" : "main", p);
    }
    return (hd_storyteller){.sites = sites,
                            .n_sites = sizeof sites / sizeof *sites,
                            .describe = describe,
                            .participant = participant,
                            .process_of = process_of,
                            .is_courier = is_courier,
                            .n_processes = n};
}

static hd_action receive(uint32_t from, uint32_t to, uint32_t sent, uint32_t got) {
    return (hd_action){.kind = HD_DO_RECEIVE,
                       .thread = TO + to,
                       .detail = to,
                       .site = got,
                       .value = (uint64_t)from << 32 | sent};
}

static hd_action queue_event(hd_action_kind kind, uint32_t thread, uint32_t queue, uint32_t slot,
                             uint32_t site) {
    return (hd_action){.kind = (uint8_t)kind,
                       .thread = thread,
                       .site = site,
                       .n_accesses = 2,
                       .access = {{HD_QUEUE_TAIL(queue), 1, HD_MODE_WRITE, 1, 0},
                                  {HD_QUEUE(queue) + slot, 1, HD_MODE_WRITE, 1, 0}}};
}

static hd_action event(hd_action_kind kind, uint32_t thread, unsigned flags, uint32_t site) {
    return (hd_action){
        .kind = (uint8_t)kind, .thread = thread, .flags = (uint8_t)flags, .site = site};
}

static void assert_chart(const hd_storyteller *s, const hd_tale *tale, const char *expected) {
    hd_text out = {0};
    hd_chart_tell(s, tale, &out);
    assert_string_equal(hd_text_string(&out), expected);
    hd_text_release(&out);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void messages_are_arrows(void **state) {
    (void)state;
    hd_storyteller s = teller(3);
    hd_action events[] = {receive(0, 1, SEND, GET), receive(1, 2, SEND, OTHER),
                          receive(2, 0, NOWHERE, GET), receive(0, 2, SEND, GET),
                          receive(1, 1, SEND, GET)};
    events[3].state = 7;
    hd_tale tale = {.events = events,
                    .n = 5,
                    .n_told = 5,
                    .failed_thread = 3,
                    .failure = "it broke at ring.c:21",
                    .is_over = true};
    assert_chart(&s, &tale,
                 "main      actor 1    actor 2\n"
                 "          ring.c:50  ring.c:50\n"
                 "  |-------->|          |   sent at ring.c:10, received at :20\n"
                 "  |         |--------->|   sent at ring.c:10, received at other.c:30\n"
                 "  |<-------------------|   received at ring.c:20\n"
                 "  |------------------->|   channel 7, sent at ring.c:10, received at :20\n"
                 "  |         *          |   from itself, sent at ring.c:10, received at :20\n"
                 "  |         |          X   it broke at ring.c:21\n");
}

static void those_who_wait_are_marked(void **state) {
    (void)state;
    hd_storyteller s = teller(3);
    cast[2].may_idle = true;
    hd_action events[] = {receive(0, 1, SEND, GET)};
    hd_action waiting[] = {event(HD_DO_AWAIT, 0, HD_ACTION_WAITS, GET),
                           event(HD_DO_TAKE, 1, HD_ACTION_WAITS, OTHER),
                           event(HD_DO_AWAIT, 2, HD_ACTION_WAITS, GET), receive(1, 2, SEND, GET),
                           event(HD_DO_TIME, CLOCK, HD_ACTION_WAITS, NOWHERE)};
    hd_tale tale = {.events = events,
                    .n = 1,
                    .n_told = 1,
                    .waiting = waiting,
                    .n_waiting = COUNT(waiting),
                    .is_over = true};
    assert_chart(&s, &tale,
                 "main      actor 1    actor 2\n"
                 "          ring.c:50  ring.c:50\n"
                 "  |-------->|          |   sent at ring.c:10, received at :20\n"
                 "  #         |          |   waits for a message at ring.c:20\n"
                 "  |         #          |   waits to receive at other.c:30\n"
                 "  |         |----x     |   sent at ring.c:10, never received\n");
}

/* Arrows come when something is taken; what was put and not taken is told where it was put. */
static void queues_are_arrows(void **state) {
    (void)state;
    hd_storyteller s = teller(2);
    hd_action events[] = {queue_event(HD_DO_PUT, TO + 1, 5, 0, NOWHERE),
                          queue_event(HD_DO_PUT, 1, 6, 0, SEND),
                          queue_event(HD_DO_PUT, TO + 1, 5, 1, NOWHERE),
                          queue_event(HD_DO_TAKE, 0, 6, 0, GET),
                          queue_event(HD_DO_TAKE, 1, 5, 0, OTHER),
                          queue_event(HD_DO_TAKE, 1, 5, 2, OTHER),
                          queue_event(HD_DO_TAKE, 0, 6, 1, GET),
                          queue_event(HD_DO_PUT, TO + 1, 5, 9, NOWHERE)};
    events[0].value = events[2].value = events[7].value = SEND; /* of process 0 */
    events[5].flags = HD_ACTION_FAILED;                         /* the rest of the same read */
    events[5].access[1].mode = HD_MODE_READ;
    events[6].flags = HD_ACTION_FAILED | HD_ACTION_TIMEOUT;
    events[6].access[1].mode = HD_MODE_READ;
    events[7].flags = HD_ACTION_FAILED;
    hd_tale tale = {.events = events, .n = 8, .n_told = 8, .is_over = true};
    assert_chart(&s, &tale,
                 "main      actor 1\n"
                 "          ring.c:50\n"
                 "  |----x    |   sent at ring.c:10, never received\n"
                 "  |<--------|   sent at ring.c:10, received at :20\n"
                 "  |-------->|   sent at ring.c:10, received at other.c:30\n"
                 "  *         |   its time is up at ring.c:20\n"
                 "  |----x    |   sent at ring.c:10, lost: nobody receives there\n");
    tale.n_told = 3; /* the story ends before anything is taken, because something failed */
    tale.is_over = false;
    tale.failed_thread = 1;
    tale.failure = "it broke";
    assert_chart(&s, &tale,
                 "main      actor 1\n"
                 "          ring.c:50\n"
                 "  |---->    |   sent at ring.c:10, not received yet\n"
                 "  |         *   sends what is not received yet at ring.c:10\n"
                 "  |---->    |   sent at ring.c:10, not received yet\n"
                 "  X         |   it broke\n");
}

static void lives_begin_and_end(void **state) {
    (void)state;
    hd_storyteller s = teller(3);
    cast[1].has_ended = cast[2].has_ended = true;
    cast[2].born = 1;
    cast[2].parent = 1;
    hd_action events[] = {receive(0, 1, SEND, GET), event(HD_DO_TIME, CLOCK, 0, NOWHERE),
                          event(HD_DO_SLEEP, 2, 0, GET), event(HD_DO_KILL, 0, 0, OTHER),
                          event(HD_DO_NONE, 0, 0, NOWHERE)};
    events[3].n_accesses = 1;
    events[3].access[0].address = HD_TOKEN_ALIVE(2);
    hd_tale tale = {.events = events,
                    .n = 5,
                    .n_told = 5,
                    .failure = "a long sentence about everybody that does not fit into one row of "
                               "this chart"};
    assert_chart(&s, &tale,
                 "main      actor 1    actor 2\n"
                 "          ring.c:50  ring.c:50\n"
                 "  |-------->|              sent at ring.c:10, received at :20\n"
                 "  |         |.........>|   creates actor 2\n"
                 "  :                    :   time passes\n"
                 "  |                    *   wakes up at ring.c:20\n"
                 "  |------------------->X   killed at other.c:30\n"
                 "  |                        a long sentence about everybody that does not fit "
                 "into one row\n"
                 "  |                        of this chart\n");
}

static void threads_of_a_process_are_told(void **state) {
    (void)state;
    hd_storyteller s = teller(2);
    hd_action events[] = {receive(0, 1, SEND, GET), event(HD_DO_WRITE, 1, 0, SEND),
                          event(HD_DO_READ, SECOND, 0, GET), event(HD_DO_READ, 0, 0, GET)};
    for (unsigned i = 1; i < 4; i++) {
        events[i].n_accesses = 1;
        events[i].access[0] =
            (hd_access){HD_SPACE(1) | 0x10000000, 4, i == 1 ? HD_MODE_WRITE : HD_MODE_READ, 0, 0};
    }
    events[3].access[0].address = 0x10000000; /* process 0 has another one */
    hd_tale tale = {.events = events, .n = 4, .n_told = 4, .is_over = true};
    assert_chart(&s, &tale,
                 "main      actor 1\n"
                 "          ring.c:50\n"
                 "  |-------->|   sent at ring.c:10, received at :20\n"
                 "  |         *   writes 'shared' at ring.c:10\n"
                 "  |         *   thread 10 reads 'shared' at ring.c:20\n");
}

static void many_processes_become_lines(void **state) {
    (void)state;
    hd_storyteller s = teller(9);
    hd_action events[9];
    hd_text out = {0};
    for (uint32_t i = 0; i < 9; i++)
        events[i] = receive(i, (i + 1) % 9, SEND, GET);
    events[8] = event(HD_DO_TIME, CLOCK, 0, NOWHERE);
    hd_tale tale = {
        .events = events, .n = 9, .n_told = 9, .failed_thread = 9, .failure = "it broke"};
    hd_chart_tell(&s, &tale, &out);
    assert_non_null(strstr(out.at, "actor 1 -> actor 2   sent at ring.c:10, received at :20\n"));
    assert_non_null(strstr(out.at, "then                 time passes\n"
                                   "actor 8              it broke\n"));
    hd_text_release(&out);
}

static void long_charts_lose_their_middle(void **state) {
    (void)state;
    hd_storyteller s = teller(5);
    hd_action events[100];
    hd_text out = {0};
    unsigned n_lines = 0;
    for (uint32_t i = 0; i < 100; i++)
        events[i] = receive(i % 5, (i * 3 + 1) % 5, SEND, OTHER);
    hd_tale tale = {.events = events, .n = 100, .n_told = 100, .is_over = true};
    hd_chart_tell(&s, &tale, &out);
    for (const char *line = out.at; *line; line = strchr(line, '\n') + 1) {
        assert_true(strcspn(line, "\n") <= 91); /* 9 come before it */
        n_lines++;
    }
    assert_int_equal(n_lines, 2 + 20);
    assert_non_null(strstr(out.at, "\n  ...\n"));
    hd_text_release(&out);
}

static void nothing_to_tell_is_nothing(void **state) {
    (void)state;
    hd_storyteller s = teller(2);
    hd_tale tale = {.is_over = true};
    assert_chart(&s, &tale, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_arrows),
        cmocka_unit_test(those_who_wait_are_marked),
        cmocka_unit_test(queues_are_arrows),
        cmocka_unit_test(lives_begin_and_end),
        cmocka_unit_test(threads_of_a_process_are_told),
        cmocka_unit_test(many_processes_become_lines),
        cmocka_unit_test(long_charts_lose_their_middle),
        cmocka_unit_test(nothing_to_tell_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

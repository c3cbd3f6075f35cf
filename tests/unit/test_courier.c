/* Couriers (courier.c): messages that are under way arrive in every order that their channels
 * allow, each once and whole. */
#include "tool/every_schedule.h"

static const char text[] =
    "#include <heddle.h>\n#include <string.h>\n"
    "static int get(void) { int x = 0; heddle_receive(&x, sizeof x); return x; }\n"
    "static void put(int channel, int to, int x) { heddle_send_on(channel, to, &x, sizeof x); }\n"
    "static void two(void *p) { (void)p; put(0, 0, 1); put(0, 0, 2); }\n"
    "static void three(void *p) { (void)p; put(1, 0, 1); put(1, 0, 2); put(1, 0, 3); }\n"
    "static void one(void *p) { put(0, 0, *(int *)p); }\n"
    /* without an order: both */
    "static int case0(void) { heddle_spawn(two, 0, 0); int a = get(), b = get();\n"
    "  return 4 * a + b; }\n"
    /* with one */
    "static int case1(void) { heddle_fifo(0); heddle_spawn(two, 0, 0); int a = get(), b = get();\n"
    "  return 4 * a + b; }\n"
    /* a courier that has had nothing to carry for a while */
    "static int case2(void) { heddle_fifo(1); heddle_spawn(three, 0, 0); int a = get(), b = "
    "get(),\n"
    "  c = get(); heddle_spawn(three, 0, 0); return a == 1 && b == 2 && c == 3 && get() == 1 &&\n"
    "  get() == 2 && get() == 3 ? 1 : 2; }\n"
    /* two senders: their messages cross, those of one do not */
    "static int case3(void) { heddle_fifo(-1); int x = 1; heddle_spawn(one, &x, sizeof x); x = 2;\n"
    "  heddle_spawn(one, &x, sizeof x); int a = get(), b = get(); return 4 * a + b; }\n"
    /* what is accepted is taken, the rest waits */
    "static void both(void *p) { (void)p; put(3, 0, 7); put(4, 0, 9); }\n"
    "static int case4(void) { int a = 0, b = 0; heddle_spawn(both, 0, 0);\n"
    "  heddle_receive_on(4, &a, sizeof a); int c = heddle_channel(), s = heddle_sender();\n"
    "  heddle_receive_on(3, &b, sizeof b); return a == 9 && b == 7 && c == 4 && s == 1 ? 1 : 2; }\n"
    /* all of a long one */
    "static char big[70000];\n"
    "static void sends_big(void *p) { (void)p; memset(big, 5, sizeof big); big[69999] = 6;\n"
    "  heddle_send(0, big, sizeof big); big[0] = 9; }\n"
    "static int case5(void) { heddle_spawn(sends_big, 0, 0); size_t n = heddle_receive(big, "
    "70000);\n"
    "  return n == 70000 && big[0] == 5 && big[69998] == 5 && big[69999] == 6 ? 1 : 2; }\n"
    /* what is sent is what was there, and goes to nobody else */
    "static void echo(void *p) { (void)p; int x = get(); put(0, 0, x + 10); }\n"
    "static int case6(void) { int e = heddle_spawn(echo, 0, 0), f = heddle_spawn(echo, 0, 0), x = "
    "1;\n"
    "  heddle_send(e, &x, sizeof x); x = 2; heddle_send(f, &x, sizeof x); x = 3;\n"
    "  int a = get(), b = get(); return a + b == 23 && a != b ? 1 : 2; }\n"
    "static int (*const cases[])(void) = {case0, case1, case2, case3, case4, case5, case6};\n"
    "int main(void) { unsigned char which; heddle_input(which);\n"
    "  return which < 7 ? cases[which]() : 0; }\n";

static const case_of cases[] = {
    {"no order", 0, S(4 * 1 + 2) | S(4 * 2 + 1)},
    {"in order", 0, S(4 * 1 + 2)},
    {"a courier goes again", 0, S(1)},
    {"two senders", 0, S(4 * 1 + 2) | S(4 * 2 + 1)},
    {"channels", 0, S(1)},
    {"long messages", 0, S(1)},
    {"addresses", 0, S(1)},
};

static void messages_arrive(void **state) {
    (void)state;
    check_cases(text, cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

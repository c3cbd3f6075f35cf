/* Addresses from text and back (src/models/inet.c), against the C library: random texts of the
 * characters that matter, random addresses with runs of zeros. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

/* The models under other names, as plain functions. */
#define inet_pton model_inet_pton
#define inet_ntop model_inet_ntop
#define inet_aton model_inet_aton
#define inet_addr model_inet_addr
int model_inet_pton(int family, const char *restrict text, void *restrict out);
const char *model_inet_ntop(int family, const void *restrict address, char *restrict out,
                            socklen_t size);
int model_inet_aton(const char *text, struct in_addr *out);
in_addr_t model_inet_addr(const char *text);
#include "models/inet.c"
#undef inet_pton
#undef inet_ntop
#undef inet_aton
#undef inet_addr

#define ROUNDS 100000

static const char *const letters[] = {
    "0123456789abcdefAF:::::....x ", "01:::::1f.", "0125. \txX", "1:.", "12345.", "0xX7a8.\n"};

static void draw_text(char *out, unsigned most) {
    const char *from = letters[(unsigned)rand() % (sizeof letters / sizeof *letters)];
    unsigned n = (unsigned)rand() % most;
    for (unsigned i = 0; i < n; i++)
        out[i] = from[(unsigned)rand() % strlen(from)];
    out[n] = 0;
}

static unsigned compare_pton(int family, const char *text) {
    uint8_t expected[16] = {0}, seen[16] = {0};
    int is_one = inet_pton(family, text, expected);
    if (model_inet_pton(family, text, seen) != is_one || memcmp(seen, expected, sizeof seen) != 0)
        fail_msg("inet_pton(%d, \"%s\")", family, text);
    return (unsigned)is_one;
}

static unsigned compare_aton(const char *text) {
    struct in_addr expected = {7}, seen = {7};
    int is_one = inet_aton(text, &expected);
    if (model_inet_aton(text, &seen) != is_one || seen.s_addr != expected.s_addr)
        fail_msg("inet_aton(\"%s\")", text);
    assert_int_equal(model_inet_addr(text), inet_addr(text));
    return (unsigned)is_one;
}

static void test_texts_are_addresses(void **state) {
    (void)state;
    char text[32];
    unsigned n_v4 = 0, n_v6 = 0, n_old = 0;
    srand(1);
    for (unsigned i = 0; i < ROUNDS; i++) {
        draw_text(text, i & 1 ? 12 : 24);
        n_v4 += compare_pton(AF_INET, text);
        n_v6 += compare_pton(AF_INET6, text);
        n_old += compare_aton(text);
    }
    assert_true(n_v4 > 10 && n_v6 > 500 && n_old > 5000);
}

static void test_other_families_are_refused(void **state) {
    (void)state;
    char out[16];
    errno = 0;
    assert_int_equal(model_inet_pton(99, "1.2.3.4", out), -1);
    assert_int_equal(errno, EAFNOSUPPORT);
    errno = 0;
    assert_null(model_inet_ntop(99, "1234", out, sizeof out));
    assert_int_equal(errno, EAFNOSUPPORT);
}

static void draw_address(uint8_t out[16]) {
    for (unsigned i = 0; i < 16; i++)
        out[i] = (uint8_t)(rand() % 3 ? 0 : rand() % 4 ? rand() : 255);
    if (rand() % 2)
        memset(out, 0, (unsigned)rand() % 12);
}

static void compare_ntop(int family, const uint8_t address[16], unsigned room) {
    char expected[64] = "", seen[64] = "";
    errno = 0;
    const char *is_text = inet_ntop(family, address, expected, room);
    int number = errno;
    errno = 0;
    const char *is_mine = model_inet_ntop(family, address, seen, room);
    if (!is_text != !is_mine || errno != number)
        fail_msg("inet_ntop of '%s' in %u bytes", expected, room);
    if (is_text)
        assert_string_equal(seen, expected);
}

static void test_addresses_are_texts(void **state) {
    (void)state;
    uint8_t address[16];
    for (unsigned i = 0; i < ROUNDS; i++) {
        draw_address(address);
        compare_ntop(i & 1 ? AF_INET : AF_INET6, address, (unsigned)rand() % 48);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts_are_addresses),
                                       cmocka_unit_test(test_other_families_are_refused),
                                       cmocka_unit_test(test_addresses_are_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

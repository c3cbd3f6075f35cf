/* Requests of browsers: what is answered, what is refused, and when more is needed. */
#include "serve/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int status_of(const char *text) {
    hd_request r;
    return hd_request_read(&r, text, strlen(text));
}

#define HOST "Host: 127.0.0.1:7321\r\n"

static void test_answered(void **state) {
    (void)state;
    hd_request r;
    const char *text = "GET /state?x=1 HTTP/1.1\r\n" HOST "Accept: */*\r\n\r\n";
    assert_int_equal(hd_request_read(&r, text, strlen(text)), 200);
    assert_string_equal(r.path, "/state");
    assert_int_equal(status_of("GET / HTTP/1.0\r\nhOST:\tlocalhost \r\n\r\n"), 200);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: [::1]:65535\r\nContent-Length: 0\r\n\r\n"), 200);
}

static void test_hosts(void **state) {
    (void)state;
    static const char *const others[] = {"evil.example", "localhost.evil", "127.0.0.1.evil", "127.0.0.11", "localhost:",
                                         "localhost:x", "localhost:123456", "xlocalhost", "[::1", "[::1]x", "", "0.0.0.0"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[128];
        snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", others[i]);
        /* A colon without a number behind it is allowed by the standard, and an empty port is this machine still. */
        assert_int_equal(status_of(text), strcmp(others[i], "localhost:") == 0 ? 200 : 421);
    }
    assert_int_equal(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST HOST "\r\n"), 400);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST "Host: evil\r\n\r\n"), 421);
}

static void test_refused(void **state) {
    (void)state;
    assert_int_equal(status_of("POST / HTTP/1.1\r\n"), 405);
    assert_int_equal(status_of("get / HTTP/1.1\r\n"), 405);
    assert_int_equal(status_of("GET / HTTP/2.0\r\n"), 505);
    assert_int_equal(status_of("GET  / HTTP/1.1\r\n"), 400);
    assert_int_equal(status_of("GET /\r\n"), 400);
    assert_int_equal(status_of("GET * HTTP/1.1\r\n"), 400);
    assert_int_equal(status_of("GET ?x HTTP/1.1\r\n"), 400);
    assert_int_equal(status_of("GET /\x7f HTTP/1.1\r\n"), 400);
    assert_int_equal(status_of("\r\n"), 400);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST "X Y: 1\r\n\r\n"), 400);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST ": 1\r\n\r\n"), 400);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST "X: \x01\r\n\r\n"), 400);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n"), 413);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: identity\r\n\r\n"), 413);
}

static void test_more(void **state) {
    (void)state;
    const char *text = "GET / HTTP/1.1\r\n" HOST "\r\n";
    hd_request r;
    for (size_t n = 0; n < strlen(text); n++)
        assert_int_equal(hd_request_read(&r, text, n), 0);
    assert_int_equal(hd_request_read(&r, text, strlen(text)), 200);
}

static void test_long(void **state) {
    (void)state;
    static char text[HD_REQUEST_MOST + 1];
    hd_request r;
    memset(text, 'x', sizeof text);
    assert_int_equal(hd_request_read(&r, text, HD_REQUEST_MOST - 1), 0);
    assert_int_equal(hd_request_read(&r, text, HD_REQUEST_MOST), 414);
    memcpy(text, "GET / HTTP/1.1\r\nX: ", 19);
    assert_int_equal(hd_request_read(&r, text, HD_REQUEST_MOST), 431);
    memset(text + 5, 'x', sizeof text - 5);
    memcpy(text + 5 + HD_PATH_MOST, " HTTP/1.1\r\n", 11);
    assert_int_equal(hd_request_read(&r, text, 600), 414);
    memcpy(text + 4 + HD_PATH_MOST, " HTTP/1.1\r\n" HOST "\r\n", 11 + strlen(HOST) + 2);
    assert_int_equal(hd_request_read(&r, text, 600), 200);
    assert_int_equal(strlen(r.path), HD_PATH_MOST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answered), cmocka_unit_test(test_hosts), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_more),     cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

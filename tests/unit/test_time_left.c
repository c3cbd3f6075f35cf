/* What is left of --max-time: a clock that the test reads itself, so that no load matters. */
#include "base/clock.h"
#include "cli/time_left.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_near(double a, double b) {
    assert_true(a > b - 1e-6 && a < b + 1e-6);
}

static void what_came_before_the_search_is_counted(void **state) {
    (void)state;
    hd_time_begin();
    double began = hd_time_began();
    assert_true(began <= hd_clock_now());
    assert_near(hd_time_left(10, began), 10);
    assert_near(hd_time_left(10, began + 4), 6);
}

static void who_comes_too_late_has_a_moment(void **state) {
    (void)state;
    hd_time_begin();
    double left = hd_time_left(2, hd_time_began() + 3);
    assert_true(left > 0 && left < 0.1);
    assert_near(hd_time_left(2, hd_time_began() + 300), left);
}

static void no_limit_stays_none(void **state) {
    (void)state;
    hd_time_begin();
    assert_true(hd_time_left(0, hd_time_began() + 5) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_before_the_search_is_counted),
        cmocka_unit_test(who_comes_too_late_has_a_moment),
        cmocka_unit_test(no_limit_stays_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

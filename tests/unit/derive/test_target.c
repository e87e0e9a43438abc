// uses: derive
/* How far a target is reached. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/target.h"

#define NUMBER(x) ((struct lore_f64){true, (x)})

static void
progress_is_the_share_of_the_value_that_is_reached(void **state)
{
    struct lore_target t = {.metric = "m", .value = NUMBER(80), .direction = "up"};
    struct lore_progress p = lore_target_progress(&t, NUMBER(20));
    (void)state;

    assert_true(p.progress.set && p.progress.v == 0.25);
    assert_string_equal(p.met, "no");
    assert_false(p.stated);
    p = lore_target_progress(&t, NUMBER(90));
    assert_true(p.progress.v == 1);
    assert_string_equal(p.met, "yes");
    t.direction = "down";
    p = lore_target_progress(&t, NUMBER(160));
    assert_true(p.progress.v == 0.5);
    assert_string_equal(p.met, "no");
    assert_string_equal(lore_target_progress(&t, NUMBER(80)).met, "yes");
}

static void
what_is_not_known_gives_no_progress(void **state)
{
    struct lore_target t = {.metric = "m", .value = NUMBER(80)};
    (void)state;

    assert_false(lore_target_progress(&t, NUMBER(20)).progress.set);
    assert_string_equal(lore_target_progress(&t, NUMBER(20)).met, "unknown");
    t.direction = "up";
    assert_string_equal(lore_target_progress(&t, (struct lore_f64){0}).met, "unknown");
    assert_false(lore_target_progress(&t, NUMBER(-1)).progress.set);
    assert_string_equal(lore_target_progress(&t, NUMBER(-1)).met, "no");
}

static void
what_is_stated_stands(void **state)
{
    struct lore_target t = {.metric = "m", .value = NUMBER(80), .direction = "up", .met = "yes"};
    struct lore_progress p = lore_target_progress(&t, NUMBER(20));
    (void)state;

    assert_string_equal(p.met, "yes");
    assert_true(p.stated);
    assert_false(p.progress.set);
    t.met = "unknown";
    assert_string_equal(lore_target_progress(&t, NUMBER(20)).met, "no");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_is_the_share_of_the_value_that_is_reached),
        cmocka_unit_test(what_is_not_known_gives_no_progress),
        cmocka_unit_test(what_is_stated_stands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

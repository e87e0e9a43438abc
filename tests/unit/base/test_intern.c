// uses: base
/* The intern table: same text, same id; ids are dense; texts never move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/intern.h"

static void
an_empty_table_knows_nothing(void **state)
{
    struct lore_intern t = {0};
    (void)state;

    assert_int_equal(lore_intern_find(&t, "x"), LORE_INTERN_NONE);
    assert_int_equal(lore_intern(&t, NULL), LORE_INTERN_NONE);
    assert_null(lore_intern_text(&t, 0));
    assert_null(lore_intern_text(&t, LORE_INTERN_NONE));
    lore_intern_free(&t);
    lore_intern_free(&t);
}

static void
equal_texts_share_an_id_and_stay_where_they_are(void **state)
{
    enum { N = 20000 };
    struct lore_intern t = {0};
    char text[32];
    (void)state;

    const char *first = lore_intern_text(&t, lore_intern(&t, "name 0"));
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "name %d", i);
        assert_int_equal(lore_intern(&t, text), i);
    }
    assert_ptr_equal(lore_intern_text(&t, 0), first);
    for (int i = 0; i < N; i += 7) {
        snprintf(text, sizeof text, "name %d", i);
        assert_int_equal(lore_intern(&t, text), i);
        assert_int_equal(lore_intern_find(&t, text), i);
        assert_string_equal(lore_intern_text(&t, (uint32_t)i), text);
    }
    assert_int_equal(lore_intern_find(&t, "name 20000"), LORE_INTERN_NONE);
    assert_int_equal(t.n, N);
    assert_true(t.bytes > N * 8);
    lore_intern_free(&t);
}

static void
long_and_empty_texts_are_texts(void **state)
{
    struct lore_intern t = {0};
    static char text[200001];
    (void)state;

    memset(text, 'x', sizeof text - 1);
    assert_int_equal(lore_intern(&t, ""), 0);
    assert_int_equal(lore_intern(&t, text), 1);
    text[200000 - 1] = 'y';
    assert_int_equal(lore_intern(&t, text), 2);
    assert_int_equal(lore_intern(&t, ""), 0);
    assert_int_equal(strlen(lore_intern_text(&t, 1)), 200000);
    lore_intern_free(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_knows_nothing),
        cmocka_unit_test(equal_texts_share_an_id_and_stay_where_they_are),
        cmocka_unit_test(long_and_empty_texts_are_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

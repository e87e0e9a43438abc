// uses: verdicts
// Lists of records obey the members of the filter that their headers name, and no others.
#include "db/kinds.h"
#include "db/row_shape.h"
#include "db/sorted.h"
#include "tests/unit/db_fixture.h"

static const struct {
    enum lore_kind kind;
    const char *obeys;
} lists[] = {
    {LORE_K_KERNEL, "$op $language $project $name $before $limit"},
    {LORE_K_VERSION, "$kernel $project $name $before $limit"},
    {LORE_K_ENVIRONMENT, "$chip $before $limit"},
    {LORE_K_HYPOTHESIS, "$version $op $before $limit"},
    {LORE_K_INSIGHT, "$kind $state $chip $op $technique $before $limit"},
    {LORE_K_SOURCE_DOCUMENT, "$path $before $limit"},
    {LORE_K_TECHNIQUE, "$technique $before $limit"},
    {LORE_K_VERIFICATION, "$version $technique $before $limit"},
    {LORE_K_CAMPAIGN, "$kernel $name $before $limit"},
    {LORE_K_DIRECTION, "$kernel $state $before $limit"},
    {LORE_K_PROFILE, "$chip $before $limit"},
    {LORE_K_SWEEP, "$op $kernel $workload $chip $before $limit"},
    {LORE_K_CURATION, "$subject $action $before $limit"},
};

static void
a_list_obeys_what_its_header_says(void **state)
{
    struct fixture *f = *state;
    size_t n_lists = 0;

    for (size_t i = 0; i < LORE_K_COUNT; i++)
        n_lists += lore_db_kinds[i].rows->list != NULL;
    assert_int_equal(n_lists, sizeof lists / sizeof *lists);
    for (size_t i = 0; i < n_lists; i++) {
        LORE_STMT q = lore_sql_prepare(f->db, lore_db_kind(lists[i].kind)->rows->list);
        LORE_BUF names = {0};

        assert_int_equal(q.rc, SQLITE_OK);
        for (int n = 1; n <= sqlite3_bind_parameter_count(q.s); n++)
            lore_buf_printf(&names, "%s%s", n > 1 ? " " : "", sqlite3_bind_parameter_name(q.s, n));
        assert_string_equal(names.data, lists[i].obeys);
    }
}

/* The statement depends on the filter: each must take every member that is set. */
static void
runs_are_listed_by_every_choice_of_members(void **state)
{
    struct fixture *f = *state;

    for (int bits = 0; bits < 64; bits++) {
        struct lore_list_filter by = {.version = bits & 1 ? "V" : NULL,
            .workload = bits & 2 ? "W" : NULL,
            .chip = bits & 4 ? "h200" : NULL,
            .error_type = bits & 8 ? "runtime" : NULL,
            .project = bits & 16 ? "team/attention" : NULL,
            .kernel = bits & 32 ? "K" : NULL,
            .page = {.before = 7, .limit = 9}};
        struct lore_run_row *rows = NULL;
        size_t n = 1;

        ok(f, lore_db_list_runs(f->db, &by, &f->arena, &rows, &n, &f->err));
        assert_int_equal(n, 0);
    }
}

/* Each way makes a statement of its own, which must have all parameters. */
static void
every_list_is_sorted_by_every_column_and_restricted(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct lore_row_shape *shape = lore_db_kind(lists[i].kind)->rows;
        for (size_t m = 0; m < 2 * shape->n_members; m++) {
            struct lore_list_filter by = {
                .page = {.before = 3,
                    .limit = 2,
                    .author = m % 3 == 0 ? "kim" : NULL,
                    .since_us = m % 5 == 0,
                    .until_us = m % 7 == 0 ? INT64_MAX : 0,
                    .sort = {.given = true, .down = m % 2, .at = shape->members[m / 2].at}}};
            struct lore_list_rows rows = {.arena = &f->arena};
            assert_true(lore_sorted_by(lists[i].kind, &by.page.sort));
            ok(f, lore_db_list(f->db, lists[i].kind, &by, &rows, &f->err));
        }
    }
    assert_false(lore_sorted_by(LORE_K_KERNEL, &(struct lore_sort){.at = 9999, .field = "x"}));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_list_obeys_what_its_header_says),
        TEST(runs_are_listed_by_every_choice_of_members),
        TEST(every_list_is_sorted_by_every_column_and_restricted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

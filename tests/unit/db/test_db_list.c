// uses: verdicts
// Lists of records obey the members of the filter that their headers name, and no others.
#include "db/kinds.h"
#include "db/row_shape.h"
#include "tests/unit/db_fixture.h"

static const struct {
    enum lore_kind kind;
    const char *obeys;
} lists[] = {
    {LORE_K_KERNEL, "$op $language $project $name $before $limit"},
    {LORE_K_VERSION, "$kernel $project $name $before $limit"},
    {LORE_K_ENVIRONMENT, "$chip $before $limit"},
    {LORE_K_HYPOTHESIS, "$version $before $limit"},
    {LORE_K_INSIGHT, "$kind $op $technique $before $limit"},
    {LORE_K_SOURCE_DOCUMENT, "$path $before $limit"},
    {LORE_K_TECHNIQUE, "$technique $before $limit"},
    {LORE_K_VERIFICATION, "$version $technique $before $limit"},
    {LORE_K_CAMPAIGN, "$kernel $name $before $limit"},
    {LORE_K_DIRECTION, "$kernel $state $before $limit"},
    {LORE_K_SWEEP, "$op $kernel $workload $chip $author $before $limit"},
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

    for (int bits = 0; bits < 32; bits++) {
        struct lore_list_filter by = {.version = bits & 1 ? "V" : NULL,
            .workload = bits & 2 ? "W" : NULL,
            .chip = bits & 4 ? "h200" : NULL,
            .error_type = bits & 8 ? "runtime" : NULL,
            .project = bits & 16 ? "team/attention" : NULL,
            .page = {7, 9}};
        struct lore_run_row *rows = NULL;
        size_t n = 1;

        ok(f, lore_db_list_runs(f->db, &by, &f->arena, &rows, &n, &f->err));
        assert_int_equal(n, 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_list_obeys_what_its_header_says),
        TEST(runs_are_listed_by_every_choice_of_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

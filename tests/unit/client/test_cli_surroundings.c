// uses: client
/* What surrounds a record on the command line: the lessons that rest on an experiment, what the
 * warps of a run waited for, what nearly won. */
#include "tests/unit/cli_fake.h"

#define E1 "01J000000000000000000000E1"
#define R1 "01J000000000000000000000R1"
#define K1 "01J000000000000000000000K1"
#define N1 "01J000000000000000000000N1"
#define N2 "01J000000000000000000000N2"

static const struct fake_row rows[] = {
    {"/api/v1/experiments/" E1, 200,
        "{\"id\":\"" E1 "\",\"title\":\"wide loads\",\"insights\":[{\"id\":\"" N1
        "\",\"kind\":\"anti_strategy\",\"title\":\"Spills\",\"review\":{\"state\":\"reviewed\"},"
        "\"retracted\":false},{\"id\":\"" N2
        "\",\"kind\":\"note\",\"title\":\"Pad\",\"review\":null,\"retracted\":true}]}"},
    {"/api/v1/runs/" R1 "/diagnosis", 200,
        "{\"run\":\"" R1 "\",\"rule_sets\":[],\"stalls\":["
        "{\"metric\":\"SQ_WAIT_ANY\",\"value\":40,\"unit\":\"% of wave cycles\",\"rank\":1},"
        "{\"metric\":\"a\",\"reason\":\"long_scoreboard\",\"value\":46.5,\"unit\":\"warp/issue\"},"
        "{\"metric\":\"b\",\"reason\":\"not_selected\",\"value\":3,\"unit\":\"warp/issue\","
        "\"neutral\":true},"
        "{\"metric\":\"c\",\"value\":2,\"unit\":\"warp/issue\"},"
        "{\"metric\":\"d\",\"value\":1,\"unit\":\"unknown\"},"
        "{\"metric\":\"sixth\",\"value\":1,\"unit\":\"unknown\"}]}"},
    {"/api/v1/kernels/" K1 "/frontier", 200,
        "{\"rows\":[{\"version\":\"" N1
        "\",\"label\":\"b1\",\"kind\":\"branch\",\"time_ns\":600000,"
        "\"delta_from_champion_pct\":3.5,\"params\":[{\"name\":\"tile\",\"here\":64,\"champion\":"
        "null}],"
        "\"techniques_added\":[\"memory.swizzle\"],\"techniques_missing\":[\"fusion\"],"
        "\"hidden\":true,\"retracted\":false}],\"champion\":\"" N2
        "\",\"champion_time_ns\":580000,\"left_out\":{\"failed\":2,\"not_checked\":0}}"},
    {"/api/v1/campaigns/" K1, 200,
        "{\"id\":\"" K1
        "\",\"targets\":[{\"metric\":\"as recorded\"}],\"standing\":{\"state\":\"open\","
        "\"targets\":[{\"metric\":\"sm\",\"value\":90,\"unit\":\"%\",\"current\":81.2,\"progress\":"
        "0.902,\"met\":\"no\",\"stated\":false},{\"metric\":\"dram\",\"met\":\"yes\",\"stated\":"
        "true}]}}"},
    {"/api/v1/experiments?chip=h200&limit=200", 200,
        "{\"rows\":[{\"id\":\"" E1
        "\",\"title\":\"=1+1, \\\"wide\\\"\\nloads\",\"labels\":[\"memory\",\"sync\"],"
        "\"techniques\":[{\"name\":\"fusion\"},{\"name\":\"tiling\"}],\"workload\":{\"label\":\"M="
        "8\"},"
        "\"outcome\":{\"effect\":\"win\",\"speedup\":1.25},\"masked\":false}],\"next\":\"c1\"}"},
    {"/api/v1/experiments?chip=h200&limit=200&cursor=c1", 200,
        "{\"rows\":[{\"id\":\"hidden away\",\"withheld\":true}],\"next\":null}"},
    {"/api/v1/experiments?limit=", 200, "{\"rows\":[],\"next\":null}"},
    {"/api/v1/sweeps", 200,
        "{\"rows\":[{\"id\":\"S1\",\"tool\":\"=tool\",\"workload\":{\"dims\":{\"M\":8}},\"best\":["
        "\"a\","
        "\"b\"],\"summary\":{\"median_ns\":-1.5}},{\"id\":\"S2\",\"best\":[{\"configuration\":1}],"
        "\"chip\":\"h200\"},{\"id\":\"S3\",\"withheld\":true}],\"next\":null}"},
    {"/api/v1/curations", 200, "{\"rows\":[]}"},
    {NULL, 0, NULL},
};

static void
an_experiment_shows_the_lessons_that_cite_it_and_what_people_made_of_them(void **state)
{
    struct fake *f = *state;

    f->cli.width = 200;
    assert_int_equal(fake_run(f, "show|" E1), 0);
    assert_says(fake_out(f), N1 " Spills (anti strategy, reviewed)");
    assert_says(fake_out(f), N2 " Pad (note, retracted)");
}

static void
a_diagnosis_prints_the_five_largest_stalls_with_their_units(void **state)
{
    struct fake *f = *state;

    f->cli.width = 200;
    assert_int_equal(fake_run(f, "diagnose|" R1), 0);
    assert_says(fake_out(f), "- SQ_WAIT_ANY: 40 % of wave cycles");
    assert_says(fake_out(f), "- long scoreboard: 46.5 warp/issue");
    assert_says(fake_out(f), "not selected: 3 warp/issue (ready, not chosen: nothing lost)");
    assert_null(strstr(fake_out(f), "- d: ")); /* its unit is unknown, so it has no rank */
    assert_says(fake_out(f), "and 2 more");
    assert_null(strstr(fake_out(f), "sixth"));
}

static void
a_frontier_says_how_far_behind_and_what_is_done_otherwise(void **state)
{
    struct fake *f = *state;

    f->cli.width = 200;
    assert_int_equal(fake_run(f, "frontier|" K1 "|--chip|h200"), 0);
    assert_string_equal(f->asked[0], "/api/v1/kernels/" K1 "/frontier?chip=h200");
    assert_says(fake_out(f), "3.5");
    assert_says(fake_out(f), "hidden");
    assert_says(fake_out(f), "tile 64 (champion not given); with memory.swizzle; without fusion");
    assert_says(fake_out(f), "not listed: 2 failed\n");
}

static void
a_campaign_says_how_far_its_targets_are_reached(void **state)
{
    struct fake *f = *state;

    f->cli.width = 200;
    assert_int_equal(fake_run(f, "campaign|" K1), 0);
    assert_says(fake_out(f), "sm 90 %, now 81.2, 90 % of the way, met: no\n");
    assert_says(fake_out(f), "dram UNKNOWN, now UNKNOWN, met: yes (as stated)");
    assert_null(strstr(fake_out(f), "as recorded"));
}

static void
experiments_as_csv_run_nothing_and_leave_out_what_is_withheld(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|experiments|--csv|--chip|h200"), 0);
    assert_int_equal(f->n_asked, 2);
    assert_says(fake_out(f), "experiment,title,operator,");
    assert_says(fake_out(f), "received_at\r\n");
    assert_says(fake_out(f),
        E1 ",\"'=1+1, \"\"wide\"\" loads\",,,,,,M=8,fusion + tiling,memory + sync,,win,");
    assert_says(fake_out(f), ",win,,,1.25,,,,,,,,false,,,\r\n");
    assert_null(strstr(fake_out(f), "hidden away"));
    assert_says(fake_err(f), "1 row withheld");
}

static void
any_list_as_csv_has_the_columns_of_its_rows(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|sweeps|--csv"), 0);
    assert_says(fake_out(f), "id,tool,workload.dims.M,best,summary.median_ns,chip\r\n");
    assert_says(fake_out(f), "S1,'=tool,8,a + b,-1.5,\r\n");
    assert_says(fake_out(f), "S2,,,\"[{\"\"configuration\"\":1}]\",,h200\r\n");
    assert_null(strstr(fake_out(f), "S3"));
    assert_says(fake_err(f), "1 row withheld");
}

static void
any_list_as_json_lines_has_its_rows_as_they_are(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|sweeps|--jsonl"), 0);
    assert_says(fake_out(f), "{\"id\":\"S1\",");
    assert_says(fake_out(f), "\n{\"id\":\"S2\",");
    assert_int_equal(fake_run(f, "list|sweeps|--jsonl|--csv"), LORE_EXIT_USAGE);
    assert_says(fake_err(f), "--csv, --jsonl and --json: choose one");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_diagnosis_prints_the_five_largest_stalls_with_their_units),
        TEST(a_frontier_says_how_far_behind_and_what_is_done_otherwise),
        TEST(a_campaign_says_how_far_its_targets_are_reached),
        TEST(experiments_as_csv_run_nothing_and_leave_out_what_is_withheld),
        TEST(any_list_as_csv_has_the_columns_of_its_rows),
        TEST(any_list_as_json_lines_has_its_rows_as_they_are),
        TEST(an_experiment_shows_the_lessons_that_cite_it_and_what_people_made_of_them),
    };

    return cmocka_run_group_tests(tests, clean_environment, NULL);
}

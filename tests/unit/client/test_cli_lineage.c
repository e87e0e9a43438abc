// uses: client
/* Lineage, environments, failures, amendments, and histories of several chips on the command line.
 */
#include "tests/unit/cli_fake.h"

#define V "01J000000000000000000000V1"
#define A "01J000000000000000000000A1"
#define B "01J000000000000000000000B1"
#define C "01J000000000000000000000C1"
#define X "01J000000000000000000000X1"
#define K "01J000000000000000000000K1"

static const struct fake_row rows[] = {
    {"/api/v1/versions/" V "/lineage", 200,
        "{\"version\":\"" V "\",\"ancestors\":[{\"version\":\"" A
        "\",\"edge\":\"derived_from\",\"child\":\"" V "\",\"depth\":1,\"label\":\"v0\",\"kind\":"
        "\"baseline\"}],\"ancestors_cut\":true,\"descendants\":[],\"descendants_cut\":false}"},
    {"/api/v1/environments", 200,
        "{\"rows\":[{\"id\":\"" A "\",\"chip\":\"mi300x\",\"hard\":{\"rocm\":\"6.1\"}}]}"},
    {"/api/v1/environments/" A "/compare/" B, 200,
        "{\"comparable\":false,\"hard\":[{\"name\":\"rocm\",\"a\":\"6.1\",\"b\":\"6.4\"}],\"soft\":"
        "[]}"},
    {"/api/v1/failures", 200,
        "{\"rows\":[{\"error_type\":\"compilation\",\"code\":\"E0001\",\"count\":4,\"recurrences\":"
        "2,"
        "\"message\":\"undeclared\",\"fix\":\"include it\",\"experiments\":[\"" X "\"]}]}"},
    {"/api/v1/failures?error_type=process", 200, "{\"rows\":[]}"},
    {"/api/v1/runs", 200, "{\"rows\":[]}"},
    {"/api/v1/experiments?", 200, "{\"rows\":[]}"},
    {"/api/v1/campaigns/" C "/amend", 201, "{\"id\":\"" A "\"}"},
    {"/api/v1/experiments/" X, 404,
        "{\"code\":\"masked\",\"detail\":\"experiment " X " is masked by ada: no source\"}"},
    {"/api/v1/kernels/" K "/history", 200,
        "{\"rows\":[{\"version\":{\"id\":\"" V "\",\"label\":\"v1\"},\"time_ns\":2000,"
        "\"timed_elsewhere\":\"chip h200\"}],\"workload_label\":\"M=8\",\"chip\":\"mi300x\","
        "\"method\":\"bench\"}"},
    {NULL, 0, NULL},
};

static void
lineage_says_where_a_version_comes_from_and_what_it_led_to(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "lineage|" V), 0);
    assert_says(fake_out(f), "derived from");
    assert_says(fake_out(f), A);
    assert_says(fake_out(f), "and more");
    assert_says(fake_out(f), "Descendants\n  none");
}

static void
environments_are_listed_and_compared(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "environments|--chip|mi300x"), 0);
    assert_string_equal(f->asked[0], "/api/v1/environments?chip=mi300x");
    assert_says(fake_out(f), "rocm=6.1");
    assert_int_equal(fake_run(f, "environments|diff|" A "|" B), 0);
    assert_says(fake_out(f), "are not comparable");
    assert_says(fake_out(f), "6.4");
    assert_says(fake_out(f), "Soft fields\n  the same");
    assert_int_equal(fake_run(f, "environments|diff|" A), 2);
}

static void
failures_say_how_often_and_what_fixed_them(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "failures"), 0);
    assert_says(fake_out(f), "compilation: E0001 (2 experiments, 4 times)");
    assert_says(fake_out(f), "include it");
    assert_int_equal(fake_run(f, "failures|--error-type|process"), 0);
    assert_says(fake_out(f), "no failures are recorded: warplore try");
    (void)fake_run(f, "list|runs|--error-type|timeout");
    assert_string_equal(f->asked[2], "/api/v1/runs?error_type=timeout");
    (void)fake_run(f, "list|--error-type|timeout");
    assert_string_equal(f->asked[3], "/api/v1/experiments?error_type=timeout");
}

static void
an_amendment_sends_numbers_and_a_reason(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "campaign|amend|" C "|--expected|3|--reason|lost"), 0);
    assert_string_equal(f->sent, "{\"reason\":\"lost\",\"expected_records\":3}");
    assert_says(fake_out(f), "amended " C);
    assert_int_equal(fake_run(f, "campaign|amend|" C "|--expected|few|--reason|x"), 2);
    assert_int_equal(fake_run(f, "campaign|amend|" C "|--reason|x"), 2);
    assert_int_equal(fake_run(f, "campaign|amend|" C "|--expected|3"), 2);
}

static void
what_is_hidden_can_be_refused(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "show|" X "|--unmasked-only"), 1);
    assert_string_equal(f->asked[0], "/api/v1/experiments/" X "?unmasked=true");
    assert_int_equal(f->n_asked, 1);
    assert_says(fake_err(f), "is masked by ada: no source");
}

static void
a_history_says_what_it_compares_and_what_was_timed_elsewhere(void **state)
{
    struct fake *f = *state;

    f->cli.width = 200;
    assert_int_equal(fake_run(f, "history|" K "|--chip|mi300x"), 0);
    assert_string_equal(f->asked[0], "/api/v1/kernels/" K "/history?chip=mi300x");
    assert_says(fake_out(f), "v1 has no gain, because its time does not compare: chip h200");
    assert_says(fake_out(f), "times on M=8, on mi300x, by bench");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lineage_says_where_a_version_comes_from_and_what_it_led_to),
        TEST(environments_are_listed_and_compared),
        TEST(failures_say_how_often_and_what_fixed_them),
        TEST(an_amendment_sends_numbers_and_a_reason),
        TEST(what_is_hidden_can_be_refused),
        TEST(a_history_says_what_it_compares_and_what_was_timed_elsewhere),
    };

    return cmocka_run_group_tests(tests, clean_environment, NULL);
}

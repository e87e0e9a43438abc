// uses: client
/* Advice and what came of it on the command line. */
#include "tests/unit/cli_fake.h"

#define A "01J000000000000000000000A1"
#define X "01J000000000000000000000X1"

static const struct fake_row rows[] = {
    {"/api/v1/recommend", 200,
        "{\"advice_id\":\"" A "\",\"question\":{\"operator\":\"softmax\"},\"summary\":\"s\","
        "\"advice\":[]}"},
    {"/api/v1/recommend?operator=gemm", 200,
        "{\"question\":{\"operator\":\"gemm\"},\"summary\":\"s\",\"advice\":[]}"},
    {"/api/v1/advice/" A, 200,
        "{\"id\":\"" A "\",\"served_at\":\"2026-11-22T10:00:00Z\",\"until\":"
        "\"2026-12-22T10:00:00Z\",\"caller\":\"ada\",\"question\":{\"operator\":\"softmax\","
        "\"chip\":\"sm_86\",\"language\":\"cuda\",\"bottleneck\":[\"memory\"]},\"items\":["
        "{\"list\":\"advice\",\"rank\":1,\"technique\":\"memory.vectorized_access\",\"p_win\":0.7,"
        "\"said\":\"applied\",\"came\":\"worked\",\"outcomes\":[{\"experiment\":\"" X "\","
        "\"how\":\"applied\",\"effect\":\"win\",\"speedup\":1.42,\"came\":\"worked\",\"hidden\":"
        "false}]},{\"list\":\"avoid\",\"rank\":1,\"technique\":\"sync.barrier\",\"p_win\":0.1,"
        "\"came\":\"open\",\"outcomes\":[]}],\"events\":[]}"},
    {"/api/v1/advice/" A "/events", 200,
        "{\"id\":\"" A "\",\"event\":\"applied\",\"technique\":\"memory.vectorized_access\","
        "\"at\":\"2026-11-22T10:00:00Z\"}"},
    {"/api/v1/attempts", 201, "{\"status\":\"stored\",\"version\":{\"id\":\"x\"}}"},
    {"/api/v1/advice/stats", 200,
        "{\"answers\":7,\"forgotten\":2,\"since\":\"2026-10-01T00:00:00Z\",\"lists\":[{\"list\":"
        "\"advice\",\"served\":20,\"opened\":3,\"applied\":2,\"dismissed\":1,\"worked\":3,"
        "\"did_not\":1,\"inconclusive\":0,\"open\":16,\"hit_rate\":{\"value\":0.75,\"low\":0.36,"
        "\"high\":0.94}},{\"list\":\"avoid\",\"served\":5,\"opened\":0,\"applied\":0,\"dismissed\":"
        "0,\"worked\":0,\"did_not\":0,\"inconclusive\":0,\"open\":5,\"hit_rate\":null}],\"rows\":["
        "{\"chip\":\"sm_86\",\"technique\":\"memory.vectorized_access\",\"list\":\"advice\","
        "\"served\":4,\"opened\":1,\"applied\":2,\"dismissed\":0,\"worked\":3,\"did_not\":1,"
        "\"inconclusive\":0,\"open\":0,\"hit_rate\":{\"value\":0.75,\"low\":0.36,\"high\":0.94}}],"
        "\"left_out\":9,\"calibration\":{\"author\":null,\"n\":4,\"without_probability\":0,"
        "\"without_outcome\":0,\"brier\":0.125,\"reference\":0.1875,\"bins\":[{\"low\":0.7,"
        "\"high\":0.8,\"n\":4,\"mean_probability\":0.71,\"rate\":0.75}]},\"regret\":{\"answers\":3,"
        "\"mean\":0.05,\"worst\":0.12},\"starts\":{\"served\":12,\"tried\":5,\"failed\":1,\"p_"
        "fail\":"
        "0.1,\"decided\":4,\"stated\":0.91,\"came\":0.88,\"inside\":0.75},\"moves\":{\"served\":6,"
        "\"opened\":0,\"applied\":0,\"dismissed\":0,\"worked\":2,\"did_not\":0,\"inconclusive\":0,"
        "\"open\":4,\"hit_rate\":{\"value\":1,\"low\":0.43,\"high\":1},\"calibration\":{\"n\":2,"
        "\"brier\":0.04,\"reference\":0,\"bins\":[]}}}"},
    {"/api/v1/advice/stats?chip=mi300x", 200,
        "{\"answers\":7,\"forgotten\":0,\"lists\":[],\"rows\":[],\"left_out\":0,\"calibration\":"
        "{\"author\":null,\"n\":0,\"bins\":[]},\"regret\":{\"answers\":0}}"},
    {NULL, 0, NULL},
};

static void
a_recommendation_ends_with_how_to_say_what_became_of_it(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "recommend|--operator|softmax"), 0);
    assert_says(fake_out(f), "warplore advice applied " A " TECHNIQUE");
}

static void
an_answer_that_is_not_remembered_has_no_id_to_name(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "recommend|--operator|gemm"), 0);
    assert_null(strstr(fake_out(f), "warplore advice"));
}

static void
an_answer_shows_what_came_of_it(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "advice|" A), 0);
    assert_says(fake_out(f), "softmax in cuda on sm_86, bottleneck memory");
    assert_says(fake_out(f), "asked 2026-11-22 by ada");
    assert_says(fake_out(f), "worked, 1.42x in " X);
    assert_says(fake_out(f), "70 %");
    assert_says(fake_out(f), "open");
}

static void
what_was_done_with_it_is_sent(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "advice|applied|" A "|float4 loads|--note|inner loop"), 0);
    assert_string_equal(f->asked[0], "/api/v1/advice/" A "/events");
    assert_string_equal(
        f->sent, "{\"event\":\"applied\",\"technique\":\"float4 loads\",\"note\":\"inner loop\"}");
    assert_says(fake_out(f), "applied " A " memory.vectorized_access");
    assert_int_equal(fake_run(f, "advice|opened|" A), 0);
    assert_string_equal(f->sent, "{\"event\":\"opened\"}");
}

static void
what_is_missing_is_named_and_nothing_is_sent(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "advice|applied|" A), 2);
    assert_says(fake_err(f), "name the technique");
    assert_int_equal(fake_run(f, "advice|applied"), 2);
    assert_int_equal(fake_run(f, "advice|softmax"), 2);
    assert_int_equal(fake_run(f, "advice|" A "|memory.vectorized_access"), 2);
    assert_int_equal(fake_run(f, "advice|dismissed|yesterday|memory.vectorized_access"), 2);
    assert_int_equal(f->n_asked, 0);
}

static void
statistics_say_hits_calibration_and_regret(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "stats|advice|--operator|softmax|--chip|sm_86"), 0);
    assert_string_equal(f->asked[0], "/api/v1/advice/stats?operator=softmax&chip=sm_86&limit=20");
    assert_says(fake_out(f), "7 answers remembered since 2026-10-01, 2 forgotten");
    assert_says(fake_out(f), "3 worked, 1 did not");
    assert_says(fake_out(f), "75 % worked (36 to 94)");
    assert_says(fake_out(f), "Avoid (few should work): 5 served");
    assert_says(fake_out(f), "Brier 0.125 over 4; always predicting the average: 0.188");
    assert_says(fake_out(f), "5.0 % on average over 3 answers");
    assert_says(
        fake_out(f), "Versions to start from: 12 proposed, 5 tried; 1 of these failed, 0.5");
    assert_says(fake_out(f), "predicted 91.0 %");
    assert_says(fake_out(f), "88.0 %");
    assert_says(fake_out(f), "Changes of one parameter: 6 served");
    assert_says(fake_out(f), "Brier 0.040 over 2");
    assert_says(fake_out(f), "9 more");
}

static void
of_nothing_nothing_is_said(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "stats|advice|--chip|mi300x"), 0);
    assert_says(fake_out(f), "no stored advice matches");
    assert_int_equal(fake_run(f, "stats|--chip|mi300x"), 2);
    assert_says(fake_err(f), "only of stats advice");
}

static void
a_record_names_the_advice_it_follows(void **state)
{
    struct fake *f = *state;

    (void)fake_run(f, "record|float4 loads|--operator|softmax|--language|cuda|--before|2ms|--time|"
                      "1ms|--no-check|--advice|" A);
    assert_says(f->sent, "\"advice\":\"" A "\"");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_recommendation_ends_with_how_to_say_what_became_of_it),
        TEST(an_answer_that_is_not_remembered_has_no_id_to_name),
        TEST(an_answer_shows_what_came_of_it),
        TEST(what_was_done_with_it_is_sent),
        TEST(what_is_missing_is_named_and_nothing_is_sent),
        TEST(statistics_say_hits_calibration_and_regret),
        TEST(of_nothing_nothing_is_said),
        TEST(a_record_names_the_advice_it_follows),
    };

    return cmocka_run_group_tests_name("cli advice", tests, clean_environment, NULL);
}

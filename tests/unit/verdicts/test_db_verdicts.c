// uses: verdicts
/* Verdicts from stored facts: which of them each rule sees, and what later facts change. The rules
 * themselves are tested in test_process.c. */
#include "db/feed.h"
#include "db/knowledge.h"
#include "db/limit.h"
#include "db/line.h"
#include "db/sweep.h"
#include "service/verdicts/gather.h"
#include "service/verdicts/verdicts.h"
#include "tests/unit/db_fixture.h"

#define ID(tail) "01J000000000000000000000" tail
#define TEN(a) #a "," #a "," #a "," #a "," #a "," #a "," #a "," #a "," #a "," #a
#define RUN(id, version, more) "{\"id\":\"" ID(id) "\",\"version\":\"" ID(version) "\"," more "}"
#define M8 "\"workload\":{\"dims\":{\"M\":8},\"dtype\":\"f32\"}"
#define M9 "\"workload\":{\"dims\":{\"M\":9},\"dtype\":\"f32\"}"
#define PROFILE "\"metrics\":{\"a\":32.71,\"b\":88.31,\"c\":92.25,\"grid\":128}"

/* A kernel, its baseline V1, and V2, made of one source. */
static const char base[] = "{\"warplore\":1,\"id\":\"" ID("D1") "\",\"kernels\":[{\"id\":\"" ID(
    "K1") "\",\"operator\":"
          "\"gemm\",\"name\":\"mm\",\"language\":\"cuda\"}],\"versions\":[{\"id\":\"" ID(
              "V1") "\","
                    "\"kernel\":\"" ID("K1") "\",\"kind\":\"baseline\"},{\"id\":\"" ID(
                        "V2") "\",\"kernel\":\"" ID("K1") "\",\"kind\":\"candidate\",\"sources\":[{"
                                                          "\"file\":\"v2.cu\",\"text\":\"two\"}]},"
                                                          "{\"id\":\"" ID("V3") "\",\"kernel\":"
                                                                                "\"" ID(
                                                                                    "K1") "\","
                                                                                          "\"kind\""
                                                                                          ":\"ablat"
                                                                                          "ion\"}]"
                                                                                          "}";

static int serial;

/* One experiment from run R<a> of V1 to run R<b> of V2, made of RUNS and of MORE of its own. */
static const char *
judged(struct fixture *f, const char *runs, const char *more)
{
    char *text;

    serial++;
    text = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"01J0000000000000000000D%03d\",\"runs\":[%s],\"experiments\":[{"
        "\"id\":\"01J0000000000000000000X%03d\",\"kernel\":\"" ID("K1") "\",\"from_version\":\"" ID(
            "V1") "\",\"to_version\":\"" ID("V2") "\",%s}]}",
        serial, runs, serial, more);
    ok(f, put(f, text));
    return lore_format(&f->arena, "01J0000000000000000000X%03d", serial);
}

#define SIDES "\"runs_before\":[\"" ID("R1") "\"],\"runs_after\":[\"" ID("R2") "\"]"
#define BEFORE RUN("R1", "V1", M8 ",\"samples_ns\":[" TEN(200) "]")

static struct lore_outcome_row
outcome(struct fixture *f, const char *experiment)
{
    struct lore_outcome_row *rows = NULL;
    size_t n = 0;

    ok(f, lore_db_list_outcomes(f->db, experiment, &f->arena, &rows, &n, &f->err));
    assert_true(n > 0);
    return rows[0];
}

static int
opened(void **state)
{
    fixture_open(state);
    ok(*state, put(*state, base));
    return 0;
}

static void
a_measured_change_without_check_and_hypothesis_is_clean_and_names_what_is_missing(void **state)
{
    struct fixture *f = *state;
    const char *x =
        judged(f, BEFORE "," RUN("R2", "V2", M8 ",\"samples_ns\":[" TEN(100) "]"), SIDES);
    struct lore_outcome_row o = outcome(f, x);

    assert_string_equal(o.effect, "win");
    assert_string_equal(o.process, "clean");
    assert_string_equal(o.rules, "");
    assert_string_equal(o.flags, "hypothesis,correctness_check");
}

static void
a_check_in_another_run_of_the_version_counts_where_its_workload_is_the_same(void **state)
{
    struct fixture *f = *state;
    const char *runs = BEFORE "," RUN("R2", "V2", M8 ",\"samples_ns\":[" TEN(100) "]") "," RUN(
        "R3", "V2", M9 ",\"correctness\":{\"status\":\"pass\"}");
    const char *x = judged(f, runs, SIDES);
    struct lore_arena scratch = {0};

    assert_string_equal(outcome(f, x).rules, "correctness_other_shape");
    judged(f, RUN("R4", "V2", M8 ",\"correctness\":{\"status\":\"pass\"}"),
        "\"title\":\"checked later\"");
    ok(f, lore_verdicts_judge(f->db, x, &scratch, NOW + 1, &f->err));
    lore_arena_free(&scratch);
    assert_string_equal(outcome(f, x).rules, "");
    assert_string_equal(outcome(f, x).flags, "hypothesis");
}

static void
the_limits_of_the_baseline_hold_where_the_side_before_has_none(void **state)
{
    struct fixture *f = *state;
    const char *x = judged(f,
        BEFORE "," RUN("R5", "V1",
            M9 ",\"correctness\":{\"status\":\"pass\",\"atol\":0.0001}") "," RUN("R2", "V2",
            M8 ",\"samples_ns\":[" TEN(100) "],\"correctness\":{\"status\":\"pass\","
                                            "\"atol\":0.5}"),
        SIDES);

    assert_string_equal(outcome(f, x).rules, "tolerance_loosened");
}

static void
a_profile_of_a_run_stored_before_is_recognised(void **state)
{
    struct fixture *f = *state;
    const char *x = judged(f,
        RUN("R6", "V3", PROFILE) "," RUN(
            "R2", "V2", M8 "," PROFILE ",\"samples_ns\":[" TEN(100) "]"),
        "\"runs_after\":[\"" ID("R2") "\"]");
    const char *y =
        judged(f, RUN("R7", "V2", "\"metrics\":{\"a\":32.71,\"b\":88.31,\"c\":92.26,\"grid\":128}"),
            "\"runs_after\":[\"" ID("R7") "\"]");

    assert_string_equal(outcome(f, x).rules, "profile_reused");
    assert_string_equal(outcome(f, y).rules, "");
}

static void
the_source_that_ran_is_compared_with_the_versions_files(void **state)
{
    struct fixture *f = *state;
    char hash[LORE_HASH_HEX];
    const char *x, *y;

    lore_hash_hex("two", 3, hash);
    x = judged(f, lore_format(&f->arena, RUN("R2", "V2", "\"source_hash\":\"%s\""), hash),
        "\"runs_after\":[\"" ID("R2") "\"]");
    y = judged(f, RUN("R3", "V2", "\"source_hash\":\"abcd\""), "\"runs_after\":[\"" ID("R3") "\"]");
    assert_string_equal(outcome(f, x).rules, "");
    assert_string_equal(outcome(f, y).rules, "other_source");
}

static void
zero_everywhere_is_a_flag_and_breaks_nothing(void **state)
{
    struct fixture *f = *state;
    const char *x = judged(f,
        RUN("R2", "V2",
            M8 ",\"correctness\":{\"status\":\"pass\",\"max_abs_err\":0,\"tensors\":["
               "{\"name\":\"C\",\"max_abs\":0}]}"),
        "\"runs_after\":[\"" ID("R2") "\"]");
    const char *y = judged(f,
        RUN("R3", "V2",
            M8 ",\"correctness\":{\"status\":\"pass\",\"max_abs_err\":0,\"tensors\":["
               "{\"name\":\"C\",\"max_abs\":1e-7}]}"),
        "\"runs_after\":[\"" ID("R3") "\"]");

    assert_string_equal(outcome(f, x).flags, "zero_differences");
    assert_string_equal(outcome(f, x).process, "clean");
    assert_string_equal(outcome(f, y).flags, "");
}

static bool
count_evidence(void *ctx, const struct lore_evidence_in *in)
{
    (void)in;
    ++*(size_t *)ctx;
    return true;
}

static void
techniques_that_were_not_applied_are_no_variables(void **state)
{
    struct fixture *f = *state;
    int64_t last = 0;
    size_t fed = 0;
    const char *x = judged(f, "",
        "\"techniques\":[\"todo\",{\"name\":\"loop unrolling\",\"status\":\"blocked\"},"
        "{\"name\":\"float4 loads\",\"status\":\"not_applied\"}]");
    struct lore_technique_verdict_row *rows;
    size_t n;

    assert_string_equal(outcome(f, x).rules, "placeholder_technique");
    ok(f, lore_db_list_technique_verdicts(f->db, x, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 1);
    assert_string_equal(rows[0].verdict, "not_measured");
    ok(f, lore_db_each_evidence(f->db, 0, count_evidence, &fed, &last, &f->err));
    assert_int_equal(fed, 1); /* nor do they count as tried */
}

#define VERIFY(id, status, signature)                                                              \
    "{\"warplore\":1,\"id\":\"" ID("E" id) "\",\"verifications\":[{\"id\":\"" ID(                  \
        "F" id) "\","                                                                              \
                "\"version\":\"" ID("V2") "\",\"technique\":\"float4 loads\",\"status\":\"" status \
                                          "\"" signature "}]}"

#define WIDE ",\"signature\":\"wide@2\""

/* The ISA state after JSON was stored and the experiment judged again. */
static const char *
after(struct fixture *f, const char *json, const char *experiment)
{
    struct lore_technique_verdict_row *rows;
    struct lore_arena scratch = {0};
    size_t n;

    ok(f, put(f, json));
    ok(f, lore_verdicts_judge(f->db, experiment, &scratch, NOW + 1, &f->err));
    lore_arena_free(&scratch);
    ok(f, lore_db_list_technique_verdicts(f->db, experiment, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 1);
    return rows[0].isa;
}

static void
the_last_verification_counts_and_a_contradiction_proves_nothing(void **state)
{
    struct fixture *f = *state;
    const char *x = judged(f, "", "\"techniques\":[\"float4 loads\"],\"claim\":{\"speedup\":2}");

    assert_string_equal(after(f, VERIFY("1", "unavailable", ""), x), "unavailable");
    assert_string_equal(after(f, VERIFY("2", "missing", ""), x), "missing");
    assert_string_equal(
        after(f, VERIFY("3", "verified", WIDE), x), "verified"); /* another pattern */
    assert_string_equal(after(f, VERIFY("4", "missing", WIDE), x), "inconclusive");
    assert_string_equal(
        after(f,
            "{\"warplore\":1,\"id\":\"" ID("E5") "\",\"curations\":[{\"id\":\"" ID(
                "C1") "\",\"action\":\"retract\",\"subjects\":[\"" ID("F4") "\"],\"reason\":"
                                                                            "\"wrong file\"}]}",
            x),
        "verified");
    assert_string_equal(outcome(f, x).effect, "win");
}

static void
a_look_without_a_tool_takes_nothing_from_one_that_found_it(void **state)
{
    struct fixture *f = *state;
    const char *x = judged(f, "", "\"techniques\":[\"float4 loads\"],\"claim\":{\"speedup\":2}");

    assert_string_equal(after(f, VERIFY("1", "verified", WIDE), x), "verified");
    assert_string_equal(after(f, VERIFY("2", "unavailable", ""), x), "verified");
    assert_string_equal(after(f, VERIFY("3", "inconclusive", ""), x), "inconclusive");
    assert_string_equal(after(f, VERIFY("4", "verified", WIDE), x), "verified");
    assert_string_equal(after(f, VERIFY("5", "missing", WIDE), x), "inconclusive");
    assert_string_equal(after(f, VERIFY("6", "unavailable", ""), x), "inconclusive");
    assert_string_equal(after(f, VERIFY("7", "missing", WIDE), x), "inconclusive");
}

static void
a_contribution_without_an_ablation_is_unknown(void **state)
{
    struct fixture *f = *state;
    const char *x = judged(f, "", "\"techniques\":[\"float4 loads\"],\"claim\":{\"speedup\":2}");
    struct lore_technique_verdict_row *rows;
    size_t n;

    (void)after(f,
        lore_format(&f->arena,
            "{\"warplore\":1,\"id\":\"" ID("E6") "\",\"attributions\":[{\"id\":\"" ID(
                "A1") "\",\"experiment\":\"%s\",\"technique\":\"float4 "
                      "loads\",\"contributed\":\"yes\"}]}",
            x),
        x);
    ok(f, lore_db_list_technique_verdicts(f->db, x, &f->arena, &rows, &n, &f->err));
    assert_string_equal(rows[0].contributed, "unknown");
    (void)after(f,
        lore_format(&f->arena,
            "{\"warplore\":1,\"id\":\"" ID("E7") "\",\"attributions\":[{\"id\":\"" ID(
                "A2") "\",\"experiment\":\"%s\",\"technique\":\"float4 "
                      "loads\",\"contributed\":\"yes\","
                      "\"attribution_pct\":40}]}",
            x),
        x);
    ok(f, lore_db_list_technique_verdicts(f->db, x, &f->arena, &rows, &n, &f->err));
    assert_string_equal(rows[0].contributed, "yes");
}

static void
judging_again_without_new_facts_changes_nothing(void **state)
{
    struct fixture *f = *state;
    const char *x =
        judged(f, BEFORE "," RUN("R2", "V2", M8 ",\"samples_ns\":[" TEN(100) "]"), SIDES);
    struct lore_outcome_row *rows;
    struct lore_arena scratch = {0};
    size_t n;

    for (int i = 1; i < 3; i++)
        ok(f, lore_verdicts_judge(f->db, x, &scratch, NOW + i, &f->err));
    lore_arena_free(&scratch);
    ok(f, lore_db_list_outcomes(f->db, x, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 1);
    assert_int_equal(rows[0].at_us, NOW);
}

#define CLAIM(id, more) "{\"id\":\"" ID(id) "\",\"claim\":\"it helps\",\"author\":\"Ada\"" more "}"

static void
a_hypothesis_without_a_time_that_comes_after_its_run_is_late(void **state)
{
    struct fixture *f = *state;
    const char *x, *y;

    ok(f, put(f, "{\"warplore\":1,\"id\":\"" ID("E8") "\",\"hypotheses\":[" CLAIM("H1", "") "]}"));
    x = judged(f, RUN("R2", "V2", M8),
        "\"runs_after\":[\"" ID("R2") "\"],\"hypothesis\":\"" ID("H1") "\"");
    assert_string_equal(outcome(f, x).rules, "");
    ok(f, put(f, "{\"warplore\":1,\"id\":\"" ID("E9") "\",\"hypotheses\":[" CLAIM("H2", "") "]}"));
    y = judged(f, "", "\"runs_after\":[\"" ID("R2") "\"],\"hypothesis\":\"" ID("H2") "\"");
    assert_string_equal(outcome(f, y).rules, "hypothesis_after_run");
}

static void
a_claim_about_time_is_judged_on_thousands_of_samples(void **state)
{
    struct fixture *f = *state;
    struct lore_buf before = {0}, after = {0};
    struct lore_judgement_row *rows;
    const char *x;
    size_t n;

    for (int i = 0; i < 6147; i++) { /* every third alone would say 2000 */
        lore_buf_printf(&before, "%s%d", i ? "," : "", 2000 + i % 3 * 100);
        lore_buf_printf(&after, "%s%d", i ? "," : "", 1000 + i % 3 * 100);
    }
    ok(f, put(f, "{\"warplore\":1,\"id\":\"" ID("E8") "\",\"hypotheses\":[" CLAIM("H1",
                     ",\"expected\":[{\"metric\":\"latency\",\"direction\":\"down\"},"
                     "{\"metric\":\"latency\",\"direction\":\"up\"}]") "]}"));
    x = judged(f,
        lore_format(&f->arena,
            RUN("R1", "V1", "\"samples_ns\":[%s]") "," RUN("R2", "V2", "\"samples_ns\":[%s]"),
            before.data, after.data),
        SIDES ",\"hypothesis\":\"" ID("H1") "\"");
    lore_buf_free(&before);
    lore_buf_free(&after);
    ok(f, lore_db_list_judgements(f->db, x, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].verdict, "confirmed");
    assert_int_equal((int)rows[0].before.v, 2100);
    assert_int_equal((int)rows[0].after.v, 1100);
    assert_string_equal(rows[1].verdict, "contradicted");
}

static void
forecasts_carry_probability_and_what_happened(void **state)
{
    struct fixture *f = *state;
    struct lore_forecast_row *rows;
    size_t n;

    ok(f, put(f, "{\"warplore\":1,\"id\":\"" ID("E8") "\",\"hypotheses\":[" CLAIM(
                     "H1", ",\"probability\":0.75") "," CLAIM("H2", "") "]}"));
    judged(f, "", "\"hypothesis\":\"" ID("H1") "\",\"claim\":{\"speedup\":1.5}");
    ok(f, lore_db_list_forecasts(f->db, "Ada", &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
    assert_true(rows[0].probability.set && rows[0].probability.v > 0.74);
    assert_string_equal(rows[0].effect, "win");
    assert_string_equal(rows[0].correctness, "not_checked");
    assert_false(rows[1].probability.set);
    assert_null(rows[1].experiment);
    ok(f, lore_db_list_forecasts(f->db, "Bob", &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 0);
    ok(f, lore_db_list_forecasts(f->db, NULL, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
}

static void
measured_values_come_before_stated_ones(void **state)
{
    struct fixture *f = *state;
    const char *x = judged(f, RUN("R2", "V2", M8 "," PROFILE ",\"samples_ns\":[" TEN(100) "]"),
        "\"runs_after\":[\"" ID("R2") "\"],\"metrics_after\":{\"a\":1,\"z\":2},\"metrics_before\":"
                                      "{\"a\":5},\"claim\":{\"latency_before_ns\":300}");
    struct lore_gathered g;

    ok(f, lore_gather(f->db, x, false, &f->arena, &g, &f->err));
    struct lore_side_measurements m = g.measured[1];
    assert_int_equal(m.metrics.n, 6);
    assert_string_equal(m.metrics.v[0].name, "a");
    assert_true(m.metrics.v[0].value > 32);
    assert_string_equal(m.metrics.v[5].name, "z");
    assert_true(m.duration_ns.set && (int)m.duration_ns.v == 100);
    m = g.measured[0];
    assert_int_equal(m.metrics.n, 1);
    assert_true(m.duration_ns.set && (int)m.duration_ns.v == 300);
    assert_int_equal(lore_gather(f->db, ID("XX"), false, &f->arena, &g, &f->err), LORE_NOTFOUND);
}

/* Store an experiment from one version to another with stated times, on h200 unless MORE says
 * otherwise. */
static struct lore_outcome_row
step(struct fixture *f, const char *from, const char *to, double before_ns, double after_ns,
    const char *chip)
{
    const char *text = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"01J0000000000000000000D%03d\",\"experiments\":[{\"id\":"
        "\"01J0000000000000000000X%03d\",\"kernel\":\"" ID(
            "K1") "\",\"from_version\":\"%s\","
                  "\"to_version\":\"%s\",\"chip\":\"%s\"," M8
                  ",\"claim\":{\"latency_before_ns\":%.0f,"
                  "\"latency_after_ns\":%.0f}}]}",
        serial, serial, from, to, chip, before_ns, after_ns);

    ok(f, put(f, text));
    return outcome(f, lore_format(&f->arena, "01J0000000000000000000X%03d", serial++));
}

static void
to_win_back_the_loss_of_the_step_before_is_no_gain(void **state)
{
    struct fixture *f = *state;

    serial = 700;
    assert_string_equal(step(f, ID("V1"), ID("V2"), 1000, 2000, "h200").effect, "loss");
    struct lore_outcome_row o = step(f, ID("V2"), ID("V3"), 2000, 1010, "h200");
    assert_string_equal(o.effect, "neutral");
    assert_true(o.speedup.v > 1.9 && o.gain.set && o.gain.v == 1);
    assert_string_equal(step(f, ID("V2"), ID("V3"), 2000, 800, "h200").effect, "win");
    assert_string_equal(step(f, ID("V2"), ID("V3"), 2000, 1010, "mi300x").effect, "win");
    assert_int_equal(count(f, "fact_experiment"), 4);
    ok(f, lore_verdicts_rebuild(f->db, NOW, &(struct lore_rebuilt){0}, &f->err));
    assert_string_equal(outcome(f, "01J0000000000000000000X701").effect, "neutral");
    assert_string_equal(outcome(f, "01J0000000000000000000X703").effect, "win");
}

static void
a_version_without_parents_comes_from_what_its_experiment_started_from(void **state)
{
    struct fixture *f = *state;
    struct lore_line_facts line;

    serial = 720;
    (void)step(f, ID("V1"), ID("V2"), 1000, 900, "h200");
    (void)step(f, ID("V2"), ID("V1"), 900, 1000, "h200"); /* back again: a baseline has no parent */
    ok(f, lore_db_get_line(f->db, ID("V2"), &f->arena, &line, &f->err));
    assert_int_equal(line.n_versions, 2);
    assert_int_equal(line.n_edges, 1);
    assert_string_equal(line.edges[0].parent, ID("V1"));
    assert_int_equal(line.edges[0].kind, LORE_E_DERIVED_FROM);
    ok(f, lore_db_get_line(f->db, ID("V1"), &f->arena, &line, &f->err));
    assert_int_equal(line.n_versions, 1);
}

static void
a_configuration_faster_than_the_chip_can_be_is_not_the_best(void **state)
{
    struct fixture *f = *state;
    struct lore_sweep_row row = {0};
    struct lore_sweep_data d;
    struct lore_limit_row limit = {.chip = "h200", .peak_ns = 120, .floor_ns = 100, .why = "x"};

    ok(f, put(f, "{\"warplore\":1,\"id\":\"" ID("D9") "\",\"sweeps\":[{\"id\":\"" ID(
                     "W1") "\",\"kernel\":\"" ID("K1") "\",\"chip\":\"h200\"," M8
                                                       ",\"configurations\":{\"count\":3,"
                                                       "\"parameters\":[{\"name\":"
                                                       "\"tile\",\"values\":\"1 2 "
                                                       "4\"}],\"times_ns\":\"300 90 200\"}}]}"));
    ok(f, lore_db_get_sweep(f->db, ID("W1"), &f->arena, &row, &f->err));
    assert_true(row.best_ns.v == 90);
    limit.workload = row.workload_id;
    ok(f, lore_db_put_limit(f->db, &limit, &f->err));
    ok(f, lore_sweep_judge(f->db, ID("W1"), &f->err));
    ok(f, lore_db_get_sweep(f->db, ID("W1"), &f->arena, &row, &f->err));
    assert_true(row.best_ns.v == 200);
    assert_int_equal(row.timed, 2);
    assert_int_equal(row.failed, 1);
    ok(f, lore_db_get_configurations(f->db, ID("W1"), 0, &f->arena, &d, &f->err));
    assert_string_equal(d.whys[d.why[1] - 1].said, "faster than the chip can be");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, opened, fixture_close)
int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_measured_change_without_check_and_hypothesis_is_clean_and_names_what_is_missing),
        TEST(a_check_in_another_run_of_the_version_counts_where_its_workload_is_the_same),
        TEST(the_limits_of_the_baseline_hold_where_the_side_before_has_none),
        TEST(a_profile_of_a_run_stored_before_is_recognised),
        TEST(the_source_that_ran_is_compared_with_the_versions_files),
        TEST(zero_everywhere_is_a_flag_and_breaks_nothing),
        TEST(techniques_that_were_not_applied_are_no_variables),
        TEST(the_last_verification_counts_and_a_contradiction_proves_nothing),
        TEST(a_look_without_a_tool_takes_nothing_from_one_that_found_it),
        TEST(a_contribution_without_an_ablation_is_unknown),
        TEST(judging_again_without_new_facts_changes_nothing),
        TEST(a_hypothesis_without_a_time_that_comes_after_its_run_is_late),
        TEST(a_claim_about_time_is_judged_on_thousands_of_samples),
        TEST(forecasts_carry_probability_and_what_happened),
        TEST(measured_values_come_before_stated_ones),
        TEST(to_win_back_the_loss_of_the_step_before_is_no_gain),
        TEST(a_version_without_parents_comes_from_what_its_experiment_started_from),
        TEST(a_configuration_faster_than_the_chip_can_be_is_not_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

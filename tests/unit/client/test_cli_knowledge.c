// uses: client
/* Knowledge on the command line: specs as they are cited, disputes, roofline, diagnosis, triggers,
 * techniques, rules, calibration; campaigns and directions. */
#include "tests/unit/cli_fake.h"

#define S(n) "01J000000000000000000000S" n
#define RUN "01J000000000000000000000R1"
#define ID "01J000000000000000000000A1"

static const struct fake_row rows[] = {
    {"/api/v1/specs", 200,
        "{\"rows\":[{\"id\":\"" S(
            "1") "\",\"chip\":\"mi300x\",\"standing\":\"disputed\",\"cite\":"
                 "\"l2_bytes: 4 MB <- a/long/path/that/is/wider/than/any/terminal/and/is/never/cut/"
                 "because/people/copy/it.md:7\"},{\"id\":\"" S(
                     "2") "\",\"chip\":\"mi300x\",\"standing\":"
                          "\"in_force\",\"cite\":\"hbm_bandwidth: 5.3 TB/s <- "
                          "hw/mi300x.md:34\"},{\"id\":\"" S(
                              "3") "\",\"chip\":\"mi300x\",\"standing\":\"unknown\",\"cite\":\"l3_"
                                   "bytes: UNKNOWN "
                                   "(no_source)\"}],\"next\":\"9\"}"},
    {"/api/v1/specs?chip=empty", 200, "{\"rows\":[],\"next\":null}"},
    {"/api/v1/specs/disputes", 200,
        "{\"rows\":[{\"chip\":\"mi300x\",\"metric\":\"l2_bytes\",\"qualifier\":\"per XCD\",\"low\":"
        "4,\"high\":8,\"members\":[{\"id\":\"" S(
            "1") "\",\"cite\":\"l2_bytes: 4 MB <- a.md:7\"},{"
                 "\"id\":\"" S("4") "\",\"cite\":\"l2_bytes: 8 MB <- b.md:1\"}],\"selected\":\"" S(
                     "4") "\",\"reason\":\"the maker says so\"}]}"},
    {"/api/v1/specs/" S("4") "/select", 201, "{\"id\":\"" ID "\"}"},
    {"/api/v1/chips/mi300x", 200,
        "{\"name\":\"mi300x\",\"title\":\"AMD Instinct MI300X\",\"vendor\":\"amd\",\"features\":["
        "\"mfma\",\"dpp\"],\"specs\":[{\"metric\":\"hbm_bandwidth\",\"evidence_class\":"
        "\"vendor_published\",\"cite\":\"hbm_bandwidth: 5.3 TB/s <- hw.md:34\"}],"
        "\"unknown\":[{\"metric\":\"l3_bytes\",\"cite\":\"l3_bytes: UNKNOWN (no_source)\"},{"
        "\"metric\":\"hbm_bandwidth\",\"cite\":\"hbm_bandwidth: UNKNOWN (no_source)\"}],"
        "\"ceilings\":[],\"disputes\":[],\"lint\":[{\"code\":\"x\",\"text\":\"2 x dense is not "
        "sparse\"}]}"},
    {"/api/v1/chips/none", 404,
        "{\"detail\":\"chip none: not in the catalogue\",\"hint\":\"GET /api/v1/chips?all=true "
        "lists them\"}"},
    {"/api/v1/matrix?language=hip", 200,
        "{\"rows\":[{\"operator\":\"gemm\",\"chip\":\"mi300x\",\"time_ns\":2000,\"speedup\":1.5,"
        "\"workloads\":3},{\"operator\":\"softmax\",\"status\":\"claimed only\",\"workloads\":1},"
        "{\"operator\":\"softmax\",\"chip\":\"mi300x\",\"status\":\"claimed "
        "only\",\"time_ns\":9,\"speedup\":2,"
        "\"workloads\":1}],"
        "\"next\":null}"},
    {"/api/v1/roofline", 200,
        "{\"formula\":\"algorithmic-roofline@1\",\"inputs\":[{\"name\":\"hbm_bandwidth\",\"value\":"
        "5.3e12,\"cite\":\"hbm_bandwidth: 5.3 TB/s <- hw.md:34\"},{\"name\":\"peak\"},{\"name\":"
        "\"flops\",\"value\":140000000000}],\"unknown_inputs\":[\"peak\"],\"bound\":\"unknown\","
        "\"ai\":1400,\"ridge\":null,\"utilisation_pct\":null,\"note\":\"It sees no sync.\"}"},
    {"/api/v1/axis-budget?compute=0.1&memory=0.6&latency=0.3", 200,
        "{\"compute\":0,\"memory\":2,\"latency\":1,\"algorithm\":\"axis-budget@1\"}"},
    {"/api/v1/runs/" RUN "/diagnosis", 200,
        "{\"rule_sets\":[{\"name\":\"sol@1\",\"labels\":[\"memory\"],\"findings\":[{\"pattern\":"
        "\"memory-bound\",\"label\":\"Memory\",\"confidence\":\"high\",\"evidence\":\"dram = 81 > "
        "60\"}],\"not_evaluated\":[{\"pattern\":\"a\",\"missing\":[\"m1\",\"m2\"]},{\"pattern\":"
        "\"b\",\"missing\":[\"m1\"]}]},{\"name\":\"gaps@1\",\"labels\":[],\"findings\":[]},"
        "{\"name\":\"weak@1\",\"labels\":[],\"signals\":[\"compute\"],\"findings\":[{"
        "\"pattern\":\"p\",\"confidence\":\"low\"}],\"not_evaluated\":[]},"
        "{\"name\":\"blind@1\",\"labels\":[],\"findings\":[],\"clear\":0,\"not_evaluated\":["
        "{\"missing\":[\"a\",\"b\",\"c\"]},{\"missing\":[\"d\"]},{\"missing\":[\"e\",\"c\"]}]}],"
        "\"declared\":[\"compute\"],\"contradictions\":[{\"label\":\"compute\",\"evidence\":\"sm = "
        "22\"}],\"lint\":[{\"code\":\"single_sample\",\"text\":\"a\"},{\"code\":\"single_sample\","
        "\"text\":\"b\"},{\"text\":\"occupancy is 120 "
        "%\"}],\"gaps\":{\"compute\":0.7,\"memory\":0."
        "2,\"bound\":\"unknown\",\"unknown_inputs\":[\"stalls\"]},\"axis_budget\":null}"},
    {"/api/v1/profiles/" S("8"), 200,
        "{\"id\":\"" S("8") "\",\"program\":\"t\",\"launches\":2,\"total_ns\":3,\"kernels\":2,"
                            "\"lines\":[{\"kernel\":\"mm<float>\",\"launches\":1,\"total_ns\":2},"
                            "{\"kernel\":\"add\",\"launches\":1,\"total_ns\":1}]}"},
    {"/api/v1/profiles/" S("8") "/diagnosis?line=1&shape=1", 200, "{\"rule_sets\":[]}"},
    {"/api/v1/runs/" RUN "/triggers", 200,
        "{\"rows\":[{\"technique\":\"memory.tiling\",\"strength\":0.5,\"axis\":\"memory\","
        "\"metric\":\"l2_hit\",\"value\":49,\"good\":70,\"bad\":30,\"gate\":{\"ok\":false,\"why\":"
        "\"architecture\"},\"tried\":2,\"won\":1,\"lost\":1}],\"not_evaluated\":[{\"technique\":\"t"
        "\",\"metric\":\"m\"},{\"technique\":\"u\"}]}"},
    {"/api/v1/runs/" RUN "/triggers?select=true&budget=0%2C1%2C0&failed=memory.b", 200,
        "{\"rows\":[{\"technique\":\"memory.tiling\",\"strength\":0.5}],\"not_evaluated\":[],"
        "\"selection\":{\"budget\":{\"compute\":0,\"memory\":1,\"latency\":0},\"budget_from\":"
        "\"given\",\"chosen\":[{\"method\":\"memory.a\",\"axis\":\"memory\",\"priority\":2,"
        "\"strength\":0.5}],\"skipped\":[{\"method\":\"memory.b\",\"axis\":\"memory\",\"priority\""
        ":1,\"reason\":\"already_selected\"}]}}"},
    {"/api/v1/methods/validate?methods=memory.a%2Cmemory.b&budget=0%2C1%2C0", 200,
        "{\"ok\":false,\"budget\":{\"compute\":0,\"memory\":1,\"latency\":0},\"budget_from\":"
        "\"given\",\"errors\":[{\"code\":\"axis_count\",\"message\":\"memory: 2 submitted\"}]}"},
    {"/api/v1/methods/validate?methods=memory.a&budget=0%2C1%2C0", 200,
        "{\"ok\":true,\"budget\":{\"compute\":0,\"memory\":1,\"latency\":0},\"budget_from\":"
        "\"given\",\"errors\":[]}"},
    {"/api/v1/techniques/memory.tiling", 200,
        "{\"slug\":\"memory.tiling\",\"title\":\"Tiles\",\"summary\":\"Reuse.\",\"features\":["
        "\"smem\"],\"experiments\":3,\"wins\":2,\"losses\":1,\"verdicts\":{\"effective\":1},"
        "\"methods\":[{\"id\":\"m.tiling\",\"priority\":4,\"trigger\":{\"metric\":\"l2_hit\","
        "\"good\":70}}],\"pairs\":[{\"with\":\"x\",\"kind\":\"exclusive\"}],\"definitions\":[{"
        "\"title\":\"Blocking\",\"provenance\":{\"system\":\"wiki\"}},{\"slug\":\"smem.tiles\"}]}"},
    {"/api/v1/_rules", 200,
        "{\"rows\":[{\"name\":\"one_variable\",\"kind\":\"rule\",\"help\":\"One "
        "change.\"},{\"name\":"
        "\"label_contradicted\",\"kind\":\"flag\",\"help\":\"Look again.\"}]}"},
    {"/api/v1/calibration", 200,
        "{\"rows\":[{\"author\":\"ada\",\"n\":4,\"without_probability\":1,\"base_rate\":0.25,"
        "\"brier\":0.3281,\"bins\":[{\"low\":0.5,\"high\":0.6,\"n\":1,\"mean_probability\":0.5,"
        "\"rate\":0}]},{\"author\":\"bob\",\"n\":0,\"without_probability\":2,\"bins\":[]}]}"},
    {"/api/v1/judgements", 200,
        "{\"rows\":[{\"experiment\":\"" ID
        "\",\"metric\":\"duration_ns\",\"verdict\":\"not_measured"
        "\"}]}"},
    {"/api/v1/versions/" ID "/verifications", 200, "{\"rows\":[],\"next\":null}"},
    {"/api/v1/campaigns", 200,
        "{\"rows\":[{\"id\":\"" ID "\",\"label\":\"c1\",\"standing\":{\"state\":\"closed\","
        "\"expected_records\":4,\"arrived\":3,\"alarm\":true}}]}"},
    {"/api/v1/campaigns/" ID, 200,
        "{\"id\":\"" ID
        "\",\"label\":\"c1\",\"standing\":{\"state\":\"closed\",\"expected_records\":"
        "4,\"arrived\":3,\"alarm\":true},\"wins\":{\"attempts\":12,\"won\":3,\"tested\":11,"
        "\"stay\":2,\"false_discovery_rate\":0.05},\"targets\":[{\"metric\":\"bw\",\"unit\":\"GB/"
        "s\"}],"
        "\"experiments\":[\"01J000000000000000000000E1\"]}"},
    {"/api/v1/campaigns/" ID "/close", 201, "{\"id\":\"01J000000000000000000000C1\"}"},
    {"/api/v1/directions", 200,
        "{\"rows\":[{\"id\":\"" ID "\",\"rank\":1,\"text\":\"Try streaming stores\",\"standing\":{"
        "\"state\":\"open\"}}]}"},
    {"/api/v1/curations", 200,
        "{\"rows\":[{\"id\":\"" ID "\",\"action\":\"select_spec\",\"subjects\":[\"" S(
            "1") "\"],\"actor\":\"bob\",\"reason\":\"newer\",\"decided_at\":\"2026-01-02T00:00:"
                 "00Z\"}]}"},
    {"/api/v1/recommend", 200,
        "{\"method\":\"seed-score@1\",\"rows\":[{\"experiment\":\"" ID "\",\"title\":\"t\","
        "\"score\":75,\"terms\":{\"kernel\":40,\"backend\":0,\"bottleneck\":30,\"outcome\":5}}],"
        "\"most_successful\":{\"technique\":\"tiling\",\"count\":2,\"total\":7},\"failures\":[{"
        "\"experiment\":\"f1\"},{\"experiment\":\"f2\"},{\"experiment\":\"f3\"},{\"experiment\":"
        "\"f4\"},{\"experiment\":\"f5\"},{\"experiment\":\"f6\"},{\"experiment\":\"f7\"}]}"},
    {"/api/v1/directions/" ID "/close", 201, "{\"id\":\"01J000000000000000000000C1\"}"},
    {NULL, 0, NULL},
};

static void
specs_print_each_line_exactly_as_it_is_cited(void **state)
{
    struct fake *f = *state;

    f->cli.width = 60;
    assert_int_equal(fake_run(f, "specs|mi300x|--metric|x"), 0);
    assert_string_equal(f->asked[0], "/api/v1/specs?chip=mi300x&metric=x&limit=200");
    assert_says(fake_out(f),
        "mi300x, in force\nhbm_bandwidth: 5.3 TB/s <- hw/mi300x.md:34\n\nmi300x, disputed "
        "(warplore "
        "specs disputes)\nl2_bytes: 4 MB <- a/long/path/that/is/wider/than/any/terminal/and/is/"
        "never/cut/because/people/copy/it.md:7\n\nmi300x, unknown\nl3_bytes: UNKNOWN "
        "(no_source)\n");
    assert_says(fake_out(f), "more: --cursor 9");
    assert_int_equal(fake_run(f, "specs|empty"), 0);
    assert_says(fake_out(f), "no specs: values are UNKNOWN until a source is imported");
}

static void
disputes_give_the_ids_to_choose_from_and_mark_the_choice(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "specs|disputes"), 0);
    assert_says(fake_out(f), "mi300x l2_bytes (per XCD), sources differ by a factor of 2\n    " S(
                                 "1") "  l2_bytes: 4 MB <- a.md:7\n  * " S("4") "  l2_bytes: 8 MB");
    assert_says(fake_out(f), "selected: the maker says so");
    assert_null(strstr(fake_out(f), "choose one")); /* it is decided */
    assert_int_equal(fake_run(f, "specs|select|" S("4")), 2);
    assert_says(fake_err(f), "--reason: required");
    assert_int_equal(fake_run(f, "specs|select|" S("4") "|--reason|newer"), 0);
    assert_string_equal(f->sent, "{\"reason\":\"newer\"}");
    assert_says(fake_out(f), "selected " S("4"));
}

static void
a_chip_shows_what_is_in_force_unknown_and_inconsistent(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "chip|mi300x|--sibling|mi308x"), 0);
    assert_string_equal(f->asked[0], "/api/v1/chips/mi300x?sibling=mi308x");
    assert_says(fake_out(f), "mi300x  AMD Instinct MI300X\n");
    assert_says(
        fake_out(f), "\nIn force\nhbm_bandwidth: 5.3 TB/s <- hw.md:34  [vendor_published]\n");
    assert_says(fake_out(f), "\nUnknown\nl3_bytes: UNKNOWN (no_source)\nhbm_bandwidth: UNKNOWN "
                             "(no_source); another source states a valid value\n");
    assert_says(fake_out(f), "- 2 x dense is not sparse");
    assert_null(strstr(fake_out(f), "Measured"));
    assert_int_equal(fake_run(f, "show|mi300x"), 0);
    assert_says(fake_out(f), "mi300x  AMD Instinct MI300X\n");
    assert_int_equal(fake_run(f, "chip|none"), 1);
    assert_says(fake_err(f), "hint: warplore list chips --all lists them");
}

static void
a_matrix_has_a_row_per_operator_and_a_column_per_chip(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "matrix|-l|hip"), 0);
    assert_says(fake_out(f), "operator  mi300x                not recorded\n"
                             "gemm      1.50x 2 us, 3 shapes  -\n"
                             "softmax   2.00x claimed         claimed only\n"
                             "speedups are over the base that warplore leaderboard names");
}

static void
a_roofline_without_a_source_is_unknown_and_never_zero(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "roofline|--chip|mi300x|--flops|1"), 2);
    assert_int_equal(f->n_asked, 0);
    assert_int_equal(
        fake_run(f, "roofline|--chip|mi300x|--flops|1.4e11|--bytes|1e8|--time|300us"), 0);
    assert_string_equal(
        f->asked[0], "/api/v1/roofline?chip=mi300x&flops=1.4e11&bytes=1e8&time=300us");
    assert_says(fake_out(f), "bound: UNKNOWN\n");
    assert_says(fake_out(f), "intensity       1400 flops/byte\n");
    assert_says(fake_out(f), "ridge           UNKNOWN\n");
    assert_says(fake_out(f), "utilisation     UNKNOWN\n");
    assert_says(
        fake_out(f), "hbm_bandwidth: 5.3 TB/s <- hw.md:34\npeak: UNKNOWN\nflops: 1.4e+11\n");
    assert_says(fake_out(f), "missing inputs: peak");
    assert_says(fake_out(f), "It sees no sync.");
    assert_int_equal(fake_run(f, "roofline|" RUN), 0);
    assert_string_equal(f->asked[f->n_asked - 1], "/api/v1/roofline?run=" RUN);
    assert_int_equal(fake_run(f, "roofline|" RUN "|--run|" RUN), 2);
    assert_int_equal(fake_run(f, "budget|0.1|0.6|0.3"), 0);
    assert_says(fake_out(f), "memory     2\n");
    assert_int_equal(fake_run(f, "budget|0.1|0.6|much"), 2);
    assert_says(fake_err(f), "latency: ");
}

static void
a_profile_without_a_line_is_diagnosed_by_its_first(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "diagnose|" S("8")), 0);
    assert_says(fake_out(f), "line 1 of 2 of the profile: mm<float>\n"
                             "another: warplore diagnose " S("8") " 2; warplore profile " S("8"));
    assert_string_equal(
        f->asked[f->n_asked - 1], "/api/v1/profiles/" S("8") "/diagnosis?line=1&shape=1");
    assert_int_not_equal(fake_run(f, "diagnose|" S("9")), 0);
    assert_string_equal(f->asked[f->n_asked - 1], "/api/v1/runs/" S("9") "/diagnosis");
}

static void
a_diagnosis_shows_rule_sets_side_by_side_and_what_they_could_not_see(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "diagnose|" RUN), 0);
    assert_says(fake_out(f),
        "declared  compute\nsol@1  memory\n  - Memory, memory-bound (high)\n    "
        "dram = 81 > 60\n  not evaluated: 2 patterns; missing metrics: m1, m2\n"
        "gaps@1  no finding\nweak@1  only weak signs: compute\n  - p (low)\n"
        "blind@1  nothing could be evaluated\n"
        "  not evaluated: 3 patterns; of 5 missing metrics these would help most: d, c, e\n");
    assert_says(
        fake_out(f), "Declared, and contradicted by its own metrics\n  - compute: sm = 22\n");
    assert_says(fake_out(f),
        "Doubtful numbers\n  - occupancy is 120 %\n  - 2 metrics were measured once "
        "(--json names them)\n");
    assert_says(fake_out(f), "gaps            compute 0.7, memory 0.2, latency UNKNOWN\n");
    assert_says(fake_out(f), "unknown         stalls\n");
    assert_null(strstr(fake_out(f), "axis budget"));
}

static void
triggers_say_why_and_whether_the_chip_can(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "triggers|" RUN), 0);
    assert_says(fake_out(f), "memory.tiling       0.5  memory  l2_hit   49    70   30      2    1  "
                             "architecture");
    assert_says(fake_out(f), "not evaluated: 1 lack a metric, 1 have no trigger");
}

static void
a_selection_says_what_was_chosen_and_why_the_rest_was_not(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "triggers|" RUN "|--select|--budget|0,1,0|--failed|memory.b"), 0);
    assert_says(fake_out(f), "compute 0, memory 1, latency 0 (given)");
    assert_says(fake_out(f), "memory.a  memory         2       0.5");
    assert_says(fake_out(f), "memory.b  memory         1  already selected");
}

static void
a_choice_that_breaks_a_rule_is_answered_no(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "methods|check|memory.a|memory.b|--budget|0,1,0"), 1);
    assert_says(fake_out(f), "axis_count");
    assert_says(fake_out(f), "memory: 2 submitted");
    assert_int_equal(fake_run(f, "methods|check|memory.a|--budget|0,1,0"), 0);
    assert_says(fake_out(f), "follows the rules");
    assert_int_equal(fake_run(f, "methods|choose|memory.a"), 2);
}

static void
a_technique_shows_what_catalogues_say_and_what_came_of_it(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "technique|memory.tiling"), 0);
    assert_says(fake_out(f), "memory.tiling  Tiles\n");
    assert_says(fake_out(f), "tried           3: 2 won, 1 lost\n");
    assert_says(fake_out(f), "verdicts        1 effective\n");
    assert_says(fake_out(f), "Method m.tiling\n");
    assert_says(fake_out(f), "trigger         metric=l2_hit good=70");
    assert_says(fake_out(f), "- x: exclusive");
    assert_says(fake_out(f), "- Blocking (wiki)\n  - smem.tiles\n");
    assert_int_equal(fake_run(f, "rules"), 0);
    assert_says(fake_out(f),
        "Rules, and what breaks each: a broken rule makes the process verdict \"broken\"\n"
        "  one_variable  ");
    assert_says(
        fake_out(f), "Flags: doubtful points, which change no verdict\n  label_contradicted  ");
    assert_int_equal(fake_run(f, "verifications|" ID), 0);
    assert_says(fake_out(f), "its machine code was not checked");
}

static void
who_never_gave_a_probability_has_no_score(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "calibration|ada|--bins"), 0);
    assert_string_equal(f->asked[0], "/api/v1/calibration?author=ada");
    assert_says(fake_out(f), "ada             4               1  25 %  0.3281");
    assert_says(fake_out(f), "bob             0               2     -       -");
    assert_says(fake_out(f), "50 %  60 %       50 %  1  0 %");
    assert_int_equal(fake_run(f, "judgements|--verdict|not_measured"), 0);
    assert_string_equal(f->asked[1], "/api/v1/judgements?verdict=not_measured");
    assert_says(fake_out(f), "duration_ns  not measured       -      -");
}

static void
a_campaign_with_missing_records_says_so(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "campaigns"), 0);
    assert_says(fake_out(f), "c1     closed        3         4  missing");
    f->cli.out.len = 0;
    assert_int_equal(fake_run(f, "campaign|" ID), 0);
    assert_says(fake_out(f), "3 of 4 expected: some never arrived");
    assert_says(
        fake_out(f), "3 of 12 attempts; 2 stay wins at a false discovery rate of 5 % (1 of");
    assert_says(fake_out(f), "bw UNKNOWN GB/s, now UNKNOWN, met: unknown");
    assert_int_equal(fake_run(f, "campaign|close|" ID "|--reason|done|--stop-reason|near_peak"), 0);
    assert_string_equal(f->sent, "{\"reason\":\"done\",\"stop_reason\":\"near_peak\"}");
    assert_int_equal(fake_run(f, "campaign|" ID "|close"), 2);
    assert_says(fake_err(f), "give ID, or close ID");
}

static void
directions_are_the_open_ones_unless_asked_otherwise(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "directions"), 0);
    assert_string_equal(f->asked[0], "/api/v1/directions?state=open");
    assert_says(fake_out(f), "1  open   Try streaming stores");
    assert_int_equal(fake_run(f, "directions|--state|all"), 0);
    assert_string_equal(f->asked[1], "/api/v1/directions");
    assert_int_equal(fake_run(f, "direction|close|" ID "|--reason|tried"), 0);
    assert_says(fake_out(f), "closed " ID);
}

static void
seed_score_names_the_terms_that_gave_points(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "recommend|--method|seed-score|-o|softmax"), 0);
    assert_string_equal(f->asked[0], "/api/v1/recommend?operator=softmax&method=seed-score");
    assert_says(fake_out(f), "    75  kernel 40, bottleneck 30, outcome 5  t\n");
    assert_says(fake_out(f), "most often successful: tiling (2 of 7)");
    assert_says(fake_out(f), "  f5  \n  2 more (--json names them)\n");
    assert_says(fake_out(f), "by seed-score@1");
}

static void
lists_know_the_newer_nouns_and_their_filters(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|curations|--subject|" S("1")), 0);
    assert_string_equal(f->asked[0], "/api/v1/curations?subject=" S("1"));
    assert_says(fake_out(f), ID "  select spec  -      2026-01-02  bob  " S("1") "  newer");
    assert_int_equal(fake_run(f, "list|spec|--metric|x|--chip|mi300x"), 0);
    assert_string_equal(f->asked[1], "/api/v1/specs?chip=mi300x&metric=x");
    assert_int_equal(fake_run(f, "list|direction|--metric|x"), 2);
    assert_says(fake_err(f), "--metric: not a filter of directions");
    (void)fake_run(f, "list|--campaign|" S("1") "|--workload|w|--correctness|fail");
    assert_string_equal(
        f->asked[2], "/api/v1/experiments?correctness=fail&workload=w&campaign=" S("1"));
    (void)fake_run(f, "leaderboard|--checked|--any-shape");
    assert_string_equal(f->asked[3], "/api/v1/leaderboard?checked=true&any_shape=true");
    assert_int_equal(fake_run(f, "list|foo"), 2);
    assert_says(fake_err(f), "is none of experiments, kernels, versions, ");
}

static void
the_answer_about_an_idea_has_its_reason_and_its_own_exit_status(void **state)
{
    static const struct fake_row ideas[] = {
        {"/api/v1/check-idea?text=float4%20loads&kernel=" S("K"), 200,
            "{\"answer\":\"stop\",\"why\":\"failed here before: it was slower (0.89x)\",\"rows\":[{"
            "\"experiment\":\"" S(
                "E") "\",\"end\":\"slower\",\"speedup\":0.89,\"words\":\"wide "
                     "loads\"}],\"found\":5,\"attempts\":400,\"since_gain\":400,\"gained\":false,"
                     "\"techniques\":[{\"technique\":\"memory.wide\",\"text\":\"introduced 4 times "
                     "here: 1 won, 3 failed\"},{\"technique\":\"b\",\"text\":\"\"}]}"},
        {"/api/v1/check-idea?technique=a%7Bx%3D1%7D%2Cb&params=y%3D2&operator=gemm&chip=h200", 200,
            "{\"answer\":\"new\",\"why\":\"nothing like it among 7 attempts here\",\"rows\":[],"
            "\"attempts\":7,\"since_gain\":5,\"gained\":true,\"recent\":7,\"recent_not_built\":2}"},
        {"/api/v1/check-idea?text=x&operator=norm", 200,
            "{\"answer\":\"known\",\"why\":\"w\",\"rows\":[]}"},
        {"/api/v1/check-idea?text=x&operator=relu", 200,
            "{\"answer\":\"won_here\",\"why\":\"w\",\"rows\":[]}"},
        {NULL, 0, NULL}};
    struct fake *f = *state;

    f->rows = ideas;
    assert_int_equal(fake_run(f, "check-idea|float4|loads|-k|" S("K")), LORE_EXIT_STOP);
    assert_string_equal(fake_out(f),
        "stop: failed here before: it was slower (0.89x)\n  " S(
            "E") "  0.89x: wide loads\n"
                 "  and 2 more\n  memory.wide: introduced 4 times here: 1 won, 3 failed\n"
                 "400 attempts, none gained\n");
    lore_buf_reset(&f->cli.out);
    assert_int_equal(
        fake_run(f, "check-idea|-o|gemm|-t|a{x=1}|-t|b|--params|y=2|-c|h200"), LORE_EXIT_OK);
    assert_string_equal(fake_out(f),
        "new: nothing like it among 7 attempts here\n7 attempts, 5 since "
        "the last gain; 2 of the last 7 did not compile\n");
    assert_int_equal(fake_run(f, "check-idea|x|-o|norm"), LORE_EXIT_ELSEWHERE);
    assert_int_equal(fake_run(f, "check-idea|x|-o|relu"), LORE_EXIT_WON_HERE);
    assert_int_equal(fake_run(f, "check-idea|x"), LORE_EXIT_USAGE);
    assert_int_equal(fake_run(f, "check-idea|-o|norm"), LORE_EXIT_USAGE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_matrix_has_a_row_per_operator_and_a_column_per_chip),
        TEST(specs_print_each_line_exactly_as_it_is_cited),
        TEST(disputes_give_the_ids_to_choose_from_and_mark_the_choice),
        TEST(a_chip_shows_what_is_in_force_unknown_and_inconsistent),
        TEST(a_roofline_without_a_source_is_unknown_and_never_zero),
        TEST(a_profile_without_a_line_is_diagnosed_by_its_first),
        TEST(a_diagnosis_shows_rule_sets_side_by_side_and_what_they_could_not_see),
        TEST(triggers_say_why_and_whether_the_chip_can),
        TEST(a_selection_says_what_was_chosen_and_why_the_rest_was_not),
        TEST(a_choice_that_breaks_a_rule_is_answered_no),
        TEST(a_technique_shows_what_catalogues_say_and_what_came_of_it),
        TEST(who_never_gave_a_probability_has_no_score),
        TEST(a_campaign_with_missing_records_says_so),
        TEST(directions_are_the_open_ones_unless_asked_otherwise),
        TEST(seed_score_names_the_terms_that_gave_points),
        TEST(lists_know_the_newer_nouns_and_their_filters),
        TEST(the_answer_about_an_idea_has_its_reason_and_its_own_exit_status),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}

// uses: client
/* record, import and mask: what is sent, what is said about the answer. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/client/commands/record_cmd.h"
#include "service/base/file.h"
#include "service/wire/wire.h"
#include "tests/unit/cli_fake.h"

#define EXPERIMENT                                                                                 \
    "{\"id\":\"01J00000000000000000000001\",\"title\":\"tiling\",\"typed_outcome\":\"failure\","   \
    "\"outcome\":{\"effect\":\"win\",\"speedup\":1.344,\"policy\":\"claim-5-2@2\","                \
    "\"correctness\":\"pass\","                                                                    \
    "\"process\":\"clean\",\"rules\":[],\"disagrees\":true}}"

static const struct fake_row rows[] = {
    {"/api/v1/submissions", 201,
        "{\"id\":\"01J00000000000000000000000\",\"status\":\"stored\",\"records\":[{\"kind\":"
        "\"kernel\",\"id\":\"01J00000000000000000000007\",\"status\":\"stored\"},"
        "{\"kind\":\"experiment\",\"id\":\"01J00000000000000000000001\",\"status\":\"stored\"}]}"},
    {"/api/v1/experiments/01J00000000000000000000001", 200, EXPERIMENT},
    {"/api/v1/experiments/01J00000000000000000000001/mask", 200,
        "{\"id\":\"01J00000000000000000000001\",\"masked\":true}"},
    {NULL, 0, NULL},
};

struct fixture {
    struct fake *fake;
    char folder[64];
    struct lore_submission doc; /* what was sent, decoded as the service does */
};

static int
setup(void **state)
{
    struct fixture *x = test_calloc(1, sizeof *x);

    *state = x;
    x->fake = fake_new(rows);
    (void)snprintf(x->folder, sizeof x->folder, "%s", "/tmp/test_cli_record.XXXXXX");
    return mkdtemp(x->folder) ? 0 : -1;
}

static int
teardown(void **state)
{
    static const char *const names[] = {"x.yaml", "x.json", "times.txt", "k.cu", "hypothesis.txt",
        "v3/hypothesis.txt", "v3/k.cu", "v3"};
    struct fixture *x = *state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)remove(lore_format(&x->fake->arena, "%s/%s", x->folder, names[i]));
    (void)rmdir(x->folder);
    fake_free(x->fake);
    test_free(x);
    return 0;
}

static const char *
put(struct fixture *x, const char *name, const char *text)
{
    const char *path = lore_format(&x->fake->arena, "%s/%s", x->folder, name);

    assert_int_equal(lore_file_write(path, text, strlen(text), 0600, NULL), LORE_OK);
    return path;
}

/* Run, expect success, decode what was sent. */
static const struct lore_submission *
record(struct fixture *x, const char *words)
{
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (fake_run(x->fake, words) != 0)
        fail_msg("%s", fake_err(x->fake));
    if (lore_json_parse(x->fake->sent, strlen(x->fake->sent), NULL, &x->fake->arena, &root, &err) !=
            LORE_OK ||
        lore_wire_decode(root, &x->fake->arena, &x->doc, &err) != LORE_OK)
        fail_msg("%s: %s", err.path, err.msg);
    return &x->doc;
}

static void
flags_of_the_log_script_make_a_document_that_the_service_reads(void **state)
{
    const struct lore_submission *d = record(*state,
        "record|--kernel|matmul|--backend|cuda|--chip|a6000|--dims|M=1024,K=1024|-i|v3|--"
        "bottleneck|memory-bound|"
        "--stall|long "
        "scoreboard|--memory-sol-before|2.19|--sm-sol-before|97.33|--memory-sol-after|2.84|"
        "--latency-before|0.9445|--latency-after|0.7025|--occupancy-before|95|-o|shared-memory-"
        "tiling{tile-size=16}|"
        "-o|float4 loads|--hypothesis|tiles cut "
        "loads|--outcome|failure|--notes|n|--violation|one_variable");
    const struct lore_experiment *x = &d->experiments[0];

    assert_string_equal(d->kernels[0].op, "gemm");
    assert_string_equal(x->chip, "a6000");
    assert_true(x->claim.latency_before_ns.v == 944500);
    assert_true(x->claim.latency_after_ns.v == 702500);
    assert_string_equal(x->claim.outcome, "failure");
    assert_int_equal(x->n_techniques, 2);
    assert_int_equal(x->metrics_before.n, 3);
    assert_int_equal(x->metrics_after.n, 1);
    assert_string_equal(x->violations[0].rule, "one_variable");
    assert_string_equal(d->hypotheses[0].claim, "tiles cut loads");
    assert_int_equal(d->versions[0].ordinal.v, 3);
    assert_null(x->from_version);
}

static void
the_derived_verdict_is_shown_beside_the_typed_one(void **state)
{
    struct fixture *x = *state;

    (void)record(
        x, "record|-k|gemm|-b|hip|--outcome|failure|--latency-before|1|--latency-after|0.7");
    assert_says(fake_out(x->fake), "recorded 01J00000000000000000000001  tiling");
    assert_says(fake_out(x->fake), "effect       win  1.34x  (policy claim-5-2@2)");
    assert_says(fake_out(x->fake),
        "you typed \"failure\"; by policy claim-5-2@2 a gain of 34.4 % is a win");
}

static void
stated_milliseconds_are_whole_nanoseconds(void **state)
{
    static const struct {
        const char *ms;
        double ns;
    } cases[] = {{"0.6911", 691100}, {"0.0158", 15800}, {"0.0079", 7900}, {"36.04", 36040000},
        {"1e-6", 1}, {"0.0000005", 0.5}};
    struct fixture *x = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct lore_submission *d = record(x,
            lore_format(&x->fake->arena, "record|-k|gemm|-b|hip|--latency-before|%s", cases[i].ms));
        assert_true(d->experiments[0].claim.latency_before_ns.v == cases[i].ns);
    }
    lore_buf_reset(&x->fake->cli.out);
    assert_int_equal(
        fake_run(x->fake, "record|-k|gemm|-b|hip|--latency-after|0.0158|--dry-run"), 0);
    assert_says(fake_out(x->fake), "\"latency_after_ns\":15800}");
}

static void
a_verdict_that_is_missing_says_which_time_is(void **state)
{
    static const struct fake_row no_verdict[] = {
        {"/api/v1/submissions", 201,
            "{\"status\":\"stored\",\"records\":[{\"kind\":\"experiment\",\"id\":"
            "\"01J00000000000000000000001\"}]}"},
        {"/api/v1/experiments", 200,
            "{\"id\":\"01J00000000000000000000001\",\"outcome\":{\"effect\":\"not_measured\","
            "\"after_ns\":5,\"correctness\":\"not_checked\",\"process\":\"clean\"}}"},
        {NULL, 0, NULL},
    };
    struct fixture *x = *state;

    x->fake->rows = no_verdict;
    (void)record(x, "record|-k|gemm|-b|hip|--latency-after|1");
    assert_says(fake_out(x->fake), "effect       not measured: no time before");
    assert_says(fake_out(x->fake), "correctness  not checked");
}

static void
an_unknown_version_is_named_by_its_option(void **state)
{
    static const struct fake_row none[] = {
        {"/api/v1/versions", 404, "{\"detail\":\"no\"}"}, {NULL, 0, NULL}};
    struct fixture *x = *state;

    x->fake->rows = none;
    assert_int_equal(fake_run(x->fake, "record|-k|gemm|-b|hip|-o|x|--from|"
                                       "01J00000000000000000000009"),
        LORE_EXIT_USAGE);
    assert_says(
        fake_err(x->fake), "--from: no stored version has the id 01J00000000000000000000009");
    assert_null(x->fake->sent);
}

static void
the_kernel_record_is_the_same_every_time(void **state)
{
    struct fixture *x = *state;
    const char *first = record(x, "record|-k|gemm|-b|hip|--notes|a")->kernels[0].id;
    const char *second =
        record(x, "record|-k|matmul|-b|hip|--notes|b|--chip|mi300x")->kernels[0].id;
    const char *other = record(x, "record|-k|gemm|-b|triton|--notes|a")->kernels[0].id;

    assert_string_equal(first, second);
    assert_string_not_equal(first, other);
}

static void
samples_make_runs_on_both_sides(void **state)
{
    struct fixture *x = *state;
    const char *file = put(x, "times.txt", "# warm\nus\n12.5\n12.75, 13\n");
    const struct lore_submission *d = record(x, lore_format(&x->fake->arena,
                                                    "record|-k|gemm|-b|hip|--samples-before|%s|--"
                                                    "samples-after|10,11,12ms|--correctness|pass",
                                                    file));

    assert_int_equal(d->n_runs, 2);
    assert_int_equal(d->n_versions, 2);
    assert_int_equal(d->runs[0].n_samples, 3);
    assert_int_equal(d->runs[0].samples_ns[1], 12750);
    assert_int_equal(d->runs[1].samples_ns[0], 10000000);
    assert_int_equal(d->runs[1].correctness.status, LORE_C_PASS);
    assert_int_equal(d->runs[0].correctness.status, LORE_C_NONE);
    assert_string_equal(d->experiments[0].runs_before.v[0], d->runs[0].id);
    assert_string_equal(d->versions[1].parents[0].version, d->versions[0].id);
}

static void
a_time_without_a_unit_is_refused(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(
        fake_run(x->fake, "record|-k|gemm|-b|hip|--samples-after|10,11"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "--samples-after: time 1 has no unit");
    assert_int_equal(
        fake_run(x->fake, "record|-k|gemm|-b|hip|--samples-after|10furlongs"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "10furlongs");
    assert_null(x->fake->sent);
}

static void
a_yaml_file_holds_the_same_options_and_the_command_line_wins(void **state)
{
    struct fixture *x = *state;
    const char *path = put(x, "x.yaml",
        "kernel: softmax\nbackend: triton\nchip: mi300x\ndims: {M: 128, N: 64}\nlatency_before: "
        "2.5\n"
        "latency-after: 2\noptimization:\n  - one{a=1}\n  - two\nnotes: \"12: not a number\"\n");
    const struct lore_submission *d =
        record(x, lore_format(&x->fake->arena, "record|--file|%s|--chip|h200", path));

    assert_string_equal(d->kernels[0].op, "softmax");
    assert_string_equal(d->experiments[0].chip, "h200");
    assert_true(d->experiments[0].claim.latency_before_ns.v == 2.5e6);
    assert_int_equal(d->experiments[0].n_techniques, 2);
    assert_string_equal(lore_kvs_get(&d->experiments[0].workload.dims, "N"), "64");
    assert_string_equal(d->experiments[0].notes, "12: not a number");
    d = record(
        x, lore_format(&x->fake->arena, "record|--file|%s|--operator|gemm|--language|cuda", path));
    assert_string_equal(d->kernels[0].op, "gemm");
    path = put(x, "x.yaml", "operator: softmax\nlanguage: triton\nnotes: n\n");
    d = record(x, lore_format(&x->fake->arena, "record|--file|%s|--kernel|gemm|-b|cuda", path));
    assert_string_equal(d->kernels[0].op, "gemm");
    assert_int_equal(d->kernels[0].language, LORE_LANG_CUDA);
}

static void
mistakes_in_a_file_are_named(void **state)
{
    struct fixture *x = *state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"kernel: a\nkernle: b\n", "x.yaml: kernle: unknown option\n  hint: did you mean kernel?"},
        {"{\"kernel\": \"a\",}", "x.yaml: line 1, column"}, {"kernel: a\nkernel: b\n", "kernel"},
        {"kernel: &x a\n", "anchors and tags are not supported"}, {"- a\n", "expected options"},
        {"kernel: [a\n", "x.yaml:"}, {"notes: true\n", "notes: expected text"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = put(x, "x.yaml", cases[i].text);
        lore_buf_reset(&x->fake->cli.err);
        assert_int_equal(fake_run(x->fake, lore_format(&x->fake->arena, "record|--file|%s", path)),
            LORE_EXIT_USAGE);
        assert_says(fake_err(x->fake), cases[i].says);
    }
    assert_null(x->fake->sent);
}

static void
a_whole_submission_is_sent_as_it_is(void **state)
{
    struct fixture *x = *state;
    static const char text[] = "{ \"warplore\": 1, \"id\": \"01J00000000000000000000000\" }\n";
    const char *path = put(x, "x.json", text);

    assert_int_equal(fake_run(x->fake, lore_format(&x->fake->arena, "record|--file|%s", path)), 0);
    assert_string_equal(x->fake->sent, text);
}

static void
a_directory_gives_hypothesis_and_sources(void **state)
{
    struct fixture *x = *state;
    const char *folder = lore_format(&x->fake->arena, "%s/v3", x->folder);

    assert_int_equal(mkdir(folder, 0700), 0);
    (void)put(x, "v3/hypothesis.txt", "Hypothesis: wider loads\nRationale: low efficiency\n");
    (void)put(x, "v3/k.cu", "__global__ void k() {}\n");
    const struct lore_submission *d =
        record(x, lore_format(&x->fake->arena, "record|%s|-k|gemm", folder));

    assert_int_equal(d->kernels[0].language, LORE_LANG_CUDA);
    assert_string_equal(d->hypotheses[0].claim, "wider loads");
    assert_string_equal(d->hypotheses[0].rationale, "low efficiency");
    assert_string_equal(d->versions[0].label, "v3");
    assert_string_equal(d->versions[0].sources[0].file, "k.cu");
    assert_string_equal(d->experiments[0].title, "wider loads");
    assert_says(d->experiments[0].extra, "lineage_inferred");
}

static void
a_directory_of_the_source_version_holds_the_parents_code(void **state)
{
    struct fixture *x = *state;
    const char *folder = lore_format(&x->fake->arena, "%s/v3", x->folder);

    assert_int_equal(mkdir(folder, 0700), 0);
    (void)put(x, "v3/hypothesis.txt",
        "Version:\n- Source: v3\n- Target: v4\nSingle change:\n- Change: wider loads\n");
    (void)put(x, "v3/k.cu", "__global__ void k() {}\n");
    const struct lore_submission *d =
        record(x, lore_format(&x->fake->arena, "record|%s|-k|gemm", folder));

    assert_int_equal(d->kernels[0].language, LORE_LANG_CUDA);
    assert_int_equal(d->n_versions, 2);
    assert_string_equal(d->versions[0].label, "v3");
    assert_int_equal(d->versions[0].n_sources, 1);
    assert_string_equal(d->versions[1].label, "v4");
    assert_int_equal(d->versions[1].n_sources, 0);
    assert_null(d->experiments[0].extra);
}

static void
what_is_missing_or_unknown_is_named_before_anything_is_sent(void **state)
{
    struct fixture *x = *state;
    static const struct {
        const char *words, *says;
    } cases[] = {{"record|-b|hip", "--kernel: required"}, {"record|-k|gemm", "--backend: required"},
        {"record|-k|gemm|-b|cudda", "did you mean cuda?"},
        {"record|-k|gemm|-b|hip|-c|mi30x", "unknown chip \"mi30x\""},
        {"record|-k|gemm|-b|hip|--latency-before|fast", "--latency-before"},
        {"record|-k|gemm|-b|hip|--latency-before|-1", "must not be negative"},
        {"record|-k|gemm|-b|hip|--bottleneck|vibes", "\"vibes\" is not a known bottleneck"},
        {"record|-k|gemm|-b|hip|--bottleneck|memmory", "did you mean memory?"},
        {"record|-k|gemm|-b|hip|--correctness|maybe", "--correctness"},
        {"record|-k|gemm|-b|hip|--outcome|sucess", "did you mean success?"},
        {"record|-k|gemm|-b|hip|--date|yesterday", "--date: \"yesterday\" is no date"},
        {"record|-k|gemm|-b|hip|--latency-before|12.5us", "milliseconds without a unit"},
        {"record|-k|gemm|-b|hip|--latency-after|0", "--latency-after: must be more than 0"},
        {"record|-k|gemm|-b|hip|--latency-after|NaN", "--latency-after: expected a number"},
        {"record|-k|gemm|-b|hip|--samples-after|t.txt", "\"t.txt\" is no time"},
        {"record|-k|gemm|-b|hip|--bottleneck|memory", "nothing to record"},
        {"record|/nonexistent/v3", "not a directory"},
        {"record|-k|gemm|-b|hip|--from|v3", "--from: \"v3\" is not an id"},
        {"record|-k|gemm|-b|hip|--source|/nonexistent/k.cu", "/nonexistent/k.cu"},
        {"mask|01J00000000000000000000001", "--reason: required"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lore_buf_reset(&x->fake->cli.err);
        assert_int_equal(fake_run(x->fake, cases[i].words), LORE_EXIT_USAGE);
        assert_says(fake_err(x->fake), cases[i].says);
    }
    assert_int_equal(x->fake->n_asked, 0);
}

static void
import_counts_what_the_service_stored(void **state)
{
    static const struct fake_row duplicate[] = {
        {"/api/v1/submissions", 200,
            "{\"id\":\"01J00000000000000000000000\",\"status\":\"duplicate\",\"stored\":{},"
            "\"duplicates\":{\"experiments\":4},\"records\":[]}"},
        {NULL, 0, NULL}};
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "import|--format|experiences|" SOURCE_DIR
                                       "/tests/fixtures/import/experiences.json"),
        LORE_EXIT_USAGE);
    assert_says(fake_out(x->fake), "6 entries, 2 refused, 1 document");
    lore_buf_reset(&x->fake->cli.out);
    x->fake->rows = duplicate;
    (void)fake_run(x->fake, "import|" SOURCE_DIR "/tests/fixtures/import/experiences.json|--json");
    assert_says(fake_out(x->fake), "\"entries\":6,\"refused\":2");
    assert_says(fake_out(x->fake),
        "\"experiments\":{\"read\":4,\"repeated\":0,\"stored\":0,\"duplicates\":4}");
}

static void
import_says_when_another_number_of_entries_came_than_expected(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "import|-n|--expect|12|" SOURCE_DIR
                                       "/tests/fixtures/import/traps/experiences.json"),
        LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "12 entries were expected, 11 found");
    assert_int_equal(fake_run(x->fake, "import|-n|--expect|11|" SOURCE_DIR
                                       "/tests/fixtures/import/traps/experiences.json"),
        LORE_EXIT_OK);
    assert_int_equal(fake_run(x->fake, "import|--format|none|x"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "\"none\" is not known (kernelflow, experiences");
}

static void
a_dry_run_sends_nothing(void **state)
{
    struct fixture *x = *state;

    (void)fake_run(x->fake, "import|-n|" SOURCE_DIR "/tests/fixtures/import/kernelflow.json");
    assert_says(fake_out(x->fake), "7 entries, 2 refused, nothing sent");
    assert_int_equal(fake_run(x->fake, "record|-k|gemm|-b|hip|--notes|x|--dry-run"), 0);
    assert_says(fake_out(x->fake), "\"warplore\":1");
    assert_int_equal(x->fake->n_asked, 0);
}

static void
a_mask_carries_its_reason(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(
        fake_run(x->fake, "mask|01J00000000000000000000001|--reason|wrong \"clock\""), 0);
    assert_string_equal(x->fake->sent, "{\"masked\":true,\"reason\":\"wrong \\\"clock\\\"\"}");
    assert_int_equal(fake_run(x->fake, "unmask|01J00000000000000000000001|-r|fine"), 0);
    assert_string_equal(x->fake->sent, "{\"masked\":false,\"reason\":\"fine\"}");
}

#define CASE(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(flags_of_the_log_script_make_a_document_that_the_service_reads),
        CASE(the_derived_verdict_is_shown_beside_the_typed_one),
        CASE(stated_milliseconds_are_whole_nanoseconds),
        CASE(a_verdict_that_is_missing_says_which_time_is),
        CASE(an_unknown_version_is_named_by_its_option),
        CASE(the_kernel_record_is_the_same_every_time),
        CASE(samples_make_runs_on_both_sides),
        CASE(a_time_without_a_unit_is_refused),
        CASE(a_yaml_file_holds_the_same_options_and_the_command_line_wins),
        CASE(mistakes_in_a_file_are_named),
        CASE(a_whole_submission_is_sent_as_it_is),
        CASE(a_directory_gives_hypothesis_and_sources),
        CASE(a_directory_of_the_source_version_holds_the_parents_code),
        CASE(what_is_missing_or_unknown_is_named_before_anything_is_sent),
        CASE(import_counts_what_the_service_stored),
        CASE(import_says_when_another_number_of_entries_came_than_expected),
        CASE(a_dry_run_sends_nothing),
        CASE(a_mask_carries_its_reason),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
